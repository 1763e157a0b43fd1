// t3_line_fifo: a word that was written is read once, in its turn, unchanged, and
// within three cycles of being first.
`default_nettype none

module t3_line_fifo_formal #(
  parameter int unsigned Depth = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_ni,
  input wire logic       wvalid_i,
  input wire logic [3:0] wdata_i,
  input wire logic       rready_i
);

  `include "reset.svh"

  logic       wready, rvalid, busy;
  logic [3:0] rdata;

  t3_line_fifo #(
    .Width(4),
    .Depth(Depth)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .wvalid_i,
    .wready_o(wready),
    .wdata_i,
    .rvalid_o(rvalid),
    .rready_i,
    .rdata_o (rdata),
    .busy_o  (busy)
  );

  (* anyseq *) logic pick;
  logic       in_q, done_q;
  logic [3:0] word_q;
  logic [2:0] ahead_q, count_q;
  logic [1:0] wait_q;  // cycles in which words were inside and none was offered
  logic       push, pop;
  assign push = wvalid_i & wready;
  assign pop  = rvalid & rready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q    <= 1'b0;
      done_q  <= 1'b0;
      count_q <= 3'd0;
      wait_q  <= 2'd0;
    end else begin
      count_q <= count_q + 3'(push) - 3'(pop);
      wait_q  <= (count_q != 3'd0 && !rvalid) ? wait_q + 2'd1 : 2'd0;
      if (push && pick && !done_q) begin
        in_q    <= 1'b1;
        done_q  <= 1'b1;
        word_q  <= wdata_i;
        ahead_q <= count_q - 3'(pop);
      end else if (pop && in_q) begin
        if (ahead_q == 3'd0) in_q <= 1'b0;
        else ahead_q <= ahead_q - 3'd1;
      end
    end
  end

  always_comb begin
    if (rst_ni) begin
      assert (count_q <= 3'(Depth + 1));
      assert (busy == (count_q != 3'd0));
      assert (!rvalid || count_q != 3'd0);
      assert (wait_q <= 2'd1);
      if (in_q && ahead_q == 3'd0 && rvalid) assert (rdata == word_q);
    end
  end

endmodule

`default_nettype wire
