// The chunk tables of all contexts in one RAM: written by the driver, read by
// all ports of the device, which keep a few entries each (t3_chunk_cache).
//
// Latency: the answer is broadcast 2 cycles after the request was taken.
// Throughput: one read per cycle, round robin. Back-pressure: req_ready_o depends
// on all requests. A chunk beyond num_chunks_i of its context reads as not
// configured, so the table needs no clearing.
`default_nettype none

module t3_chunk_table #(
  parameter int unsigned NumPorts = 4,
  parameter int unsigned Chunks   = 512,
  localparam int unsigned IdW = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*(t3_pkg::ChunkW+1)-1:0] num_chunks_i,
  input  wire logic                         we_i,
  input  wire logic [t3_pkg::CtxW-1:0]      wctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0]    wchunk_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] wdata_i,
  input  wire logic [NumPorts-1:0]          req_valid_i,
  output logic      [NumPorts-1:0]          req_ready_o,
  input  wire logic [NumPorts*IdW-1:0]      req_id_i,  // {context, chunk}
  output logic                              rsp_valid_o,
  output logic      [IdW-1:0]               rsp_id_o,
  output logic      [t3_pkg::ChunkBits-1:0] rsp_entry_o
);

  localparam int unsigned PortBits = (NumPorts > 1) ? $clog2(NumPorts) : 1;
  localparam int unsigned RowBits  = (Chunks > 1) ? $clog2(Chunks) : 1;

  logic                any;
  logic [PortBits-1:0] port;

  t3_rr_arb #(
    .N(NumPorts)
  ) u_arb (
    .clk_i,
    .rst_ni,
    .req_i  (req_valid_i),
    .ready_i(1'b1),
    .valid_o(any),
    .gnt_o  (req_ready_o),
    .idx_o  (port)
  );

  logic                         valid1_q, valid2_q;
  logic [IdW-1:0]               id1_q, id2_q;
  logic [t3_pkg::ChunkBits-1:0] read;
  logic                         known;
  logic [t3_pkg::ChunkW:0]      limit;

  t3_ram #(
    .Width(t3_pkg::ChunkBits),
    .Depth(t3_pkg::NumCtx * Chunks)
  ) u_ram (
    .clk_i,
    .we_i,
    .waddr_i({wctx_i, wchunk_i[RowBits-1:0]}),
    .wdata_i,
    .re_i   (valid1_q),
    .raddr_i({id1_q[IdW-1-:t3_pkg::CtxW], id1_q[RowBits-1:0]}),
    .rdata_o(read)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
    end else begin
      valid1_q <= any;
      valid2_q <= valid1_q;
    end
    if (any) id1_q <= req_id_i[port*IdW+:IdW];
    if (valid1_q) id2_q <= id1_q;
  end

  assign limit       = num_chunks_i[id2_q[IdW-1-:t3_pkg::CtxW]*(t3_pkg::ChunkW+1)+:t3_pkg::ChunkW+1];
  assign known       = {1'b0, id2_q[t3_pkg::ChunkW-1:0]} < limit;
  logic unused;
  assign unused = ^wchunk_i;  // upper bits where Chunks is small

  assign rsp_valid_o = valid2_q;
  assign rsp_id_o    = id2_q;
  assign rsp_entry_o = read & {t3_pkg::ChunkBits{known}};

endmodule

`default_nettype wire
