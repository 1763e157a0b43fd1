// The checks of one stream of accesses: ids, chunk, addresses, strobes, and
// whether the access is expected at all. An access leaves with its count event,
// or with the reason why it is refused.
//
// Latency: 5 cycles on a chunk-cache hit. Throughput: one access per cycle on
// hits. Order: first in, first out. Back-pressure: ready_o depends on state and on
// ready_i.
//
// Checks in this order: context live (and launched, for the kernel's stores),
// epoch, grid, chunk, address, strobes, expectation. pre_err_i names a fault that
// was found before and goes through unchanged; untracked accesses are not checked.
`default_nettype none

module t3_access_check #(
  parameter bit          Incoming  = 1'b0,  // 1: arrivals of a link, 0: the kernel's stores
  parameter int unsigned LineBytes = 64,
  localparam int unsigned IdW = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,

  input  wire logic                      valid_i,
  output logic                           ready_o,
  input  wire logic                      tracked_i,
  input  wire logic [3:0]                pre_err_i,  // err_e
  input  wire t3_pkg::subtile_t          sub_i,
  input  wire logic [t3_pkg::EpochW-1:0] epoch_i,    // epoch, op, fmt: arrivals only
  input  wire logic                      op_i,       // op_e
  input  wire logic [1:0]                fmt_i,
  input  wire logic [t3_pkg::AddrW-1:0]  addr_i,     // line address
  input  wire logic [LineBytes-1:0]      strb_i,

  output logic                           valid_o,
  input  wire logic                      ready_i,
  output logic                           tracked_o,
  output logic      [3:0]                err_o,      // err_e; ErrNone: the access may be applied
  output t3_pkg::event_t                 event_o,
  output logic      [t3_pkg::EpochW-1:0] epoch_o,
  output logic                           op_o,
  output logic      [1:0]                fmt_o,
  output logic      [t3_pkg::AddrW-1:0]  addr_o,
  output logic      [LineBytes-1:0]      strb_o,
  // The kernel's stores to remote chunks.
  output logic                           remote_o,
  output logic      [t3_pkg::AddrW-1:0]  remote_addr_o,
  output logic    [t3_pkg::DeviceW-1:0]  dst_o,
  output logic      [t3_pkg::CtxW-1:0]   dst_ctx_o,
  output logic                           link_o,

  // Chunk table.
  output logic                                 chunk_req_valid_o,
  input  wire logic                            chunk_req_ready_i,
  output logic      [IdW-1:0]                  chunk_req_id_o,
  input  wire logic                            chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]                  chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0]    chunk_rsp_entry_i,
  input  wire logic                            chunk_inv_i,
  output logic                                 busy_o
);

  localparam int unsigned PosW = $clog2(LineBytes) + 1;  // position or number of bytes

  // ---- Stage 0: the access waits here for its chunk entry.
  logic                      valid0_q, valid1_q, valid2_q, valid3_q, valid4_q, en, go, check0, hit;
  logic                      tracked0_q, op0_q;
  logic [3:0]                err0_q;
  t3_pkg::subtile_t          sub0_q;
  logic [t3_pkg::EpochW-1:0] epoch0_q;
  logic [1:0]                fmt0_q;
  logic [t3_pkg::AddrW-1:0]  addr0_q;
  logic [LineBytes-1:0]      strb0_q;
  t3_pkg::chunk_t            entry;
  t3_pkg::ctx_cfg_t          cfg0_q;  // of the access's context

  assign en      = ~valid4_q | ready_i;
  assign check0  = tracked0_q & (err0_q == t3_pkg::ErrNone);
  assign go      = valid0_q & (hit | ~check0) & en;
  assign ready_o = ~valid0_q | go;
  assign busy_o  = valid0_q | valid1_q | valid2_q | valid3_q | valid4_q;

  t3_chunk_cache u_cache (
    .clk_i,
    .rst_ni,
    .inv_i         (chunk_inv_i),
    .lookup_valid_i(valid0_q & check0),
    .lookup_id_i   ({sub0_q.ctx, sub0_q.chunk}),
    .hit_o         (hit),
    .entry_o       (entry),
    .req_valid_o   (chunk_req_valid_o),
    .req_ready_i   (chunk_req_ready_i),
    .req_id_o      (chunk_req_id_o),
    .rsp_valid_i   (chunk_rsp_valid_i),
    .rsp_id_i      (chunk_rsp_id_i),
    .rsp_entry_i   (chunk_rsp_entry_i)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid0_q <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid4_q <= 1'b0;
    end else begin
      if (ready_o) valid0_q <= valid_i;
      if (en) begin
        valid1_q <= go;
        valid2_q <= valid1_q;
        valid3_q <= valid2_q;
        valid4_q <= valid3_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i & ready_o) begin
      tracked0_q <= tracked_i;
      err0_q     <= pre_err_i;
      sub0_q     <= sub_i;
      epoch0_q   <= epoch_i;
      op0_q      <= op_i;
      fmt0_q     <= fmt_i;
      addr0_q    <= addr_i;
      strb0_q    <= strb_i;
      cfg0_q     <= ctx_cfg_i[sub_i.ctx*t3_pkg::CtxCfgBits+:t3_pkg::CtxCfgBits];
    end
  end

  // ---- Geometry, stages 1 to 3.
  logic                        in_grid, empty;
  logic [t3_pkg::TileW-1:0]    tile;
  logic [t3_pkg::SubW-1:0]     index;
  logic [t3_pkg::AddrW-1:0]    first, last;
  logic [t3_pkg::CountW-1:0]   elems;
  logic [t3_pkg::TileDimW-1:0] rows_unused;
  logic [15:0]                 row_bytes_unused;
  logic                        geometry_valid;

  t3_geometry u_geometry (
    .clk_i,
    .rst_ni,
    .en_i       (en),
    .valid_i    (go & check0),
    .sub_i      (sub0_q),
    .cfg_i      (cfg0_q),
    .valid_o    (geometry_valid),
    .in_grid_o  (in_grid),
    .empty_o    (empty),
    .tile_o     (tile),
    .index_o    (index),
    .first_o    (first),
    .last_o     (last),
    .rows_o     (rows_unused),
    .row_bytes_o(row_bytes_unused),
    .elems_o    (elems)
  );

  // ---- Stage 1: what needs the context and the strobes only.
  logic                      tracked1_q, tracked2_q, tracked3_q;
  logic [3:0]                err1_q, err2_q, err3_q;  // context and epoch
  logic                      cut1_q, cut2_q, cut3_q;
  logic                      odd1_q, odd2_q, odd3_q;  // the other op or format
  t3_pkg::subtile_t          sub1_q, sub2_q, sub3_q;
  logic [t3_pkg::EpochW-1:0] epoch1_q, epoch2_q, epoch3_q;
  logic [1:0]                fmt1_q, fmt2_q, fmt3_q;
  logic [t3_pkg::AddrW-1:0]  addr1_q, addr2_q, addr3_q, offset1_q, offset2_q, offset3_q;
  logic [LineBytes-1:0]      strb1_q, strb2_q, strb3_q;
  logic [PosW-1:0]           low1_q, low2_q, low3_q, high1_q, high2_q, high3_q;
  logic [PosW-1:0]           bytes1_q, bytes2_q, bytes3_q;
  t3_pkg::chunk_t            entry1_q, entry2_q, entry3_q;

  always_ff @(posedge clk_i) begin
    if (en & go) begin
      logic [LineBytes-1:0] below, smear, pair, quad;
      below = (strb0_q & (~strb0_q + LineBytes'(1))) - LineBytes'(1);
      smear = strb0_q | (strb0_q >> 1);
      smear = smear | (smear >> 2);
      smear = smear | (smear >> 4);
      smear = smear | (smear >> 8);
      smear = smear | (smear >> 16);
      smear = smear | (smear >> 32);
      smear = smear | (smear >> (LineBytes / 2));
      pair  = (strb0_q ^ (strb0_q >> 1)) & {(LineBytes / 2) {2'b01}};
      quad  = (strb0_q ^ (strb0_q >> 2)) & {(LineBytes / 4) {4'b0001}};
      if (err0_q != t3_pkg::ErrNone) err1_q <= err0_q;
      else if (!cfg0_q.live || (!Incoming && !cfg0_q.launched)) err1_q <= t3_pkg::ErrCtxDead;
      else if (Incoming && epoch0_q != cfg0_q.epoch) err1_q <= t3_pkg::ErrEpoch;
      else err1_q <= t3_pkg::ErrNone;
      tracked1_q <= tracked0_q;
      cut1_q     <= (strb0_q == '0) | (pair != '0) | ((cfg0_q.fmt == t3_pkg::FmtFp32) & (quad != '0));
      odd1_q     <= Incoming && (op0_q != entry.op || fmt0_q != cfg0_q.fmt || entry.remote);
      sub1_q     <= sub0_q;
      epoch1_q   <= Incoming ? epoch0_q : cfg0_q.epoch;
      fmt1_q     <= cfg0_q.fmt;
      addr1_q    <= addr0_q;
      offset1_q  <= addr0_q - cfg0_q.base;
      strb1_q    <= strb0_q;
      low1_q     <= PosW'($countones(below));
      high1_q    <= PosW'($countones(smear)) - PosW'(1);
      bytes1_q   <= PosW'($countones(strb0_q));
      entry1_q   <= entry;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en & valid1_q) begin
      tracked2_q <= tracked1_q;
      err2_q     <= err1_q;
      cut2_q     <= cut1_q;
      odd2_q     <= odd1_q;
      sub2_q     <= sub1_q;
      epoch2_q   <= epoch1_q;
      fmt2_q     <= fmt1_q;
      addr2_q    <= addr1_q;
      offset2_q  <= offset1_q;
      strb2_q    <= strb1_q;
      low2_q     <= low1_q;
      high2_q    <= high1_q;
      bytes2_q   <= bytes1_q;
      entry2_q   <= entry1_q;
    end
    if (en & valid2_q) begin
      tracked3_q <= tracked2_q;
      err3_q     <= err2_q;
      cut3_q     <= cut2_q;
      odd3_q     <= odd2_q;
      sub3_q     <= sub2_q;
      epoch3_q   <= epoch2_q;
      fmt3_q     <= fmt2_q;
      addr3_q    <= addr2_q;
      offset3_q  <= offset2_q;
      strb3_q    <= strb2_q;
      low3_q     <= low2_q;
      high3_q    <= high2_q;
      bytes3_q   <= bytes2_q;
      entry3_q   <= entry2_q;
    end
  end

  // ---- Stage 4: the verdict.
  always_ff @(posedge clk_i) begin
    if (en & valid3_q) begin
      logic in_chunk, inside_sub;
      in_chunk   = entry3_q.valid & (tile >= entry3_q.first_tile) &
                   (tile - entry3_q.first_tile < entry3_q.num_tiles);
      inside_sub = ~empty & (addr3_q + t3_pkg::AddrW'(low3_q) >= first) &
                   (addr3_q + t3_pkg::AddrW'(high3_q) <= last);
      if (!tracked3_q || err3_q != t3_pkg::ErrNone) err_o <= tracked3_q ? err3_q : t3_pkg::ErrNone;
      else if (!in_grid) err_o <= t3_pkg::ErrGrid;
      else if (!in_chunk) err_o <= t3_pkg::ErrChunk;
      else if (!inside_sub) err_o <= t3_pkg::ErrAddress;
      else if (cut3_q) err_o <= t3_pkg::ErrStrobe;
      else if (odd3_q || (!entry3_q.remote && entry3_q.expected == '0))
        err_o <= t3_pkg::ErrUnexpected;
      else err_o <= t3_pkg::ErrNone;
      tracked_o        <= tracked3_q;
      event_o.sub      <= sub3_q;
      event_o.index    <= index;
      event_o.expected <= elems * t3_pkg::CountW'(entry3_q.expected);
      event_o.action   <= entry3_q.action;
      event_o.notify   <= entry3_q.notify;
      event_o.elems    <= t3_pkg::ElemsW'(bytes3_q) >> t3_pkg::fmt_shift(fmt3_q);
      epoch_o          <= epoch3_q;
      op_o             <= tracked3_q & entry3_q.op;
      fmt_o            <= fmt3_q;
      addr_o           <= addr3_q;
      strb_o           <= strb3_q;
      remote_o         <= tracked3_q & entry3_q.remote;
      remote_addr_o    <= offset3_q + entry3_q.remote_base;
      dst_o            <= entry3_q.dst;
      dst_ctx_o        <= entry3_q.dst_ctx;
      link_o           <= entry3_q.link;
    end
  end
  assign valid_o = valid4_q;

  logic unused;
  assign unused = ^{rows_unused, row_bytes_unused, geometry_valid};

endmodule

`default_nettype wire
