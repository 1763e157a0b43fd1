// Ready subtiles on their way to the DMA engines: per context a queue on chip and,
// behind it, a ring in memory that has a word for every subtile of the context.
// The driver's "send chunk" commands are expanded into subtiles here.
//
// Latency: 2 cycles from trig_i to out_o. Throughput: one subtile per cycle.
// Order: none promised. Back-pressure: trig_ready_o waits for the ring's memory
// traffic at most, never for the DMA engines; cmd_ready_o for earlier commands.
// A context that is not launched keeps its subtiles and holds up no other one.
`include "t3_assert.svh"
`default_nettype none

module t3_trigger #(
  parameter int unsigned Banks      = 8,
  parameter int unsigned QueueDepth = 16,  // per context
  parameter int unsigned CmdDepth   = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  // Complete subtiles.
  input  wire logic [Banks-1:0]                   trig_valid_i,
  output logic      [Banks-1:0]                   trig_ready_o,
  input  wire logic [Banks*t3_pkg::ReadyBits-1:0] trig_i,
  // Send chunk: the subtiles of cmd_tiles_i tiles in linear order from (wgx, wgy).
  input  wire logic                           cmd_valid_i,
  output logic                                cmd_ready_o,
  input  wire logic [t3_pkg::CtxW-1:0]        cmd_ctx_i,
  input  wire logic [t3_pkg::ChunkW-1:0]      cmd_chunk_i,
  input  wire logic [t3_pkg::GridW-1:0]       cmd_wgx_i,
  input  wire logic [t3_pkg::GridW-1:0]       cmd_wgy_i,
  input  wire logic [t3_pkg::TileW-1:0]       cmd_tiles_i,
  input  wire logic                           cmd_op_i,
  // To the DMA engines.
  output logic                                out_valid_o,
  input  wire logic                           out_ready_i,
  output t3_pkg::ready_t                      out_o,
  // Words of the rings, per context.
  output logic      [t3_pkg::NumCtx-1:0]                     mem_valid_o,
  input  wire logic [t3_pkg::NumCtx-1:0]                     mem_ready_i,
  output logic      [t3_pkg::NumCtx*t3_pkg::WordReqBits-1:0] mem_o,
  input  wire logic [t3_pkg::NumCtx-1:0]                     mem_rsp_valid_i,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::WordW-1:0]       mem_rsp_data_i,
  // Drop everything of a context, and start its ring anew.
  input  wire logic                    flush_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0] flush_ctx_i,
  output logic [t3_pkg::NumCtx-1:0]    pending_o,     // something of the context is here
  output logic                         ring_write_o,  // a subtile went to memory
  output logic                         busy_o
);

  localparam int unsigned NumCtx   = t3_pkg::NumCtx;
  localparam int unsigned BankBits = (Banks > 1) ? $clog2(Banks) : 1;
  localparam int unsigned CountW   = $clog2(QueueDepth + 1);
  localparam int unsigned PtrW     = (QueueDepth > 1) ? $clog2(QueueDepth) : 1;
  localparam int unsigned CtxLsb   = t3_pkg::ReadyBits - t3_pkg::CtxW;  // in ready_t

  // ---- Input register: a subtile of a command when its queue has room, else a
  // trigger. Commands go first: what starts its way round the ring has the longest.
  logic                         in_valid_q, in_free, any_trig, expand, flush_in;
  logic [t3_pkg::ReadyBits-1:0] in_q;
  logic [t3_pkg::CtxW-1:0]      in_ctx;
  logic [Banks-1:0]             trig_gnt;
  logic [BankBits-1:0]          trig_idx;

  t3_rr_arb #(
    .N(Banks)
  ) u_trig_arb (
    .clk_i,
    .rst_ni,
    .req_i  (trig_valid_i),
    .ready_i(in_free & ~expand),
    .valid_o(any_trig),
    .gnt_o  (trig_gnt),
    .idx_o  (trig_idx)
  );
  assign trig_ready_o = trig_gnt & {Banks{in_free & ~expand}};

  // ---- Command in expansion.
  localparam int unsigned CmdW =
      t3_pkg::CtxW + t3_pkg::ChunkW + 2 * t3_pkg::GridW + t3_pkg::TileW + 1;
  logic                      next_valid, next_pop, exp_valid_q, exp_op_q, exp_col_q;
  logic [t3_pkg::CtxW-1:0]   next_ctx, exp_ctx_q;
  logic [t3_pkg::ChunkW-1:0] next_chunk, exp_chunk_q;
  logic [t3_pkg::GridW-1:0]  next_wgx, next_wgy, exp_wgx_q, exp_wgy_q, exp_grid_x_q, exp_grid_y_q;
  logic [t3_pkg::TileW-1:0]  next_tiles, exp_tiles_q;
  logic [t3_pkg::WfW:0]      exp_wavefronts_q, exp_wf_q;
  logic                      next_op, flush_exp;

  t3_fifo #(
    .Width(CmdW),
    .Depth(CmdDepth)
  ) u_commands (
    .clk_i,
    .rst_ni,
    .wvalid_i(cmd_valid_i),
    .wready_o(cmd_ready_o),
    .wdata_i ({cmd_ctx_i, cmd_chunk_i, cmd_wgx_i, cmd_wgy_i, cmd_tiles_i, cmd_op_i}),
    .rvalid_o(next_valid),
    .rready_i(next_pop),
    .rdata_o ({next_ctx, next_chunk, next_wgx, next_wgy, next_tiles, next_op})
  );
  assign next_pop  = next_valid & ~exp_valid_q & ~flush_valid_i;
  assign flush_exp = flush_valid_i & (flush_ctx_i == exp_ctx_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      exp_valid_q <= 1'b0;
    end else if (exp_valid_q) begin
      if (flush_exp) exp_valid_q <= 1'b0;
      else if (expand) begin
        exp_wf_q <= exp_wf_q + (t3_pkg::WfW + 1)'(1);
        if (exp_wf_q + (t3_pkg::WfW + 1)'(1) == exp_wavefronts_q) begin
          exp_wf_q    <= '0;
          exp_tiles_q <= exp_tiles_q - t3_pkg::TileW'(1);
          if (exp_tiles_q == t3_pkg::TileW'(1)) exp_valid_q <= 1'b0;
          if (exp_col_q) begin
            exp_wgy_q <= exp_wgy_q + t3_pkg::GridW'(1);
            if (exp_wgy_q + t3_pkg::GridW'(1) == exp_grid_y_q) begin
              exp_wgy_q <= '0;
              exp_wgx_q <= exp_wgx_q + t3_pkg::GridW'(1);
            end
          end else begin
            exp_wgx_q <= exp_wgx_q + t3_pkg::GridW'(1);
            if (exp_wgx_q + t3_pkg::GridW'(1) == exp_grid_x_q) begin
              exp_wgx_q <= '0;
              exp_wgy_q <= exp_wgy_q + t3_pkg::GridW'(1);
            end
          end
        end
      end
    end else if (next_pop) begin
      exp_valid_q      <= next_tiles != '0;
      exp_ctx_q        <= next_ctx;
      exp_chunk_q      <= next_chunk;
      exp_wgx_q        <= next_wgx;
      exp_wgy_q        <= next_wgy;
      exp_tiles_q      <= next_tiles;
      exp_op_q         <= next_op;
      exp_wf_q         <= '0;
      exp_col_q        <= ctx_cfg_i[next_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgColMajorLsb];
      exp_grid_x_q     <= ctx_cfg_i[next_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgGridXLsb+:t3_pkg::GridW];
      exp_grid_y_q     <= ctx_cfg_i[next_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgGridYLsb+:t3_pkg::GridW];
      exp_wavefronts_q <= ctx_cfg_i[next_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgWavefrontLsb+:t3_pkg::WfW+1];
    end
  end

  // ---- Queues and rings.
  logic [t3_pkg::ReadyBits-1:0] queue_q [NumCtx*QueueDepth];
  logic [NumCtx*PtrW-1:0]       wptr_q, rptr_q;
  logic [NumCtx*CountW-1:0]     count_q;
  logic [NumCtx*t3_pkg::SubW-1:0] ring_w_q, ring_r_q;  // words written and read
  logic [NumCtx-1:0]            reading_q, asked_q;    // a word is being read; request taken
  logic [NumCtx-1:0]            drop_q;                // its answer belongs to a flushed context
  logic [NumCtx-1:0]            room, filled, ring_write, pop, want, take_rsp;
  logic [NumCtx-1:0]            launched;
  logic                         push_in;

  for (genvar c = 0; c < NumCtx; c++) begin : gen_ctx
    logic [t3_pkg::SubW-1:0]  ring_index;
    logic [t3_pkg::AddrW-1:0] ring_base;
    logic                     write, reserved;
    assign launched[c]   = ctx_cfg_i[c*t3_pkg::CtxCfgBits+t3_pkg::CfgLaunchedLsb];
    assign ring_base     = ctx_cfg_i[c*t3_pkg::CtxCfgBits+t3_pkg::CfgRingBaseLsb+:t3_pkg::AddrW];
    assign reserved      = reading_q[c] & ~drop_q[c];  // the place of an answer
    assign room[c]       = count_q[c*CountW+:CountW] + CountW'(reserved) < CountW'(QueueDepth);
    assign filled[c]     = count_q[c*CountW+:CountW] != '0;
    assign write         = in_valid_q & (in_ctx == t3_pkg::CtxW'(c)) & ~room[c] & ~asking[c];
    assign ring_write[c] = write & mem_ready_i[c];
    assign mem_valid_o[c] = asking[c] | write;
    assign ring_index    = asking[c] ? ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW]
                                     : ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW];
    assign mem_o[c*t3_pkg::WordReqBits+:t3_pkg::WordReqBits] =
        {~asking[c], 5'(16 + c), ring_base + t3_pkg::AddrW'({ring_index, 3'b000}), t3_pkg::WordW'(in_q)};
    assign take_rsp[c]   = reading_q[c] & mem_rsp_valid_i[c];
  end
  logic [NumCtx-1:0] asking;  // a read request is offered
  assign asking   = reading_q & ~asked_q;
  assign in_ctx   = in_q[CtxLsb+:t3_pkg::CtxW];
  assign push_in  = in_valid_q & room[in_ctx];
  assign flush_in = flush_valid_i & (flush_ctx_i == in_ctx);
  assign in_free  = ~in_valid_q | push_in | (|ring_write) | flush_in;
  assign expand   = exp_valid_q & in_free & ~flush_exp & room_for_command[exp_ctx_q];

  // A command waits while the queue is full: it needs no ring. The input register
  // may hold one subtile of the same context.
  logic [NumCtx-1:0] room_for_command;
  for (genvar c = 0; c < NumCtx; c++) begin : gen_room
    assign room_for_command[c] =
        count_q[c*CountW+:CountW] + CountW'(reading_q[c]) + CountW'(in_valid_q) < CountW'(QueueDepth) ||
        (QueueDepth == 1 && count_q[c*CountW+:CountW] == '0 && !reading_q[c] && !in_valid_q);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_valid_q <= 1'b0;
    else if (in_free) in_valid_q <= any_trig | expand;
    if (expand) in_q <= {exp_ctx_q, exp_chunk_q, exp_wgx_q, exp_wgy_q, exp_wf_q[t3_pkg::WfW-1:0], exp_op_q};
    else if (in_free & any_trig) in_q <= trig_i[trig_idx*t3_pkg::ReadyBits+:t3_pkg::ReadyBits];
  end

  // ---- Output register: contexts take turns.
  logic                 out_free, any_out;
  logic [NumCtx-1:0]    out_gnt;
  logic [$clog2(NumCtx)-1:0] out_idx;
  logic [t3_pkg::ReadyBits-1:0] out_q;

  assign want     = filled & launched & ~(NumCtx'(flush_valid_i) << flush_ctx_i);
  assign out_free = ~out_valid_o | out_ready_i;
  assign pop      = out_gnt & {NumCtx{out_free}};

  t3_rr_arb #(
    .N(NumCtx)
  ) u_out_arb (
    .clk_i,
    .rst_ni,
    .req_i  (want),
    .ready_i(out_free),
    .valid_o(any_out),
    .gnt_o  (out_gnt),
    .idx_o  (out_idx)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) out_valid_o <= 1'b0;
    else if (out_free) out_valid_o <= any_out;
    if (any_out & out_free)
      out_q <= queue_q[32'(out_idx)*QueueDepth+32'(rptr_q[out_idx*PtrW+:PtrW])];
  end
  assign out_o = out_q;

  // ---- State per context.
  logic active;
  assign active = in_valid_q | (|filled) | (|reading_q) | (|mem_rsp_valid_i) | (ring_w_q != ring_r_q) |
                  flush_valid_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wptr_q    <= '0;
      rptr_q    <= '0;
      count_q   <= '0;
      ring_w_q  <= '0;
      ring_r_q  <= '0;
      reading_q <= '0;
      asked_q   <= '0;
      drop_q    <= '0;
    end else if (active) begin
      for (int unsigned c = 0; c < NumCtx; c++) begin
        logic in_push, rsp_push;
        in_push  = push_in && in_ctx == t3_pkg::CtxW'(c);
        rsp_push = take_rsp[c] & ~drop_q[c];
        // Queue. An answer has its place reserved by room[c]; both may come at once.
        if (in_push | rsp_push) begin
          wptr_q[c*PtrW+:PtrW] <= PtrW'((32'(wptr_q[c*PtrW+:PtrW]) + 32'(in_push) + 32'(rsp_push)) % QueueDepth);
        end
        if (pop[c]) rptr_q[c*PtrW+:PtrW] <= PtrW'((32'(rptr_q[c*PtrW+:PtrW]) + 32'd1) % QueueDepth);
        count_q[c*CountW+:CountW] <= count_q[c*CountW+:CountW] + CountW'(in_push) + CountW'(rsp_push) - CountW'(pop[c]);
        // Ring.
        if (ring_write[c]) ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW] <= ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW] + t3_pkg::SubW'(1);
        if (take_rsp[c]) begin
          reading_q[c] <= 1'b0;
          asked_q[c]   <= 1'b0;
          drop_q[c]    <= 1'b0;
          if (!drop_q[c]) ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW] <= ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW] + t3_pkg::SubW'(1);
        end else if (asking[c] & mem_ready_i[c]) begin
          asked_q[c] <= 1'b1;
        end else if (!reading_q[c] && !ring_write[c] && !in_push && room[c] &&
                     ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW] != ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW]) begin
          reading_q[c] <= 1'b1;
        end
        if (flush_valid_i && flush_ctx_i == t3_pkg::CtxW'(c)) begin
          wptr_q[c*PtrW+:PtrW]                     <= '0;
          rptr_q[c*PtrW+:PtrW]                     <= '0;
          count_q[c*CountW+:CountW]                <= '0;
          ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW]   <= '0;
          ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW]   <= '0;
          drop_q[c]                                <= reading_q[c] & ~take_rsp[c];
        end
      end
    end
  end

  // An answer and a subtile of the input register may enter one queue together.
  always_ff @(posedge clk_i) begin
    if (push_in)
      queue_q[32'(in_ctx)*QueueDepth+32'(wptr_q[in_ctx*PtrW+:PtrW])] <= in_q;
    for (int unsigned c = 0; c < NumCtx; c++) begin
      if (take_rsp[c])
        queue_q[c*QueueDepth+(32'(wptr_q[c*PtrW+:PtrW])+32'(push_in && in_ctx==t3_pkg::CtxW'(c)))%QueueDepth]
            <= mem_rsp_data_i[c*t3_pkg::WordW+:t3_pkg::ReadyBits];
    end
  end

  always_comb begin
    for (int unsigned c = 0; c < NumCtx; c++) begin
      pending_o[c] = filled[c] | reading_q[c] | next_valid |
                     (ring_w_q[c*t3_pkg::SubW+:t3_pkg::SubW] != ring_r_q[c*t3_pkg::SubW+:t3_pkg::SubW]) |
                     (in_valid_q && in_ctx == t3_pkg::CtxW'(c)) |
                     (exp_valid_q && exp_ctx_q == t3_pkg::CtxW'(c)) |
                     (out_valid_o && out_q[CtxLsb+:t3_pkg::CtxW] == t3_pkg::CtxW'(c));
    end
  end
  assign ring_write_o = |ring_write;
  assign busy_o       = |pending_o;

  logic unused;
  assign unused = ^mem_rsp_data_i;

endmodule

`default_nettype wire
