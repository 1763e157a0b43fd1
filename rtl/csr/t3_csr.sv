// Registers of one T3 device behind AXI4-Lite: configuration, commands, states of
// the contexts, errors, interrupts, counters. docs/registers.md is the map.
//
// Latency: 2 cycles for a write, 3 for a read; ctx_cfg_o and every other setting
// come from registers. Throughput: one transaction per 2 (3) cycles. Order: a
// write has taken effect when it is answered; pulses of one cycle take effect
// together. Back-pressure: readies of the bus depend on state only; commands and
// grants wait for their ready; accounting and error pulses are always taken.
`default_nettype none

module t3_csr #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned Banks       = 8,
  parameter int unsigned Chunks      = 512,
  parameter int unsigned Devices     = 64,
  parameter int unsigned NumLanes    = 1,
  parameter int unsigned NumLinks    = 1,
  parameter int unsigned CreditDepth = 2048,
  parameter int unsigned NumErr      = 17
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  // AXI4-Lite.
  input  wire logic [15:0] awaddr_i,
  input  wire logic        awvalid_i,
  output logic             awready_o,
  input  wire logic [31:0] wdata_i,
  input  wire logic [3:0]  wstrb_i,
  input  wire logic        wvalid_i,
  output logic             wready_o,
  output logic      [1:0]  bresp_o,
  output logic             bvalid_o,
  input  wire logic        bready_i,
  input  wire logic [15:0] araddr_i,
  input  wire logic        arvalid_i,
  output logic             arready_o,
  output logic      [31:0] rdata_o,
  output logic      [1:0]  rresp_o,
  output logic             rvalid_o,
  input  wire logic        rready_i,
  output logic             irq_o,
  // Configuration.
  output logic [t3_pkg::DeviceW-1:0]                   device_o,
  output logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_o,
  output logic [t3_pkg::NumCtx*(t3_pkg::ChunkW+1)-1:0] num_chunks_o,
  output logic [1:0]                                   policy_o,
  output logic [7:0]                                   threshold_o,
  output logic [15:0]                                  limit_incoming_o,
  output logic [15:0]                                  limit_dma_o,
  output logic [15:0]                                  limit_fill_o,
  output logic [7:0]                                   queue_entries_o,
  output logic                                         chunk_we_o,
  output logic [t3_pkg::CtxW-1:0]                      chunk_wctx_o,
  output logic [t3_pkg::ChunkW-1:0]                    chunk_wchunk_o,
  output logic [t3_pkg::ChunkBits-1:0]                 chunk_wdata_o,
  output logic                                         chunk_inv_o,  // a context goes live: forget cached entries
  output logic                                         credit_init_o,
  output logic [t3_pkg::DeviceW-1:0]                   credit_init_peer_o,
  output logic [t3_pkg::CreditW-1:0]                   credit_init_count_o,
  // Send a chunk.
  output logic                      cmd_valid_o,
  input  wire logic                 cmd_ready_i,
  output logic [t3_pkg::CtxW-1:0]   cmd_ctx_o,
  output logic [t3_pkg::ChunkW-1:0] cmd_chunk_o,
  output logic [t3_pkg::GridW-1:0]  cmd_wgx_o,
  output logic [t3_pkg::GridW-1:0]  cmd_wgy_o,
  output logic [t3_pkg::TileW-1:0]  cmd_tiles_o,
  output logic                      cmd_op_o,
  // Fill.
  output logic                        fill_start_o,
  output logic [t3_pkg::AddrW-1:0]    fill_base_o,
  output logic [t3_pkg::PitchW-1:0]   fill_pitch_o,
  output logic [t3_pkg::DimW-1:0]     fill_rows_o,
  output logic [t3_pkg::AddrW-1:0]    fill_row_bytes_o,
  output logic [1:0]                  fill_fmt_o,
  output logic [t3_pkg::CtxW-1:0]     fill_ctx_o,
  input  wire logic [NumChannels-1:0] fill_busy_i,
  // Grants out, per link.
  output logic [NumLinks-1:0]        grant_valid_o,
  input  wire logic [NumLinks-1:0]   grant_ready_i,
  output logic [t3_pkg::DeviceW-1:0] grant_dst_o,
  output logic [t3_pkg::CtxW-1:0]    grant_ctx_o,
  output logic [t3_pkg::EpochW-1:0]  grant_epoch_o,
  // Grants in, per lane.
  input  wire logic [NumLanes-1:0]                 granted_valid_i,
  input  wire logic [NumLanes*t3_pkg::DeviceW-1:0] granted_src_i,
  input  wire logic [NumLanes*t3_pkg::CtxW-1:0]    granted_ctx_i,
  input  wire logic [NumLanes*t3_pkg::EpochW-1:0]  granted_epoch_i,
  // Accounting, per tracker bank and per lane.
  input  wire logic [Banks-1:0]                     acct_valid_i,
  input  wire logic [Banks*t3_pkg::CtxW-1:0]        acct_ctx_i,
  input  wire logic [Banks*t3_pkg::ElemsW-1:0]      acct_elems_i,
  input  wire logic [Banks-1:0]                     acct_complete_i,
  input  wire logic [Banks-1:0]                     acct_notify_i,
  input  wire logic [Banks-1:0]                     acct_excess_i,
  input  wire logic [Banks*t3_pkg::SubtileBits-1:0] acct_sub_i,
  input  wire logic [NumLanes-1:0]                  sent_valid_i,
  input  wire logic [NumLanes*t3_pkg::CtxW-1:0]     sent_ctx_i,
  input  wire logic [NumLanes*8-1:0]                sent_bytes_i,
  input  wire logic [t3_pkg::NumCtx-1:0]            ctx_busy_i,
  // Forget a context.
  output logic                    clear_valid_o,
  output logic [t3_pkg::CtxW-1:0] clear_ctx_o,
  input  wire logic               clear_done_i,
  output logic                    flush_valid_o,
  output logic [t3_pkg::CtxW-1:0] flush_ctx_o,
  // Errors.
  input  wire logic [NumErr-1:0]                   err_valid_i,
  input  wire logic [NumErr*t3_pkg::ErrorBits-1:0] err_i,
  // Performance, numbers in this cycle.
  input  wire logic [15:0] pf_nmc_lines_i,
  input  wire logic [15:0] pf_dma_lines_i,
  input  wire logic [15:0] pf_triggers_i,
  input  wire logic [15:0] pf_spills_i,
  input  wire logic [15:0] pf_refills_i,
  input  wire logic [15:0] pf_ring_writes_i,
  input  wire logic [15:0] pf_mca_holds_i,
  input  wire logic [15:0] pf_stall_credit_i,
  input  wire logic [15:0] pf_stall_dma_room_i,
  input  wire logic [15:0] pf_stall_store_i,
  input  wire logic [15:0] tracker_entries_i,
  // Observation of the tracker.
  output logic [3:0]                     peek_bank_o,
  output logic [15:0]                    peek_index_o,
  input  wire logic                      peek_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0]   peek_ctx_i,
  input  wire logic [t3_pkg::SubW-1:0]   peek_sub_i,
  input  wire logic [t3_pkg::CountW-1:0] peek_count_i,
  output logic                           idle_o  // no command, fill, clear, grant or bus transaction in progress
);

  localparam int unsigned NumCtx  = t3_pkg::NumCtx;
  localparam int unsigned ElemsW  = t3_pkg::ElemsW + $clog2(Banks + 1);
  localparam int unsigned EventsW = $clog2(Banks + 1);
  localparam int unsigned SentW   = 8 + $clog2(NumLanes + 1);
  localparam int unsigned IncW    = 20;

  // ---- Bus.
  t3_csr_pkg::req_t bus;
  t3_csr_pkg::rsp_t rsp, regs_rsp, ctx_rsp, fill_rsp, grants_rsp, err_rsp, irq_rsp, pf_rsp;
  logic             axil_busy;

  assign rsp = regs_rsp | ctx_rsp | fill_rsp | grants_rsp | err_rsp | irq_rsp | pf_rsp;

  t3_axil u_axil (
    .clk_i,
    .rst_ni,
    .awaddr_i,
    .awvalid_i,
    .awready_o,
    .wdata_i,
    .wstrb_i,
    .wvalid_i,
    .wready_o,
    .bresp_o,
    .bvalid_o,
    .bready_i,
    .araddr_i,
    .arvalid_i,
    .arready_o,
    .rdata_o,
    .rresp_o,
    .rvalid_o,
    .rready_i,
    .bus_o (bus),
    .rsp_i (rsp),
    .busy_o(axil_busy)
  );

  // ---- The device.
  logic [NumCtx-1:0] ctx_free, ctx_live;
  logic              clearing, fill_busy, fill_full, fill_done, grant_busy, grant_full, granted, grants_busy;
  logic [31:0]       status;

  always_comb begin
    status = 32'd0;
    status[t3_csr_pkg::StatusFillBusyLsb]        = fill_busy;
    status[t3_csr_pkg::StatusFillFullLsb]        = fill_full;
    status[t3_csr_pkg::StatusGrantBusyLsb]       = grant_busy;
    status[t3_csr_pkg::StatusGrantFullLsb]       = grant_full;
    status[t3_csr_pkg::StatusClearBusyLsb]       = clearing;
    status[t3_csr_pkg::StatusCtxBusyLsb+:NumCtx] = ctx_busy_i;
  end

  t3_csr_regs #(
    .NumChannels(NumChannels),
    .LineBytes  (LineBytes),
    .Banks      (Banks),
    .Chunks     (Chunks),
    .Devices    (Devices),
    .NumLanes   (NumLanes),
    .NumLinks   (NumLinks),
    .CreditDepth(CreditDepth)
  ) u_regs (
    .clk_i,
    .rst_ni,
    .ctx_free_i  (ctx_free),
    .ctx_live_i  (ctx_live),
    .status_i    (status),
    .device_o,
    .policy_o,
    .threshold_o,
    .limit_incoming_o,
    .limit_dma_o,
    .limit_fill_o,
    .queue_entries_o,
    .chunk_we_o,
    .chunk_wctx_o,
    .chunk_wchunk_o,
    .chunk_wdata_o,
    .credit_init_o,
    .credit_init_peer_o,
    .credit_init_count_o,
    .cmd_valid_o,
    .cmd_ready_i,
    .cmd_ctx_o,
    .cmd_chunk_o,
    .cmd_wgx_o,
    .cmd_wgy_o,
    .cmd_tiles_o,
    .cmd_op_o,
    .peek_bank_o,
    .peek_index_o,
    .peek_valid_i,
    .peek_ctx_i,
    .peek_sub_i,
    .peek_count_i,
    .bus_i  (bus),
    .bus_o  (regs_rsp)
  );

  // ---- Contexts.
  logic [NumCtx-1:0]                 feed_valid, fail, done, failed, aborted, cleared, cmd_of_ctx;
  logic [NumCtx*t3_pkg::DeviceW-1:0] feed_peer;
  logic [NumCtx*t3_pkg::DimW-1:0]    fill_rows;
  logic [NumCtx*t3_pkg::AddrW-1:0]   fill_row_bytes;
  logic [1:0]                        ctx_err_valid;
  logic [2*t3_pkg::ErrorBits-1:0]    ctx_err;
  logic [ElemsW-1:0]                 total_elems;
  logic [EventsW-1:0]                total_complete;
  logic [SentW-1:0]                  total_bytes;

  assign cmd_of_ctx = NumCtx'(cmd_valid_o) << cmd_ctx_o;

  t3_contexts #(
    .Banks   (Banks),
    .NumLanes(NumLanes),
    .ElemsW  (ElemsW),
    .EventsW (EventsW),
    .SentW   (SentW)
  ) u_contexts (
    .clk_i,
    .rst_ni,
    .busy_i          (ctx_busy_i | cmd_of_ctx | {NumCtx{fill_busy}}),
    .fail_i          (fail),
    .acct_valid_i,
    .acct_ctx_i,
    .acct_elems_i,
    .acct_complete_i,
    .acct_notify_i,
    .acct_excess_i,
    .acct_sub_i,
    .sent_valid_i,
    .sent_ctx_i,
    .sent_bytes_i,
    .cfg_o           (ctx_cfg_o),
    .num_chunks_o,
    .feed_valid_o    (feed_valid),
    .feed_peer_o     (feed_peer),
    .fill_rows_o     (fill_rows),
    .fill_row_bytes_o(fill_row_bytes),
    .free_o          (ctx_free),
    .live_o          (ctx_live),
    .clearing_o      (clearing),
    .cleared_o       (cleared),
    .clear_valid_o,
    .clear_ctx_o,
    .clear_done_i,
    .flush_valid_o,
    .flush_ctx_o,
    .done_o          (done),
    .failed_o        (failed),
    .aborted_o       (aborted),
    .err_valid_o     (ctx_err_valid),
    .err_o           (ctx_err),
    .total_elems_o   (total_elems),
    .total_complete_o(total_complete),
    .total_bytes_o   (total_bytes),
    .bus_i      (bus),
    .bus_o      (ctx_rsp)
  );

  assign chunk_inv_o = |cleared;

  // ---- Fills and grants.
  t3_pkg::fill_t fill;

  assign fill_base_o      = fill.base;
  assign fill_pitch_o     = fill.pitch;
  assign fill_rows_o      = fill.rows;
  assign fill_row_bytes_o = fill.row_bytes;
  assign fill_fmt_o       = fill.fmt;
  assign fill_ctx_o       = fill.ctx;

  t3_fill_ctl #(
    .NumChannels(NumChannels),
    .NumLinks   (NumLinks)
  ) u_fill_ctl (
    .clk_i,
    .rst_ni,
    .ctx_cfg_i       (ctx_cfg_o),
    .fill_rows_i     (fill_rows),
    .fill_row_bytes_i(fill_row_bytes),
    .fill_start_o,
    .fill_o          (fill),
    .fill_busy_i,
    .grant_valid_o,
    .grant_ready_i,
    .grant_dst_o,
    .grant_ctx_o,
    .grant_epoch_o,
    .fill_busy_o     (fill_busy),
    .fill_full_o     (fill_full),
    .grant_busy_o    (grant_busy),
    .grant_full_o    (grant_full),
    .done_o          (fill_done),
    .bus_i      (bus),
    .bus_o      (fill_rsp)
  );

  t3_grants #(
    .NumLanes(NumLanes),
    .Devices (Devices)
  ) u_grants (
    .clk_i,
    .rst_ni,
    .granted_valid_i,
    .granted_src_i,
    .granted_ctx_i,
    .granted_epoch_i,
    .event_o   (granted),
    .busy_o    (grants_busy),
    .bus_i(bus),
    .bus_o(grants_rsp)
  );

  // ---- Errors, interrupts, counters.
  logic err_event;

  t3_errors #(
    .NumErr(NumErr + 2)
  ) u_errors (
    .clk_i,
    .rst_ni,
    .err_valid_i ({ctx_err_valid, err_valid_i}),
    .err_i       ({ctx_err, err_i}),
    .feed_valid_i(feed_valid),
    .feed_peer_i (feed_peer),
    .fail_o      (fail),
    .event_o     (err_event),
    .bus_i  (bus),
    .bus_o  (err_rsp)
  );

  t3_irq u_irq (
    .clk_i,
    .rst_ni,
    .set_i     ({rsp.wr_refused, err_event, |aborted, fill_done, granted,
                 failed, done}),
    .irq_o,
    .bus_i(bus),
    .bus_o(irq_rsp)
  );

  t3_counters #(
    .IncW(IncW)
  ) u_counters (
    .clk_i,
    .rst_ni,
    .inc_i     ({IncW'(pf_stall_store_i), IncW'(pf_stall_dma_room_i), IncW'(pf_stall_credit_i),
                 IncW'(pf_mca_holds_i), IncW'(pf_ring_writes_i), IncW'(pf_refills_i),
                 IncW'(pf_spills_i), IncW'(total_bytes), IncW'(pf_nmc_lines_i),
                 IncW'(pf_dma_lines_i), IncW'(pf_triggers_i), IncW'(total_complete),
                 IncW'(total_elems)}),
    .entries_i (tracker_entries_i),
    .bus_i(bus),
    .bus_o(pf_rsp)
  );

  assign idle_o = ~(axil_busy | cmd_valid_o | fill_busy | grant_busy | grants_busy | clearing);

endmodule

`default_nettype wire
