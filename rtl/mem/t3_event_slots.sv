// Count events of one channel's writes in flight. A slot is reserved when a
// counted write is issued; its event waits there until the write is written back
// (in any order), then events of one subtile that follow each other are merged.
//
// Latency: 3 cycles from done_i to event_o, more while merging: a merged event is
// offered when another subtile's event follows or nothing came for 8 cycles.
// Throughput: one event per cycle. Order: order of done_i. Back-pressure: done_i
// is always accepted (a slot is a place in the queue of finished tags);
// alloc_i only when free_o.
`include "t3_assert.svh"
`default_nettype none

module t3_event_slots #(
  parameter int unsigned Slots = 64
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_ni,
  output logic                           free_o,
  input  wire logic                      alloc_i,
  input  wire t3_pkg::event_t            alloc_event_i,
  output logic      [t3_pkg::TagW-1:0]   alloc_tag_o,
  input  wire logic                      done_i,
  input  wire logic [t3_pkg::TagW-1:0]   done_tag_i,
  output logic                           event_valid_o,
  input  wire logic                      event_ready_i,
  output t3_pkg::event_t                 event_o,
  output logic      [t3_pkg::NumCtx-1:0] busy_ctx_o,
  output logic                           busy_o
);

  localparam int unsigned SlotBits  = (Slots > 1) ? $clog2(Slots) : 1;
  localparam int unsigned CountBits = $clog2(Slots + 1);
  localparam int unsigned IdleBits  = 3;  // 8 idle cycles end a merge

  logic                ret_valid;
  logic [SlotBits-1:0] slot, ret_slot;

  t3_slots #(
    .Slots(Slots)
  ) u_slots (
    .clk_i,
    .rst_ni,
    .free_o,
    .alloc_i,
    .slot_o     (slot),
    .ret_valid_i(ret_valid),
    .ret_slot_i (ret_slot)
  );
  assign alloc_tag_o = t3_pkg::TagW'(slot);

  // Tags whose writes are in memory.
  logic                done_valid, done_pop, done_ready;
  logic [SlotBits-1:0] done_slot;

  t3_fifo #(
    .Width(SlotBits),
    .Depth(Slots)
  ) u_done (
    .clk_i,
    .rst_ni,
    .wvalid_i(done_i),
    .wready_o(done_ready),
    .wdata_i (done_tag_i[SlotBits-1:0]),
    .rvalid_o(done_valid),
    .rready_i(done_pop),
    .rdata_o (done_slot)
  );

  // Their events.
  logic           fetched_q, fetched_pop;
  t3_pkg::event_t fetched;

  t3_ram #(
    .Width(t3_pkg::EventBits),
    .Depth(Slots)
  ) u_events (
    .clk_i,
    .we_i   (alloc_i),
    .waddr_i(slot),
    .wdata_i(alloc_event_i),
    .re_i   (done_pop),
    .raddr_i(done_slot),
    .rdata_o(fetched)
  );

  // Merging register.
  logic                merged_q, same, take, flush;
  t3_pkg::event_t      merge_q;
  logic [IdleBits-1:0] idle_q;
  logic                out_q;  // the merged event is offered
  t3_pkg::event_t      out_event_q;

  assign same        = merge_q.sub == fetched.sub && !merge_q.elems[t3_pkg::ElemsW-1];
  assign flush       = merged_q & (~out_q | event_ready_i) & ((fetched_q & ~same) | (&idle_q));
  assign fetched_pop = fetched_q & (~merged_q | same | flush);
  assign take        = fetched_pop;
  assign done_pop    = done_valid & (~fetched_q | fetched_pop);
  assign ret_valid   = done_pop;
  assign ret_slot    = done_slot;

  assign event_valid_o = out_q;
  assign event_o       = out_event_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fetched_q <= 1'b0;
      merged_q  <= 1'b0;
      out_q     <= 1'b0;
      idle_q    <= '0;
    end else begin
      if (done_pop) fetched_q <= 1'b1;
      else if (fetched_pop) fetched_q <= 1'b0;
      if (take) merged_q <= 1'b1;
      else if (flush) merged_q <= 1'b0;
      if (flush) out_q <= 1'b1;
      else if (event_ready_i) out_q <= 1'b0;
      if (take | ~merged_q) idle_q <= '0;
      else if (~&idle_q) idle_q <= idle_q + IdleBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (flush) out_event_q <= merge_q;
    if (take) begin
      if (merged_q & ~flush) merge_q.elems <= merge_q.elems + fetched.elems;
      else merge_q <= fetched;
    end
  end

  // Writes in flight per context, the merging stages included.
  logic [t3_pkg::NumCtx*CountBits-1:0] flight_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) flight_q <= '0;
    else if (alloc_i | take) begin
      for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
        flight_q[c*CountBits+:CountBits] <= flight_q[c*CountBits+:CountBits] +
            CountBits'(alloc_i && alloc_event_i.sub.ctx == t3_pkg::CtxW'(c)) -
            CountBits'(take && fetched.sub.ctx == t3_pkg::CtxW'(c));
      end
    end
  end

  always_comb begin
    for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
      busy_ctx_o[c] = (flight_q[c*CountBits+:CountBits] != '0) |
                      (merged_q & (merge_q.sub.ctx == t3_pkg::CtxW'(c))) |
                      (out_q & (out_event_q.sub.ctx == t3_pkg::CtxW'(c)));
    end
  end
  assign busy_o = |busy_ctx_o;

  `T3_ASSERT(RoomForDone, !done_i || done_ready)
  `T3_ASSERT(DoneTagInRange, !done_i || done_tag_i < t3_pkg::TagW'(Slots))

endmodule

`default_nettype wire
