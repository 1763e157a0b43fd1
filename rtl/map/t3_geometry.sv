// From a subtile's ids and its context's geometry to linear indices, addresses
// and sizes.
//
// Latency: 3 cycles of en_i. Throughput: one subtile per cycle. Order: first in,
// first out. Back-pressure: en_i = 0 holds all stages. Outputs of subtiles outside
// the grid are meaningless except in_grid_o.
`default_nettype none

module t3_geometry (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic en_i,
  input  wire logic valid_i,
  input  wire t3_pkg::subtile_t sub_i,
  input  wire t3_pkg::ctx_cfg_t cfg_i,  // of the subtile's context
  output logic                        valid_o,
  output logic                        in_grid_o,    // wgx, wgy, wf within the grid
  output logic                        empty_o,      // the subtile lies outside the matrix
  output logic [t3_pkg::TileW-1:0]    tile_o,       // linear tile index
  output logic [t3_pkg::SubW-1:0]     index_o,      // linear subtile index
  output logic [t3_pkg::AddrW-1:0]    first_o,      // first byte
  output logic [t3_pkg::AddrW-1:0]    last_o,       // last byte
  output logic [t3_pkg::TileDimW-1:0] rows_o,       // rows inside the matrix
  output logic [15:0]                 row_bytes_o,  // bytes of a row inside the matrix
  output logic [t3_pkg::CountW-1:0]   elems_o       // rows * columns
);

  logic                        valid1_q, valid2_q, valid3_q;
  // Stage 1: places in elements.
  logic                        grid1_q;
  logic [t3_pkg::TileW-1:0]    tile1_q;
  logic [t3_pkg::DimW-1:0]     row1_q, col1_q, room_rows1_q, room_cols1_q;
  logic [t3_pkg::TileDimW-1:0] wf_rows1_q, tile_n1_q;
  logic                        outside1_q;
  logic [t3_pkg::WfW:0]        wavefronts1_q;
  logic [t3_pkg::WfW-1:0]      wf1_q;
  logic [t3_pkg::PitchW-1:0]   pitch1_q;
  logic [t3_pkg::AddrW-1:0]    base1_q;
  logic [1:0]                  shift1_q;
  // Stage 2: sizes, and the first byte.
  logic                        grid2_q, empty2_q;
  logic [t3_pkg::TileW-1:0]    tile2_q;
  logic [t3_pkg::SubW-1:0]     index2_q;
  logic [t3_pkg::AddrW-1:0]    first2_q;
  logic [t3_pkg::TileDimW-1:0] rows2_q, cols2_q;
  logic [15:0]                 row_bytes2_q;
  logic [t3_pkg::PitchW-1:0]   pitch2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else if (en_i) begin
      valid1_q <= valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
    end
  end
  assign valid_o = valid3_q;

  always_ff @(posedge clk_i) begin
    if (en_i & valid_i) begin
      // The last bands of the last tile may begin beyond the largest matrix.
      logic [t3_pkg::DimW:0]   row;
      logic [t3_pkg::DimW-1:0] col;
      row = (t3_pkg::DimW+1)'(sub_i.wgy) * (t3_pkg::DimW+1)'(cfg_i.tile_m) +
            (t3_pkg::DimW+1)'(sub_i.wf) * (t3_pkg::DimW+1)'(cfg_i.wf_rows);
      col = t3_pkg::DimW'(sub_i.wgx) * t3_pkg::DimW'(cfg_i.tile_n);
      grid1_q <= (sub_i.wgx < cfg_i.grid_x) & (sub_i.wgy < cfg_i.grid_y) &
                 ({1'b0, sub_i.wf} < cfg_i.wavefronts);
      tile1_q <= cfg_i.col_major
          ? t3_pkg::TileW'(sub_i.wgx) * t3_pkg::TileW'(cfg_i.grid_y) + t3_pkg::TileW'(sub_i.wgy)
          : t3_pkg::TileW'(sub_i.wgy) * t3_pkg::TileW'(cfg_i.grid_x) + t3_pkg::TileW'(sub_i.wgx);
      row1_q        <= row[t3_pkg::DimW-1:0];
      col1_q        <= col;
      outside1_q    <= (row >= {1'b0, cfg_i.rows}) | (col >= cfg_i.cols);
      room_rows1_q  <= cfg_i.rows - row[t3_pkg::DimW-1:0];
      room_cols1_q  <= cfg_i.cols - col;
      wf_rows1_q    <= cfg_i.wf_rows;
      tile_n1_q     <= cfg_i.tile_n;
      wavefronts1_q <= cfg_i.wavefronts;
      wf1_q         <= sub_i.wf;
      pitch1_q      <= cfg_i.pitch;
      base1_q       <= cfg_i.base;
      shift1_q      <= t3_pkg::fmt_shift(cfg_i.fmt);
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i & valid1_q) begin
      logic [t3_pkg::TileDimW-1:0] rows, cols;
      rows = (room_rows1_q < t3_pkg::DimW'(wf_rows1_q)) ? room_rows1_q[t3_pkg::TileDimW-1:0]
                                                        : wf_rows1_q;
      cols = (room_cols1_q < t3_pkg::DimW'(tile_n1_q)) ? room_cols1_q[t3_pkg::TileDimW-1:0]
                                                       : tile_n1_q;
      grid2_q      <= grid1_q;
      empty2_q     <= outside1_q;
      tile2_q      <= tile1_q;
      index2_q     <= t3_pkg::SubW'(tile1_q) * t3_pkg::SubW'(wavefronts1_q) + t3_pkg::SubW'(wf1_q);
      first2_q     <= base1_q + t3_pkg::AddrW'(row1_q) * t3_pkg::AddrW'(pitch1_q) +
                      (t3_pkg::AddrW'(col1_q) << shift1_q);
      rows2_q      <= rows;
      cols2_q      <= cols;
      row_bytes2_q <= 16'(cols) << shift1_q;
      pitch2_q     <= pitch1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i & valid2_q) begin
      logic [t3_pkg::TileDimW-1:0] more_rows;
      more_rows = rows2_q - t3_pkg::TileDimW'(1);
      in_grid_o   <= grid2_q;
      empty_o     <= empty2_q;
      tile_o      <= tile2_q;
      index_o     <= index2_q;
      first_o     <= first2_q;
      last_o      <= first2_q + t3_pkg::AddrW'(more_rows) * t3_pkg::AddrW'(pitch2_q) +
                     t3_pkg::AddrW'(row_bytes2_q) - t3_pkg::AddrW'(1);
      rows_o      <= rows2_q;
      row_bytes_o <= row_bytes2_q;
      elems_o     <= t3_pkg::CountW'(rows2_q) * t3_pkg::CountW'(cols2_q);
    end
  end

  logic unused;
  assign unused = ^{sub_i, cfg_i};

endmodule

`default_nettype wire
