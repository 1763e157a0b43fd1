// The sending and receiving ends of all links: per lane a DMA engine, the egress
// and ingress of t3_lane.
//
// Latency, throughput, ordering and back-pressure: per lane as t3_dma and t3_lane.
`default_nettype none

module t3_lanes #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Links       = 1,
  parameter int unsigned LinkLines   = 1,
  parameter int unsigned Devices     = 64,
  parameter int unsigned Credits     = 2048,
  localparam int unsigned NumLanes    = Links * LinkLines,
  localparam int unsigned LineBits    = LineBytes * 8,
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1,
  localparam int unsigned IdW         = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::DeviceW-1:0]                   device_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic                                         credit_init_i,
  input  wire logic [t3_pkg::DeviceW-1:0]                   credit_init_peer_i,
  input  wire logic [t3_pkg::CreditW-1:0]                   credit_init_count_i,

  // Ready subtiles.
  input  wire logic           ready_valid_i,
  output logic                ready_ready_o,
  input  wire t3_pkg::ready_t ready_i,

  // Packet registers of the channels, see t3_channels.
  input  wire logic [NumChannels-1:0]                    eg_valid_i,
  output logic      [NumChannels-1:0]                    eg_pop_o,
  input  wire logic [NumChannels-1:0]                    eg_link_i,
  input  wire logic [NumChannels*t3_pkg::PacketBits-1:0] eg_packet_i,
  input  wire logic [NumChannels*t3_pkg::CtxW-1:0]       eg_ctx_i,
  input  wire logic [NumChannels*LineBytes-1:0]          eg_strb_i,
  input  wire logic [NumChannels*LineBits-1:0]           eg_data_i,

  // Ports of t3_top, see there.
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

  // Arrivals and DMA lines, per lane.
  output logic      [NumLanes-1:0]                     in_valid_o,
  input  wire logic [NumLanes-1:0]                     in_ready_i,
  output logic      [NumLanes*ChannelBits-1:0]         in_channel_o,
  output logic      [NumLanes*t3_pkg::WriteBits-1:0]   in_write_o,
  output logic      [NumLanes*LineBytes-1:0]           in_strb_o,
  output logic      [NumLanes*LineBits-1:0]            in_data_o,
  output logic      [NumLanes-1:0]                     line_valid_o,
  input  wire logic [NumLanes-1:0]                     line_ready_i,
  output logic      [NumLanes*ChannelBits-1:0]         line_channel_o,
  output logic      [NumLanes*t3_pkg::DmaLineBits-1:0] line_o,

  // Grants: out on lane 0 of a link, in on any lane.
  input  wire logic [Links-1:0]                    grant_valid_i,
  output logic      [Links-1:0]                    grant_ready_o,
  input  wire logic [t3_pkg::DeviceW-1:0]          grant_dst_i,
  input  wire logic [t3_pkg::CtxW-1:0]             grant_ctx_i,
  input  wire logic [t3_pkg::EpochW-1:0]           grant_epoch_i,
  output logic      [NumLanes-1:0]                 granted_valid_o,
  output logic      [NumLanes*t3_pkg::DeviceW-1:0] granted_src_o,
  output logic      [NumLanes*t3_pkg::CtxW-1:0]    granted_ctx_o,
  output logic      [NumLanes*t3_pkg::EpochW-1:0]  granted_epoch_o,

  // Chunk table: receivers, then engines.
  output logic      [2*NumLanes-1:0]        chunk_req_valid_o,
  input  wire logic [2*NumLanes-1:0]        chunk_req_ready_i,
  output logic      [2*NumLanes*IdW-1:0]    chunk_req_id_o,
  input  wire logic                         chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]               chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] chunk_rsp_entry_i,
  input  wire logic                         chunk_inv_i,

  // Status, per lane.
  output logic [NumLanes-1:0]                   sent_valid_o,
  output logic [NumLanes*t3_pkg::CtxW-1:0]      sent_ctx_o,
  output logic [NumLanes*8-1:0]                 sent_bytes_o,
  output logic [NumLanes-1:0]                   err_valid_o,
  output logic [NumLanes*t3_pkg::ErrorBits-1:0] err_o,
  output logic [NumLanes-1:0]                   stall_credit_o,
  output logic [t3_pkg::NumCtx-1:0]             busy_ctx_o,
  output logic                                  busy_o
);

  localparam int unsigned LaneSrc = NumChannels / LinkLines;  // channels whose packets a lane carries

  logic [NumLanes-1:0]                engine_ready, dma_busy, lane_busy, grant_taken;
  logic [NumLanes*t3_pkg::NumCtx-1:0] dma_busy_ctx, lane_busy_ctx;
  logic [Links*NumChannels-1:0]       popped;  // per link and position

  assign ready_ready_o = |engine_ready;

  for (genvar l = 0; l < NumLanes; l++) begin : gen_lane
    localparam int unsigned Link    = l / LinkLines;
    localparam int unsigned First   = (l % LinkLines) * LaneSrc;  // position of its first channel
    localparam int unsigned DmaPort = NumLanes + l;

    t3_pkg::dma_line_t  lane_line;
    t3_pkg::packet_t    tx_packet, rx_packet;
    t3_pkg::ctl_t       tx_ctl, rx_ctl;
    t3_pkg::write_t     lane_write;
    t3_pkg::error_t     lane_err;
    logic               lane_grant_ready;

    // The engine with the lowest number that is free takes the subtile.
    logic engine_first;
    if (l == 0) begin : gen_first
      assign engine_first = 1'b1;
    end else begin : gen_next
      assign engine_first = ~|engine_ready[l-1:0];
    end

    assign line_o[l*t3_pkg::DmaLineBits+:t3_pkg::DmaLineBits] = lane_line;

    t3_dma #(
      .LineBytes  (LineBytes),
      .NumChannels(NumChannels)
    ) u_dma (
      .clk_i,
      .rst_ni,
      .ctx_cfg_i        (ctx_cfg_i),
      .in_valid_i       (ready_valid_i & engine_first),
      .in_ready_o       (engine_ready[l]),
      .in_i             (ready_i),
      .line_valid_o     (line_valid_o[l]),
      .line_ready_i     (line_ready_i[l]),
      .line_channel_o   (line_channel_o[l*ChannelBits+:ChannelBits]),
      .line_o           (lane_line),
      .chunk_req_valid_o(chunk_req_valid_o[DmaPort]),
      .chunk_req_ready_i(chunk_req_ready_i[DmaPort]),
      .chunk_req_id_o   (chunk_req_id_o[DmaPort*IdW+:IdW]),
      .chunk_rsp_valid_i(chunk_rsp_valid_i),
      .chunk_rsp_id_i   (chunk_rsp_id_i),
      .chunk_rsp_entry_i(chunk_rsp_entry_i),
      .chunk_inv_i      (chunk_inv_i),
      .busy_ctx_o       (dma_busy_ctx[l*t3_pkg::NumCtx+:t3_pkg::NumCtx]),
      .busy_o           (dma_busy[l])
    );

    assign tx_packet_o[l*t3_pkg::PacketBits+:t3_pkg::PacketBits] = tx_packet;
    assign ctl_o[l*t3_pkg::CtlBits+:t3_pkg::CtlBits] = tx_ctl;
    assign rx_packet = rx_packet_i[l*t3_pkg::PacketBits+:t3_pkg::PacketBits];
    assign rx_ctl = ctl_i[l*t3_pkg::CtlBits+:t3_pkg::CtlBits];
    assign in_write_o[l*t3_pkg::WriteBits+:t3_pkg::WriteBits] = lane_write;
    assign err_o[l*t3_pkg::ErrorBits+:t3_pkg::ErrorBits] = lane_err;
    // Grants leave on the first lane of a link.
    logic grant_here;
    assign grant_here = (l % LinkLines == 0) & grant_valid_i[Link];
    assign grant_taken[l] = (l % LinkLines == 0) & lane_grant_ready;

    t3_lane #(
      .LineBytes  (LineBytes),
      .NumChannels(NumChannels),
      .NumSrc     (LaneSrc),
      .Devices    (Devices),
      .Credits    (Credits)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .device_i           (device_i),
      .ctx_cfg_i          (ctx_cfg_i),
      .credit_init_i      (credit_init_i),
      .credit_init_peer_i (credit_init_peer_i),
      .credit_init_count_i(credit_init_count_i),
      .eg_valid_i         (eg_valid_i[First+:LaneSrc] &
                           (Link == 1 ? eg_link_i[First+:LaneSrc] : ~eg_link_i[First+:LaneSrc])),
      .eg_ready_o         (popped[Link*NumChannels+First+:LaneSrc]),
      .eg_packet_i        (eg_packet_i[First*t3_pkg::PacketBits+:LaneSrc*t3_pkg::PacketBits]),
      .eg_ctx_i           (eg_ctx_i[First*t3_pkg::CtxW+:LaneSrc*t3_pkg::CtxW]),
      .eg_strb_i          (eg_strb_i[First*LineBytes+:LaneSrc*LineBytes]),
      .eg_data_i          (eg_data_i[First*LineBits+:LaneSrc*LineBits]),
      .tx_valid_o         (tx_valid_o[l]),
      .tx_ready_i         (tx_ready_i[l]),
      .tx_packet_o        (tx_packet),
      .tx_strb_o          (tx_strb_o[l*LineBytes+:LineBytes]),
      .tx_data_o          (tx_data_o[l*LineBits+:LineBits]),
      .rx_valid_i         (rx_valid_i[l]),
      .rx_packet_i        (rx_packet),
      .rx_strb_i          (rx_strb_i[l*LineBytes+:LineBytes]),
      .rx_data_i          (rx_data_i[l*LineBits+:LineBits]),
      .ctl_valid_o        (ctl_valid_o[l]),
      .ctl_ready_i        (ctl_ready_i[l]),
      .ctl_o              (tx_ctl),
      .ctl_valid_i        (ctl_valid_i[l]),
      .ctl_i              (rx_ctl),
      .in_valid_o         (in_valid_o[l]),
      .in_ready_i         (in_ready_i[l]),
      .in_channel_o       (in_channel_o[l*ChannelBits+:ChannelBits]),
      .in_write_o         (lane_write),
      .in_strb_o          (in_strb_o[l*LineBytes+:LineBytes]),
      .in_data_o          (in_data_o[l*LineBits+:LineBits]),
      .grant_valid_i      (grant_here),
      .grant_ready_o      (lane_grant_ready),
      .grant_dst_i        (grant_dst_i),
      .grant_ctx_i        (grant_ctx_i),
      .grant_epoch_i      (grant_epoch_i),
      .granted_valid_o    (granted_valid_o[l]),
      .granted_src_o      (granted_src_o[l*t3_pkg::DeviceW+:t3_pkg::DeviceW]),
      .granted_ctx_o      (granted_ctx_o[l*t3_pkg::CtxW+:t3_pkg::CtxW]),
      .granted_epoch_o    (granted_epoch_o[l*t3_pkg::EpochW+:t3_pkg::EpochW]),
      .chunk_req_valid_o  (chunk_req_valid_o[l]),
      .chunk_req_ready_i  (chunk_req_ready_i[l]),
      .chunk_req_id_o     (chunk_req_id_o[l*IdW+:IdW]),
      .chunk_rsp_valid_i  (chunk_rsp_valid_i),
      .chunk_rsp_id_i     (chunk_rsp_id_i),
      .chunk_rsp_entry_i  (chunk_rsp_entry_i),
      .chunk_inv_i        (chunk_inv_i),
      .sent_valid_o       (sent_valid_o[l]),
      .sent_ctx_o         (sent_ctx_o[l*t3_pkg::CtxW+:t3_pkg::CtxW]),
      .sent_bytes_o       (sent_bytes_o[l*8+:8]),
      .err_valid_o        (err_valid_o[l]),
      .err_o              (lane_err),
      .stall_credit_o     (stall_credit_o[l]),
      .busy_ctx_o         (lane_busy_ctx[l*t3_pkg::NumCtx+:t3_pkg::NumCtx]),
      .busy_o             (lane_busy[l])
    );
  end

  for (genvar k = 0; k < Links; k++) begin : gen_grant
    assign grant_ready_o[k] = |grant_taken[k*LinkLines+:LinkLines];
  end

  // A packet register is emptied by the lane of its link.
  if (Links == 2) begin : gen_two
    assign eg_pop_o = popped[NumChannels-1:0] | popped[NumChannels+:NumChannels];
  end else begin : gen_one
    assign eg_pop_o = popped;
  end

  always_comb begin
    busy_ctx_o = {t3_pkg::NumCtx{|lane_busy}};
    for (int unsigned l = 0; l < NumLanes; l++) begin
      busy_ctx_o = busy_ctx_o | lane_busy_ctx[l*t3_pkg::NumCtx+:t3_pkg::NumCtx] |
                   dma_busy_ctx[l*t3_pkg::NumCtx+:t3_pkg::NumCtx];
    end
  end
  assign busy_o = (|lane_busy) | (|dma_busy);

endmodule

`default_nettype wire
