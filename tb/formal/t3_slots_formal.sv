// t3_slots: no slot is handed out twice, and none is lost: when all are back, all
// can be handed out.
`default_nettype none

module t3_slots_formal #(
  parameter int unsigned Slots = 4
) (
  input wire logic       clk_i,
  input wire logic       rst_ni,
  input wire logic       alloc_i,
  input wire logic       ret_valid_i,
  input wire logic [1:0] ret_slot_i
);

  `include "reset.svh"

  logic             free;
  logic [1:0]       slot;
  logic [Slots-1:0] used_q;
  logic             take, give;

  // The user allocates only free slots and returns only used ones.
  assign take = alloc_i & free;
  assign give = ret_valid_i & used_q[ret_slot_i];

  t3_slots #(
    .Slots(Slots)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .free_o     (free),
    .alloc_i    (take),
    .slot_o     (slot),
    .ret_valid_i(give),
    .ret_slot_i
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) used_q <= '0;
    else begin
      if (give) used_q[ret_slot_i] <= 1'b0;
      if (take) used_q[slot] <= 1'b1;
    end
  end

  always_comb begin
    if (rst_ni) begin
      if (free) assert (!used_q[slot]);
      assert (free == (used_q != {Slots{1'b1}}));
    end
  end

endmodule

`default_nettype wire
