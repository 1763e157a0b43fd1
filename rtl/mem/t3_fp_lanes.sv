// Floating-point adders of one line: Lanes sums of LaneW bits, round to nearest
// even, subnormals exact, one canonical NaN.
//
// LaneW = 16 adds fp16 (bf16_i = 0) or bf16 (bf16_i = 1) on one data path: the
// exponent has 8 bits, the significand 11, and a bf16 significand sits in its
// upper 8 bits. LaneW = 32 adds fp32; bf16_i is then 0.
//
// Latency: operands are taken with align_i, the sums are in sum_o two cycles
// later if round_i is given in the next cycle. Throughput: one line per cycle.
// Both registers are clock-enabled; nothing switches between lines.
`default_nettype none

module t3_fp_lanes #(
  parameter int unsigned LaneW = 16,
  parameter int unsigned Lanes = 32
) (
  input  wire logic                   clk_i,
  input  wire logic                   align_i,  // first stage: operands are valid
  input  wire logic                   round_i,  // second stage
  input  wire logic                   align_bf16_i,
  input  wire logic                   round_bf16_i,
  input  wire logic [Lanes*LaneW-1:0] a_i,
  input  wire logic [Lanes*LaneW-1:0] b_i,
  output logic      [Lanes*LaneW-1:0] sum_o
);

  localparam int unsigned ManW = (LaneW == 32) ? 23 : 10;  // stored bits of the significand
  localparam int unsigned SumW = ManW + 5;  // carry, hidden bit, ManW, guard, round, sticky
  localparam int unsigned MagW = LaneW - 1;
  localparam int unsigned HalfW = LaneW / 2;

  // First stage: order by magnitude, align, add or subtract.
  logic [SumW-1:0] sum_q  [Lanes];
  logic [7:0]      exp_q  [Lanes];  // of the larger operand, at least 1
  logic            sign_q [Lanes];
  logic            nan_q  [Lanes];
  logic            inf_q  [Lanes];

  always_ff @(posedge clk_i) begin
    if (align_i) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        logic [LaneW-1:0] a, b;
        logic [MagW-1:0]  big, small_m;
        logic             swap, subtract, big_sign, zero;
        logic [7:0]       big_exp, small_exp, top, gap;
        logic [ManW-1:0]  big_man, small_man;
        logic [SumW-1:0]  big_sig, small_sig, aligned, lost;
        a         = a_i[i*LaneW+:LaneW];
        b         = b_i[i*LaneW+:LaneW];
        swap      = a[MagW-1:0] < b[MagW-1:0];
        big       = swap ? b[MagW-1:0] : a[MagW-1:0];
        small_m   = swap ? a[MagW-1:0] : b[MagW-1:0];
        big_sign  = swap ? b[LaneW-1] : a[LaneW-1];
        subtract  = a[LaneW-1] ^ b[LaneW-1];
        if (LaneW == 32) begin
          big_exp   = big[MagW-1-:8];
          small_exp = small_m[MagW-1-:8];
          big_man   = big[ManW-1:0];
          small_man = small_m[ManW-1:0];
          top       = 8'd255;
        end else begin
          big_exp   = align_bf16_i ? big[MagW-1-:8] : {3'd0, big[MagW-1-:5]};
          small_exp = align_bf16_i ? small_m[MagW-1-:8] : {3'd0, small_m[MagW-1-:5]};
          big_man   = align_bf16_i ? {big[ManW-4:0], 3'd0} : big[ManW-1:0];
          small_man = align_bf16_i ? {small_m[ManW-4:0], 3'd0} : small_m[ManW-1:0];
          top       = align_bf16_i ? 8'd255 : 8'd31;
        end
        big_sig   = {1'b0, big_exp != 8'd0, big_man, 3'd0};
        small_sig = {1'b0, small_exp != 8'd0, small_man, 3'd0};
        big_exp   = big_exp | {7'd0, big_exp == 8'd0};
        small_exp = small_exp | {7'd0, small_exp == 8'd0};
        gap      = big_exp - small_exp;
        gap      = (gap > 8'(SumW - 1)) ? 8'(SumW - 1) : gap;
        aligned   = small_sig >> gap;
        lost      = small_sig & ~({SumW{1'b1}} << gap);
        aligned   = aligned | SumW'(lost != '0);
        zero      = subtract & (big == small_m);
        sum_q[i]  <= subtract ? big_sig - aligned : big_sig + aligned;
        exp_q[i]  <= big_exp;
        sign_q[i] <= big_sign & ~zero;
        // The larger magnitude is NaN if any operand is.
        nan_q[i]  <= (big_exp == top) & ((big_man != '0) | (subtract & (small_exp == top)));
        inf_q[i]  <= big_exp == top;
      end
    end
  end

  // Second stage: normalize, round to nearest even, pack.
  logic [LaneW-1:0] res_q [Lanes];

  always_ff @(posedge clk_i) begin
    if (round_i) begin
      for (int unsigned i = 0; i < Lanes; i++) begin
        logic [SumW-1:0] s, rest, t;
        logic [7:0]      e, n, room;
        logic            carry, up, lsb, guard;
        logic [MagW-1:0] mag, infinity, quiet;
        logic [MagW:0]   packed_mag;
        s     = sum_q[i];
        e     = exp_q[i];
        carry = s[SumW-1];
        // Leading zeros below the carry bit, by halves; at most down to exponent 1.
        t = s << 1;
        n = 8'd0;
        if (LaneW == 32) begin
          n = n + ((t[SumW-1-:HalfW] == '0) ? 8'd16 : 8'd0);
          t = (t[SumW-1-:HalfW] == '0) ? t << 16 : t;
        end
        n = n + ((t[SumW-1-:8] == 8'd0) ? 8'd8 : 8'd0);
        t = (t[SumW-1-:8] == 8'd0) ? t << 8 : t;
        n = n + ((t[SumW-1-:4] == 4'd0) ? 8'd4 : 8'd0);
        t = (t[SumW-1-:4] == 4'd0) ? t << 4 : t;
        n = n + ((t[SumW-1-:2] == 2'd0) ? 8'd2 : 8'd0);
        t = (t[SumW-1-:2] == 2'd0) ? t << 2 : t;
        n = n + (t[SumW-1] ? 8'd0 : 8'd1);
        room = e - 8'd1;
        n    = (n > room) ? room : n;
        n    = carry ? 8'd0 : n;
        s    = carry ? ((s >> 1) | SumW'(s[0])) : s << n;
        e    = carry ? e + 8'd1 : e - n;
        e    = (carry | s[SumW-2]) ? e : 8'd0;
        if (LaneW == 32) begin
          lsb        = s[3];
          guard      = s[2];
          rest       = s & SumW'(3);
          up         = guard & (lsb | (rest != '0));
          packed_mag = (MagW + 1)'({e, s[ManW+2:3]}) + (MagW + 1)'(up);
          infinity   = {8'd255, (MagW - 8)'(0)};
          quiet      = {9'h1ff, (MagW - 9)'(0)};
          mag        = packed_mag[MagW-1:0];
          mag        = (inf_q[i] | (packed_mag >= {1'b0, infinity})) ? infinity : mag;
        end else begin
          lsb        = round_bf16_i ? s[6] : s[3];
          guard      = round_bf16_i ? s[5] : s[2];
          rest       = round_bf16_i ? s & SumW'(31) : s & SumW'(3);
          up         = guard & (lsb | (rest != '0));
          packed_mag = round_bf16_i ? (MagW + 1)'({e, s[ManW+2:6]}) + (MagW + 1)'(up)
                                    : (MagW + 1)'({e[5:0], s[ManW+2:3]}) + (MagW + 1)'(up);
          infinity   = round_bf16_i ? MagW'(15'h7f80) : MagW'(15'h7c00);
          quiet      = round_bf16_i ? MagW'(15'h7fc0) : MagW'(15'h7e00);
          mag        = packed_mag[MagW-1:0];
          mag        = (inf_q[i] | (packed_mag >= {1'b0, infinity})) ? infinity : mag;
        end
        mag      = nan_q[i] ? quiet : mag;
        res_q[i] <= {sign_q[i] & ~nan_q[i], mag};
      end
    end
  end

  for (genvar i = 0; i < Lanes; i++) begin : gen_sum
    assign sum_o[i*LaneW+:LaneW] = res_q[i];
  end

  initial if (LaneW != 16 && LaneW != 32) $fatal(1, "t3_fp_lanes: LaneW must be 16 or 32");

endmodule

`default_nettype wire
