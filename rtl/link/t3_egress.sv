// The sender's choice of one lane: round robin over the packet registers of its
// channels.
//
// Latency: 1 cycle. Throughput: one packet per cycle. Order: per source.
// Back-pressure: ready_o depends on valid_i of all sources and on ready_i.
`default_nettype none

module t3_egress #(
  parameter int unsigned LineBytes = 64,
  parameter int unsigned NumSrc    = 16,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [NumSrc-1:0]                    valid_i,
  output logic      [NumSrc-1:0]                    ready_o,
  input  wire logic [NumSrc*t3_pkg::PacketBits-1:0] packet_i,
  input  wire logic [NumSrc*t3_pkg::CtxW-1:0]       ctx_i,
  input  wire logic [NumSrc*LineBytes-1:0]          strb_i,
  input  wire logic [NumSrc*LineBits-1:0]           data_i,
  output logic                                      valid_o,
  input  wire logic                                 ready_i,
  output t3_pkg::packet_t                           packet_o,
  output logic      [t3_pkg::CtxW-1:0]              ctx_o,
  output logic      [LineBytes-1:0]                 strb_o,
  output logic      [LineBits-1:0]                  data_o
);

  localparam int unsigned SrcBits = (NumSrc > 1) ? $clog2(NumSrc) : 1;

  logic               any, free;
  logic [NumSrc-1:0]  gnt;
  logic [SrcBits-1:0] src;

  assign free    = ~valid_o | ready_i;
  assign ready_o = gnt & {NumSrc{free}};

  t3_rr_arb #(
    .N(NumSrc)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i  (valid_i),
    .ready_i(free),
    .valid_o(any),
    .gnt_o  (gnt),
    .idx_o  (src)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (free) valid_o <= any;
    if (any & free) begin
      packet_o <= packet_i[src*t3_pkg::PacketBits+:t3_pkg::PacketBits];
      ctx_o    <= ctx_i[src*t3_pkg::CtxW+:t3_pkg::CtxW];
      strb_o   <= strb_i[src*LineBytes+:LineBytes];
      data_o   <= data_i[src*LineBits+:LineBits];
    end
  end

endmodule

`default_nettype wire
