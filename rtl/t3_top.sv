// T3 of one device: tracks the elements that arrive in an output buffer, adds
// updates beside memory, and sends each subtile on when it is complete.
//
// Every port has a rising-edge clock clk_i and a synchronous reset rst_ni (low,
// at least 2 cycles). Vectors are flat: element e of a port of width W is
// [e*W +: W]; channel, lane and link number e counts from 0. Lane l of link k is
// lane k * LinkLines + l.
//
// Ordering: accesses to one line keep their order within a traffic class.
// Back-pressure: every ready is a function of state only, except tx_ready_i and
// ctl_ready_i, which the fabric drives. docs/interfaces.md has the timing.
`default_nettype none

module t3_top #(
  parameter int unsigned NumChannels  = 16,   // memory channels: 2, 4, 8, 16
  parameter int unsigned LineBytes    = 64,   // one access: 64, 128
  parameter int unsigned TrackerSets  = 256,  // over all banks
  parameter int unsigned TrackerWays  = 8,
  parameter int unsigned TrackerBanks = 8,
  parameter int unsigned Chunks       = 512,  // per context
  parameter int unsigned Links        = 1,    // 1 or 2
  parameter int unsigned LinkLines    = 1,    // lines per cycle and link: 1, 2, 4, 8
  parameter int unsigned LinkCredits  = 2048, // lines buffered per lane
  parameter int unsigned Devices      = 64,   // devices that credits and sequence numbers are kept for
  parameter int unsigned QueueDepth   = 16,   // compute, incoming and egress queues of a channel, lines
  parameter int unsigned EventSlots   = 64,   // counted writes in flight per channel
  parameter int unsigned DmaSlots     = 32,   // triggered reads in flight per channel
  parameter int unsigned ReadyDepth   = 16,   // ready subtiles on chip per context
  localparam int unsigned LineBits = LineBytes * 8,
  localparam int unsigned NumLanes = Links * LinkLines
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  // Registers: AXI4-Lite, 32-bit data. See docs/registers.md.
  input  wire logic [15:0] axil_awaddr_i,
  input  wire logic        axil_awvalid_i,
  output logic             axil_awready_o,
  input  wire logic [31:0] axil_wdata_i,
  input  wire logic [3:0]  axil_wstrb_i,
  input  wire logic        axil_wvalid_i,
  output logic             axil_wready_o,
  output logic      [1:0]  axil_bresp_o,
  output logic             axil_bvalid_o,
  input  wire logic        axil_bready_i,
  input  wire logic [15:0] axil_araddr_i,
  input  wire logic        axil_arvalid_i,
  output logic             axil_arready_o,
  output logic      [31:0] axil_rdata_o,
  output logic      [1:0]  axil_rresp_o,
  output logic             axil_rvalid_o,
  input  wire logic        axil_rready_i,
  output logic             irq_o,   // an enabled, sticky event is pending
  output logic             idle_o,  // nothing in progress: state changes only after a new input

  // Stores of the GEMM, one port per channel. The accelerator's interconnect
  // sends an access to channel t3_pkg::channel_of(address).
  input  wire logic [NumChannels-1:0]                     st_valid_i,
  output logic      [NumChannels-1:0]                     st_ready_o,
  input  wire logic [NumChannels-1:0]                     st_tracked_i,  // 0: ordinary store, ids ignored
  input  wire logic [NumChannels*t3_pkg::SubtileBits-1:0] st_sub_i,      // t3_pkg::subtile_t
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0]       st_addr_i,     // line address
  input  wire logic [NumChannels*LineBytes-1:0]           st_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]            st_data_i,

  // Reads of the GEMM: requests only, the data stays outside.
  input  wire logic [NumChannels-1:0]               rd_valid_i,
  output logic      [NumChannels-1:0]               rd_ready_o,
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0] rd_addr_i,  // line address
  input  wire logic [NumChannels*t3_pkg::TagW-1:0]  rd_id_i,    // comes back as the request's tag

  // Requests to the DRAM channels.
  output logic      [NumChannels-1:0]                    dram_valid_o,
  input  wire logic [NumChannels-1:0]                    dram_ready_i,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] dram_req_o,  // t3_pkg::mem_req_t
  output logic      [NumChannels*LineBytes-1:0]          dram_strb_o,
  output logic      [NumChannels*LineBits-1:0]           dram_data_o, // of writes
  input  wire logic [NumChannels*8-1:0]                  dram_occupancy_i,  // requests queued in the channel

  // Answers to reads of classes ClsDmaRead and ClsTrackRead, in any order; no back-pressure.
  input  wire logic [NumChannels-1:0]              rsp_valid_i,
  input  wire logic [NumChannels-1:0]              rsp_track_i,  // 1: class ClsTrackRead
  input  wire logic [NumChannels*t3_pkg::TagW-1:0] rsp_tag_i,
  input  wire logic [NumChannels*LineBits-1:0]     rsp_data_i,

  // Near-memory compute: every write, when the channel performs it. The result
  // comes back after a fixed latency and is in memory from the cycle on in which
  // wb_valid_o shows it: nmc_old_i, the line in memory, includes the write-backs
  // of the same cycle. Reads of a line must wait for its writes under way.
  input  wire logic [NumChannels-1:0]                    nmc_valid_i,
  output logic      [NumChannels-1:0]                    nmc_ready_o,
  input  wire logic [NumChannels*t3_pkg::MemReqBits-1:0] nmc_req_i,
  input  wire logic [NumChannels*LineBytes-1:0]          nmc_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]           nmc_data_i,
  input  wire logic [NumChannels*LineBits-1:0]           nmc_old_i,
  output logic      [NumChannels-1:0]                    wb_valid_o,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] wb_req_o,
  output logic      [NumChannels*LineBytes-1:0]          wb_strb_o,
  output logic      [NumChannels*LineBits-1:0]           wb_data_o,

  // Links: data packets (header t3_pkg::packet_t) and control packets
  // (t3_pkg::ctl_t). Receivers are never held back: credits guarantee room.
  output logic      [NumLanes-1:0]                    tx_valid_o,
  input  wire logic [NumLanes-1:0]                    tx_ready_i,
  output logic      [NumLanes*t3_pkg::PacketBits-1:0] tx_packet_o,
  output logic      [NumLanes*LineBytes-1:0]          tx_strb_o,
  output logic      [NumLanes*LineBits-1:0]           tx_data_o,
  input  wire logic [NumLanes-1:0]                    rx_valid_i,
  input  wire logic [NumLanes*t3_pkg::PacketBits-1:0] rx_packet_i,
  input  wire logic [NumLanes*LineBytes-1:0]          rx_strb_i,
  input  wire logic [NumLanes*LineBits-1:0]           rx_data_i,
  output logic      [NumLanes-1:0]                    ctl_valid_o,
  input  wire logic [NumLanes-1:0]                    ctl_ready_i,
  output logic      [NumLanes*t3_pkg::CtlBits-1:0]    ctl_o,
  input  wire logic [NumLanes-1:0]                    ctl_valid_i,
  input  wire logic [NumLanes*t3_pkg::CtlBits-1:0]    ctl_i
);

  localparam int unsigned NumErr = NumChannels + NumLanes;

  // ---- Configuration and commands.
  logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg;
  logic [t3_pkg::NumCtx*(t3_pkg::ChunkW+1)-1:0] num_chunks;
  t3_pkg::arb_cfg_t                             arb_cfg;
  t3_pkg::fill_t                                fill;
  logic [t3_pkg::DeviceW-1:0]                   device;
  logic                                         fill_start, chunk_we, chunk_inv;
  logic [t3_pkg::CtxW-1:0]                      chunk_wctx;
  logic [t3_pkg::ChunkW-1:0]                    chunk_wchunk;
  logic [t3_pkg::ChunkBits-1:0]                 chunk_wdata;
  logic                                         credit_init;
  logic [t3_pkg::DeviceW-1:0]                   credit_init_peer;
  logic [t3_pkg::CreditW-1:0]                   credit_init_count;
  logic                                         cmd_valid, cmd_ready, cmd_op;
  logic [t3_pkg::CtxW-1:0]                      cmd_ctx;
  logic [t3_pkg::ChunkW-1:0]                    cmd_chunk;
  logic [t3_pkg::GridW-1:0]                     cmd_wgx, cmd_wgy;
  logic [t3_pkg::TileW-1:0]                     cmd_tiles;
  logic [Links-1:0]                             grant_valid, grant_ready;
  logic [t3_pkg::DeviceW-1:0]                   grant_dst;
  logic [t3_pkg::CtxW-1:0]                      grant_ctx;
  logic [t3_pkg::EpochW-1:0]                    grant_epoch;
  logic                                         clear_valid, clear_done, flush_valid, csr_idle;
  logic [t3_pkg::CtxW-1:0]                      clear_ctx, flush_ctx;

  // ---- Status of the parts.
  logic [NumLanes-1:0]                     granted_valid, sent_valid, stall_credit, dma_lines;
  logic [NumLanes*t3_pkg::DeviceW-1:0]     granted_src;
  logic [NumLanes*t3_pkg::CtxW-1:0]        granted_ctx, sent_ctx;
  logic [NumLanes*t3_pkg::EpochW-1:0]      granted_epoch;
  logic [NumLanes*8-1:0]                   sent_bytes;
  logic [TrackerBanks-1:0]                     acct_valid, acct_complete, acct_notify, acct_excess;
  logic [TrackerBanks*t3_pkg::CtxW-1:0]        acct_ctx;
  logic [TrackerBanks*t3_pkg::ElemsW-1:0]      acct_elems;
  logic [TrackerBanks*t3_pkg::SubtileBits-1:0] acct_sub;
  logic [TrackerBanks-1:0]                     spills, refills, triggers;
  logic                                        ring_write, datapath_busy;
  logic [15:0]                                 tracker_entries;
  logic [NumErr-1:0]                           err_valid;
  logic [NumErr*t3_pkg::ErrorBits-1:0]         err;
  logic [NumChannels-1:0]                      fill_busy, nmc_lines, mca_holds, stall_room, stall_store;
  logic [t3_pkg::NumCtx-1:0]                   ctx_busy;
  logic [3:0]                                  peek_bank;
  logic [15:0]                                 peek_index;
  logic                                        peek_valid;
  logic [t3_pkg::CtxW-1:0]                     peek_ctx;
  logic [t3_pkg::SubW-1:0]                     peek_sub;
  logic [t3_pkg::CountW-1:0]                   peek_count;

  t3_csr #(
    .NumChannels(NumChannels),
    .LineBytes  (LineBytes),
    .Banks      (TrackerBanks),
    .Chunks     (Chunks),
    .Devices    (Devices),
    .NumLanes   (NumLanes),
    .NumLinks   (Links),
    .CreditDepth(LinkCredits),
    .NumErr     (NumErr)
  ) u_csr (
    .clk_i,
    .rst_ni,
    .awaddr_i           (axil_awaddr_i),
    .awvalid_i          (axil_awvalid_i),
    .awready_o          (axil_awready_o),
    .wdata_i            (axil_wdata_i),
    .wstrb_i            (axil_wstrb_i),
    .wvalid_i           (axil_wvalid_i),
    .wready_o           (axil_wready_o),
    .bresp_o            (axil_bresp_o),
    .bvalid_o           (axil_bvalid_o),
    .bready_i           (axil_bready_i),
    .araddr_i           (axil_araddr_i),
    .arvalid_i          (axil_arvalid_i),
    .arready_o          (axil_arready_o),
    .rdata_o            (axil_rdata_o),
    .rresp_o            (axil_rresp_o),
    .rvalid_o           (axil_rvalid_o),
    .rready_i           (axil_rready_i),
    .irq_o,
    .device_o           (device),
    .ctx_cfg_o          (ctx_cfg),
    .num_chunks_o       (num_chunks),
    .policy_o           (arb_cfg.policy),
    .threshold_o        (arb_cfg.threshold),
    .limit_incoming_o   (arb_cfg.limit_incoming),
    .limit_dma_o        (arb_cfg.limit_dma),
    .limit_fill_o       (arb_cfg.limit_fill),
    .queue_entries_o    (arb_cfg.queue_entries),
    .chunk_we_o         (chunk_we),
    .chunk_wctx_o       (chunk_wctx),
    .chunk_wchunk_o     (chunk_wchunk),
    .chunk_wdata_o      (chunk_wdata),
    .chunk_inv_o        (chunk_inv),
    .credit_init_o      (credit_init),
    .credit_init_peer_o (credit_init_peer),
    .credit_init_count_o(credit_init_count),
    .cmd_valid_o        (cmd_valid),
    .cmd_ready_i        (cmd_ready),
    .cmd_ctx_o          (cmd_ctx),
    .cmd_chunk_o        (cmd_chunk),
    .cmd_wgx_o          (cmd_wgx),
    .cmd_wgy_o          (cmd_wgy),
    .cmd_tiles_o        (cmd_tiles),
    .cmd_op_o           (cmd_op),
    .fill_start_o       (fill_start),
    .fill_base_o        (fill.base),
    .fill_pitch_o       (fill.pitch),
    .fill_rows_o        (fill.rows),
    .fill_row_bytes_o   (fill.row_bytes),
    .fill_fmt_o         (fill.fmt),
    .fill_ctx_o         (fill.ctx),
    .fill_busy_i        (fill_busy),
    .grant_valid_o      (grant_valid),
    .grant_ready_i      (grant_ready),
    .grant_dst_o        (grant_dst),
    .grant_ctx_o        (grant_ctx),
    .grant_epoch_o      (grant_epoch),
    .granted_valid_i    (granted_valid),
    .granted_src_i      (granted_src),
    .granted_ctx_i      (granted_ctx),
    .granted_epoch_i    (granted_epoch),
    .acct_valid_i       (acct_valid),
    .acct_ctx_i         (acct_ctx),
    .acct_elems_i       (acct_elems),
    .acct_complete_i    (acct_complete),
    .acct_notify_i      (acct_notify),
    .acct_excess_i      (acct_excess),
    .acct_sub_i         (acct_sub),
    .sent_valid_i       (sent_valid),
    .sent_ctx_i         (sent_ctx),
    .sent_bytes_i       (sent_bytes),
    .ctx_busy_i         (ctx_busy),
    .clear_valid_o      (clear_valid),
    .clear_ctx_o        (clear_ctx),
    .clear_done_i       (clear_done),
    .flush_valid_o      (flush_valid),
    .flush_ctx_o        (flush_ctx),
    .err_valid_i        (err_valid),
    .err_i              (err),
    .pf_nmc_lines_i     (16'($countones(nmc_lines))),
    .pf_dma_lines_i     (16'($countones(dma_lines))),
    .pf_triggers_i      (16'($countones(triggers))),
    .pf_spills_i        (16'($countones(spills))),
    .pf_refills_i       (16'($countones(refills))),
    .pf_ring_writes_i   (16'(ring_write)),
    .pf_mca_holds_i     (16'($countones(mca_holds))),
    .pf_stall_credit_i  (16'($countones(stall_credit))),
    .pf_stall_dma_room_i(16'($countones(stall_room))),
    .pf_stall_store_i   (16'($countones(stall_store))),
    .tracker_entries_i  (tracker_entries),
    .peek_bank_o        (peek_bank),
    .peek_index_o       (peek_index),
    .peek_valid_i       (peek_valid),
    .peek_ctx_i         (peek_ctx),
    .peek_sub_i         (peek_sub),
    .peek_count_i       (peek_count),
    .idle_o             (csr_idle)
  );

  t3_datapath #(
    .NumChannels(NumChannels),
    .LineBytes  (LineBytes),
    .Sets       (TrackerSets),
    .Ways       (TrackerWays),
    .Banks      (TrackerBanks),
    .Chunks     (Chunks),
    .Links      (Links),
    .LinkLines  (LinkLines),
    .Credits    (LinkCredits),
    .Devices    (Devices),
    .QueueDepth (QueueDepth),
    .EventSlots (EventSlots),
    .DmaSlots   (DmaSlots),
    .ReadyDepth (ReadyDepth)
  ) u_datapath (
    .ctx_cfg_i          (ctx_cfg),
    .num_chunks_i       (num_chunks),
    .arb_cfg_i          (arb_cfg),
    .fill_i             (fill),
    .device_i           (device),
    .fill_start_i       (fill_start),
    .chunk_we_i         (chunk_we),
    .chunk_inv_i        (chunk_inv),
    .chunk_wctx_i       (chunk_wctx),
    .chunk_wchunk_i     (chunk_wchunk),
    .chunk_wdata_i      (chunk_wdata),
    .credit_init_i      (credit_init),
    .credit_init_peer_i (credit_init_peer),
    .credit_init_count_i(credit_init_count),
    .cmd_valid_i        (cmd_valid),
    .cmd_op_i           (cmd_op),
    .cmd_ctx_i          (cmd_ctx),
    .cmd_chunk_i        (cmd_chunk),
    .cmd_wgx_i          (cmd_wgx),
    .cmd_wgy_i          (cmd_wgy),
    .cmd_tiles_i        (cmd_tiles),
    .grant_valid_i      (grant_valid),
    .grant_dst_i        (grant_dst),
    .grant_ctx_i        (grant_ctx),
    .grant_epoch_i      (grant_epoch),
    .clear_valid_i      (clear_valid),
    .flush_valid_i      (flush_valid),
    .clear_ctx_i        (clear_ctx),
    .flush_ctx_i        (flush_ctx),
    .peek_bank_i        (peek_bank),
    .peek_index_i       (peek_index),
    .cmd_ready_o        (cmd_ready),
    .grant_ready_o      (grant_ready),
    .clear_done_o       (clear_done),
    .granted_valid_o    (granted_valid),
    .sent_valid_o       (sent_valid),
    .stall_credit_o     (stall_credit),
    .granted_src_o      (granted_src),
    .granted_ctx_o      (granted_ctx),
    .sent_ctx_o         (sent_ctx),
    .granted_epoch_o    (granted_epoch),
    .sent_bytes_o       (sent_bytes),
    .acct_valid_o       (acct_valid),
    .acct_complete_o    (acct_complete),
    .acct_notify_o      (acct_notify),
    .acct_excess_o      (acct_excess),
    .acct_ctx_o         (acct_ctx),
    .acct_elems_o       (acct_elems),
    .acct_sub_o         (acct_sub),
    .spills_o           (spills),
    .refills_o          (refills),
    .triggers_o         (triggers),
    .ring_write_o       (ring_write),
    .tracker_entries_o  (tracker_entries),
    .err_valid_o        (err_valid),
    .err_o              (err),
    .fill_busy_o        (fill_busy),
    .nmc_lines_o        (nmc_lines),
    .mca_holds_o        (mca_holds),
    .stall_room_o       (stall_room),
    .stall_store_o      (stall_store),
    .ctx_busy_o         (ctx_busy),
    .peek_valid_o       (peek_valid),
    .peek_ctx_o         (peek_ctx),
    .peek_sub_o         (peek_sub),
    .peek_count_o       (peek_count),
    .dma_lines_o        (dma_lines),
    .busy_o             (datapath_busy),
    .*
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) idle_o <= 1'b0;
    else idle_o <= csr_idle & ~datapath_busy;
  end

  // ---- Parameters within their ranges.
  initial begin
    if (NumChannels < 2 || NumChannels > 16 || (NumChannels & (NumChannels - 1)) != 0)
      $fatal(1, "t3_top: NumChannels must be 2, 4, 8 or 16");
    if (LineBytes != 64 && LineBytes != 128) $fatal(1, "t3_top: LineBytes must be 64 or 128");
    if (Links < 1 || Links > 2) $fatal(1, "t3_top: Links must be 1 or 2");
    if (LinkLines < 1 || LinkLines > 8 || (LinkLines & (LinkLines - 1)) != 0)
      $fatal(1, "t3_top: LinkLines must be 1, 2, 4 or 8");
    if (LinkLines > NumChannels) $fatal(1, "t3_top: LinkLines must not exceed NumChannels");
    if (TrackerBanks < 1 || TrackerBanks > 8 || (TrackerBanks & (TrackerBanks - 1)) != 0)
      $fatal(1, "t3_top: TrackerBanks must be 1, 2, 4 or 8");
    if (TrackerSets % TrackerBanks != 0) $fatal(1, "t3_top: TrackerSets must be a multiple of TrackerBanks");
    if (Chunks < 1 || Chunks > 512) $fatal(1, "t3_top: Chunks must be 1 to 512");
    if (Devices < 2 || Devices > 64) $fatal(1, "t3_top: Devices must be 2 to 64");
    if (LinkCredits < 1 || LinkCredits > 2048) $fatal(1, "t3_top: LinkCredits must be 1 to 2048");
  end

endmodule

`default_nettype wire
