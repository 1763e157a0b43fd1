// Control of a crossbar: NumIn sources, each with one word for one of NumOut
// targets; round robin per target. The data is selected by the target (out_sel_o)
// where it is stored, so that no wide multiplexer works when nothing moves.
//
// Latency: combinational. Throughput: one word per target and cycle. Order: per
// source and target. Back-pressure: in_ready_o depends on in_valid_i of all
// sources and on out_ready_i; a target's ready must not depend on its valid.
`default_nettype none

module t3_xbar #(
  parameter int unsigned NumIn  = 2,
  parameter int unsigned NumOut = 2,
  localparam int unsigned DestBits = (NumOut > 1) ? $clog2(NumOut) : 1,
  localparam int unsigned SelBits  = (NumIn > 1) ? $clog2(NumIn) : 1
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic [NumIn-1:0]           in_valid_i,
  input  wire logic [NumIn*DestBits-1:0]  in_dest_i,
  output logic      [NumIn-1:0]           in_ready_o,
  output logic      [NumOut-1:0]          out_valid_o,
  output logic      [NumOut*SelBits-1:0]  out_sel_o,
  input  wire logic [NumOut-1:0]          out_ready_i
);

  // taken[o * NumIn + i]: source i's word goes to target o in this cycle.
  logic [NumOut*NumIn-1:0] taken;

  for (genvar o = 0; o < NumOut; o++) begin : gen_out
    logic [NumIn-1:0] req, gnt;
    for (genvar i = 0; i < NumIn; i++) begin : gen_req
      assign req[i] = in_valid_i[i] & (in_dest_i[i*DestBits+:DestBits] == DestBits'(o));
    end
    t3_rr_arb #(
      .N(NumIn)
    ) u_arb (
      .clk_i,
      .rst_ni,
      .req_i  (req),
      .ready_i(out_ready_i[o]),
      .valid_o(out_valid_o[o]),
      .gnt_o  (gnt),
      .idx_o  (out_sel_o[o*SelBits+:SelBits])
    );
    assign taken[o*NumIn+:NumIn] = gnt & {NumIn{out_ready_i[o]}};
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_in
    logic [NumOut-1:0] mine;
    for (genvar o = 0; o < NumOut; o++) begin : gen_mine
      assign mine[o] = taken[o*NumIn+i];
    end
    assign in_ready_o[i] = |mine;
  end

endmodule

`default_nettype wire
