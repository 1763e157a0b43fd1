// The contexts with what they share: launching several at once, the sums of the
// accounting, the clearing of the tracker.
//
// Latency: accounting reaches a context in 2 cycles. Bus: writes answer in the same
// cycle, reads in the next. No back-pressure.
`default_nettype none

module t3_contexts #(
  parameter int unsigned Banks    = 8,
  parameter int unsigned NumLanes = 1,
  parameter int unsigned ElemsW   = 20,
  parameter int unsigned EventsW  = 4,
  parameter int unsigned SentW    = 12
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx-1:0]             busy_i,
  input  wire logic [t3_pkg::NumCtx-1:0]             fail_i,
  input  wire logic [Banks-1:0]                      acct_valid_i,
  input  wire logic [Banks*t3_pkg::CtxW-1:0]         acct_ctx_i,
  input  wire logic [Banks*t3_pkg::ElemsW-1:0]       acct_elems_i,
  input  wire logic [Banks-1:0]                      acct_complete_i,
  input  wire logic [Banks-1:0]                      acct_notify_i,
  input  wire logic [Banks-1:0]                      acct_excess_i,
  input  wire logic [Banks*t3_pkg::SubtileBits-1:0]  acct_sub_i,
  input  wire logic [NumLanes-1:0]                   sent_valid_i,
  input  wire logic [NumLanes*t3_pkg::CtxW-1:0]      sent_ctx_i,
  input  wire logic [NumLanes*8-1:0]                 sent_bytes_i,
  output logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] cfg_o,
  output logic [t3_pkg::NumCtx*(t3_pkg::ChunkW+1)-1:0] num_chunks_o,
  output logic [t3_pkg::NumCtx-1:0]                    feed_valid_o,
  output logic [t3_pkg::NumCtx*t3_pkg::DeviceW-1:0]    feed_peer_o,
  output logic [t3_pkg::NumCtx*t3_pkg::DimW-1:0]       fill_rows_o,
  output logic [t3_pkg::NumCtx*t3_pkg::AddrW-1:0]      fill_row_bytes_o,
  output logic [t3_pkg::NumCtx-1:0]                    free_o,
  output logic [t3_pkg::NumCtx-1:0]                    live_o,
  output logic                                         clearing_o,  // a context is configured or aborted
  output logic [t3_pkg::NumCtx-1:0]                    cleared_o,
  output logic                                         clear_valid_o,
  output logic [t3_pkg::CtxW-1:0]                      clear_ctx_o,
  input  wire logic                                    clear_done_i,
  output logic                                         flush_valid_o,
  output logic [t3_pkg::CtxW-1:0]                      flush_ctx_o,
  // Events, one cycle each.
  output logic [t3_pkg::NumCtx-1:0]      done_o,
  output logic [t3_pkg::NumCtx-1:0]      failed_o,
  output logic [t3_pkg::NumCtx-1:0]      aborted_o,
  // Errors found here: an excess of one subtile, an excess of a context.
  output logic [1:0]                     err_valid_o,
  output logic [2*t3_pkg::ErrorBits-1:0] err_o,
  // Sums for the counters.
  output logic [ElemsW-1:0]              total_elems_o,
  output logic [EventsW-1:0]             total_complete_o,
  output logic [SentW-1:0]               total_bytes_o,
  // Bus.
  input  wire t3_csr_pkg::req_t bus_i,
  output t3_csr_pkg::rsp_t      bus_o
);

  localparam int unsigned NumCtx = t3_pkg::NumCtx;

  // ---- Launch: all contexts of the mask, or none.
  logic [NumCtx-1:0] launchable, launch_mask, launch;
  logic              wr_launch, launch_ok;

  assign wr_launch   = bus_i.wr_valid & (bus_i.wr_addr == {8'd0, t3_csr_pkg::OffLaunch});
  assign launch_mask = bus_i.wr_data[t3_csr_pkg::LaunchMaskLsb+:NumCtx];
  assign launch_ok   = wr_launch & (launch_mask != '0) & ((launch_mask & ~launchable) == '0);
  assign launch      = launch_mask & {NumCtx{launch_ok}};

  // ---- Accounting.
  logic [NumCtx*2-1:0]       fmt;
  logic [NumCtx-1:0]         count, sent;
  logic [NumCtx*ElemsW-1:0]  elems;
  logic [NumCtx*EventsW-1:0] complete, notify;
  logic [NumCtx*SentW-1:0]   sent_elems;
  logic [NumCtx-1:0]         excess;
  logic [t3_pkg::SubtileBits-1:0] excess_sub;

  t3_ctx_account #(
    .Banks   (Banks),
    .NumLanes(NumLanes),
    .ElemsW  (ElemsW),
    .EventsW (EventsW),
    .SentW   (SentW)
  ) u_account (
    .clk_i,
    .rst_ni,
    .fmt_i       (fmt),
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
    .count_o     (count),
    .elems_o     (elems),
    .complete_o  (complete),
    .notify_o    (notify),
    .sent_o      (sent),
    .sent_elems_o(sent_elems),
    .total_elems_o,
    .total_complete_o,
    .total_bytes_o,
    .excess_o    (excess),
    .excess_sub_o(excess_sub)
  );

  // ---- Clearing.
  logic [NumCtx-1:0] clear, drain;

  assign clearing_o = |{clear, drain};

  t3_ctx_clear u_clear (
    .clk_i,
    .rst_ni,
    .clear_i(clear),
    .drain_i(drain),
    .cleared_o,
    .clear_valid_o,
    .clear_ctx_o,
    .clear_done_i,
    .flush_valid_o,
    .flush_ctx_o
  );

  // ---- Contexts.
  localparam int unsigned RspBits = 35;  // of t3_csr_pkg::rsp_t

  logic [NumCtx-1:0]         over;
  logic [NumCtx*RspBits-1:0] rsp;

  for (genvar c = 0; c < NumCtx; c++) begin : gen_ctx
    assign fmt[c*2+:2] = cfg_o[c*t3_pkg::CtxCfgBits+t3_pkg::CfgFmtLsb+:2];

    t3_context #(
      .Index  (c),
      .ElemsW (ElemsW),
      .EventsW(EventsW),
      .SentW  (SentW)
    ) u_ctx (
      .clk_i,
      .rst_ni,
      .launch_i        (launch[c]),
      .cleared_i       (cleared_o[c]),
      .busy_i          (busy_i[c]),
      .fail_i          (fail_i[c]),
      .excess_i        (excess[c]),
      .count_i         (count[c]),
      .count_elems_i   (elems[c*ElemsW+:ElemsW]),
      .count_complete_i(complete[c*EventsW+:EventsW]),
      .count_notify_i  (notify[c*EventsW+:EventsW]),
      .sent_i          (sent[c]),
      .sent_elems_i    (sent_elems[c*SentW+:SentW]),
      .cfg_o           (cfg_o[c*t3_pkg::CtxCfgBits+:t3_pkg::CtxCfgBits]),
      .num_chunks_o    (num_chunks_o[c*(t3_pkg::ChunkW+1)+:t3_pkg::ChunkW+1]),
      .feed_valid_o    (feed_valid_o[c]),
      .feed_peer_o     (feed_peer_o[c*t3_pkg::DeviceW+:t3_pkg::DeviceW]),
      .fill_rows_o     (fill_rows_o[c*t3_pkg::DimW+:t3_pkg::DimW]),
      .fill_row_bytes_o(fill_row_bytes_o[c*t3_pkg::AddrW+:t3_pkg::AddrW]),
      .free_o          (free_o[c]),
      .live_o          (live_o[c]),
      .launchable_o    (launchable[c]),
      .drain_o         (drain[c]),
      .clear_o         (clear[c]),
      .done_o          (done_o[c]),
      .failed_o        (failed_o[c]),
      .aborted_o       (aborted_o[c]),
      .excess_o        (over[c]),
      .bus_i,
      .bus_o           (rsp[c*RspBits+:RspBits])
    );
  end

  // ---- Errors.
  t3_pkg::error_t subtile_error, context_error;

  always_comb begin
    subtile_error       = '0;
    subtile_error.cause = t3_pkg::ErrExcess;
    subtile_error.fails = 1'b1;
    subtile_error.sub   = excess_sub;
    context_error       = subtile_error;
    context_error.sub   = '0;
    for (int unsigned c = 0; c < NumCtx; c++) begin
      if (over[NumCtx-1-c]) context_error.sub.ctx = t3_pkg::CtxW'(NumCtx - 1 - c);
    end
  end

  assign err_valid_o = {|over, |excess};
  assign err_o       = {context_error, subtile_error};

  // ---- Bus. LAUNCH reads as 0.
  t3_csr_pkg::rsp_t own, all;
  logic             launch_read_q;

  assign own = {launch_ok, wr_launch & ~launch_ok, launch_read_q, 32'd0};

  always_ff @(posedge clk_i) begin
    if (bus_i.rd_valid) launch_read_q <= bus_i.rd_addr == {8'd0, t3_csr_pkg::OffLaunch};
  end

  always_comb begin
    all = own;
    for (int unsigned c = 0; c < NumCtx; c++) all = all | rsp[c*RspBits+:RspBits];
  end

  assign bus_o = all;

endmodule

`default_nettype wire
