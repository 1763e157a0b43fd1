// All of T3 but its registers: channels, tracking, lanes and the chunk table.
// t3_top has the description of the ports that it passes through.
`default_nettype none

module t3_datapath #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 8,
  parameter int unsigned Banks       = 8,
  parameter int unsigned Chunks      = 512,
  parameter int unsigned Links       = 1,
  parameter int unsigned LinkLines   = 1,
  parameter int unsigned Credits     = 2048,
  parameter int unsigned Devices     = 64,
  parameter int unsigned QueueDepth  = 16,
  parameter int unsigned EventSlots  = 64,
  parameter int unsigned DmaSlots    = 32,
  parameter int unsigned ReadyDepth  = 16,
  localparam int unsigned LineBits = LineBytes * 8,
  localparam int unsigned NumLanes = Links * LinkLines,
  localparam int unsigned NumErr   = NumChannels + NumLanes
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  // Ports of t3_top.
  input  wire logic [NumChannels-1:0]                     st_valid_i,
  output logic      [NumChannels-1:0]                     st_ready_o,
  input  wire logic [NumChannels-1:0]                     st_tracked_i,
  input  wire logic [NumChannels*t3_pkg::SubtileBits-1:0] st_sub_i,
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0]       st_addr_i,
  input  wire logic [NumChannels*LineBytes-1:0]           st_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]            st_data_i,
  input  wire logic [NumChannels-1:0]               rd_valid_i,
  output logic      [NumChannels-1:0]               rd_ready_o,
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0] rd_addr_i,
  input  wire logic [NumChannels*t3_pkg::TagW-1:0]  rd_id_i,
  output logic      [NumChannels-1:0]                    dram_valid_o,
  input  wire logic [NumChannels-1:0]                    dram_ready_i,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] dram_req_o,
  output logic      [NumChannels*LineBytes-1:0]          dram_strb_o,
  output logic      [NumChannels*LineBits-1:0]           dram_data_o,
  input  wire logic [NumChannels*8-1:0]                  dram_occupancy_i,
  input  wire logic [NumChannels-1:0]              rsp_valid_i,
  input  wire logic [NumChannels-1:0]              rsp_track_i,
  input  wire logic [NumChannels*t3_pkg::TagW-1:0] rsp_tag_i,
  input  wire logic [NumChannels*LineBits-1:0]     rsp_data_i,
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
  input  wire logic [NumLanes*t3_pkg::CtlBits-1:0]    ctl_i,

  // From the registers (t3_csr).
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic [t3_pkg::NumCtx*(t3_pkg::ChunkW+1)-1:0] num_chunks_i,
  input  wire t3_pkg::arb_cfg_t arb_cfg_i,
  input  wire t3_pkg::fill_t fill_i,
  input  wire logic [t3_pkg::DeviceW-1:0] device_i,
  input  wire logic fill_start_i,
  input  wire logic chunk_we_i,
  input  wire logic chunk_inv_i,
  input  wire logic [t3_pkg::CtxW-1:0] chunk_wctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0] chunk_wchunk_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] chunk_wdata_i,
  input  wire logic credit_init_i,
  input  wire logic [t3_pkg::DeviceW-1:0] credit_init_peer_i,
  input  wire logic [t3_pkg::CreditW-1:0] credit_init_count_i,
  input  wire logic cmd_valid_i,
  input  wire logic cmd_op_i,
  input  wire logic [t3_pkg::CtxW-1:0] cmd_ctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0] cmd_chunk_i,
  input  wire logic [t3_pkg::GridW-1:0] cmd_wgx_i,
  input  wire logic [t3_pkg::GridW-1:0] cmd_wgy_i,
  input  wire logic [t3_pkg::TileW-1:0] cmd_tiles_i,
  input  wire logic [Links-1:0] grant_valid_i,
  input  wire logic [t3_pkg::DeviceW-1:0] grant_dst_i,
  input  wire logic [t3_pkg::CtxW-1:0] grant_ctx_i,
  input  wire logic [t3_pkg::EpochW-1:0] grant_epoch_i,
  input  wire logic clear_valid_i,
  input  wire logic flush_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0] clear_ctx_i,
  input  wire logic [t3_pkg::CtxW-1:0] flush_ctx_i,
  input  wire logic [3:0] peek_bank_i,
  input  wire logic [15:0] peek_index_i,

  // To the registers.
  output logic  cmd_ready_o,
  output logic [Links-1:0] grant_ready_o,
  output logic  clear_done_o,
  output logic [NumLanes-1:0] granted_valid_o,
  output logic [NumLanes-1:0] sent_valid_o,
  output logic [NumLanes-1:0] stall_credit_o,
  output logic [NumLanes*t3_pkg::DeviceW-1:0] granted_src_o,
  output logic [NumLanes*t3_pkg::CtxW-1:0] granted_ctx_o,
  output logic [NumLanes*t3_pkg::CtxW-1:0] sent_ctx_o,
  output logic [NumLanes*t3_pkg::EpochW-1:0] granted_epoch_o,
  output logic [NumLanes*8-1:0] sent_bytes_o,
  output logic [Banks-1:0] acct_valid_o,
  output logic [Banks-1:0] acct_complete_o,
  output logic [Banks-1:0] acct_notify_o,
  output logic [Banks-1:0] acct_excess_o,
  output logic [Banks*t3_pkg::CtxW-1:0] acct_ctx_o,
  output logic [Banks*t3_pkg::ElemsW-1:0] acct_elems_o,
  output logic [Banks*t3_pkg::SubtileBits-1:0] acct_sub_o,
  output logic [Banks-1:0] spills_o,
  output logic [Banks-1:0] refills_o,
  output logic [Banks-1:0] triggers_o,
  output logic  ring_write_o,
  output logic [15:0] tracker_entries_o,
  output logic [NumErr-1:0] err_valid_o,
  output logic [NumErr*t3_pkg::ErrorBits-1:0] err_o,
  output logic [NumChannels-1:0] fill_busy_o,
  output logic [NumChannels-1:0] nmc_lines_o,
  output logic [NumChannels-1:0] mca_holds_o,
  output logic [NumChannels-1:0] stall_room_o,
  output logic [NumChannels-1:0] stall_store_o,
  output logic [t3_pkg::NumCtx-1:0] ctx_busy_o,
  output logic  peek_valid_o,
  output logic [t3_pkg::CtxW-1:0] peek_ctx_o,
  output logic [t3_pkg::SubW-1:0] peek_sub_o,
  output logic [t3_pkg::CountW-1:0] peek_count_o,
  output logic [NumLanes-1:0] dma_lines_o,  // lines that the DMA engines hand over
  output logic busy_o
);

  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1;
  localparam int unsigned IdW         = t3_pkg::CtxW + t3_pkg::ChunkW;
  // Users of the chunk table: GEMM ports, receivers, DMA engines (one per lane).
  localparam int unsigned NumPorts    = NumChannels + 2 * NumLanes;

  logic [t3_pkg::NumCtx-1:0] trigger_pending, ch_busy_ctx, lane_busy_ctx;
  logic                      track_busy, ch_busy, lane_busy;

  // ---- Chunk table.
  logic [NumPorts-1:0]          ct_valid, ct_ready;
  logic [NumPorts*IdW-1:0]      ct_id;
  logic                         ct_rsp_valid;
  logic [IdW-1:0]               ct_rsp_id;
  logic [t3_pkg::ChunkBits-1:0] ct_rsp_entry;

  t3_chunk_table #(
    .NumPorts(NumPorts),
    .Chunks  (Chunks)
  ) u_chunk_table (
    .we_i        (chunk_we_i),
    .wctx_i      (chunk_wctx_i),
    .wchunk_i    (chunk_wchunk_i),
    .wdata_i     (chunk_wdata_i),
    .req_valid_i (ct_valid),
    .req_ready_o (ct_ready),
    .req_id_i    (ct_id),
    .rsp_valid_o (ct_rsp_valid),
    .rsp_id_o    (ct_rsp_id),
    .rsp_entry_o (ct_rsp_entry),
    .*
  );

  // ---- Channels.
  logic [NumLanes-1:0]                       in_valid, in_ready, line_valid, line_ready;
  logic [NumLanes*ChannelBits-1:0]           in_channel, line_channel;
  logic [NumLanes*t3_pkg::WriteBits-1:0]     in_write;
  logic [NumLanes*LineBytes-1:0]             in_strb;
  logic [NumLanes*LineBits-1:0]              in_data;
  logic [NumLanes*t3_pkg::DmaLineBits-1:0]   line;
  logic [NumChannels-1:0]                    event_valid, event_ready, word_valid, word_ready,
                                             word_rsp_valid;
  logic [NumChannels*t3_pkg::EventBits-1:0]  events;
  logic [t3_pkg::WordReqBits-1:0]            word_req;
  logic [NumChannels*5-1:0]                  word_rsp_id;
  logic [NumChannels*t3_pkg::WordW-1:0]      word_rsp_data;
  logic [NumChannels-1:0]                    eg_valid, eg_pop, eg_link;
  logic [NumChannels*t3_pkg::PacketBits-1:0] eg_packet;
  logic [NumChannels*t3_pkg::CtxW-1:0]       eg_ctx;
  logic [NumChannels*LineBytes-1:0]          eg_strb;
  logic [NumChannels*LineBits-1:0]           eg_data;

  t3_channels #(
    .NumChannels(NumChannels),
    .LineBytes  (LineBytes),
    .NumLanes   (NumLanes),
    .LinkLines  (LinkLines),
    .QueueDepth (QueueDepth),
    .EventSlots (EventSlots),
    .DmaSlots   (DmaSlots)
  ) u_channels (
    .in_valid_i       (in_valid),
    .in_ready_o       (in_ready),
    .in_channel_i     (in_channel),
    .in_write_i       (in_write),
    .in_strb_i        (in_strb),
    .in_data_i        (in_data),
    .line_valid_i     (line_valid),
    .line_ready_o     (line_ready),
    .line_channel_i   (line_channel),
    .line_i           (line),
    .event_valid_o    (event_valid),
    .event_ready_i    (event_ready),
    .event_o          (events),
    .word_valid_i     (word_valid),
    .word_ready_o     (word_ready),
    .word_req_i       (word_req),
    .word_rsp_valid_o (word_rsp_valid),
    .word_rsp_id_o    (word_rsp_id),
    .word_rsp_data_o  (word_rsp_data),
    .eg_valid_o       (eg_valid),
    .eg_pop_i         (eg_pop),
    .eg_link_o        (eg_link),
    .eg_packet_o      (eg_packet),
    .eg_ctx_o         (eg_ctx),
    .eg_strb_o        (eg_strb),
    .eg_data_o        (eg_data),
    .chunk_req_valid_o(ct_valid[NumChannels-1:0]),
    .chunk_req_ready_i(ct_ready[NumChannels-1:0]),
    .chunk_req_id_o   (ct_id[NumChannels*IdW-1:0]),
    .chunk_rsp_valid_i(ct_rsp_valid),
    .chunk_rsp_id_i   (ct_rsp_id),
    .chunk_rsp_entry_i(ct_rsp_entry),
    .err_valid_o      (err_valid_o[NumChannels-1:0]),
    .err_o            (err_o[NumChannels*t3_pkg::ErrorBits-1:0]),
    .mca_hold_o       (mca_holds_o),
    .nmc_line_o       (nmc_lines_o),
    .busy_ctx_o       (ch_busy_ctx),
    .busy_o           (ch_busy),
    .*
  );

  // ---- Tracking and triggering.
  logic           ready_valid, ready_ready;
  t3_pkg::ready_t ready;

  t3_track #(
    .NumChannels(NumChannels),
    .Banks      (Banks),
    .Sets       (Sets),
    .Ways       (Ways),
    .ReadyDepth (ReadyDepth)
  ) u_track (
    .event_valid_i   (event_valid),
    .event_ready_o   (event_ready),
    .event_i         (events),
    .ready_valid_o   (ready_valid),
    .ready_ready_i   (ready_ready),
    .ready_o         (ready),
    .word_valid_o    (word_valid),
    .word_ready_i    (word_ready),
    .word_req_o      (word_req),
    .word_rsp_valid_i(word_rsp_valid),
    .word_rsp_id_i   (word_rsp_id),
    .word_rsp_data_i (word_rsp_data),
    .entries_o       (tracker_entries_o),
    .spill_o         (spills_o),
    .refill_o        (refills_o),
    .trigger_o       (triggers_o),
    .pending_o       (trigger_pending),
    .busy_o          (track_busy),
    .*
  );

  // ---- DMA engines and lanes.
  t3_lanes #(
    .NumChannels(NumChannels),
    .LineBytes  (LineBytes),
    .Links      (Links),
    .LinkLines  (LinkLines),
    .Devices    (Devices),
    .Credits    (Credits)
  ) u_lanes (
    .ready_valid_i      (ready_valid),
    .ready_ready_o      (ready_ready),
    .ready_i            (ready),
    .eg_valid_i         (eg_valid),
    .eg_pop_o           (eg_pop),
    .eg_link_i          (eg_link),
    .eg_packet_i        (eg_packet),
    .eg_ctx_i           (eg_ctx),
    .eg_strb_i          (eg_strb),
    .eg_data_i          (eg_data),
    .in_valid_o         (in_valid),
    .in_ready_i         (in_ready),
    .in_channel_o       (in_channel),
    .in_write_o         (in_write),
    .in_strb_o          (in_strb),
    .in_data_o          (in_data),
    .line_valid_o       (line_valid),
    .line_ready_i       (line_ready),
    .line_channel_o     (line_channel),
    .line_o             (line),
    .chunk_req_valid_o  (ct_valid[NumPorts-1:NumChannels]),
    .chunk_req_ready_i  (ct_ready[NumPorts-1:NumChannels]),
    .chunk_req_id_o     (ct_id[NumPorts*IdW-1:NumChannels*IdW]),
    .chunk_rsp_valid_i  (ct_rsp_valid),
    .chunk_rsp_id_i     (ct_rsp_id),
    .chunk_rsp_entry_i  (ct_rsp_entry),
    .err_valid_o        (err_valid_o[NumErr-1:NumChannels]),
    .err_o              (err_o[NumErr*t3_pkg::ErrorBits-1:NumChannels*t3_pkg::ErrorBits]),
    .busy_ctx_o         (lane_busy_ctx),
    .busy_o             (lane_busy),
    .*
  );

  assign dma_lines_o = line_valid & line_ready;
  assign ctx_busy_o = trigger_pending | ch_busy_ctx | lane_busy_ctx | {t3_pkg::NumCtx{track_busy}};
  assign busy_o     = track_busy | (|trigger_pending) | ch_busy | lane_busy;

endmodule

`default_nettype wire
