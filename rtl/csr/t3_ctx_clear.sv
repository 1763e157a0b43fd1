// Makes tracker and triggers forget contexts: one clear at a time, for contexts
// that are configured or aborted, and repeated flushes of those that drain.
//
// Latency: 3 cycles and the tracker's clear (its sets) per context. Order: lowest
// context first. clear_valid_o stays up until clear_done_i and then goes down for
// at least 2 cycles.
`default_nettype none

module t3_ctx_clear (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx-1:0] clear_i,    // the context waits for cleared_o
  input  wire logic [t3_pkg::NumCtx-1:0] drain_i,    // the context drains
  output logic      [t3_pkg::NumCtx-1:0] cleared_o,  // one cycle
  output logic                           clear_valid_o,
  output logic      [t3_pkg::CtxW-1:0]   clear_ctx_o,
  input  wire logic                      clear_done_i,
  output logic                           flush_valid_o,
  output logic      [t3_pkg::CtxW-1:0]   flush_ctx_o
);

  typedef enum logic [1:0] {
    StIdle,
    StClear,
    StGap
  } state_e;

  localparam int unsigned TimerW = 6;  // each context is flushed once in 2**TimerW cycles

  state_e                  state_q;
  logic [TimerW-1:0]       timer_q;
  logic [t3_pkg::CtxW-1:0] lowest;

  always_comb begin
    lowest = '0;
    for (int unsigned i = 0; i < t3_pkg::NumCtx; i++) begin
      if (clear_i[t3_pkg::NumCtx-1-i]) lowest = t3_pkg::CtxW'(t3_pkg::NumCtx - 1 - i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      clear_valid_o <= 1'b0;
      flush_valid_o <= 1'b0;
      cleared_o     <= '0;
      timer_q       <= '0;
    end else begin
      flush_valid_o <= 1'b0;
      cleared_o     <= '0;
      if (|drain_i) timer_q <= timer_q + TimerW'(1);
      case (state_q)
        StIdle: if (|clear_i) begin
          state_q       <= StClear;
          clear_ctx_o   <= lowest;
          clear_valid_o <= 1'b1;
          flush_valid_o <= 1'b1;
          flush_ctx_o   <= lowest;
        end
        StClear: if (clear_done_i) begin
          state_q                <= StGap;
          clear_valid_o          <= 1'b0;
          cleared_o[clear_ctx_o] <= 1'b1;
        end
        default: state_q <= StIdle;  // meanwhile clear_i follows cleared_o
      endcase
      if (timer_q[TimerW-t3_pkg::CtxW-1:0] == '0 && drain_i[timer_q[TimerW-1-:t3_pkg::CtxW]] &&
          !(state_q == StIdle && |clear_i)) begin
        flush_valid_o <= 1'b1;
        flush_ctx_o   <= timer_q[TimerW-1-:t3_pkg::CtxW];
      end
    end
  end

endmodule

`default_nettype wire
