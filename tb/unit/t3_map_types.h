// C++ mirrors of the structs of t3_pkg inside t3_top that the tests of address map
// and links drive and read, and where a subtile lies by definition.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tb/harness/bits.h"
#include "tb/harness/t3_types.h"

namespace t3::tb {

// t3_pkg::ctx_cfg_t
struct ContextCfg {
  bool live = true, launched = true;
  uint64_t epoch = 0;
  uint32_t fmt = 0;  // 0 fp16, 1 bf16, 2 fp32
  bool col_major = false;
  uint64_t base = 0, pitch = 0;                  // bytes
  uint64_t rows = 0, cols = 0;                   // elements
  uint64_t tile_m = 0, tile_n = 0, wf_rows = 0;  // elements
  uint64_t wavefronts = 1, grid_x = 0, grid_y = 0;

  static constexpr uint32_t kBits = 319;

  uint64_t element_bytes() const { return fmt == 2 ? 4 : 2; }

  // Sets what follows from the matrix and the tile.
  void Derive() {
    wf_rows = tile_m / wavefronts;
    grid_x = (cols + tile_n - 1) / tile_n;
    grid_y = (rows + tile_m - 1) / tile_m;
  }
  void Store(uint8_t* vector, uint32_t lsb) const {
    StoreBits(vector, lsb + 80, 16, grid_y);
    StoreBits(vector, lsb + 96, 16, grid_x);
    StoreBits(vector, lsb + 112, 6, wavefronts);
    StoreBits(vector, lsb + 118, 12, wf_rows);
    StoreBits(vector, lsb + 130, 12, tile_n);
    StoreBits(vector, lsb + 142, 12, tile_m);
    StoreBits(vector, lsb + 154, 24, cols);
    StoreBits(vector, lsb + 178, 24, rows);
    StoreBits(vector, lsb + 202, 32, pitch);
    StoreBits(vector, lsb + 234, 40, base);
    StoreBits(vector, lsb + 274, 1, col_major);
    StoreBits(vector, lsb + 275, 2, fmt);
    StoreBits(vector, lsb + 277, 40, epoch);
    StoreBits(vector, lsb + 317, 1, launched);
    StoreBits(vector, lsb + 318, 1, live);
  }
};

// t3_pkg::chunk_t
struct ChunkEntry {
  bool valid = false, remote = false;
  uint32_t op = 0, link = 0, notify = 0, action = 0, expected = 0, dst = 0, dst_ctx = 0;
  uint64_t remote_base = 0, first_tile = 0, num_tiles = 0;

  static constexpr uint32_t kBits = 111;

  void Store(uint8_t* vector, uint32_t lsb) const {
    StoreBits(vector, lsb, 24, num_tiles);
    StoreBits(vector, lsb + 24, 24, first_tile);
    StoreBits(vector, lsb + 48, 40, remote_base);
    StoreBits(vector, lsb + 88, 2, dst_ctx);
    StoreBits(vector, lsb + 90, 6, dst);
    StoreBits(vector, lsb + 96, 8, expected);
    StoreBits(vector, lsb + 104, 2, action);
    StoreBits(vector, lsb + 106, 1, notify);
    StoreBits(vector, lsb + 107, 1, link);
    StoreBits(vector, lsb + 108, 1, op);
    StoreBits(vector, lsb + 109, 1, remote);
    StoreBits(vector, lsb + 110, 1, valid);
  }
};

// t3_pkg::event_t
struct CountEvent {
  uint64_t sub = 0;  // packed
  uint64_t index = 0, expected = 0, action = 0, notify = 0, elems = 0;

  static constexpr uint32_t kBits = 115;

  static CountEvent Load(const uint8_t* vector, uint32_t lsb) {
    return {LoadBits(vector, lsb + 67, 48), LoadBits(vector, lsb + 43, 24),
            LoadBits(vector, lsb + 19, 24), LoadBits(vector, lsb + 17, 2),
            LoadBits(vector, lsb + 16, 1),  LoadBits(vector, lsb, 16)};
  }
};

// t3_pkg::error_t
struct Error {
  ErrorCause cause = ErrorCause::kNone;
  bool fails = false, peer_fails = false, remote = false;
  uint64_t src = 0, addr = 0, epoch = 0, sub = 0;

  static Error Load(const uint8_t* vector, uint32_t lsb) {
    return {static_cast<ErrorCause>(LoadBits(vector, lsb + 137, 4)),
            LoadBits(vector, lsb + 136, 1) != 0,
            LoadBits(vector, lsb + 135, 1) != 0,
            LoadBits(vector, lsb + 134, 1) != 0,
            LoadBits(vector, lsb + 128, 6),
            LoadBits(vector, lsb + 88, 40),
            LoadBits(vector, lsb + 48, 40),
            LoadBits(vector, lsb, 48)};
  }
};

// Where a subtile lies.
struct Place {
  bool in_grid = false, empty = true;
  uint64_t tile = 0, index = 0;
  uint64_t first = 0, last = 0;                 // bytes; not of an empty subtile
  uint64_t rows = 0, row_bytes = 0, elems = 0;  // inside the matrix
};

inline Place Locate(const ContextCfg& cfg, const Subtile& sub) {
  Place p;
  p.in_grid = sub.wgx < cfg.grid_x && sub.wgy < cfg.grid_y && sub.wf < cfg.wavefronts;
  p.tile = cfg.col_major ? sub.wgx * cfg.grid_y + sub.wgy : sub.wgy * cfg.grid_x + sub.wgx;
  p.index = p.tile * cfg.wavefronts + sub.wf;
  const uint64_t row = sub.wgy * cfg.tile_m + sub.wf * cfg.wf_rows;
  const uint64_t col = sub.wgx * cfg.tile_n;
  p.empty = row >= cfg.rows || col >= cfg.cols;
  if (p.empty) return p;
  const uint64_t end_row = std::min(row + cfg.wf_rows, cfg.rows);
  const uint64_t end_col = std::min(col + cfg.tile_n, cfg.cols);
  p.rows = end_row - row;
  p.row_bytes = (end_col - col) * cfg.element_bytes();
  p.elems = p.rows * (end_col - col);
  p.first = cfg.base + row * cfg.pitch + col * cfg.element_bytes();
  p.last = cfg.base + (end_row - 1) * cfg.pitch + end_col * cfg.element_bytes() - 1;
  return p;
}

}  // namespace t3::tb
