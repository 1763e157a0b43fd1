// t3_rr_arb: one grant, to a requester; a request that stays is served within N
// taken grants.
`default_nettype none

module t3_rr_arb_formal #(
  parameter int unsigned N = 4
) (
  input wire logic         clk_i,
  input wire logic         rst_ni,
  input wire logic [N-1:0] req_i,
  input wire logic         ready_i
);

  `include "reset.svh"

  logic         valid;
  logic [N-1:0] gnt;
  logic [1:0]   idx;

  t3_rr_arb #(
    .N(N)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .req_i,
    .ready_i,
    .valid_o(valid),
    .gnt_o  (gnt),
    .idx_o  (idx)
  );

  // Grants taken by others while the chosen requester waits.
  (* anyconst *) logic [1:0] who;
  logic [2:0] passed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !req_i[who]) passed_q <= 3'd0;
    else if (valid && ready_i) passed_q <= gnt[who] ? 3'd0 : passed_q + 3'd1;
  end

  always_comb begin
    if (rst_ni) begin
      assert ((gnt & (gnt - N'(1))) == '0);
      assert ((gnt & ~req_i) == '0);
      assert (valid == (req_i != '0));
      assert (valid == (gnt != '0));
      if (valid) assert (gnt[idx]);
      assert (passed_q < 3'(N));
    end
  end

endmodule

`default_nettype wire
