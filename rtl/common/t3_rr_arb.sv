// Round-robin arbiter: the requester after the last one served comes first.
//
// Combinational grant; the pointer moves when the grant is taken (ready_i).
// Fairness: a steady request is served within N taken grants.
`include "t3_assert.svh"
`default_nettype none

module t3_rr_arb #(
  parameter int unsigned N = 4,
  localparam int unsigned IdxBits = (N > 1) ? $clog2(N) : 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic [N-1:0]       req_i,
  input  wire logic               ready_i,  // the granted request is consumed in this cycle
  output logic                    valid_o,  // any request
  output logic      [N-1:0]       gnt_o,    // one-hot, 0 without a request
  output logic      [IdxBits-1:0] idx_o     // index of gnt_o
);

  logic [N-1:0] mask_q;  // requesters after the last one served
  logic [N-1:0] pool;

  assign valid_o = |req_i;
  assign pool    = |(req_i & mask_q) ? (req_i & mask_q) : req_i;
  assign gnt_o   = pool & (~pool + N'(1));  // lowest set bit

  always_comb begin
    idx_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      if (gnt_o[i]) idx_o = idx_o | IdxBits'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mask_q <= '0;
    else if (valid_o & ready_i) mask_q <= ~(gnt_o | (gnt_o - N'(1)));
  end

  `T3_ASSERT(OneHot, (gnt_o & (gnt_o - N'(1))) == '0)
  `T3_ASSERT(GrantHasRequest, (gnt_o & ~req_i) == '0)
  `T3_ASSERT(RequestHasGrant, valid_o == (gnt_o != '0))

  initial if (N < 1) $fatal(1, "t3_rr_arb: N must be at least 1");

endmodule

`default_nettype wire
