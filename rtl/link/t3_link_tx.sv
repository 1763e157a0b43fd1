// Transmitter of one lane: stamps source, sequence number and CRC, and spends a
// credit of the destination per packet. Control packets (returned credits, then
// grants) leave by a port of their own.
//
// Latency: 1 cycle. Throughput: one packet per cycle. Order: first in, first out;
// a packet whose destination has no credit holds up those behind it.
// Back-pressure: in_ready_o depends on in_packet_i and tx_ready_i.
`default_nettype none

module t3_link_tx #(
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Devices     = 64,
  parameter int unsigned CreditDepth = 2048,  // lines that a receiver buffers
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::DeviceW-1:0] device_i,
  // Credits: a peer's allowance, set by the driver; what the peer returns.
  input  wire logic                       credit_init_i,
  input  wire logic [t3_pkg::DeviceW-1:0] credit_init_peer_i,
  input  wire logic [t3_pkg::CreditW-1:0] credit_init_count_i,
  input  wire logic                       credit_add_i,
  input  wire logic [t3_pkg::DeviceW-1:0] credit_add_peer_i,
  input  wire logic [t3_pkg::CreditW-1:0] credit_add_count_i,
  output logic                            credit_error_o,  // more came back than was spent
  // Packets.
  input  wire logic                    in_valid_i,
  output logic                         in_ready_o,
  input  wire t3_pkg::packet_t         in_packet_i,
  input  wire logic [LineBytes-1:0]    in_strb_i,
  input  wire logic [LineBits-1:0]     in_data_i,
  input  wire logic [t3_pkg::CtxW-1:0] in_ctx_i,  // local context
  output logic                         tx_valid_o,
  input  wire logic                    tx_ready_i,
  output t3_pkg::packet_t              tx_packet_o,
  output logic      [LineBytes-1:0]    tx_strb_o,
  output logic      [LineBits-1:0]     tx_data_o,
  // A packet that the link accepted.
  output logic                         sent_valid_o,
  output logic [t3_pkg::CtxW-1:0]      sent_ctx_o,
  output logic [7:0]                   sent_bytes_o,  // strobed bytes
  // Control packets.
  input  wire logic                       grant_valid_i,
  output logic                            grant_ready_o,
  input  wire logic [t3_pkg::DeviceW-1:0] grant_dst_i,
  input  wire logic [t3_pkg::CtxW-1:0]    grant_ctx_i,
  input  wire logic [t3_pkg::EpochW-1:0]  grant_epoch_i,
  input  wire logic                       cret_valid_i,
  output logic                            cret_ready_o,
  input  wire logic [t3_pkg::DeviceW-1:0] cret_dst_i,
  input  wire logic [t3_pkg::CreditW-1:0] cret_count_i,
  output logic                            ctl_valid_o,
  input  wire logic                       ctl_ready_i,
  output t3_pkg::ctl_t                    ctl_o,
  output logic stalled_credit_o,  // the head waits for a credit
  output logic busy_o
);

  localparam int unsigned PeerBits = $clog2(Devices);
  localparam int unsigned HeaderW  = t3_pkg::PacketBits - t3_pkg::CrcW;

  // ---- Credits and sequence numbers per destination.
  logic [t3_pkg::CreditW-1:0] credit_q [Devices];
  logic [t3_pkg::CreditW-1:0] allowance_q [Devices];
  logic [t3_pkg::SeqW-1:0]    seq_q [Devices];
  logic [Devices-1:0]         known_q;  // seq_q counts from its first use after reset
  logic [PeerBits-1:0]        dst, add_peer, init_peer;
  logic                       free, has_credit, take;
  logic [t3_pkg::SeqW-1:0]    seq;
  logic [t3_pkg::CreditW:0]   sum;

  assign dst              = in_packet_i.dst[PeerBits-1:0];
  assign add_peer         = credit_add_peer_i[PeerBits-1:0];
  assign init_peer        = credit_init_peer_i[PeerBits-1:0];
  assign free             = ~tx_valid_o | tx_ready_i;
  assign has_credit       = known_q[dst] & (credit_q[dst] != '0);
  assign take             = in_valid_i & has_credit & free;
  assign in_ready_o       = has_credit & free;
  assign stalled_credit_o = in_valid_i & ~has_credit;
  assign seq              = seq_q[dst];
  assign sum              = {1'b0, credit_q[add_peer]} + {1'b0, credit_add_count_i};
  assign credit_error_o   = credit_add_i &
                            (~known_q[add_peer] | (sum > {1'b0, allowance_q[add_peer]}));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= '0;
    end else begin
      if (credit_init_i) begin
        known_q[init_peer]     <= 1'b1;
        credit_q[init_peer]    <= credit_init_count_i;
        allowance_q[init_peer] <= credit_init_count_i;
        seq_q[init_peer]       <= '0;
      end
      if (take) seq_q[dst] <= seq + t3_pkg::SeqW'(1);
      if (credit_add_i & ~credit_error_o) begin
        if (take && dst == add_peer) credit_q[add_peer] <= sum[t3_pkg::CreditW-1:0] - t3_pkg::CreditW'(1);
        else begin
          credit_q[add_peer] <= sum[t3_pkg::CreditW-1:0];
          if (take) credit_q[dst] <= credit_q[dst] - t3_pkg::CreditW'(1);
        end
      end else if (take) begin
        credit_q[dst] <= credit_q[dst] - t3_pkg::CreditW'(1);
      end
    end
  end

  // ---- The packet register.
  t3_pkg::packet_t         stamped, tx_q;
  logic [t3_pkg::CrcW-1:0] crc;
  logic [t3_pkg::CtxW-1:0] ctx_q;
  logic [7:0]              bytes_q;

  always_comb begin
    stamped     = in_packet_i;
    stamped.src = device_i;
    stamped.seq = seq;
  end

  t3_crc16 #(
    .Width(HeaderW + LineBytes + LineBits)
  ) u_crc (
    .clk_i,
    .en_i  (take),
    .word_i({stamped[HeaderW-1:0], in_strb_i, in_data_i}),
    .crc_o (crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tx_valid_o <= 1'b0;
    else if (free) tx_valid_o <= take;
    if (take) begin
      tx_q      <= stamped;
      tx_strb_o <= in_strb_i;
      tx_data_o <= in_data_i;
      ctx_q     <= in_ctx_i;
      bytes_q   <= 8'($countones(in_strb_i));
    end
  end

  assign tx_packet_o  = {crc, tx_q[HeaderW-1:0]};
  assign sent_valid_o = tx_valid_o & tx_ready_i;
  assign sent_ctx_o   = ctx_q;
  assign sent_bytes_o = bytes_q;

  // ---- Control packets.
  localparam int unsigned CtlW = t3_pkg::CtlBits - t3_pkg::CrcW;
  t3_pkg::ctl_t            ctl_d, ctl_q;
  logic                    ctl_free, ctl_take;
  logic [t3_pkg::CrcW-1:0] ctl_crc;

  assign ctl_free      = ~ctl_valid_o | ctl_ready_i;
  assign cret_ready_o  = ctl_free;
  assign grant_ready_o = ctl_free & ~cret_valid_i;
  assign ctl_take      = ctl_free & (cret_valid_i | grant_valid_i);

  always_comb begin
    ctl_d       = '0;
    ctl_d.src   = device_i;
    ctl_d.grant = ~cret_valid_i;
    if (cret_valid_i) begin
      ctl_d.dst   = cret_dst_i;
      ctl_d.count = cret_count_i;
    end else begin
      ctl_d.dst   = grant_dst_i;
      ctl_d.ctx   = grant_ctx_i;
      ctl_d.epoch = grant_epoch_i;
    end
  end

  t3_crc16 #(
    .Width(CtlW)
  ) u_ctl_crc (
    .clk_i,
    .en_i  (ctl_take),
    .word_i(ctl_d[CtlW-1:0]),
    .crc_o (ctl_crc)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ctl_valid_o <= 1'b0;
    else if (ctl_free) ctl_valid_o <= ctl_take;
    if (ctl_take) ctl_q <= ctl_d;
  end

  assign ctl_o  = {ctl_crc, ctl_q[CtlW-1:0]};
  assign busy_o = tx_valid_o | in_valid_i | ctl_valid_o | cret_valid_i | grant_valid_i;

  logic unused;
  assign unused = ^{tx_q, ctl_q, credit_add_peer_i, credit_init_peer_i};

  initial if (CreditDepth >= 2 ** t3_pkg::CreditW) $fatal(1, "t3_link_tx: CreditDepth exceeds its field");

endmodule

`default_nettype wire
