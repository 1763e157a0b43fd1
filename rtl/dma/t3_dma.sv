// One DMA engine: takes ready subtiles and emits a line per cycle, row by row,
// with the address at the receiver. The chunk entry and the geometry of the next
// subtile are looked up while the present one's lines go out.
//
// Latency: 6 cycles from in_i to the first line on a chunk-cache hit. Throughput:
// one line per cycle, without a gap between subtiles of 8 lines or more. Order:
// first in, first out. Back-pressure: in_ready_o depends on state only.
`default_nettype none

module t3_dma #(
  parameter int unsigned LineBytes   = 64,
  parameter int unsigned NumChannels = 16,
  localparam int unsigned ChannelBits = (NumChannels > 1) ? $clog2(NumChannels) : 1,
  localparam int unsigned IdW         = t3_pkg::CtxW + t3_pkg::ChunkW
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [t3_pkg::NumCtx*t3_pkg::CtxCfgBits-1:0] ctx_cfg_i,
  input  wire logic              in_valid_i,
  output logic                   in_ready_o,
  input  wire t3_pkg::ready_t    in_i,
  output logic                   line_valid_o,
  input  wire logic              line_ready_i,
  output logic [ChannelBits-1:0] line_channel_o,
  output t3_pkg::dma_line_t      line_o,
  // Chunk table.
  output logic                              chunk_req_valid_o,
  input  wire logic                         chunk_req_ready_i,
  output logic      [IdW-1:0]               chunk_req_id_o,
  input  wire logic                         chunk_rsp_valid_i,
  input  wire logic [IdW-1:0]               chunk_rsp_id_i,
  input  wire logic [t3_pkg::ChunkBits-1:0] chunk_rsp_entry_i,
  input  wire logic                         chunk_inv_i,
  output logic      [t3_pkg::NumCtx-1:0]    busy_ctx_o,
  output logic                              busy_o
);

  localparam int unsigned AddrW = t3_pkg::AddrW;
  localparam int unsigned LineW = $clog2(LineBytes);

  // ---- The next subtile: waits for its chunk entry and its geometry.
  logic              next_q, started_q, shaped_q, hit, load, geometry_valid;
  t3_pkg::ready_t    next_ready_q;
  t3_pkg::ctx_cfg_t  cfg_q;
  t3_pkg::chunk_t    entry;
  logic              in_grid, empty;
  logic [t3_pkg::TileW-1:0]    tile_unused;
  logic [t3_pkg::SubW-1:0]     index_unused;
  logic [AddrW-1:0]            first, last_unused;
  logic [t3_pkg::TileDimW-1:0] rows;
  logic [15:0]                 row_bytes;
  logic [t3_pkg::CountW-1:0]   elems_unused;

  assign in_ready_o = ~next_q;

  t3_chunk_cache u_cache (
    .clk_i,
    .rst_ni,
    .inv_i         (chunk_inv_i),
    .lookup_valid_i(next_q),
    .lookup_id_i   ({next_ready_q.sub.ctx, next_ready_q.sub.chunk}),
    .hit_o         (hit),
    .entry_o       (entry),
    .req_valid_o   (chunk_req_valid_o),
    .req_ready_i   (chunk_req_ready_i),
    .req_id_o      (chunk_req_id_o),
    .rsp_valid_i   (chunk_rsp_valid_i),
    .rsp_id_i      (chunk_rsp_id_i),
    .rsp_entry_i   (chunk_rsp_entry_i)
  );

  t3_geometry u_geometry (
    .clk_i,
    .rst_ni,
    .en_i       (next_q & ~shaped_q),
    .valid_i    (next_q & ~started_q),
    .sub_i      (next_ready_q.sub),
    .cfg_i      (cfg_q),
    .valid_o    (geometry_valid),
    .in_grid_o  (in_grid),
    .empty_o    (empty),
    .tile_o     (tile_unused),
    .index_o    (index_unused),
    .first_o    (first),
    .last_o     (last_unused),
    .rows_o     (rows),
    .row_bytes_o(row_bytes),
    .elems_o    (elems_unused)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      next_q    <= 1'b0;
      started_q <= 1'b0;
      shaped_q  <= 1'b0;
    end else if (load) begin
      next_q    <= 1'b0;
      started_q <= 1'b0;
      shaped_q  <= 1'b0;
    end else if (next_q) begin
      started_q <= 1'b1;
      if (geometry_in_3) shaped_q <= 1'b1;
    end else if (in_valid_i) begin
      next_q       <= 1'b1;
      next_ready_q <= in_i;
      cfg_q        <= ctx_cfg_i[in_ctx*t3_pkg::CtxCfgBits+:t3_pkg::CtxCfgBits];
    end
  end

  // The geometry's stages hold one subtile, which reaches the last one after three
  // enabled cycles.
  logic [1:0]              stage_q;
  logic                    geometry_in_3;
  logic [t3_pkg::CtxW-1:0] in_ctx;
  assign geometry_in_3 = stage_q == 2'd2;
  assign in_ctx        = in_i.sub.ctx;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || load) stage_q <= 2'd0;
    else if (next_q & ~shaped_q) stage_q <= stage_q + 2'd1;
  end

  // ---- The present subtile.
  logic                        run_q, advance, row_done, last_line;
  t3_pkg::ready_t              sub_q;
  logic [AddrW-1:0]            row_q, row_end_q, line_q, delta_q, next_line;
  logic [t3_pkg::TileDimW-1:0] rows_q;
  logic [15:0]                 row_bytes_q;
  logic [t3_pkg::PitchW-1:0]   pitch_q;
  logic                        first_line_q;  // line_q is the row's first
  t3_pkg::chunk_t              entry_q;

  assign next_line = line_q + AddrW'(LineBytes);
  assign row_done  = next_line >= row_end_q;
  assign last_line = row_done & (rows_q == t3_pkg::TileDimW'(1));
  assign advance   = run_q & (~line_valid_o | line_ready_i);
  assign load      = next_q & shaped_q & hit & (~run_q | (advance & last_line));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) run_q <= 1'b0;
    else if (load) run_q <= in_grid & ~empty;
    else if (advance & last_line) run_q <= 1'b0;

    if (load) begin
      sub_q        <= next_ready_q;
      row_q        <= first;
      row_end_q    <= first + AddrW'(row_bytes);
      line_q       <= {first[AddrW-1:LineW], LineW'(0)};
      first_line_q <= 1'b1;
      rows_q       <= rows;
      row_bytes_q  <= row_bytes;
      pitch_q      <= cfg_q.pitch;
      delta_q      <= entry.remote_base - cfg_q.base;
      entry_q      <= entry;
    end else if (advance) begin
      if (row_done) begin
        logic [AddrW-1:0] row;
        row          = row_q + AddrW'(pitch_q);
        row_q        <= row;
        row_end_q    <= row + AddrW'(row_bytes_q);
        line_q       <= {row[AddrW-1:LineW], LineW'(0)};
        first_line_q <= 1'b1;
        rows_q       <= rows_q - t3_pkg::TileDimW'(1);
      end else begin
        line_q       <= next_line;
        first_line_q <= 1'b0;
      end
    end
  end

  // ---- The line register.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) line_valid_o <= 1'b0;
    else if (~line_valid_o | line_ready_i) line_valid_o <= run_q;
    if (advance) begin
      line_o.addr        <= line_q;
      line_o.remote_addr <= line_q + delta_q;
      line_o.first       <= first_line_q ? 8'(row_q[LineW-1:0]) : 8'd0;
      line_o.last        <= row_done ? 8'(LineW'(row_end_q[LineW-1:0] - LineW'(1)))
                                     : 8'(LineBytes - 1);
      line_o.sub         <= sub_q.sub;
      line_o.dst_ctx     <= entry_q.dst_ctx;
      line_o.dst         <= entry_q.dst;
      line_o.link        <= entry_q.link;
      line_o.op          <= sub_q.op;
      line_channel_o     <= ChannelBits'(
          t3_pkg::channel_of(line_q[AddrW-1:t3_pkg::InterleaveW], $clog2(NumChannels)));
    end
  end

  always_comb begin
    busy_ctx_o = '0;
    for (int unsigned c = 0; c < t3_pkg::NumCtx; c++) begin
      busy_ctx_o[c] = (next_q && next_ready_q.sub.ctx == t3_pkg::CtxW'(c)) |
                      (run_q && sub_q.sub.ctx == t3_pkg::CtxW'(c)) |
                      (line_valid_o && line_o.sub.ctx == t3_pkg::CtxW'(c));
    end
  end
  assign busy_o = next_q | run_q | line_valid_o;

  logic unused;
  assign unused = ^{tile_unused, index_unused, last_unused, elems_unused, geometry_valid, cfg_q, entry_q, in_i};

endmodule

`default_nettype wire
