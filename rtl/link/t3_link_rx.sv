// Receiver of one lane: a buffer that credits guarantee room in, the checks of
// CRC, sequence and access, and the way to the channels. Each packet that leaves
// the buffer, applied or refused, returns one credit to its sender.
//
// Latency: 9 cycles to out_valid_o on a chunk-cache hit. Throughput: one packet
// per cycle. Order: first in, first out. Back-pressure: none at rx; out waits for
// the channel's incoming queue only. Credits are collected per peer and returned
// one peer per cycle, round the peers.
`include "t3_assert.svh"
`default_nettype none

module t3_link_rx #(
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Devices     = 64,
  parameter int unsigned Depth       = 2048,  // lines
  parameter int unsigned NumChannels = 16,
  localparam int unsigned LineBits    = LineBytes * 8,
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1,
  localparam int unsigned IdW         = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::DeviceW-1:0] device_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  // Packets.
  input  wire logic                  rx_valid_i,
  input  wire t3_pkg::packet_t       rx_packet_i,
  input  wire logic [LineBytes-1:0]  rx_strb_i,
  input  wire logic [LineBits-1:0]   rx_data_i,
  // To the channel's incoming queue.
  output logic                       out_valid_o,
  input  wire logic                  out_ready_i,
  output logic [ChannelBits-1:0]     out_channel_o,
  output t3_pkg::event_t             out_event_o,
  output logic [1:0]                 out_op_o,  // mem_op_e
  output logic [1:0]                 out_fmt_o,
  output logic [t3_pkg::AddrW-1:0]   out_addr_o,
  output logic [LineBytes-1:0]       out_strb_o,
  output logic [LineBits-1:0]        out_data_o,
  // Control packets.
  input  wire logic                  ctl_valid_i,
  input  wire t3_pkg::ctl_t          ctl_i,
  output logic                       grant_valid_o,
  output logic [t3_pkg::DeviceW-1:0] grant_src_o,
  output logic [t3_pkg::CtxW-1:0]    grant_ctx_o,
  output logic [t3_pkg::EpochW-1:0]  grant_epoch_o,
  output logic                       credit_add_o,
  output logic [t3_pkg::DeviceW-1:0] credit_add_peer_o,
  output logic [t3_pkg::CreditW-1:0] credit_add_count_o,
  output logic                       cret_valid_o,
  input  wire logic                  cret_ready_i,
  output logic [t3_pkg::DeviceW-1:0] cret_dst_o,
  output logic [t3_pkg::CreditW-1:0] cret_count_o,
  // Refused packets.
  output logic                       err_valid_o,
  output t3_pkg::error_t             err_o,
  // Chunk table.
  output logic                              chunk_req_valid_o,
  input  wire logic                         chunk_req_ready_i,
  output logic      [IdW-1:0]               chunk_req_id_o,
  input  wire logic                         chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]               chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] chunk_rsp_entry_i,
  input  wire logic                         chunk_inv_i,
  output logic                              busy_o,
  output logic [t3_pkg::NumCtx-1:0]         busy_ctx_o
);

  localparam int unsigned HeaderW  = t3_pkg::PacketBits - t3_pkg::CrcW;
  localparam int unsigned PeerBits = $clog2(Devices);

  // ---- Arrival: the line goes into the buffer at once, the header one cycle
  // later with the verdict on its CRC.
  logic                    arrived_q, crc_ok, line_ready, head_ready;
  t3_pkg::packet_t         arrived_packet_q;
  logic [LineBytes-1:0]    arrived_strb_q;
  logic [t3_pkg::CrcW-1:0] crc;

  t3_crc16 #(
    .Width(HeaderW + LineBytes + LineBits)
  ) u_crc (
    .clk_i,
    .en_i  (rx_valid_i),
    .word_i({rx_packet_i[HeaderW-1:0], rx_strb_i, rx_data_i}),
    .crc_o (crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) arrived_q <= 1'b0;
    else arrived_q <= rx_valid_i;
    if (rx_valid_i) begin
      arrived_packet_q <= rx_packet_i;
      arrived_strb_q   <= rx_strb_i;
    end
  end
  assign crc_ok = (crc == arrived_packet_q.crc) & (arrived_packet_q.dst == device_i);

  logic                 line_valid, line_pop, line_busy, head_valid, head_pop, head_busy, head_crc_ok;
  t3_pkg::packet_t      head;
  logic [LineBytes-1:0] head_strb;

  t3_line_fifo #(
    .Width(LineBits),
    .Depth(Depth)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .wvalid_i(rx_valid_i),
    .wready_o(line_ready),
    .wdata_i (rx_data_i),
    .rvalid_o(line_valid),
    .rready_i(line_pop),
    .rdata_o (out_data_o),
    .busy_o  (line_busy)
  );

  t3_line_fifo #(
    .Width(1 + t3_pkg::PacketBits + LineBytes),
    .Depth(Depth)
  ) u_headers (
    .clk_i,
    .rst_ni,
    .wvalid_i(arrived_q),
    .wready_o(head_ready),
    .wdata_i ({crc_ok, arrived_packet_q, arrived_strb_q}),
    .rvalid_o(head_valid),
    .rready_i(head_pop),
    .rdata_o ({head_crc_ok, head, head_strb}),
    .busy_o  (head_busy)
  );

  // ---- Sequence: counted per source from 0.
  logic [t3_pkg::SeqW-1:0] seq_q [Devices];
  logic [Devices-1:0]      known_q;
  logic [PeerBits-1:0]     head_src;
  logic [t3_pkg::SeqW-1:0] seq_expected;
  logic [3:0]              head_err;

  assign head_src     = head.src[PeerBits-1:0];
  assign seq_expected = known_q[head_src] ? seq_q[head_src] : '0;
  assign head_err     = !head_crc_ok               ? t3_pkg::ErrCrc
                      : head.seq != seq_expected ? t3_pkg::ErrSequence
                                                 : t3_pkg::ErrNone;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) known_q <= '0;
    else if (head_valid & head_pop & head_crc_ok) begin
      known_q[head_src] <= 1'b1;
      seq_q[head_src]   <= head.seq + t3_pkg::SeqW'(1);
    end
  end

  // ---- Access checks; the source goes beside them.
  logic                       check_ready, src_ready, src_valid, out_valid, out_ready, refused, check_busy;
  logic [3:0]                 out_err;
  logic                       out_op;
  logic [t3_pkg::EpochW-1:0]  out_epoch;
  logic [t3_pkg::DeviceW-1:0] out_src;
  logic                       tracked_unused, remote_unused, link_unused;
  logic [t3_pkg::AddrW-1:0]   remote_addr_unused;
  logic [t3_pkg::DeviceW-1:0] dst_unused;
  logic [t3_pkg::CtxW-1:0]    dst_ctx_unused;

  assign head_pop = check_ready & src_ready;

  t3_fifo #(
    .Width(t3_pkg::DeviceW),
    .Depth(8)
  ) u_sources (
    .clk_i,
    .rst_ni,
    .wvalid_i(head_valid & check_ready),
    .wready_o(src_ready),
    .wdata_i (head.src),
    .rvalid_o(src_valid),
    .rready_i(line_pop),
    .rdata_o (out_src)
  );

  t3_access_check #(
    .Incoming (1'b1),
    .LineBytes(LineBytes)
  ) u_check (
    .clk_i,
    .rst_ni,
    .ctx_cfg_i,
    .valid_i      (head_valid & src_ready),
    .ready_o      (check_ready),
    .tracked_i    (1'b1),
    .pre_err_i    (head_err),
    .sub_i        (head.sub),
    .epoch_i      (head.epoch),
    .op_i         (head.op),
    .fmt_i        (head.fmt),
    .addr_i       (head.addr),
    .strb_i       (head_strb),
    .valid_o      (out_valid),
    .ready_i      (out_ready),
    .tracked_o    (tracked_unused),
    .err_o        (out_err),
    .event_o      (out_event_o),
    .epoch_o      (out_epoch),
    .op_o         (out_op),
    .fmt_o        (out_fmt_o),
    .addr_o       (out_addr_o),
    .strb_o       (out_strb_o),
    .remote_o     (remote_unused),
    .remote_addr_o(remote_addr_unused),
    .dst_o        (dst_unused),
    .dst_ctx_o    (dst_ctx_unused),
    .link_o       (link_unused),
    .chunk_req_valid_o,
    .chunk_req_ready_i,
    .chunk_req_id_o,
    .chunk_rsp_valid_i,
    .chunk_rsp_id_i,
    .chunk_rsp_entry_i,
    .chunk_inv_i,
    .busy_o       (check_busy)
  );

  assign refused       = out_err != t3_pkg::ErrNone;
  assign out_valid_o   = out_valid & line_valid & ~refused;
  assign out_ready     = line_valid & (refused | out_ready_i);
  assign line_pop      = out_valid & out_ready;
  assign out_op_o      = out_op ? t3_pkg::MemUpdate : t3_pkg::MemStore;
  assign out_channel_o = ChannelBits'(
      t3_pkg::channel_of(out_addr_o[t3_pkg::AddrW-1:t3_pkg::InterleaveW], $clog2(NumChannels)));

  // ---- Credits owed, per peer.
  logic [t3_pkg::CreditW-1:0] owed_q [Devices];
  logic [Devices-1:0]         owing_q;   // owed_q is not zero
  logic [PeerBits-1:0]        scan_q;    // the peer looked at
  logic                       give;
  logic [PeerBits-1:0]        src;
  logic [t3_pkg::CreditW-1:0] owed_src;

  assign src          = out_src[PeerBits-1:0];
  assign cret_valid_o = owing_q[scan_q];
  assign cret_dst_o   = t3_pkg::DeviceW'(scan_q);
  assign cret_count_o = owed_q[scan_q];
  assign give         = cret_valid_o & cret_ready_i;
  assign owed_src     = (owing_q[src] && !(give && scan_q == src)) ? owed_q[src] : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owing_q <= '0;
      scan_q  <= '0;
    end else if (line_pop | (owing_q != '0)) begin
      if (give) owing_q[scan_q] <= 1'b0;
      if (~cret_valid_o | give) scan_q <= (scan_q == PeerBits'(Devices - 1)) ? '0 : scan_q + PeerBits'(1);
      if (line_pop) begin
        owing_q[src] <= 1'b1;
        owed_q[src]  <= owed_src + t3_pkg::CreditW'(1);
      end
    end
  end

  // ---- Control packets.
  localparam int unsigned CtlW = t3_pkg::CtlBits - t3_pkg::CrcW;
  logic                    ctl_q, ctl_ok;
  t3_pkg::ctl_t            ctl_packet_q;
  logic [t3_pkg::CrcW-1:0] ctl_crc;

  t3_crc16 #(
    .Width(CtlW)
  ) u_ctl_crc (
    .clk_i,
    .en_i  (ctl_valid_i),
    .word_i(ctl_i[CtlW-1:0]),
    .crc_o (ctl_crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ctl_q <= 1'b0;
    else ctl_q <= ctl_valid_i;
    if (ctl_valid_i) ctl_packet_q <= ctl_i;
  end

  assign ctl_ok             = ctl_q & (ctl_crc == ctl_packet_q.crc) & (ctl_packet_q.dst == device_i);
  assign grant_valid_o      = ctl_ok & ctl_packet_q.grant;
  assign grant_src_o        = ctl_packet_q.src;
  assign grant_ctx_o        = ctl_packet_q.ctx;
  assign grant_epoch_o      = ctl_packet_q.epoch;
  assign credit_add_o       = ctl_ok & ~ctl_packet_q.grant;
  assign credit_add_peer_o  = ctl_packet_q.src;
  assign credit_add_count_o = ctl_packet_q.count;

  // ---- Errors: a refused data packet before a bad control packet of the same cycle.
  logic bad_line, bad_ctl;
  assign bad_line    = out_valid & line_valid & refused;
  assign bad_ctl     = ctl_q & ~ctl_ok;
  assign err_valid_o = bad_line | bad_ctl;

  always_comb begin
    err_o        = '0;
    err_o.remote = 1'b1;
    if (bad_line) begin
      err_o.cause      = out_err;
      err_o.peer_fails = (out_err == t3_pkg::ErrCrc) | (out_err == t3_pkg::ErrSequence);
      err_o.fails      = ~err_o.peer_fails & (out_err != t3_pkg::ErrEpoch);
      err_o.src        = out_src;
      err_o.addr       = out_addr_o;
      err_o.epoch      = out_epoch;
      err_o.sub        = out_event_o.sub;
    end else begin
      err_o.cause      = t3_pkg::ErrCrc;
      err_o.peer_fails = 1'b1;
      err_o.src        = ctl_packet_q.src;
    end
  end

  assign busy_o     = line_busy | head_busy | check_busy | arrived_q | ctl_q | (owing_q != '0);
  assign busy_ctx_o = {t3_pkg::NumCtx{line_busy | head_busy | check_busy | arrived_q}};

  `T3_ASSERT(CreditsGuaranteeRoom, !rx_valid_i || line_ready)
  `T3_ASSERT(HeaderHasRoom, !arrived_q || head_ready)
  `T3_ASSERT(SourceBesideCheck, !out_valid || src_valid)

  logic unused;
  assign unused = ^{tracked_unused, remote_unused, link_unused, remote_addr_unused, dst_unused,
                    dst_ctx_unused, head.crc, head.dst, out_src, ctl_i};

endmodule

`default_nettype wire
