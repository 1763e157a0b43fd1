// One GEMM store port: checks the access, then sends it to local memory or makes
// it a packet to the peer that the chunk table names.
//
// Latency: 7 cycles on a chunk-cache hit. Throughput: one store per cycle. Order:
// first in, first out, untracked stores included. Back-pressure: st_ready_o
// depends on state only; a store that waits for the remote queue holds up those
// behind it at this port. A refused store is dropped and reported.
`default_nettype none

module t3_addr_map #(
  parameter int unsigned LineBytes = 64,
  parameter int unsigned InDepth   = 8,
  localparam int unsigned LineBits = LineBytes * 8,
  localparam int unsigned IdW      = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  // GEMM store port.
  input  wire logic                     st_valid_i,
  output logic                          st_ready_o,
  input  wire logic                     st_tracked_i,
  input  wire t3_pkg::subtile_t         st_sub_i,
  input  wire logic [t3_pkg::AddrW-1:0] st_addr_i,
  input  wire logic [LineBytes-1:0]     st_strb_i,
  input  wire logic [LineBits-1:0]      st_data_i,
  // Local stores.
  output logic                          loc_valid_o,
  input  wire logic                     loc_ready_i,
  output logic                          loc_counted_o,
  output t3_pkg::event_t                loc_event_o,
  output logic [1:0]                    loc_op_o,   // mem_op_e
  output logic [1:0]                    loc_fmt_o,
  output logic [t3_pkg::AddrW-1:0]      loc_addr_o,
  // Remote stores; src, seq and crc are left to t3_link_tx.
  output logic                          rem_valid_o,
  input  wire logic                     rem_ready_i,
  output t3_pkg::packet_t               rem_packet_o,
  output logic                          rem_link_o,
  output logic [t3_pkg::CtxW-1:0]       rem_ctx_o,  // local context
  // Line of both.
  output logic [LineBytes-1:0]          strb_o,
  output logic [LineBits-1:0]           data_o,
  // Refused stores.
  output logic                          err_valid_o,
  output t3_pkg::error_t                err_o,
  // Chunk table.
  output logic                              chunk_req_valid_o,
  input  wire logic                         chunk_req_ready_i,
  output logic      [IdW-1:0]               chunk_req_id_o,
  input  wire logic                         chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]               chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] chunk_rsp_entry_i,
  input  wire logic                         chunk_inv_i,
  output logic                              busy_o,
  output logic      [t3_pkg::NumCtx-1:0]    busy_ctx_o
);

  localparam int unsigned HeaderW   = 1 + t3_pkg::SubtileBits + t3_pkg::AddrW + LineBytes;
  localparam int unsigned HeadDepth = 2;

  // The header goes through the checks while the line waits.
  logic                     head_ready, line_ready, head_valid, check_ready, line_valid, line_pop;
  logic                     head_tracked, line_busy, check_busy;
  t3_pkg::subtile_t         head_sub;
  logic [t3_pkg::AddrW-1:0] head_addr;
  logic [LineBytes-1:0]     head_strb;

  assign st_ready_o = head_ready & line_ready;

  t3_fifo #(
    .Width(HeaderW),
    .Depth(HeadDepth)
  ) u_headers (
    .clk_i,
    .rst_ni,
    .wvalid_i(st_valid_i & line_ready),
    .wready_o(head_ready),
    .wdata_i ({st_tracked_i, st_sub_i, st_addr_i, st_strb_i}),
    .rvalid_o(head_valid),
    .rready_i(check_ready),
    .rdata_o ({head_tracked, head_sub, head_addr, head_strb})
  );

  t3_line_fifo #(
    .Width(LineBits),
    .Depth(InDepth)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .wvalid_i(st_valid_i & head_ready),
    .wready_o(line_ready),
    .wdata_i (st_data_i),
    .rvalid_o(line_valid),
    .rready_i(line_pop),
    .rdata_o (data_o),
    .busy_o  (line_busy)
  );

  logic                      out_valid, out_ready, out_tracked, out_op, out_remote, refused, local_ok;
  logic [3:0]                out_err;
  t3_pkg::event_t            out_event;
  logic [t3_pkg::EpochW-1:0] out_epoch;
  logic [1:0]                out_fmt;
  logic [t3_pkg::AddrW-1:0]  out_addr, out_remote_addr;
  logic [t3_pkg::DeviceW-1:0] out_dst;
  logic [t3_pkg::CtxW-1:0]   out_dst_ctx;

  t3_access_check #(
    .Incoming (1'b0),
    .LineBytes(LineBytes)
  ) u_check (
    .clk_i,
    .rst_ni,
    .ctx_cfg_i,
    .valid_i      (head_valid),
    .ready_o      (check_ready),
    .tracked_i    (head_tracked),
    .pre_err_i    (t3_pkg::ErrNone),
    .sub_i        (head_sub),
    .epoch_i      ('0),
    .op_i         (1'b0),
    .fmt_i        (t3_pkg::FmtFp16),
    .addr_i       (head_addr),
    .strb_i       (head_strb),
    .valid_o      (out_valid),
    .ready_i      (out_ready),
    .tracked_o    (out_tracked),
    .err_o        (out_err),
    .event_o      (out_event),
    .epoch_o      (out_epoch),
    .op_o         (out_op),
    .fmt_o        (out_fmt),
    .addr_o       (out_addr),
    .strb_o       (strb_o),
    .remote_o     (out_remote),
    .remote_addr_o(out_remote_addr),
    .dst_o        (out_dst),
    .dst_ctx_o    (out_dst_ctx),
    .link_o       (rem_link_o),
    .chunk_req_valid_o,
    .chunk_req_ready_i,
    .chunk_req_id_o,
    .chunk_rsp_valid_i,
    .chunk_rsp_id_i,
    .chunk_rsp_entry_i,
    .chunk_inv_i,
    .busy_o       (check_busy)
  );

  assign refused     = out_err != t3_pkg::ErrNone;
  assign local_ok    = out_valid & line_valid & ~refused;
  assign loc_valid_o = local_ok & ~out_remote;
  assign rem_valid_o = local_ok & out_remote;
  assign out_ready   = line_valid & (refused | (out_remote ? rem_ready_i : loc_ready_i));
  assign line_pop    = out_valid & out_ready;

  assign loc_counted_o = out_tracked;
  assign loc_event_o   = out_event;
  assign loc_op_o      = out_op ? t3_pkg::MemUpdate : t3_pkg::MemStore;
  assign loc_fmt_o     = out_fmt;
  assign loc_addr_o    = out_addr;
  assign rem_ctx_o     = out_event.sub.ctx;

  always_comb begin
    rem_packet_o         = '0;
    rem_packet_o.dst     = out_dst;
    rem_packet_o.epoch   = out_epoch;
    rem_packet_o.op      = out_op;
    rem_packet_o.fmt     = out_fmt;
    rem_packet_o.addr    = out_remote_addr;
    rem_packet_o.sub     = out_event.sub;
    rem_packet_o.sub.ctx = out_dst_ctx;
  end

  assign err_valid_o = out_valid & line_valid & refused;
  always_comb begin
    err_o       = '0;
    err_o.cause = out_err;
    err_o.fails = 1'b1;
    err_o.addr  = out_addr;
    err_o.epoch = out_epoch;
    err_o.sub   = out_event.sub;
  end

  assign busy_o     = head_valid | line_busy | check_busy;
  assign busy_ctx_o = {t3_pkg::NumCtx{busy_o}};

endmodule

`default_nettype wire
