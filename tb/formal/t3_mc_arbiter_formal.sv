// t3_mc_arbiter: one grant, to a head that may go; the tracker first and with the
// last entry of the queue; a head of incoming traffic that could go is served
// within its starvation limit and four cycles, under every policy.
`default_nettype none

module t3_mc_arbiter_formal (
  input wire logic       clk_i,
  input wire logic       rst_ni,
  input wire logic [1:0] policy_i,
  input wire logic [7:0] occupancy_i,
  input wire logic       out_ready_i,
  input wire logic       out_valid_i,
  input wire logic       tracker_valid_i,
  input wire logic       compute_valid_i,
  input wire logic       incoming_i,
  input wire logic       dma_i,
  input wire logic       fill_valid_i,
  input wire logic       compute_counted_i,
  input wire logic       slot_free_i
);

  `include "reset.svh"

  localparam int unsigned Limit = 3;

  logic [4:0] gnt;
  logic       hold;
  logic       incoming_q, dma_q;  // heads stay until they are served
  logic       incoming, dma;
  assign incoming = incoming_q | incoming_i;
  assign dma      = dma_q | dma_i;

  t3_mc_arbiter u_dut (
    .clk_i,
    .rst_ni,
    .policy_i,
    .threshold_i       (8'd2),
    .limit_incoming_i  (16'(Limit)),
    .limit_dma_i       (16'(Limit)),
    .limit_fill_i      (16'(Limit)),
    .queue_entries_i   (8'd8),
    .tracker_valid_i,
    .compute_valid_i,
    .incoming_valid_i  (incoming),
    .dma_valid_i       (dma),
    .fill_valid_i,
    .compute_counted_i,
    .incoming_counted_i(1'b1),
    .slot_free_i,
    .occupancy_i,
    .out_ready_i,
    .out_valid_i,
    .gnt_o             (gnt),
    .mca_hold_o        (hold)
  );

  // Cycles in a row in which incoming traffic could have been served and was not.
  logic [3:0] missed_q;
  logic       could;
  assign could = incoming & slot_free_i & out_ready_i & ~tracker_valid_i &
                 (9'(occupancy_i) + 9'(out_valid_i) + 9'd1 < 9'd8);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      incoming_q <= 1'b0;
      dma_q      <= 1'b0;
      missed_q   <= 4'd0;
    end else begin
      incoming_q <= incoming & ~gnt[2];
      dma_q      <= dma & ~gnt[3];
      if (gnt[2] || !could) missed_q <= 4'd0;
      else missed_q <= missed_q + 4'd1;
    end
  end

  always_comb begin
    if (rst_ni) begin
      assert ((gnt & (gnt - 5'd1)) == 5'd0);
      assert ((gnt & ~{fill_valid_i, dma, incoming, compute_valid_i, tracker_valid_i}) == 5'd0);
      if (tracker_valid_i && out_ready_i) assert (gnt == 5'b00001);
      if (9'(occupancy_i) + 9'(out_valid_i) + 9'd1 >= 9'd8) assert (gnt[4:1] == 4'd0);
      if (gnt[1]) assert (!compute_counted_i || slot_free_i);
      if (gnt[2]) assert (slot_free_i);
      if (!out_ready_i) assert (gnt == 5'd0);
      // The limit, one turn of compute, and the head itself.
      assert (missed_q <= 4'(Limit + 4));
    end
  end

endmodule

`default_nettype wire
