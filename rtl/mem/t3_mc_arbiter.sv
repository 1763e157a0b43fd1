// Picks the next request of a memory channel among the heads of its class queues.
//
// Tracker requests come first and may use the last entry of the DRAM queue; all
// others leave it free. Between compute, incoming and DMA the policy decides:
// round robin, compute first, or MCA (compute first, and communication enters only
// while the DRAM queue holds fewer than threshold_i requests). Fill enters when
// nothing else waits. A head of incoming, DMA or fill that has waited its limit
// is served under every policy; compute has a turn after each of those.
//
// Latency: combinational grant. Throughput: one request per cycle. Back-pressure:
// grants depend on out_ready_i and occupancy_i.
`include "t3_assert.svh"
`default_nettype none

module t3_mc_arbiter (
  input  wire logic        clk_i,
  input  wire logic        rst_ni,
  // Programmed.
  input  wire logic [1:0]  policy_i,
  input  wire logic [7:0]  threshold_i,
  input  wire logic [15:0] limit_incoming_i,
  input  wire logic [15:0] limit_dma_i,
  input  wire logic [15:0] limit_fill_i,
  input  wire logic [7:0]  queue_entries_i,
  // Heads.
  input  wire logic        tracker_valid_i,
  input  wire logic        compute_valid_i,
  input  wire logic        incoming_valid_i,
  input  wire logic        dma_valid_i,
  input  wire logic        fill_valid_i,
  input  wire logic        compute_counted_i,
  input  wire logic        incoming_counted_i,
  input  wire logic        slot_free_i,
  // DRAM queue.
  input  wire logic [7:0]  occupancy_i,
  input  wire logic        out_ready_i,
  input  wire logic        out_valid_i,
  // One-hot grant: tracker, compute, incoming, dma, fill from bit 0.
  output logic      [4:0]  gnt_o,
  output logic             mca_hold_o
);

  logic        compute, incoming, dma, fill;  // heads that could be issued
  logic        room, below, admit;            // room in the queue; below MCA's threshold
  logic [2:0]  expired_q;                     // incoming, dma, fill have waited their limit
  logic        turn_q;                        // compute's turn after an expired class
  logic        served_q;                      // a DMA read was served since fill expired
  logic [1:0]  last_q;                        // round robin: 0 compute, 1 incoming, 2 dma
  logic [15:0] wait_in_q, wait_dma_q, wait_fill_q;
  logic [8:0]  held;

  assign held     = {1'b0, occupancy_i} + {8'd0, out_valid_i};
  assign room     = held + 9'd1 < {1'b0, queue_entries_i};
  assign below    = &threshold_i | (held < {1'b0, threshold_i});
  assign admit    = policy_i != t3_pkg::PolMca || below;
  assign compute  = compute_valid_i & room & (~compute_counted_i | slot_free_i);
  assign incoming = incoming_valid_i & room & (~incoming_counted_i | slot_free_i);
  assign dma      = dma_valid_i & room;
  assign fill     = fill_valid_i & room;

  always_comb begin
    gnt_o = 5'b00000;
    if (out_ready_i) begin
      if (tracker_valid_i) gnt_o = 5'b00001;
      else if (turn_q & compute) gnt_o = 5'b00010;
      else if (expired_q[0] & incoming) gnt_o = 5'b00100;
      else if (expired_q[1] & dma) gnt_o = 5'b01000;
      else if (expired_q[2] & fill & (~dma_valid_i | served_q)) gnt_o = 5'b10000;
      else if (policy_i == t3_pkg::PolRoundRobin) begin
        // The class after the last one served comes first.
        unique case (last_q)
          2'd0: gnt_o = incoming ? 5'b00100 : dma ? 5'b01000 : compute ? 5'b00010 : 5'b00000;
          2'd1: gnt_o = dma ? 5'b01000 : compute ? 5'b00010 : incoming ? 5'b00100 : 5'b00000;
          default: gnt_o = compute ? 5'b00010 : incoming ? 5'b00100 : dma ? 5'b01000 : 5'b00000;
        endcase
      end else begin
        if (compute) gnt_o = 5'b00010;
        else if (admit & incoming & (~dma | (last_q != 2'd1))) gnt_o = 5'b00100;
        else if (admit & dma) gnt_o = 5'b01000;
      end
      if (gnt_o == 5'b00000 && fill && admit && !compute_valid_i && !incoming_valid_i && !dma_valid_i)
        gnt_o = 5'b10000;
    end
  end

  assign mca_hold_o = room & ~admit & (incoming_valid_i | dma_valid_i) & (gnt_o == 5'b00000);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      expired_q   <= 3'b000;
      turn_q      <= 1'b0;
      served_q    <= 1'b0;
      last_q      <= 2'd0;
      wait_in_q   <= '0;
      wait_dma_q  <= '0;
      wait_fill_q <= '0;
    end else if (compute_valid_i | incoming_valid_i | dma_valid_i | fill_valid_i) begin
      if (gnt_o[1]) last_q <= 2'd0;
      if (gnt_o[2]) last_q <= 2'd1;
      if (gnt_o[3]) last_q <= 2'd2;
      if (gnt_o[1] | ~compute_valid_i) turn_q <= 1'b0;
      else if ((gnt_o[2] & expired_q[0]) | (gnt_o[3] & expired_q[1]) | (gnt_o[4] & expired_q[2]))
        turn_q <= 1'b1;

      if (gnt_o[2] | ~incoming_valid_i) begin
        wait_in_q    <= '0;
        expired_q[0] <= 1'b0;
      end else begin
        if (wait_in_q >= limit_incoming_i) expired_q[0] <= 1'b1;
        else wait_in_q <= wait_in_q + 16'd1;
      end
      if (gnt_o[3] | ~dma_valid_i) begin
        wait_dma_q   <= '0;
        expired_q[1] <= 1'b0;
      end else begin
        if (wait_dma_q >= limit_dma_i) expired_q[1] <= 1'b1;
        else wait_dma_q <= wait_dma_q + 16'd1;
      end
      if (gnt_o[4] | ~expired_q[2]) served_q <= 1'b0;
      else if (gnt_o[3]) served_q <= 1'b1;
      if (gnt_o[4] | ~fill_valid_i) begin
        wait_fill_q  <= '0;
        expired_q[2] <= 1'b0;
      end else begin
        if (wait_fill_q >= limit_fill_i) expired_q[2] <= 1'b1;
        else wait_fill_q <= wait_fill_q + 16'd1;
      end
    end
  end

  `T3_ASSERT(OneGrant, (gnt_o & (gnt_o - 5'd1)) == 5'd0)
  `T3_ASSERT(GrantHasHead, (gnt_o & ~{fill_valid_i, dma_valid_i, incoming_valid_i,
                                      compute_valid_i, tracker_valid_i}) == 5'd0)

endmodule

`default_nettype wire
