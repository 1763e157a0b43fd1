// Packs fields into the structs of t3_pkg, for the test of their C++ mirrors: at
// the bit offsets that the second of two packed elements has in a port's vector.
// Combinational.
`default_nettype none

module t3_types_shim (
  input  wire logic [t3_pkg::CtxW-1:0]    ctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0]  chunk_i,
  input  wire logic [t3_pkg::GridW-1:0]   wgx_i,
  input  wire logic [t3_pkg::GridW-1:0]   wgy_i,
  input  wire logic [t3_pkg::WfW-1:0]     wf_i,
  input  wire logic [2:0]                 cls_i,
  input  wire logic [1:0]                 op_i,
  input  wire logic [1:0]                 fmt_i,
  input  wire logic                       flag_i,  // count of a request, grant of a control packet
  input  wire logic [t3_pkg::TagW-1:0]    tag_i,
  input  wire logic [t3_pkg::AddrW-1:0]   addr_i,
  input  wire logic [t3_pkg::CrcW-1:0]    crc_i,
  input  wire logic [t3_pkg::SeqW-1:0]    seq_i,
  input  wire logic [t3_pkg::DeviceW-1:0] src_i,
  input  wire logic [t3_pkg::DeviceW-1:0] dst_i,
  input  wire logic [t3_pkg::EpochW-1:0]  epoch_i,
  input  wire logic [t3_pkg::CreditW-1:0] count_i,
  output logic [2*t3_pkg::SubtileBits-1:0] sub_o,
  output logic [2*t3_pkg::MemReqBits-1:0]  req_o,
  output logic [2*t3_pkg::PacketBits-1:0]  packet_o,
  output logic [2*t3_pkg::CtlBits-1:0]     ctl_o,
  // CRC of a word of 159 header bits, 64 strobes and a line, all made of the above.
  input  wire logic                       clk_i,
  output logic [t3_pkg::CrcW-1:0]         crc_o
);

  t3_pkg::subtile_t sub;
  t3_pkg::mem_req_t req;
  t3_pkg::packet_t  packet;
  t3_pkg::ctl_t     ctl;

  always_comb begin
    sub.ctx   = ctx_i;
    sub.chunk = chunk_i;
    sub.wgx   = wgx_i;
    sub.wgy   = wgy_i;
    sub.wf    = wf_i;

    req.cls   = cls_i;
    req.op    = op_i;
    req.fmt   = fmt_i;
    req.ctx   = ctx_i;
    req.count = flag_i;
    req.tag   = tag_i;
    req.addr  = addr_i;

    packet.crc   = crc_i;
    packet.seq   = seq_i;
    packet.src   = src_i;
    packet.dst   = dst_i;
    packet.epoch = epoch_i;
    packet.op    = op_i[0];
    packet.fmt   = fmt_i;
    packet.addr  = addr_i;
    packet.sub   = sub;

    ctl.crc   = crc_i;
    ctl.grant = flag_i;
    ctl.src   = src_i;
    ctl.dst   = dst_i;
    ctl.ctx   = ctx_i;
    ctl.epoch = epoch_i;
    ctl.count = count_i;
  end

  assign sub_o    = {sub, t3_pkg::SubtileBits'(0)};
  assign req_o    = {req, t3_pkg::MemReqBits'(0)};
  assign packet_o = {packet, t3_pkg::PacketBits'(0)};
  assign ctl_o    = {ctl, t3_pkg::CtlBits'(0)};

  localparam int unsigned HeaderW = t3_pkg::PacketBits - t3_pkg::CrcW;
  t3_crc16 #(
    .Width(HeaderW + 64 + 512)
  ) u_crc (
    .clk_i,
    .en_i  (1'b1),
    .word_i({packet[HeaderW-1:0], {4{tag_i}}, {32{seq_i}}}),
    .crc_o (crc_o)
  );

endmodule

`default_nettype wire
