// FIFO for wide words: storage in t3_ram, the head in the RAM's output register.
//
// Latency: a word written into an empty FIFO is visible two cycles later.
// Throughput: one word per cycle. Order: first in, first out. Capacity: Depth
// words in the RAM and one at the output. Back-pressure: wready_o depends on
// state only; rdata_o comes from a register.
`include "t3_assert.svh"
`default_nettype none

module t3_line_fifo #(
  parameter int unsigned Width = 640,
  parameter int unsigned Depth = 16
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             wvalid_i,
  output logic                  wready_o,
  input  wire logic [Width-1:0] wdata_i,
  output logic                  rvalid_o,
  input  wire logic             rready_i,
  output logic      [Width-1:0] rdata_o,
  output logic                  busy_o  // a word is held
);

  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned PtrBits = (Depth > 1) ? $clog2(Depth) : 1;

  logic [PtrBits-1:0]   wptr_q, rptr_q;
  logic [CountBits-1:0] stored_q;  // words in the RAM
  logic                 head_q;    // the output register holds a word
  logic                 push, pop, fetch;

  assign wready_o = stored_q != CountBits'(Depth);
  assign rvalid_o = head_q;
  assign busy_o   = (stored_q != '0) | head_q;
  assign push     = wvalid_i & wready_o;
  assign pop      = head_q & rready_i;
  assign fetch    = (stored_q != '0) & (~head_q | rready_i);

  t3_ram #(
    .Width(Width),
    .Depth(Depth)
  ) u_ram (
    .clk_i,
    .we_i   (push),
    .waddr_i(wptr_q),
    .wdata_i,
    .re_i   (fetch),
    .raddr_i(rptr_q),
    .rdata_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q   <= '0;
      rptr_q   <= '0;
      stored_q <= '0;
      head_q   <= 1'b0;
    end else begin
      if (push) wptr_q <= (wptr_q == PtrBits'(Depth - 1)) ? '0 : wptr_q + PtrBits'(1);
      if (fetch) rptr_q <= (rptr_q == PtrBits'(Depth - 1)) ? '0 : rptr_q + PtrBits'(1);
      stored_q <= stored_q + CountBits'(push) - CountBits'(fetch);
      if (fetch) head_q <= 1'b1;
      else if (pop) head_q <= 1'b0;
    end
  end

  // Empty or full: the pointers meet.
  `T3_ASSERT(PointersMeet, (stored_q != '0 && stored_q != CountBits'(Depth)) || wptr_q == rptr_q)

  initial if (Depth < 1) $fatal(1, "t3_line_fifo: Depth must be at least 1");

endmodule

`default_nettype wire
