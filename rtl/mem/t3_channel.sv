// One memory channel's slice of T3: the queues of its traffic classes, the
// arbiter between them, near-memory compute, the count events of its writes and
// its share of the triggered DMA.
//
// Latency: 2 cycles from a queue's input to its head, 1 to the request register
// that t3_top keeps. Throughput: one request
// per cycle. Ordering: first in, first out within a class (GEMM reads and GEMM
// stores are queued apart). Back-pressure: every ready is a function of state.
`include "t3_assert.svh"
`default_nettype none

module t3_channel #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned NumLanes    = 1,
  parameter int unsigned QueueDepth  = 16,
  parameter int unsigned EventSlots  = 64,
  parameter int unsigned DmaSlots    = 32,
  localparam int unsigned LineBits = LineBytes * 8,
  localparam int unsigned LaneBits = (NumLanes > 1) ? $clog2(NumLanes) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [3:0] channel_i,  // its number, constant

  // Configuration.
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire t3_pkg::arb_cfg_t arb_cfg_i,

  // GEMM ports.
  input  wire logic                       st_valid_i,
  output logic                            st_ready_o,
  input  wire logic                       st_tracked_i,
  input  wire t3_pkg::subtile_t           st_sub_i,
  input  wire logic [t3_pkg::AddrW-1:0]   st_addr_i,
  input  wire logic [LineBytes-1:0]       st_strb_i,
  input  wire logic [LineBits-1:0]        st_data_i,
  input  wire logic                       rd_valid_i,
  output logic                            rd_ready_o,
  input  wire logic [t3_pkg::AddrW-1:0]   rd_addr_i,
  input  wire logic [t3_pkg::TagW-1:0]    rd_id_i,

  // Arrivals: the word of lane in_sel_i.
  input  wire logic                                 in_valid_i,
  output logic                                      in_ready_o,
  input  wire logic [LaneBits-1:0]                  in_sel_i,
  input  wire logic [NumLanes*t3_pkg::WriteBits-1:0] in_write_i,  // t3_pkg::write_t
  input  wire logic [NumLanes*LineBytes-1:0]        in_strb_i,
  input  wire logic [NumLanes*LineBits-1:0]         in_data_i,

  // Lines of triggered DMA: the word of engine line_sel_i.
  input  wire logic                                    line_valid_i,
  output logic                                         line_ready_o,
  input  wire logic [LaneBits-1:0]                     line_sel_i,
  input  wire logic [NumLanes*t3_pkg::DmaLineBits-1:0] line_i,

  // Words of tracker and ready rings.
  input  wire logic                     word_valid_i,
  output logic                          word_ready_o,
  input  wire t3_pkg::word_req_t        word_req_i,
  output logic                          word_rsp_valid_o,
  output logic      [4:0]               word_rsp_id_o,
  output logic      [t3_pkg::WordW-1:0] word_rsp_data_o,

  // Fill.
  input  wire logic                       fill_start_i,
  input  wire t3_pkg::fill_t              fill_i,
  output logic                            fill_busy_o,

  // Next request for the DRAM request register (kept by t3_top).
  output logic                     issue_o,
  output logic                     issue_write_o,  // with data
  output t3_pkg::mem_req_t         issue_req_o,
  output logic [LineBytes-1:0]     issue_strb_o,
  output logic [LineBits-1:0]      issue_data_o,
  input  wire logic                out_valid_i,  // the register holds a request
  input  wire logic                out_ready_i,  // the register can be loaded
  input  wire logic [7:0]          occupancy_i,

  // Answers to reads.
  input  wire logic                      rsp_valid_i,
  input  wire logic                      rsp_track_i,
  input  wire logic [t3_pkg::TagW-1:0]   rsp_tag_i,
  input  wire logic [LineBits-1:0]       rsp_data_i,

  // Near-memory compute.
  input  wire logic                  nmc_valid_i,
  output logic                       nmc_ready_o,
  input  wire t3_pkg::mem_req_t      nmc_req_i,
  input  wire logic [LineBytes-1:0]  nmc_strb_i,
  input  wire logic [LineBits-1:0]   nmc_data_i,
  input  wire logic [LineBits-1:0]   nmc_old_i,
  output logic                       wb_valid_o,
  output t3_pkg::mem_req_t           wb_req_o,
  output logic [LineBytes-1:0]       wb_strb_o,
  output logic [LineBits-1:0]        wb_data_o,

  // Merged count events.
  output logic           event_valid_o,
  input  wire logic      event_ready_i,
  output t3_pkg::event_t event_o,

  // Egress: remote stores and DMA packets, one at a time.
  output logic                    eg_valid_o,
  input  wire logic               eg_ready_i,
  output logic                    eg_link_o,
  output t3_pkg::packet_t         eg_packet_o,
  output logic [t3_pkg::CtxW-1:0] eg_ctx_o,
  output logic [LineBytes-1:0]    eg_strb_o,
  output logic [LineBits-1:0]     eg_data_o,

  // Chunk table.
  output logic                                          chunk_req_valid_o,
  input  wire logic                                     chunk_req_ready_i,
  output logic      [t3_pkg::CtxW+t3_pkg::ChunkW-1:0]   chunk_req_id_o,
  input  wire logic                                     chunk_rsp_valid_i,
  input  wire logic [t3_pkg::CtxW+t3_pkg::ChunkW-1:0]   chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0]             chunk_rsp_entry_i,
  input  wire logic                                     chunk_inv_i,

  // Status.
  output logic                      err_valid_o,
  output t3_pkg::error_t            err_o,
  output logic                      mca_hold_o,
  output logic                      stall_room_o,   // a DMA line waits for a read slot
  output logic [t3_pkg::NumCtx-1:0] busy_ctx_o,
  output logic                      busy_o
);

  localparam int unsigned WordsW = $clog2(LineBytes) - 3;  // word within the line
  logic [4:0] gnt;  // to tracker, compute, incoming, dma, fill

  // ---- GEMM.
  logic                     cq_valid, cq_store, rem_valid, rem_ready, rem_link, gemm_busy;
  t3_pkg::write_t           sq;
  logic [LineBytes-1:0]     sq_strb, rem_strb;
  logic [LineBits-1:0]      sq_data, rem_data;
  logic [t3_pkg::AddrW-1:0] rq_addr;
  logic [t3_pkg::TagW-1:0]  rq_id;
  t3_pkg::packet_t          rem_packet;
  logic [t3_pkg::CtxW-1:0]  rem_ctx;
  logic [t3_pkg::NumCtx-1:0] gemm_busy_ctx;

  t3_gemm_port #(
    .LineBytes (LineBytes),
    .QueueDepth(QueueDepth)
  ) u_gemm_port (
    .valid_o     (cq_valid),
    .store_o     (cq_store),
    .pop_i       (gnt[1]),
    .store_req_o (sq),
    .store_strb_o(sq_strb),
    .store_data_o(sq_data),
    .read_addr_o (rq_addr),
    .read_id_o   (rq_id),
    .rem_valid_o (rem_valid),
    .rem_ready_i (rem_ready),
    .rem_link_o  (rem_link),
    .rem_ctx_o   (rem_ctx),
    .rem_packet_o(rem_packet),
    .rem_strb_o  (rem_strb),
    .rem_data_o  (rem_data),
    .busy_ctx_o  (gemm_busy_ctx),
    .busy_o      (gemm_busy),
    .*
  );

  // ---- Queues of the other classes.
  logic                 iq_valid, iq_stored;
  t3_pkg::write_t       iq;
  logic [LineBytes-1:0] iq_strb;
  logic [LineBits-1:0]  iq_data;

  t3_line_fifo #(
    .Width(t3_pkg::WriteBits + LineBytes + LineBits),
    .Depth(QueueDepth)
  ) u_incoming_queue (
    .clk_i,
    .rst_ni,
    .wvalid_i(in_valid_i),
    .wready_o(in_ready_o),
    .wdata_i ({in_write_i[in_sel_i*t3_pkg::WriteBits+:t3_pkg::WriteBits],
               in_strb_i[in_sel_i*LineBytes+:LineBytes],
               in_data_i[in_sel_i*LineBits+:LineBits]}),
    .rvalid_o(iq_valid),
    .rready_i(gnt[2]),
    .rdata_o ({iq, iq_strb, iq_data}),
    .busy_o  (iq_stored)
  );

  logic              wq_valid;
  t3_pkg::word_req_t wq;

  t3_fifo #(
    .Width(t3_pkg::WordReqBits),
    .Depth(2)
  ) u_word_queue (
    .clk_i,
    .rst_ni,
    .wvalid_i(word_valid_i),
    .wready_o(word_ready_o),
    .wdata_i (word_req_i),
    .rvalid_o(wq_valid),
    .rready_i(gnt[0]),
    .rdata_o (wq)
  );

  logic                      dq_valid, slots_busy, pk_valid, pk_ready, pk_link;
  t3_pkg::mem_req_t          dq_req;
  logic [LineBytes-1:0]      dq_strb, pk_strb;
  logic [LineBits-1:0]       pk_data;
  t3_pkg::packet_t           pk_packet;
  logic [t3_pkg::CtxW-1:0]   pk_ctx;
  logic [t3_pkg::NumCtx-1:0] slots_busy_ctx;

  t3_dma_slots #(
    .LineBytes(LineBytes),
    .Slots    (DmaSlots)
  ) u_dma_slots (
    .line_i     (line_i[line_sel_i*t3_pkg::DmaLineBits+:t3_pkg::DmaLineBits]),
    .rd_valid_o (dq_valid),
    .rd_ready_i (gnt[3]),
    .rd_req_o   (dq_req),
    .rd_strb_o  (dq_strb),
    .rsp_valid_i(rsp_valid_i & ~rsp_track_i),
    .pk_valid_o (pk_valid),
    .pk_ready_i (pk_ready),
    .pk_link_o  (pk_link),
    .pk_ctx_o   (pk_ctx),
    .pk_packet_o(pk_packet),
    .pk_strb_o  (pk_strb),
    .pk_data_o  (pk_data),
    .busy_ctx_o (slots_busy_ctx),
    .busy_o     (slots_busy),
    .*
  );

  logic                 fq_valid;
  t3_pkg::mem_req_t     fq_req;
  logic [LineBytes-1:0] fq_strb;
  logic                 fill_walking;

  t3_fill #(
    .LineBytes  (LineBytes),
    .NumChannels(NumChannels)
  ) u_fill (
    .start_i(fill_start_i),
    .valid_o(fq_valid),
    .ready_i(gnt[4]),
    .req_o  (fq_req),
    .strb_o (fq_strb),
    .busy_o (fill_walking),
    .*
  );

  // ---- Arbitration.
  logic slot_free, egress_queued;

  t3_mc_arbiter u_arbiter (
    .policy_i          (arb_cfg_i.policy),
    .threshold_i       (arb_cfg_i.threshold),
    .limit_incoming_i  (arb_cfg_i.limit_incoming),
    .limit_dma_i       (arb_cfg_i.limit_dma),
    .limit_fill_i      (arb_cfg_i.limit_fill),
    .queue_entries_i   (arb_cfg_i.queue_entries),
    .tracker_valid_i   (wq_valid),
    .compute_valid_i   (cq_valid),
    .incoming_valid_i  (iq_valid),
    .dma_valid_i       (dq_valid),
    .fill_valid_i      (fq_valid),
    .compute_counted_i (cq_store & sq.count),
    .incoming_counted_i(1'b1),
    .slot_free_i       (slot_free),
    .gnt_o             (gnt),
    .*
  );

  assign issue_o = |gnt;
  assign issue_write_o = issue_o & (issue_req_o.op != t3_pkg::MemRead);

  // ---- Count events.
  logic                    alloc;
  t3_pkg::event_t          alloc_event;
  logic [t3_pkg::TagW-1:0] slot_tag;
  logic                    events_busy;
  logic [t3_pkg::NumCtx-1:0] events_busy_ctx;

  assign alloc       = (gnt[1] & cq_store & sq.count) | gnt[2];
  assign alloc_event = gnt[2] ? iq.ev : sq.ev;

  t3_event_slots #(
    .Slots(EventSlots)
  ) u_event_slots (
    .free_o       (slot_free),
    .alloc_i      (alloc),
    .alloc_event_i(alloc_event),
    .alloc_tag_o  (slot_tag),
    .done_i       (wb_valid_o & wb_req_o.count),
    .done_tag_i   (wb_req_o.tag),
    .busy_ctx_o   (events_busy_ctx),
    .busy_o       (events_busy),
    .*
  );

  // ---- The request that t3_top stores when issue_o.
  t3_issue #(
    .LineBytes(LineBytes)
  ) u_issue (
    .gnt_i      (gnt),
    .store_i    (cq_store),
    .slot_tag_i (slot_tag),
    .word_i     (wq),
    .store_req_i(sq),
    .store_strb_i(sq_strb),
    .store_data_i(sq_data),
    .read_addr_i(rq_addr),
    .read_id_i  (rq_id),
    .in_req_i   (iq),
    .in_strb_i  (iq_strb),
    .in_data_i  (iq_data),
    .dma_req_i  (dq_req),
    .dma_strb_i (dq_strb),
    .fill_req_i (fq_req),
    .fill_strb_i(fq_strb),
    .req_o      (issue_req_o),
    .strb_o     (issue_strb_o),
    .data_o     (issue_data_o)
  );

  // ---- Near-memory compute.
  t3_nmc #(
    .LineBytes(LineBytes)
  ) u_nmc (
    .valid_i   (nmc_valid_i),
    .ready_o   (nmc_ready_o),
    .req_i     (nmc_req_i),
    .strb_i    (nmc_strb_i),
    .data_i    (nmc_data_i),
    .old_i     (nmc_old_i),
    .*
  );

  // ---- Answers to the tracker.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) word_rsp_valid_o <= 1'b0;
    else word_rsp_valid_o <= rsp_valid_i & rsp_track_i;
    if (rsp_valid_i & rsp_track_i) begin
      word_rsp_id_o   <= rsp_tag_i[WordsW+:5];
      word_rsp_data_o <= rsp_data_i[{rsp_tag_i[WordsW-1:0], 6'b000000}+:t3_pkg::WordW];
    end
  end

  // ---- Egress.
  t3_egress_queue #(
    .LineBytes(LineBytes),
    .Depth    (QueueDepth)
  ) u_egress_queue (
    .rem_valid_i (rem_valid),
    .rem_ready_o (rem_ready),
    .rem_link_i  (rem_link),
    .rem_ctx_i   (rem_ctx),
    .rem_packet_i(rem_packet),
    .rem_strb_i  (rem_strb),
    .rem_data_i  (rem_data),
    .pk_valid_i  (pk_valid),
    .pk_ready_o  (pk_ready),
    .pk_link_i   (pk_link),
    .pk_ctx_i    (pk_ctx),
    .pk_packet_i (pk_packet),
    .pk_strb_i   (pk_strb),
    .pk_data_i   (pk_data),
    .queued_o    (egress_queued),
    .*
  );

  // ---- Status.
  logic       queued;
  logic [2:0] issued_cls_q;  // of the request in the request register

  always_ff @(posedge clk_i) begin
    if (issue_o) issued_cls_q <= issue_req_o.cls;
  end

  assign queued        = iq_stored | egress_queued;
  assign stall_room_o  = line_valid_i & ~line_ready_o;
  assign fill_busy_o   = fill_walking | fq_valid | (out_valid_i & (issued_cls_q == t3_pkg::ClsFill));
  assign busy_ctx_o    = gemm_busy_ctx | slots_busy_ctx | events_busy_ctx | {t3_pkg::NumCtx{queued}};
  assign busy_o        = gemm_busy | slots_busy | events_busy | queued | wq_valid | fill_busy_o |
                         out_valid_i;

  `T3_ASSERT(SlotReserved, !alloc || slot_free)
  `T3_ASSERT(IncomingInChannel,
             !(in_valid_i & in_ready_o) ||
             t3_pkg::channel_of(in_write_i[in_sel_i*t3_pkg::WriteBits+t3_pkg::InterleaveW+:
                                           t3_pkg::AddrW-t3_pkg::InterleaveW],
                                $clog2(NumChannels)) == 8'(channel_i))

endmodule

`default_nettype wire
