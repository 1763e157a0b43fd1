// One lane of a link: egress from the channels' packet registers, transmitter
// and receiver. A link of LinkLines lines per cycle is that many lanes; each has
// credits, sequence numbers and a receive buffer of its own.
//
// Latency: 1 cycle in t3_egress, then those of t3_link_tx and t3_link_rx.
// Throughput: one line per cycle each way. Order: per source and destination.
// Back-pressure: what arrives never waits for what leaves.
`default_nettype none

module t3_lane #(
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned NumChannels = 16,
  parameter int unsigned NumSrc      = 16,    // channels whose packets this lane carries
  parameter int unsigned Devices     = 64,
  parameter int unsigned Credits     = 2048,
  localparam int unsigned LineBits    = LineBytes * 8,
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::DeviceW-1:0] device_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic                       credit_init_i,
  input  wire logic [t3_pkg::DeviceW-1:0] credit_init_peer_i,
  input  wire logic [t3_pkg::CreditW-1:0] credit_init_count_i,

  // Packets of the channels.
  input  wire logic [NumSrc-1:0]                    eg_valid_i,
  output logic      [NumSrc-1:0]                    eg_ready_o,
  input  wire logic [NumSrc*t3_pkg::PacketBits-1:0] eg_packet_i,
  input  wire logic [NumSrc*t3_pkg::CtxW-1:0]       eg_ctx_i,
  input  wire logic [NumSrc*LineBytes-1:0]          eg_strb_i,
  input  wire logic [NumSrc*LineBits-1:0]           eg_data_i,

  // The link.
  output logic                             tx_valid_o,
  input  wire logic                        tx_ready_i,
  output t3_pkg::packet_t                  tx_packet_o,
  output logic      [LineBytes-1:0]        tx_strb_o,
  output logic      [LineBits-1:0]         tx_data_o,
  input  wire logic                        rx_valid_i,
  input  wire t3_pkg::packet_t             rx_packet_i,
  input  wire logic [LineBytes-1:0]        rx_strb_i,
  input  wire logic [LineBits-1:0]         rx_data_i,
  output logic                             ctl_valid_o,
  input  wire logic                        ctl_ready_i,
  output t3_pkg::ctl_t                     ctl_o,
  input  wire logic                        ctl_valid_i,
  input  wire t3_pkg::ctl_t                ctl_i,

  // Arrivals, checked.
  output logic                          in_valid_o,
  input  wire logic                     in_ready_i,
  output logic [ChannelBits-1:0]        in_channel_o,
  output t3_pkg::write_t                in_write_o,
  output logic [LineBytes-1:0]          in_strb_o,
  output logic [LineBits-1:0]           in_data_o,

  // Grants.
  input  wire logic                       grant_valid_i,
  output logic                            grant_ready_o,
  input  wire logic [t3_pkg::DeviceW-1:0] grant_dst_i,
  input  wire logic [t3_pkg::CtxW-1:0]    grant_ctx_i,
  input  wire logic [t3_pkg::EpochW-1:0]  grant_epoch_i,
  output logic                            granted_valid_o,
  output logic [t3_pkg::DeviceW-1:0]      granted_src_o,
  output logic [t3_pkg::CtxW-1:0]         granted_ctx_o,
  output logic [t3_pkg::EpochW-1:0]       granted_epoch_o,

  // Chunk table.
  output logic                                        chunk_req_valid_o,
  input  wire logic                                   chunk_req_ready_i,
  output logic      [t3_pkg::CtxW+t3_pkg::ChunkW-1:0] chunk_req_id_o,
  input  wire logic                                   chunk_rsp_valid_i,
  input  wire logic [t3_pkg::CtxW+t3_pkg::ChunkW-1:0] chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0]           chunk_rsp_entry_i,
  input  wire logic                                   chunk_inv_i,

  // Status.
  output logic                      sent_valid_o,
  output logic [t3_pkg::CtxW-1:0]   sent_ctx_o,
  output logic [7:0]                sent_bytes_o,
  output logic                      err_valid_o,
  output t3_pkg::error_t            err_o,
  output logic                      stall_credit_o,
  output logic [t3_pkg::NumCtx-1:0] busy_ctx_o,
  output logic                      busy_o
);

  logic                       tx_valid, tx_ready, tx_busy, rx_busy;
  t3_pkg::packet_t            tx_packet;
  logic [t3_pkg::CtxW-1:0]    tx_ctx;
  logic [LineBytes-1:0]       tx_strb;
  logic [LineBits-1:0]        tx_data;
  logic                       add, cret_valid, cret_ready, credit_error;
  logic [t3_pkg::DeviceW-1:0] add_peer, cret_dst;
  logic [t3_pkg::CreditW-1:0] add_count, cret_count;
  logic                       rx_err_valid;
  t3_pkg::error_t             rx_err;

  t3_egress #(
    .LineBytes(LineBytes),
    .NumSrc   (NumSrc)
  ) u_egress (
    .clk_i,
    .rst_ni,
    .valid_i (eg_valid_i),
    .ready_o (eg_ready_o),
    .packet_i(eg_packet_i),
    .strb_i  (eg_strb_i),
    .data_i  (eg_data_i),
    .ctx_i   (eg_ctx_i),
    .valid_o (tx_valid),
    .ready_i (tx_ready),
    .packet_o(tx_packet),
    .strb_o  (tx_strb),
    .data_o  (tx_data),
    .ctx_o   (tx_ctx)
  );

  t3_link_tx #(
    .LineBytes  (LineBytes),
    .Devices    (Devices),
    .CreditDepth(Credits)
  ) u_link_tx (
    .clk_i,
    .rst_ni,
    .device_i,
    .credit_init_i,
    .credit_init_peer_i,
    .credit_init_count_i,
    .credit_add_i      (add),
    .credit_add_peer_i (add_peer),
    .credit_add_count_i(add_count),
    .credit_error_o    (credit_error),
    .in_valid_i        (tx_valid),
    .in_ready_o        (tx_ready),
    .in_packet_i       (tx_packet),
    .in_strb_i         (tx_strb),
    .in_data_i         (tx_data),
    .in_ctx_i          (tx_ctx),
    .tx_valid_o,
    .tx_ready_i,
    .tx_packet_o,
    .tx_strb_o,
    .tx_data_o,
    .sent_valid_o,
    .sent_ctx_o,
    .sent_bytes_o,
    .grant_valid_i,
    .grant_ready_o,
    .grant_dst_i,
    .grant_ctx_i,
    .grant_epoch_i,
    .cret_valid_i      (cret_valid),
    .cret_ready_o      (cret_ready),
    .cret_dst_i        (cret_dst),
    .cret_count_i      (cret_count),
    .ctl_valid_o,
    .ctl_ready_i,
    .ctl_o,
    .stalled_credit_o  (stall_credit_o),
    .busy_o            (tx_busy)
  );

  t3_pkg::event_t           rx_event;
  logic [1:0]               rx_op, rx_fmt;
  logic [t3_pkg::AddrW-1:0] rx_addr;
  assign in_write_o = {1'b1, rx_event, rx_op, rx_fmt, rx_addr};

  t3_link_rx #(
    .LineBytes  (LineBytes),
    .Devices    (Devices),
    .Depth      (Credits),
    .NumChannels(NumChannels)
  ) u_link_rx (
    .clk_i,
    .rst_ni,
    .device_i,
    .ctx_cfg_i,
    .rx_valid_i,
    .rx_packet_i,
    .rx_strb_i,
    .rx_data_i,
    .out_valid_o       (in_valid_o),
    .out_ready_i       (in_ready_i),
    .out_channel_o     (in_channel_o),
    .out_event_o       (rx_event),
    .out_op_o          (rx_op),
    .out_fmt_o         (rx_fmt),
    .out_addr_o        (rx_addr),
    .out_strb_o        (in_strb_o),
    .out_data_o        (in_data_o),
    .ctl_valid_i,
    .ctl_i,
    .grant_valid_o     (granted_valid_o),
    .grant_src_o       (granted_src_o),
    .grant_ctx_o       (granted_ctx_o),
    .grant_epoch_o     (granted_epoch_o),
    .credit_add_o      (add),
    .credit_add_peer_o (add_peer),
    .credit_add_count_o(add_count),
    .cret_valid_o      (cret_valid),
    .cret_ready_i      (cret_ready),
    .cret_dst_o        (cret_dst),
    .cret_count_o      (cret_count),
    .err_valid_o       (rx_err_valid),
    .err_o             (rx_err),
    .chunk_req_valid_o,
    .chunk_req_ready_i,
    .chunk_req_id_o,
    .chunk_rsp_valid_i,
    .chunk_rsp_id_i,
    .chunk_rsp_entry_i,
    .chunk_inv_i,
    .busy_o            (rx_busy),
    .busy_ctx_o
  );

  // A refused packet, or more credits than were spent (then all contexts that
  // this peer feeds fail: its link can no longer be trusted).
  always_comb begin
    err_o = rx_err;
    if (!rx_err_valid) begin
      err_o            = '0;
      err_o.cause      = t3_pkg::ErrCredit;
      err_o.peer_fails = 1'b1;
      err_o.remote     = 1'b1;
      err_o.src        = add_peer;
    end
  end
  assign err_valid_o = rx_err_valid | credit_error;
  assign busy_o      = tx_busy | rx_busy | tx_valid;

endmodule

`default_nettype wire
