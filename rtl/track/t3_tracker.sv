// One bank of the tracker: a set-associative write-back cache of element counts,
// one entry per subtile that has received some but not all of its elements.
//
// A row of the RAM is a set: its ways, eight filter bits per context ("an entry of
// this context whose tag hashes here was once spilled from this set"), and the
// number of the way that is spilled next. A subtile that misses starts at 0 when
// its filter bit is clear; otherwise its count word {epoch, count} is fetched from
// memory, where a stale epoch reads as 0. A full set spills a way.
//
// Latency: 2 cycles from an event to its trigger or accounting. Throughput: one
// event per cycle on hits and first touches, back-to-back events of one subtile
// included (the rows just written are forwarded). A fetch blocks the bank until
// its answer came. Order: first in, first out. Back-pressure: ev_ready_o depends
// on state, trig_ready_i and mem_ready_i.
`include "t3_assert.svh"
`default_nettype none

module t3_tracker #(
  parameter int unsigned Sets  = 32,
  parameter int unsigned Ways  = 8,
  parameter int unsigned Banks = 8
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [2:0] bank_i,  // its number, constant
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  // Count events of this bank's subtiles.
  input  wire logic           ev_valid_i,
  output logic                ev_ready_o,
  input  wire t3_pkg::event_t ev_i,
  // Complete subtiles that are to be sent.
  output logic                trig_valid_o,
  input  wire logic           trig_ready_i,
  output t3_pkg::ready_t      trig_o,
  // Accounting of each event applied.
  output logic                        acct_valid_o,
  output logic [t3_pkg::CtxW-1:0]     acct_ctx_o,
  output logic [t3_pkg::ElemsW-1:0]   acct_elems_o,
  output logic                        acct_complete_o,
  output logic                        acct_notify_o,
  output logic                        acct_excess_o,  // more elements than expected
  output t3_pkg::subtile_t            acct_sub_o,
  // Count words in memory.
  output logic                        mem_valid_o,
  input  wire logic                   mem_ready_i,
  output t3_pkg::word_req_t           mem_o,
  input  wire logic                   mem_rsp_valid_i,
  input  wire logic [t3_pkg::WordW-1:0] mem_rsp_data_i,
  // Removal of a context's entries and filter bits: held until done.
  input  wire logic                    clear_valid_i,
  input  wire logic [t3_pkg::CtxW-1:0] clear_ctx_i,
  output logic                         clear_done_o,
  // Status.
  output logic [15:0] entries_o,
  output logic        spill_o,
  output logic        refill_o,
  output logic        busy_o,
  // Observation of entry (set * Ways + way), 3 cycles after the index changed,
  // while no event is in the bank.
  input  wire logic [15:0]            peek_index_i,
  output logic                        peek_valid_o,
  output logic [t3_pkg::CtxW-1:0]     peek_ctx_o,
  output logic [t3_pkg::SubW-1:0]     peek_sub_o,
  output logic [t3_pkg::CountW-1:0]   peek_count_o
);

  localparam int unsigned BankBits = $clog2(Banks);
  localparam int unsigned SetBits  = $clog2(Sets);
  localparam int unsigned SetIdxW  = (Sets > 1) ? SetBits : 1;
  localparam int unsigned WayIdxW  = (Ways > 1) ? $clog2(Ways) : 1;
  localparam int unsigned TagW     = t3_pkg::SubW - BankBits - SetBits;
  // An entry: {valid, context, tag, count}.
  localparam int unsigned CountLsb = 0;
  localparam int unsigned TagLsb   = t3_pkg::CountW;
  localparam int unsigned CtxLsb   = TagLsb + TagW;
  localparam int unsigned ValidLsb = CtxLsb + t3_pkg::CtxW;
  localparam int unsigned EntryW   = ValidLsb + 1;
  localparam int unsigned KeyW     = t3_pkg::CtxW + TagW;  // context and tag
  // A row: {next victim, filter bits, ways}.
  localparam int unsigned FilterW   = 8;
  localparam int unsigned FilterLsb = Ways * EntryW;
  localparam int unsigned VictimLsb = FilterLsb + t3_pkg::NumCtx * FilterW;
  localparam int unsigned RowW      = VictimLsb + WayIdxW;
  localparam int unsigned RowIdxW   = $clog2(RowW);

  function automatic logic [SetIdxW-1:0] set_of(input logic [t3_pkg::SubW-1:0] index);
    set_of = (Sets > 1) ? SetIdxW'(index >> BankBits) : '0;
  endfunction

  function automatic logic [TagW-1:0] tag_of(input logic [t3_pkg::SubW-1:0] index);
    tag_of = TagW'(index >> (BankBits + SetBits));
  endfunction

  function automatic logic [2:0] hash_of(input logic [TagW-1:0] tag);
    hash_of = 3'd0;
    for (int unsigned i = 0; i < TagW; i = i + 3) hash_of = hash_of ^ 3'(tag >> i);
  endfunction

  // The linear index of a tag in a set: its low bits are the bank number folded
  // with the bits above (t3_event_xbar chooses the bank so).
  function automatic logic [t3_pkg::SubW-1:0] index_of(input logic [TagW-1:0] tag,
                                                       input logic [SetIdxW-1:0] set);
    logic [t3_pkg::SubW-1:0] upper, low, rest;
    upper = (Sets > 1) ? (t3_pkg::SubW'(tag) << SetBits) | t3_pkg::SubW'(set) : t3_pkg::SubW'(tag);
    low   = t3_pkg::SubW'(bank_i);
    rest  = upper;
    for (int unsigned i = 0; i < t3_pkg::SubW; i++) begin
      if (BankBits != 0 && i * BankBits < t3_pkg::SubW) low = low ^ (rest >> (i * BankBits));
    end
    low      = low & t3_pkg::SubW'(Banks - 1);
    index_of = (upper << BankBits) | low;
  endfunction

  // ---- Control.
  typedef enum logic [1:0] {
    StReset,  // rows are cleared after reset
    StRun,
    StClear   // a context leaves: rows are read and written back without it
  } state_e;

  state_e               state_q;
  logic [SetIdxW:0]     walk_q;     // row of StReset and StClear
  logic                 walk_read_q;  // StClear: the row read is at the RAM's output
  logic                 cleared_q;
  logic                 valid1_q, run1, miss_q, refill_now, accept;
  t3_pkg::event_t       ev1_q, miss_ev_q, ev;

  assign run1       = valid1_q & ~miss_q & (~trig_valid_o | trig_ready_i) &
                      (~mem_valid_o | mem_ready_i);
  // The answer is used in the cycle in which it comes; its event may trigger or
  // spill, for which the registers must be free: they are, as the bank is blocked.
  assign refill_now = miss_q & mem_rsp_valid_i;
  assign ev_ready_o = (state_q == StRun) & ~clear_valid_i & (~valid1_q | run1) & ~miss_q;
  assign ev         = refill_now ? miss_ev_q : ev1_q;
  assign accept     = ev_valid_i & ev_ready_o;
  assign busy_o     = valid1_q | miss_q | mem_valid_o | trig_valid_o | acct_valid_o | (state_q != StRun);

  // ---- Rows.
  logic               row_we_q, row_re, bypass_q, peek_re;
  logic [SetIdxW-1:0] last_set_q, read_set;
  logic [RowW-1:0]    last_row_q, bypass_row_q, miss_row_q, row_rdata;
  logic [15:0]        peek_q;
  logic               peek_read_q;

  assign peek_re  = (state_q == StRun) & ~valid1_q & ~ev_valid_i & (peek_q != peek_index_i);
  assign row_re   = accept | (state_q == StClear) | peek_re;
  assign read_set = accept ? set_of(ev_i.index)
                  : peek_re ? SetIdxW'(peek_index_i / 16'(Ways))
                            : walk_q[SetIdxW-1:0];

  t3_ram #(
    .Width(RowW),
    .Depth(Sets)
  ) u_rows (
    .clk_i,
    .we_i   (row_we_q),
    .waddr_i(last_set_q),
    .wdata_i(last_row_q),
    .re_i   (row_re),
    .raddr_i(read_set),
    .rdata_o(row_rdata)
  );

  always_ff @(posedge clk_i) begin
    if (accept & row_we_q) bypass_row_q <= last_row_q;
    if (accept) bypass_q <= row_we_q & (last_set_q == set_of(ev_i.index));
    if (accept) ev1_q <= ev_i;
  end

  // ---- The event in stage 1, or the one whose count word has come.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StReset;
      walk_q       <= '0;
      walk_read_q  <= 1'b0;
      cleared_q    <= 1'b0;
      clear_done_o <= 1'b0;
      valid1_q     <= 1'b0;
      miss_q       <= 1'b0;
      row_we_q     <= 1'b0;
      trig_valid_o <= 1'b0;
      mem_valid_o  <= 1'b0;
      acct_valid_o <= 1'b0;
      spill_o      <= 1'b0;
      refill_o     <= 1'b0;
      entries_o    <= '0;
    end else begin
      row_we_q     <= 1'b0;
      acct_valid_o <= 1'b0;
      spill_o      <= 1'b0;
      refill_o     <= 1'b0;
      clear_done_o <= 1'b0;
      if (trig_ready_i) trig_valid_o <= 1'b0;
      if (mem_ready_i) mem_valid_o <= 1'b0;
      if (accept) valid1_q <= 1'b1;
      else if (run1) valid1_q <= 1'b0;
      if (!clear_valid_i) cleared_q <= 1'b0;

      if (state_q == StReset) begin
        row_we_q   <= 1'b1;
        last_set_q <= walk_q[SetIdxW-1:0];
        last_row_q <= '0;
        walk_q     <= walk_q + (SetIdxW + 1)'(1);
        if (walk_q == (SetIdxW + 1)'(Sets - 1)) state_q <= StRun;
      end

      if (state_q == StRun && clear_valid_i && !cleared_q && !valid1_q && !miss_q && !row_we_q) begin
        state_q     <= StClear;
        walk_q      <= '0;
        walk_read_q <= 1'b0;
      end
      if (state_q == StClear) begin
        walk_read_q <= ~walk_read_q;
        if (walk_read_q) begin
          logic [RowW-1:0]   row;
          logic [15:0]       gone;
          row  = row_rdata;
          gone = '0;
          for (int unsigned w = 0; w < Ways; w++) begin
            if (row[w*EntryW+ValidLsb] && row[w*EntryW+CtxLsb+:t3_pkg::CtxW] == clear_ctx_i) begin
              row[w*EntryW+ValidLsb] = 1'b0;
              gone = gone + 16'd1;
            end
          end
          for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
            if (clear_ctx_i == t3_pkg::CtxW'(c)) row[FilterLsb+c*FilterW+:FilterW] = '0;
          end
          row_we_q   <= 1'b1;
          last_set_q <= walk_q[SetIdxW-1:0];
          last_row_q <= row;
          entries_o  <= entries_o - gone;
          walk_q     <= walk_q + (SetIdxW + 1)'(1);
          if (walk_q == (SetIdxW + 1)'(Sets - 1)) begin
            state_q      <= StRun;
            cleared_q    <= 1'b1;
            clear_done_o <= 1'b1;
          end
        end
      end

      if (run1 | refill_now) begin
        logic [RowW-1:0]           row;
        logic [SetIdxW-1:0]        set;
        logic [TagW-1:0]           tag;
        logic [KeyW-1:0]           key;
        logic [EntryW-1:0]         entry;
        logic [EntryW-2:0]         old;  // without its valid bit
        logic [t3_pkg::CountW-1:0] base;
        logic [t3_pkg::CountW:0]   count;
        logic [t3_pkg::CtxW-1:0]   old_ctx;
        logic [WayIdxW-1:0]        way, free_way;
        logic                      hit, full, fetch, complete;
        set      = set_of(ev.index);
        tag      = tag_of(ev.index);
        key      = {ev.sub.ctx, tag};
        row      = refill_now ? miss_row_q
                 : (last_set_q == set) ? last_row_q
                 : bypass_q ? bypass_row_q : row_rdata;
        hit      = 1'b0;
        full     = 1'b1;
        way      = '0;
        free_way = '0;
        base     = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          entry = row[w*EntryW+:EntryW];
          if (!entry[ValidLsb]) begin
            full     = 1'b0;
            free_way = WayIdxW'(w);
          end else if (entry[ValidLsb-1-:KeyW] == key) begin
            hit  = 1'b1;
            way  = WayIdxW'(w);
            base = entry[CountLsb+:t3_pkg::CountW];
          end
        end
        fetch = ~hit & ~refill_now & row[FilterLsb+ev.sub.ctx*FilterW+32'(hash_of(tag))];
        if (refill_now && mem_rsp_data_i[t3_pkg::WordW-1-:t3_pkg::EpochW] ==
            ctx_cfg_i[ev.sub.ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgEpochLsb+:t3_pkg::EpochW]) begin
          base = mem_rsp_data_i[t3_pkg::CountW-1:0];
        end
        count    = {1'b0, base} + (t3_pkg::CountW + 1)'(ev.elems);
        complete = count == {1'b0, ev.expected};

        if (fetch) begin
          miss_q      <= 1'b1;
          miss_ev_q   <= ev;
          miss_row_q  <= row;
          mem_valid_o <= 1'b1;
          mem_o.write <= 1'b0;
          mem_o.id    <= 5'(bank_i);
          mem_o.addr  <= ctx_cfg_i[ev.sub.ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgCountBaseLsb+:t3_pkg::AddrW] +
                         t3_pkg::AddrW'({ev.index, 3'b000});
          mem_o.data  <= '0;
        end else begin
          if (refill_now) begin
            miss_q   <= 1'b0;
            refill_o <= 1'b1;
          end
          acct_valid_o    <= 1'b1;
          acct_ctx_o      <= ev.sub.ctx;
          acct_elems_o    <= ev.elems;
          acct_complete_o <= complete;
          acct_notify_o   <= complete & ev.notify;
          acct_excess_o   <= count > {1'b0, ev.expected};
          acct_sub_o      <= ev.sub;
          if (complete && ev.action != t3_pkg::ActNone) begin
            trig_valid_o <= 1'b1;
            trig_o.sub   <= ev.sub;
            trig_o.op    <= ev.action == t3_pkg::ActDmaUpdate;
          end
          if (complete) begin
            if (hit) begin
              row[way*EntryW+ValidLsb] = 1'b0;
              entries_o <= entries_o - 16'd1;
            end
          end else begin
            if (!hit) begin
              way = free_way;
              if (full) begin
                way     = row[VictimLsb+:WayIdxW];
                old     = row[way*EntryW+:EntryW-1];
                old_ctx = old[CtxLsb+:t3_pkg::CtxW];
                row[FilterLsb+old_ctx*FilterW+32'(hash_of(old[TagLsb+:TagW]))] = 1'b1;
                row[VictimLsb+:WayIdxW] = (way == WayIdxW'(Ways - 1)) ? '0 : way + WayIdxW'(1);
                spill_o     <= 1'b1;
                mem_valid_o <= 1'b1;
                mem_o.write <= 1'b1;
                mem_o.id    <= 5'(bank_i);
                mem_o.addr  <= ctx_cfg_i[old_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgCountBaseLsb+:t3_pkg::AddrW] +
                               t3_pkg::AddrW'({index_of(old[TagLsb+:TagW], set), 3'b000});
                mem_o.data  <= {ctx_cfg_i[old_ctx*t3_pkg::CtxCfgBits+t3_pkg::CfgEpochLsb+:t3_pkg::EpochW],
                                old[CountLsb+:t3_pkg::CountW]};
              end else begin
                entries_o <= entries_o + 16'd1;
              end
            end
            row[way*EntryW+:EntryW] = {1'b1, key, count[t3_pkg::CountW-1:0]};
          end
          row_we_q   <= hit | ~complete;
          if (hit | ~complete) begin
            last_set_q <= set;
            last_row_q <= row;
          end
        end
      end
    end
  end

  // ---- Observation.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      peek_q      <= '1;
      peek_read_q <= 1'b0;
    end else begin
      peek_read_q <= peek_re;
      if (peek_re) peek_q <= peek_index_i;
      if (peek_read_q) begin
        logic [EntryW-1:0] entry;
        entry = row_rdata[RowIdxW'(peek_q % 16'(Ways))*RowIdxW'(EntryW)+:EntryW];
        peek_valid_o <= entry[ValidLsb];
        peek_ctx_o   <= entry[CtxLsb+:t3_pkg::CtxW];
        peek_sub_o   <= index_of(entry[TagLsb+:TagW], SetIdxW'(peek_q / 16'(Ways)));
        peek_count_o <= entry[CountLsb+:t3_pkg::CountW];
      end
    end
  end

  `T3_ASSERT(AnswerOnlyToQuestion, !mem_rsp_valid_i || miss_q)
  `T3_ASSERT(EntriesInRange, entries_o <= 16'(Sets * Ways))

  initial begin
    if (Sets < 1 || (Sets & (Sets - 1)) != 0) $fatal(1, "t3_tracker: Sets must be a power of two");
    if (Ways < 1 || (Ways & (Ways - 1)) != 0) $fatal(1, "t3_tracker: Ways must be a power of two");
  end

endmodule

`default_nettype wire
