// Numbers of free slots: handed out one per cycle, returned in any order.
//
// Latency: a returned slot can be handed out in the next cycle. Throughput: one
// each way per cycle. Returned numbers come first, so a lightly loaded user keeps
// to a few slots.
`include "t3_assert.svh"
`default_nettype none

module t3_slots #(
  parameter int unsigned Slots = 32,
  localparam int unsigned SlotBits = (Slots > 1) ? $clog2(Slots) : 1
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  output logic                     free_o,  // slot_o can be taken
  input  wire logic                alloc_i,
  output logic      [SlotBits-1:0] slot_o,
  input  wire logic                ret_valid_i,
  input  wire logic [SlotBits-1:0] ret_slot_i
);

  localparam int unsigned CountBits = $clog2(Slots + 1);

  logic [CountBits-1:0] fresh_q;  // slots handed out at least once
  logic                 back_valid, ret_ready, all_used;
  logic [SlotBits-1:0]  back_slot;

  t3_fifo #(
    .Width(SlotBits),
    .Depth(Slots)
  ) u_back (
    .clk_i,
    .rst_ni,
    .wvalid_i(ret_valid_i),
    .wready_o(ret_ready),
    .wdata_i (ret_slot_i),
    .rvalid_o(back_valid),
    .rready_i(alloc_i),
    .rdata_o (back_slot)
  );

  assign all_used = fresh_q == CountBits'(Slots);
  assign free_o   = back_valid | ~all_used;
  assign slot_o   = back_valid ? back_slot : fresh_q[SlotBits-1:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fresh_q <= '0;
    else if (alloc_i & ~back_valid) fresh_q <= fresh_q + CountBits'(1);
  end

  `T3_ASSERT(AllocOnlyWhenFree, !alloc_i || free_o)
  `T3_ASSERT(RoomForReturn, !ret_valid_i || ret_ready)

endmodule

`default_nettype wire
