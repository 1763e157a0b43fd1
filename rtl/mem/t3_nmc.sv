// Near-memory compute of one channel, beside the DRAM banks: every write of the
// channel passes through, an update adds its line to the old one, a store passes
// unchanged. The order of arrival is the order of the write-backs.
//
// Latency: 3 cycles from valid_i & ready_o to wb_valid_o, fixed. Throughput: one
// line per cycle; writes to one line follow each other at 3 cycles. Back-pressure:
// ready_o depends on the address offered (a write to a line that is under way
// waits until that one leaves, then takes its result instead of old_i); the
// write-back has none.
`default_nettype none

module t3_nmc #(
  parameter int unsigned LineBytes = 64,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 valid_i,
  output logic                      ready_o,
  input  wire t3_pkg::mem_req_t     req_i,
  input  wire logic [LineBytes-1:0] strb_i,
  input  wire logic [LineBits-1:0]  data_i,  // operand
  input  wire logic [LineBits-1:0]  old_i,   // memory's line at this moment
  output logic                      wb_valid_o,
  output t3_pkg::mem_req_t          wb_req_o,
  output logic      [LineBytes-1:0] wb_strb_o,
  output logic      [LineBits-1:0]  wb_data_o
);

  localparam int unsigned Lanes16 = LineBytes / 2;
  localparam int unsigned Lanes32 = LineBytes / 4;

  // Stage 1 holds operands, stage 2 aligned sums, stage 3 results.
  logic                 valid1_q, valid2_q, valid3_q;
  t3_pkg::mem_req_t     req1_q, req2_q, req3_q;
  logic [LineBytes-1:0] strb1_q, strb2_q, strb3_q;
  logic [LineBits-1:0]  data1_q, old1_q, data2_q, data3_q;
  logic                 update1, update2, update3, wide1, wide2, wide3;

  assign update1 = req1_q.op == t3_pkg::MemUpdate;
  assign update2 = req2_q.op == t3_pkg::MemUpdate;
  assign update3 = req3_q.op == t3_pkg::MemUpdate;
  assign wide1   = req1_q.fmt == t3_pkg::FmtFp32;
  assign wide2   = req2_q.fmt == t3_pkg::FmtFp32;
  assign wide3   = req3_q.fmt == t3_pkg::FmtFp32;

  // Hazards: a line under way.
  logic hit1, hit2, hit3, accept;
  assign hit1    = valid1_q & (req1_q.addr == req_i.addr);
  assign hit2    = valid2_q & (req2_q.addr == req_i.addr);
  assign hit3    = valid3_q & (req3_q.addr == req_i.addr);
  assign ready_o = ~hit1 & ~hit2;
  assign accept  = valid_i & ready_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else begin
      valid1_q <= accept;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept) begin
      req1_q  <= req_i;
      strb1_q <= strb_i;
      data1_q <= data_i;
    end
    if (accept && req_i.op == t3_pkg::MemUpdate) old1_q <= old_i;
    if (accept & hit3) begin
      for (int unsigned b = 0; b < LineBytes; b++) begin
        if (strb3_q[b]) old1_q[b*8+:8] <= wb_data_o[b*8+:8];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid1_q) begin
      req2_q  <= req1_q;
      strb2_q <= strb1_q;
    end
    if (valid1_q & ~update1) data2_q <= data1_q;
    if (valid2_q) begin
      req3_q  <= req2_q;
      strb3_q <= strb2_q;
    end
    if (valid2_q & ~update2) data3_q <= data2_q;
  end

  logic [LineBits-1:0] sum16, sum32;

  t3_fp_lanes #(
    .LaneW(16),
    .Lanes(Lanes16)
  ) u_lanes16 (
    .clk_i,
    .align_i     (valid1_q & update1 & ~wide1),
    .round_i     (valid2_q & update2 & ~wide2),
    .align_bf16_i(req1_q.fmt == t3_pkg::FmtBf16),
    .round_bf16_i(req2_q.fmt == t3_pkg::FmtBf16),
    .a_i         (old1_q),
    .b_i         (data1_q),
    .sum_o       (sum16)
  );

  t3_fp_lanes #(
    .LaneW(32),
    .Lanes(Lanes32)
  ) u_lanes32 (
    .clk_i,
    .align_i     (valid1_q & update1 & wide1),
    .round_i     (valid2_q & update2 & wide2),
    .align_bf16_i(1'b0),
    .round_bf16_i(1'b0),
    .a_i         (old1_q),
    .b_i         (data1_q),
    .sum_o       (sum32)
  );

  assign wb_valid_o = valid3_q;
  assign wb_req_o   = req3_q;
  assign wb_strb_o  = strb3_q;
  assign wb_data_o  = ~update3 ? data3_q : wide3 ? sum32 : sum16;

endmodule

`default_nettype wire
