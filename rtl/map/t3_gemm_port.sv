// The GEMM's port at one memory channel: stores pass the address map and wait in
// the store queue (local chunks) or leave to the channel's egress (remote ones);
// reads wait in a queue of their own, so that a store that a link holds back
// never blocks a read.
//
// Latency: that of t3_addr_map plus 2 cycles for stores, 1 for reads.
// Throughput: one access per cycle in all at the output, one store and one read
// per cycle at the inputs. Order: stores among themselves, reads among
// themselves; local stores and reads take turns. Back-pressure: every ready is a
// function of state.
`default_nettype none

module t3_gemm_port #(
  parameter int unsigned LineBytes  = 64,
  parameter int unsigned QueueDepth = 16,
  localparam int unsigned LineBits = LineBytes * 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,

  // Stores and reads of the GEMM.
  input  wire logic                     st_valid_i,
  output logic                          st_ready_o,
  input  wire logic                     st_tracked_i,
  input  wire t3_pkg::subtile_t         st_sub_i,
  input  wire logic [t3_pkg::AddrW-1:0] st_addr_i,
  input  wire logic [LineBytes-1:0]     st_strb_i,
  input  wire logic [LineBits-1:0]      st_data_i,
  input  wire logic                     rd_valid_i,
  output logic                          rd_ready_o,
  input  wire logic [t3_pkg::AddrW-1:0] rd_addr_i,
  input  wire logic [t3_pkg::TagW-1:0]  rd_id_i,

  // Head of the compute traffic.
  output logic                          valid_o,
  output logic                          store_o,  // 1: the store below, 0: the read
  input  wire logic                     pop_i,
  output t3_pkg::write_t                store_req_o,
  output logic [LineBytes-1:0]          store_strb_o,
  output logic [LineBits-1:0]           store_data_o,
  output logic [t3_pkg::AddrW-1:0]      read_addr_o,
  output logic [t3_pkg::TagW-1:0]       read_id_o,

  // Stores to remote chunks.
  output logic                          rem_valid_o,
  input  wire logic                     rem_ready_i,
  output logic                          rem_link_o,
  output logic [t3_pkg::CtxW-1:0]       rem_ctx_o,
  output t3_pkg::packet_t               rem_packet_o,
  output logic [LineBytes-1:0]          rem_strb_o,
  output logic [LineBits-1:0]           rem_data_o,

  // Refused stores.
  output logic                          err_valid_o,
  output t3_pkg::error_t                err_o,

  // Chunk table.
  output logic                                        chunk_req_valid_o,
  input  wire logic                                   chunk_req_ready_i,
  output logic      [t3_pkg::CtxW+t3_pkg::ChunkW-1:0] chunk_req_id_o,
  input  wire logic                                   chunk_rsp_valid_i,
  input  wire logic [t3_pkg::CtxW+t3_pkg::ChunkW-1:0] chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0]           chunk_rsp_entry_i,
  input  wire logic                                   chunk_inv_i,

  output logic [t3_pkg::NumCtx-1:0] busy_ctx_o,
  output logic                      busy_o
);

  // GEMM reads wait in registers: a few are enough to keep the port busy.
  localparam int unsigned ReadDepth = (QueueDepth > 8) ? 8 : QueueDepth;

  logic                      loc_valid, loc_ready;
  t3_pkg::write_t            loc;
  logic                      loc_count;
  t3_pkg::event_t            loc_event;
  logic [1:0]                loc_op, loc_fmt;
  logic [t3_pkg::AddrW-1:0]  loc_addr;
  logic [LineBytes-1:0]      strb;
  logic [LineBits-1:0]       data;
  logic                      map_busy;
  logic [t3_pkg::NumCtx-1:0] map_busy_ctx;

  t3_addr_map #(
    .LineBytes(LineBytes)
  ) u_addr_map (
    .clk_i,
    .rst_ni,
    .ctx_cfg_i,
    .st_valid_i,
    .st_ready_o,
    .st_tracked_i,
    .st_sub_i,
    .st_addr_i,
    .st_strb_i,
    .st_data_i,
    .loc_valid_o  (loc_valid),
    .loc_ready_i  (loc_ready),
    .loc_counted_o(loc_count),
    .loc_event_o  (loc_event),
    .loc_op_o     (loc_op),
    .loc_fmt_o    (loc_fmt),
    .loc_addr_o   (loc_addr),
    .rem_valid_o,
    .rem_ready_i,
    .rem_packet_o,
    .rem_link_o,
    .rem_ctx_o,
    .strb_o       (strb),
    .data_o       (data),
    .err_valid_o,
    .err_o,
    .chunk_req_valid_o,
    .chunk_req_ready_i,
    .chunk_req_id_o,
    .chunk_rsp_valid_i,
    .chunk_rsp_id_i,
    .chunk_rsp_entry_i,
    .chunk_inv_i,
    .busy_o       (map_busy),
    .busy_ctx_o   (map_busy_ctx)
  );

  assign loc        = {loc_count, loc_event, loc_op, loc_fmt, loc_addr};
  assign rem_strb_o = strb;
  assign rem_data_o = data;

  logic store_valid, store_pop, store_busy;

  t3_line_fifo #(
    .Width(t3_pkg::WriteBits + LineBytes + LineBits),
    .Depth(QueueDepth)
  ) u_store_queue (
    .clk_i,
    .rst_ni,
    .wvalid_i(loc_valid),
    .wready_o(loc_ready),
    .wdata_i ({loc, strb, data}),
    .rvalid_o(store_valid),
    .rready_i(store_pop),
    .rdata_o ({store_req_o, store_strb_o, store_data_o}),
    .busy_o  (store_busy)
  );

  logic read_valid, read_pop;

  t3_fifo #(
    .Width(t3_pkg::AddrW + t3_pkg::TagW),
    .Depth(ReadDepth)
  ) u_read_queue (
    .clk_i,
    .rst_ni,
    .wvalid_i(rd_valid_i),
    .wready_o(rd_ready_o),
    .wdata_i ({rd_addr_i, rd_id_i}),
    .rvalid_o(read_valid),
    .rready_i(read_pop),
    .rdata_o ({read_addr_o, read_id_o})
  );

  // Turns between local stores and reads.
  logic last_store_q;

  assign valid_o   = store_valid | read_valid;
  assign store_o   = store_valid & (~read_valid | ~last_store_q);
  assign store_pop = pop_i & store_o;
  assign read_pop  = pop_i & ~store_o;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last_store_q <= 1'b0;
    else if (pop_i) last_store_q <= store_o;
  end

  assign busy_ctx_o = map_busy_ctx | {t3_pkg::NumCtx{store_busy}};
  assign busy_o     = map_busy | (store_busy) | read_valid;

endmodule

`default_nettype wire
