// Everything that counts: the crossbar that brings the channels' count events to
// the tracker banks, the banks, the queues of ready subtiles, and the path of
// their words to memory.
//
// Latency: an event reaches its bank in 2 cycles; a complete subtile leaves 4 or
// more cycles later. Throughput: one event per bank and cycle on hits. Order:
// events of one subtile stay in order per channel; ready subtiles have none.
// Back-pressure: events wait only for the tracker's own memory traffic, never
// for DMA or links.
`default_nettype none

module t3_track #(
  parameter int unsigned NumChannels = 16,
  parameter int unsigned Banks       = 8,
  parameter int unsigned Sets        = 256,  // over all banks
  parameter int unsigned Ways        = 8,
  parameter int unsigned ReadyDepth  = 16
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,

  // Count events, merged per channel.
  input  wire logic [NumChannels-1:0]                   event_valid_i,
  output logic      [NumChannels-1:0]                   event_ready_o,
  input  wire logic [NumChannels*t3_pkg::EventBits-1:0] event_i,

  // Ready subtiles, and the driver's commands that make some.
  output logic                           ready_valid_o,
  input  wire logic                      ready_ready_i,
  output t3_pkg::ready_t                 ready_o,
  input  wire logic                      cmd_valid_i,
  output logic                           cmd_ready_o,
  input  wire logic [t3_pkg::CtxW-1:0]   cmd_ctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0] cmd_chunk_i,
  input  wire logic [t3_pkg::GridW-1:0]  cmd_wgx_i,
  input  wire logic [t3_pkg::GridW-1:0]  cmd_wgy_i,
  input  wire logic [t3_pkg::TileW-1:0]  cmd_tiles_i,
  input  wire logic                      cmd_op_i,

  // Words in memory.
  output logic      [NumChannels-1:0]               word_valid_o,
  input  wire logic [NumChannels-1:0]               word_ready_i,
  output logic      [t3_pkg::WordReqBits-1:0]       word_req_o,
  input  wire logic [NumChannels-1:0]               word_rsp_valid_i,
  input  wire logic [NumChannels*5-1:0]             word_rsp_id_i,
  input  wire logic [NumChannels*t3_pkg::WordW-1:0] word_rsp_data_i,

  // Accounting, per bank.
  output logic [Banks-1:0]                     acct_valid_o,
  output logic [Banks*t3_pkg::CtxW-1:0]        acct_ctx_o,
  output logic [Banks*t3_pkg::ElemsW-1:0]      acct_elems_o,
  output logic [Banks-1:0]                     acct_complete_o,
  output logic [Banks-1:0]                     acct_notify_o,
  output logic [Banks-1:0]                     acct_excess_o,
  output logic [Banks*t3_pkg::SubtileBits-1:0] acct_sub_o,

  // Clear and flush of a context.
  input  wire logic                    clear_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0] clear_ctx_i,
  output logic                         clear_done_o,
  input  wire logic                    flush_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0] flush_ctx_i,

  // Observation of the entries.
  input  wire logic [3:0]                peek_bank_i,
  input  wire logic [15:0]               peek_index_i,
  output logic                           peek_valid_o,
  output logic      [t3_pkg::CtxW-1:0]   peek_ctx_o,
  output logic      [t3_pkg::SubW-1:0]   peek_sub_o,
  output logic      [t3_pkg::CountW-1:0] peek_count_o,

  // Status.
  output logic [15:0]               entries_o,
  output logic [Banks-1:0]          spill_o,
  output logic [Banks-1:0]          refill_o,
  output logic [Banks-1:0]          trigger_o,
  output logic                      ring_write_o,
  output logic [t3_pkg::NumCtx-1:0] pending_o,
  output logic                      busy_o
);

  localparam int unsigned NumReq = Banks + t3_pkg::NumCtx;

  logic [Banks-1:0]                   ev_valid, ev_ready, trig_valid, trig_ready, clear_done, bank_busy;
  logic [Banks*t3_pkg::EventBits-1:0] ev;
  logic [Banks*t3_pkg::ReadyBits-1:0] trig;
  logic [Banks*16-1:0]                entries;
  logic [Banks-1:0]                   peek_valid;
  logic [Banks*t3_pkg::CtxW-1:0]      peek_ctx;
  logic [Banks*t3_pkg::SubW-1:0]      peek_sub;
  logic [Banks*t3_pkg::CountW-1:0]    peek_count;

  logic [NumReq-1:0]                     req_valid, req_ready, rsp_valid;
  logic [NumReq*t3_pkg::WordReqBits-1:0] req;
  logic [NumReq*t3_pkg::WordW-1:0]       rsp_data;

  t3_event_xbar #(
    .NumChannels(NumChannels),
    .Banks      (Banks)
  ) u_event_xbar (
    .clk_i,
    .rst_ni,
    .in_valid_i (event_valid_i),
    .in_ready_o (event_ready_o),
    .in_event_i (event_i),
    .out_valid_o(ev_valid),
    .out_ready_i(ev_ready),
    .out_event_o(ev)
  );

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    t3_pkg::event_t    bank_event;
    t3_pkg::ready_t    bank_trig;
    t3_pkg::word_req_t bank_req;
    t3_pkg::subtile_t  bank_sub;

    assign bank_event = ev[b*t3_pkg::EventBits+:t3_pkg::EventBits];
    assign trig[b*t3_pkg::ReadyBits+:t3_pkg::ReadyBits] = bank_trig;
    assign req[b*t3_pkg::WordReqBits+:t3_pkg::WordReqBits] = bank_req;
    assign acct_sub_o[b*t3_pkg::SubtileBits+:t3_pkg::SubtileBits] = bank_sub;

    t3_tracker #(
      .Sets (Sets / Banks),
      .Ways (Ways),
      .Banks(Banks)
    ) u_tracker (
      .clk_i,
      .rst_ni,
      .bank_i         (3'(b)),
      .ctx_cfg_i,
      .ev_valid_i     (ev_valid[b]),
      .ev_ready_o     (ev_ready[b]),
      .ev_i           (bank_event),
      .trig_valid_o   (trig_valid[b]),
      .trig_ready_i   (trig_ready[b]),
      .trig_o         (bank_trig),
      .acct_valid_o   (acct_valid_o[b]),
      .acct_ctx_o     (acct_ctx_o[b*t3_pkg::CtxW+:t3_pkg::CtxW]),
      .acct_elems_o   (acct_elems_o[b*t3_pkg::ElemsW+:t3_pkg::ElemsW]),
      .acct_complete_o(acct_complete_o[b]),
      .acct_notify_o  (acct_notify_o[b]),
      .acct_excess_o  (acct_excess_o[b]),
      .acct_sub_o     (bank_sub),
      .mem_valid_o    (req_valid[b]),
      .mem_ready_i    (req_ready[b]),
      .mem_o          (bank_req),
      .mem_rsp_valid_i(rsp_valid[b]),
      .mem_rsp_data_i (rsp_data[b*t3_pkg::WordW+:t3_pkg::WordW]),
      .clear_valid_i,
      .clear_ctx_i,
      .clear_done_o   (clear_done[b]),
      .entries_o      (entries[b*16+:16]),
      .spill_o        (spill_o[b]),
      .refill_o       (refill_o[b]),
      .busy_o         (bank_busy[b]),
      .peek_index_i,
      .peek_valid_o   (peek_valid[b]),
      .peek_ctx_o     (peek_ctx[b*t3_pkg::CtxW+:t3_pkg::CtxW]),
      .peek_sub_o     (peek_sub[b*t3_pkg::SubW+:t3_pkg::SubW]),
      .peek_count_o   (peek_count[b*t3_pkg::CountW+:t3_pkg::CountW])
    );
  end

  assign trigger_o = trig_valid & trig_ready;

  logic [t3_pkg::NumCtx*t3_pkg::WordReqBits-1:0] ring_req;
  logic                                          trigger_busy;
  assign req[Banks*t3_pkg::WordReqBits+:t3_pkg::NumCtx*t3_pkg::WordReqBits] = ring_req;

  t3_trigger #(
    .Banks     (Banks),
    .QueueDepth(ReadyDepth)
  ) u_trigger (
    .clk_i,
    .rst_ni,
    .ctx_cfg_i,
    .trig_valid_i   (trig_valid),
    .trig_ready_o   (trig_ready),
    .trig_i         (trig),
    .cmd_valid_i,
    .cmd_ready_o,
    .cmd_ctx_i,
    .cmd_chunk_i,
    .cmd_wgx_i,
    .cmd_wgy_i,
    .cmd_tiles_i,
    .cmd_op_i,
    .out_valid_o    (ready_valid_o),
    .out_ready_i    (ready_ready_i),
    .out_o          (ready_o),
    .mem_valid_o    (req_valid[Banks+:t3_pkg::NumCtx]),
    .mem_ready_i    (req_ready[Banks+:t3_pkg::NumCtx]),
    .mem_o          (ring_req),
    .mem_rsp_valid_i(rsp_valid[Banks+:t3_pkg::NumCtx]),
    .mem_rsp_data_i (rsp_data[Banks*t3_pkg::WordW+:t3_pkg::NumCtx*t3_pkg::WordW]),
    .flush_valid_i,
    .flush_ctx_i,
    .pending_o,
    .ring_write_o,
    .busy_o         (trigger_busy)
  );

  t3_word_port #(
    .Banks      (Banks),
    .NumChannels(NumChannels)
  ) u_word_port (
    .clk_i,
    .rst_ni,
    .req_valid_i   (req_valid),
    .req_ready_o   (req_ready),
    .req_i         (req),
    .ch_valid_o    (word_valid_o),
    .ch_ready_i    (word_ready_i),
    .ch_req_o      (word_req_o),
    .ch_rsp_valid_i(word_rsp_valid_i),
    .ch_rsp_id_i   (word_rsp_id_i),
    .ch_rsp_data_i (word_rsp_data_i),
    .rsp_valid_o   (rsp_valid),
    .rsp_data_o    (rsp_data)
  );

  // Banks finish a clear together or one after another; done when all have.
  logic [Banks-1:0] cleared_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_done_o) cleared_q <= '0;
    else cleared_q <= cleared_q | clear_done;
  end
  assign clear_done_o = &(cleared_q | clear_done);

  always_comb begin
    entries_o = '0;
    for (int unsigned b = 0; b < Banks; b++) entries_o = entries_o + entries[b*16+:16];
  end

  assign peek_valid_o = |(peek_valid & (Banks'(1) << peek_bank_i));
  assign peek_ctx_o   = peek_ctx[peek_bank_i*t3_pkg::CtxW+:t3_pkg::CtxW];
  assign peek_sub_o   = peek_sub[peek_bank_i*t3_pkg::SubW+:t3_pkg::SubW];
  assign peek_count_o = peek_count[peek_bank_i*t3_pkg::CountW+:t3_pkg::CountW];

  assign busy_o = (|bank_busy) | (|ev_valid) | (|req_valid) | trigger_busy;

endmodule

`default_nettype wire
