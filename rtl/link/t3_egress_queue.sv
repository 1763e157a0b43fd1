// Egress of one channel: the queue of remote stores, and its turns with the
// packets of triggered DMA.
//
// Latency: 2 cycles through the queue, none for DMA packets. Throughput: one
// packet per cycle. Order: per source. Back-pressure: rem_ready_o depends on
// state only; pk_ready_o depends on eg_ready_i.
`default_nettype none

module t3_egress_queue #(
  parameter int unsigned LineBytes = 64,
  parameter int unsigned Depth     = 16,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  // Remote stores of the GEMM.
  input  wire logic                    rem_valid_i,
  output logic                         rem_ready_o,
  input  wire logic                    rem_link_i,
  input  wire logic [t3_pkg::CtxW-1:0] rem_ctx_i,
  input  wire t3_pkg::packet_t         rem_packet_i,
  input  wire logic [LineBytes-1:0]    rem_strb_i,
  input  wire logic [LineBits-1:0]     rem_data_i,
  // Packets of triggered DMA.
  input  wire logic                    pk_valid_i,
  output logic                         pk_ready_o,
  input  wire logic                    pk_link_i,
  input  wire logic [t3_pkg::CtxW-1:0] pk_ctx_i,
  input  wire t3_pkg::packet_t         pk_packet_i,
  input  wire logic [LineBytes-1:0]    pk_strb_i,
  input  wire logic [LineBits-1:0]     pk_data_i,
  // To the lane.
  output logic                         eg_valid_o,
  input  wire logic                    eg_ready_i,
  output logic                         eg_link_o,
  output logic [t3_pkg::CtxW-1:0]      eg_ctx_o,
  output t3_pkg::packet_t              eg_packet_o,
  output logic [LineBytes-1:0]         eg_strb_o,
  output logic [LineBits-1:0]          eg_data_o,
  output logic                         queued_o  // a remote store waits
);

  logic                    head_valid, head_pop, head_link, take_remote, last_remote_q;
  logic [t3_pkg::CtxW-1:0] head_ctx;
  t3_pkg::packet_t         head_packet;
  logic [LineBytes-1:0]    head_strb;
  logic [LineBits-1:0]     head_data;

  t3_line_fifo #(
    .Width(1 + t3_pkg::CtxW + t3_pkg::PacketBits + LineBytes + LineBits),
    .Depth(Depth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .wvalid_i(rem_valid_i),
    .wready_o(rem_ready_o),
    .wdata_i ({rem_link_i, rem_ctx_i, rem_packet_i, rem_strb_i, rem_data_i}),
    .rvalid_o(head_valid),
    .rready_i(head_pop),
    .rdata_o ({head_link, head_ctx, head_packet, head_strb, head_data}),
    .busy_o  (queued_o)
  );

  assign take_remote = head_valid & (~pk_valid_i | ~last_remote_q);
  assign head_pop    = eg_ready_i & take_remote;
  assign pk_ready_o  = eg_ready_i & ~take_remote;
  assign eg_valid_o  = head_valid | pk_valid_i;
  assign eg_link_o   = take_remote ? head_link : pk_link_i;
  assign eg_ctx_o    = take_remote ? head_ctx : pk_ctx_i;
  assign eg_packet_o = take_remote ? head_packet : pk_packet_i;
  assign eg_strb_o   = take_remote ? head_strb : pk_strb_i;
  assign eg_data_o   = take_remote ? head_data : pk_data_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_remote_q <= 1'b0;
    else if (eg_valid_o & eg_ready_i) last_remote_q <= take_remote;
  end

endmodule

`default_nettype wire
