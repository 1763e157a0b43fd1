// Small FIFO in registers for control information (narrow words).
//
// Latency: a word written into an empty FIFO is visible in the next cycle.
// Throughput: one word per cycle for Depth >= 2, one per two cycles for Depth 1.
// Order: first in, first out. Back-pressure: wready_o depends on state only
// (never on rready_i or wvalid_i); rdata_o is combinational from the head.
`include "t3_assert.svh"
`default_nettype none

module t3_fifo #(
  parameter int unsigned Width = 8,
  parameter int unsigned Depth = 2
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             wvalid_i,
  output logic                  wready_o,
  input  wire logic [Width-1:0] wdata_i,
  output logic                  rvalid_o,
  input  wire logic             rready_i,
  output logic      [Width-1:0] rdata_o
);

  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned PtrBits = (Depth > 1) ? $clog2(Depth) : 1;

  logic [Width-1:0]     mem_q [Depth];
  logic [PtrBits-1:0]   wptr_q, rptr_q;
  logic [CountBits-1:0] count_q;
  logic                 push, pop;

  assign wready_o = count_q != CountBits'(Depth);
  assign rvalid_o = count_q != '0;
  assign rdata_o  = mem_q[rptr_q];
  assign push     = wvalid_i & wready_o;
  assign pop      = rvalid_o & rready_i;

  always_ff @(posedge clk_i) begin
    if (push) mem_q[wptr_q] <= wdata_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q  <= '0;
      rptr_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) wptr_q <= (wptr_q == PtrBits'(Depth - 1)) ? '0 : wptr_q + PtrBits'(1);
      if (pop) rptr_q <= (rptr_q == PtrBits'(Depth - 1)) ? '0 : rptr_q + PtrBits'(1);
      count_q <= count_q + CountBits'(push) - CountBits'(pop);
    end
  end

  // Empty or full: the pointers meet.
  `T3_ASSERT(PointersMeet, (count_q != '0 && count_q != CountBits'(Depth)) || wptr_q == rptr_q)

  initial if (Depth < 1) $fatal(1, "t3_fifo: Depth must be at least 1");

endmodule

`default_nettype wire
