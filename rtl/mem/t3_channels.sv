// All memory channels of a device, with the registers of their wide outputs and
// the crossbars that bring arrivals and DMA lines to them.
//
// Latency: 1 cycle more than t3_channel at the DRAM request, write-back and
// egress outputs. Throughput, ordering, back-pressure: per channel as t3_channel.
`default_nettype none

module t3_channels #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned NumLanes    = 1,
  parameter int unsigned LinkLines   = 1,
  parameter int unsigned QueueDepth  = 16,
  parameter int unsigned EventSlots  = 64,
  parameter int unsigned DmaSlots    = 32,
  localparam int unsigned LineBits    = LineBytes * 8,
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1,
  localparam int unsigned IdW         = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire t3_pkg::arb_cfg_t                             arb_cfg_i,
  input  wire logic                                         fill_start_i,
  input  wire t3_pkg::fill_t                                fill_i,
  output logic      [NumChannels-1:0]                       fill_busy_o,

  // Ports of t3_top, see there.
  input  wire logic [NumChannels-1:0]                     st_valid_i,
  output logic      [NumChannels-1:0]                     st_ready_o,
  input  wire logic [NumChannels-1:0]                     st_tracked_i,  // 0: ordinary store, ids ignored
  input  wire logic [NumChannels*t3_pkg::SubtileBits-1:0] st_sub_i,      // t3_pkg::subtile_t
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0]       st_addr_i,     // line address
  input  wire logic [NumChannels*LineBytes-1:0]           st_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]            st_data_i,
  input  wire logic [NumChannels-1:0]               rd_valid_i,
  output logic      [NumChannels-1:0]               rd_ready_o,
  input  wire logic [NumChannels*t3_pkg::AddrW-1:0] rd_addr_i,  // line address
  input  wire logic [NumChannels*t3_pkg::TagW-1:0]  rd_id_i,    // comes back as the request's tag
  output logic      [NumChannels-1:0]                    dram_valid_o,
  input  wire logic [NumChannels-1:0]                    dram_ready_i,
  output logic      [NumChannels*t3_pkg::MemReqBits-1:0] dram_req_o,  // t3_pkg::mem_req_t
  output logic      [NumChannels*LineBytes-1:0]          dram_strb_o,
  output logic      [NumChannels*LineBits-1:0]           dram_data_o, // of writes
  input  wire logic [NumChannels*8-1:0]                  dram_occupancy_i,  // requests queued in the channel
  input  wire logic [NumChannels-1:0]              rsp_valid_i,
  input  wire logic [NumChannels-1:0]              rsp_track_i,  // 1: class ClsTrackRead
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

  // Arrivals and DMA lines, per lane.
  input  wire logic [NumLanes-1:0]                       in_valid_i,
  output logic      [NumLanes-1:0]                       in_ready_o,
  input  wire logic [NumLanes*ChannelBits-1:0]           in_channel_i,
  input  wire logic [NumLanes*t3_pkg::WriteBits-1:0]     in_write_i,
  input  wire logic [NumLanes*LineBytes-1:0]             in_strb_i,
  input  wire logic [NumLanes*LineBits-1:0]              in_data_i,
  input  wire logic [NumLanes-1:0]                       line_valid_i,
  output logic      [NumLanes-1:0]                       line_ready_o,
  input  wire logic [NumLanes*ChannelBits-1:0]           line_channel_i,
  input  wire logic [NumLanes*t3_pkg::DmaLineBits-1:0]   line_i,

  // Count events, and words of the tracker.
  output logic      [NumChannels-1:0]                    event_valid_o,
  input  wire logic [NumChannels-1:0]                    event_ready_i,
  output logic      [NumChannels*t3_pkg::EventBits-1:0]  event_o,
  input  wire logic [NumChannels-1:0]                    word_valid_i,
  output logic      [NumChannels-1:0]                    word_ready_o,
  input  wire logic [t3_pkg::WordReqBits-1:0]            word_req_i,
  output logic      [NumChannels-1:0]                    word_rsp_valid_o,
  output logic      [NumChannels*5-1:0]                  word_rsp_id_o,
  output logic      [NumChannels*t3_pkg::WordW-1:0]      word_rsp_data_o,

  // Packet registers, in lane-major order: channel c at position
  // (c mod LinkLines) * (NumChannels / LinkLines) + c / LinkLines.
  output logic      [NumChannels-1:0]                    eg_valid_o,
  input  wire logic [NumChannels-1:0]                    eg_pop_i,
  output logic      [NumChannels-1:0]                    eg_link_o,
  output logic      [NumChannels*t3_pkg::PacketBits-1:0] eg_packet_o,
  output logic      [NumChannels*t3_pkg::CtxW-1:0]       eg_ctx_o,
  output logic      [NumChannels*LineBytes-1:0]          eg_strb_o,
  output logic      [NumChannels*LineBits-1:0]           eg_data_o,

  // Chunk table.
  output logic      [NumChannels-1:0]                    chunk_req_valid_o,
  input  wire logic [NumChannels-1:0]                    chunk_req_ready_i,
  output logic      [NumChannels*IdW-1:0]                chunk_req_id_o,
  input  wire logic                                      chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]                            chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0]              chunk_rsp_entry_i,
  input  wire logic                                      chunk_inv_i,

  // Status, per channel.
  output logic      [NumChannels-1:0]                    err_valid_o,
  output logic      [NumChannels*t3_pkg::ErrorBits-1:0]  err_o,
  output logic      [NumChannels-1:0]                    mca_hold_o,
  output logic      [NumChannels-1:0]                    stall_room_o,
  output logic      [NumChannels-1:0]                    stall_store_o,
  output logic      [NumChannels-1:0]                    nmc_line_o,
  output logic      [t3_pkg::NumCtx-1:0]                 busy_ctx_o,
  output logic                                           busy_o
);

  localparam int unsigned LaneBits = (NumLanes > 1) ? $clog2(NumLanes) : 1;
  localparam int unsigned LaneSrc  = NumChannels / LinkLines;

  logic [NumChannels-1:0]                in_valid, in_ready, line_valid, line_ready, busy;
  logic [NumChannels*LaneBits-1:0]       in_sel, line_sel;
  logic [NumChannels*t3_pkg::NumCtx-1:0] busy_ctx;

  t3_xbar #(
    .NumIn (NumLanes),
    .NumOut(NumChannels)
  ) u_in_xbar (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_dest_i  (in_channel_i),
    .in_ready_o,
    .out_valid_o(in_valid),
    .out_sel_o  (in_sel),
    .out_ready_i(in_ready)
  );

  t3_xbar #(
    .NumIn (NumLanes),
    .NumOut(NumChannels)
  ) u_line_xbar (
    .clk_i,
    .rst_ni,
    .in_valid_i (line_valid_i),
    .in_dest_i  (line_channel_i),
    .in_ready_o (line_ready_o),
    .out_valid_o(line_valid),
    .out_sel_o  (line_sel),
    .out_ready_i(line_ready)
  );

  for (genvar c = 0; c < NumChannels; c++) begin : gen_channel
    localparam int unsigned P = (c % LinkLines) * LaneSrc + c / LinkLines;

    t3_pkg::subtile_t          st_sub;
    t3_pkg::mem_req_t          issue_req, nmc_req, wb_req;
    t3_pkg::event_t            ch_event;
    t3_pkg::packet_t           ch_packet;
    t3_pkg::error_t            ch_err;
    logic                      issue, issue_write, ch_eg_valid, ch_eg_ready, ch_eg_link, wb_valid;
    logic [t3_pkg::CtxW-1:0]   ch_eg_ctx;
    logic [LineBytes-1:0]      issue_strb, ch_eg_strb, wb_strb;
    logic [LineBits-1:0]       issue_data, ch_eg_data, wb_data;

    assign st_sub  = st_sub_i[c*t3_pkg::SubtileBits+:t3_pkg::SubtileBits];
    assign nmc_req = nmc_req_i[c*t3_pkg::MemReqBits+:t3_pkg::MemReqBits];
    assign event_o[c*t3_pkg::EventBits+:t3_pkg::EventBits] = ch_event;
    assign err_o[c*t3_pkg::ErrorBits+:t3_pkg::ErrorBits] = ch_err;

    t3_channel #(
      .NumChannels(NumChannels),
      .LineBytes  (LineBytes),
      .NumLanes   (NumLanes),
      .QueueDepth (QueueDepth),
      .EventSlots (EventSlots),
      .DmaSlots   (DmaSlots)
    ) u_channel (
      .clk_i,
      .rst_ni,
      .channel_i        (4'(c)),
      .ctx_cfg_i,
      .arb_cfg_i,
      .st_valid_i       (st_valid_i[c]),
      .st_ready_o       (st_ready_o[c]),
      .st_tracked_i     (st_tracked_i[c]),
      .st_sub_i         (st_sub),
      .st_addr_i        (st_addr_i[c*t3_pkg::AddrW+:t3_pkg::AddrW]),
      .st_strb_i        (st_strb_i[c*LineBytes+:LineBytes]),
      .st_data_i        (st_data_i[c*LineBits+:LineBits]),
      .rd_valid_i       (rd_valid_i[c]),
      .rd_ready_o       (rd_ready_o[c]),
      .rd_addr_i        (rd_addr_i[c*t3_pkg::AddrW+:t3_pkg::AddrW]),
      .rd_id_i          (rd_id_i[c*t3_pkg::TagW+:t3_pkg::TagW]),
      .in_valid_i       (in_valid[c]),
      .in_ready_o       (in_ready[c]),
      .in_sel_i         (in_sel[c*LaneBits+:LaneBits]),
      .in_write_i,
      .in_strb_i,
      .in_data_i,
      .line_valid_i     (line_valid[c]),
      .line_ready_o     (line_ready[c]),
      .line_sel_i       (line_sel[c*LaneBits+:LaneBits]),
      .line_i,
      .word_valid_i     (word_valid_i[c]),
      .word_ready_o     (word_ready_o[c]),
      .word_req_i,
      .word_rsp_valid_o (word_rsp_valid_o[c]),
      .word_rsp_id_o    (word_rsp_id_o[c*5+:5]),
      .word_rsp_data_o  (word_rsp_data_o[c*t3_pkg::WordW+:t3_pkg::WordW]),
      .fill_start_i,
      .fill_i,
      .fill_busy_o      (fill_busy_o[c]),
      .issue_o          (issue),
      .issue_write_o    (issue_write),
      .issue_req_o      (issue_req),
      .issue_strb_o     (issue_strb),
      .issue_data_o     (issue_data),
      .out_valid_i      (dram_valid_o[c]),
      .out_ready_i      (~dram_valid_o[c] | dram_ready_i[c]),
      .occupancy_i      (dram_occupancy_i[c*8+:8]),
      .rsp_valid_i      (rsp_valid_i[c]),
      .rsp_track_i      (rsp_track_i[c]),
      .rsp_tag_i        (rsp_tag_i[c*t3_pkg::TagW+:t3_pkg::TagW]),
      .rsp_data_i       (rsp_data_i[c*LineBits+:LineBits]),
      .nmc_valid_i      (nmc_valid_i[c]),
      .nmc_ready_o      (nmc_ready_o[c]),
      .nmc_req_i        (nmc_req),
      .nmc_strb_i       (nmc_strb_i[c*LineBytes+:LineBytes]),
      .nmc_data_i       (nmc_data_i[c*LineBits+:LineBits]),
      .nmc_old_i        (nmc_old_i[c*LineBits+:LineBits]),
      .wb_valid_o       (wb_valid),
      .wb_req_o         (wb_req),
      .wb_strb_o        (wb_strb),
      .wb_data_o        (wb_data),
      .event_valid_o    (event_valid_o[c]),
      .event_ready_i    (event_ready_i[c]),
      .event_o          (ch_event),
      .eg_valid_o       (ch_eg_valid),
      .eg_ready_i       (ch_eg_ready),
      .eg_link_o        (ch_eg_link),
      .eg_packet_o      (ch_packet),
      .eg_ctx_o         (ch_eg_ctx),
      .eg_strb_o        (ch_eg_strb),
      .eg_data_o        (ch_eg_data),
      .chunk_req_valid_o(chunk_req_valid_o[c]),
      .chunk_req_ready_i(chunk_req_ready_i[c]),
      .chunk_req_id_o   (chunk_req_id_o[c*IdW+:IdW]),
      .chunk_rsp_valid_i,
      .chunk_rsp_id_i,
      .chunk_rsp_entry_i,
      .chunk_inv_i,
      .err_valid_o      (err_valid_o[c]),
      .err_o            (ch_err),
      .mca_hold_o       (mca_hold_o[c]),
      .stall_room_o     (stall_room_o[c]),
      .busy_ctx_o       (busy_ctx[c*t3_pkg::NumCtx+:t3_pkg::NumCtx]),
      .busy_o           (busy[c])
    );

    assign stall_store_o[c] = st_valid_i[c] & ~st_ready_o[c];
    assign nmc_line_o[c]    = wb_valid;

    // Registers of the wide outputs: each loads its slice of a flat vector only
    // when something moves.
    assign ch_eg_ready = ~eg_valid_o[P] | eg_pop_i[P];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        dram_valid_o[c] <= 1'b0;
        wb_valid_o[c]   <= 1'b0;
        eg_valid_o[P]     <= 1'b0;
      end else begin
        if (issue) dram_valid_o[c] <= 1'b1;
        else if (dram_ready_i[c]) dram_valid_o[c] <= 1'b0;
        wb_valid_o[c] <= wb_valid;
        if (ch_eg_ready) eg_valid_o[P] <= ch_eg_valid;
      end
    end

    always_ff @(posedge clk_i) begin
      if (issue) begin
        dram_req_o[c*t3_pkg::MemReqBits+:t3_pkg::MemReqBits] <= issue_req;
        dram_strb_o[c*LineBytes+:LineBytes]                  <= issue_strb;
      end
      if (issue_write) dram_data_o[c*LineBits+:LineBits] <= issue_data;
    end

    always_ff @(posedge clk_i) begin
      if (wb_valid) begin
        wb_req_o[c*t3_pkg::MemReqBits+:t3_pkg::MemReqBits] <= wb_req;
        wb_strb_o[c*LineBytes+:LineBytes]                  <= wb_strb;
        wb_data_o[c*LineBits+:LineBits]                    <= wb_data;
      end
    end

    always_ff @(posedge clk_i) begin
      if (ch_eg_valid & ch_eg_ready) begin
        eg_link_o[P]                                         <= ch_eg_link;
        eg_packet_o[P*t3_pkg::PacketBits+:t3_pkg::PacketBits] <= ch_packet;
        eg_ctx_o[P*t3_pkg::CtxW+:t3_pkg::CtxW]               <= ch_eg_ctx;
        eg_strb_o[P*LineBytes+:LineBytes]                    <= ch_eg_strb;
        eg_data_o[P*LineBits+:LineBits]                      <= ch_eg_data;
      end
    end
  end

  always_comb begin
    busy_ctx_o = {t3_pkg::NumCtx{|eg_valid_o}};
    for (int unsigned c = 0; c < NumChannels; c++) begin
      busy_ctx_o = busy_ctx_o | busy_ctx[c*t3_pkg::NumCtx+:t3_pkg::NumCtx];
    end
  end
  assign busy_o = (|busy) | (|eg_valid_o) | (|wb_valid_o);

endmodule

`default_nettype wire
