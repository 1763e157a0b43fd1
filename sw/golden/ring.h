// The definition of the fused ring collective on an M x N_out matrix: who
// produces what in which phase, in which order partial sums are added, and what
// every device's memory must hold afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sw/golden/payload.h"

namespace t3::golden {

struct RingSpec {
  PayloadSpec payload;
  uint32_t devices = 1;
  int direction = 1;  // successor of d is d + direction (mod devices); +1 or -1
  uint32_t tile_m = 128, tile_n = 128;
  bool column_major = false;  // linear order of tiles: row-major is x fastest
  bool all_gather = true;     // false: reduce-scatter alone
};

// Chunk c of C holds tiles [floor(c*T/C), floor((c+1)*T/C)) of T.
uint32_t TileCount(const RingSpec& spec);
uint32_t ChunkOfTile(const RingSpec& spec, uint32_t tile);

// Bytes, per device, in the words of the traffic oracle; exact for unequal chunks.
struct Oracle {
  uint64_t gemm_write, rs_write, rs_read, ag_read, ag_write, rs_link, ag_link;
};
Oracle TrafficOracle(const RingSpec& spec, uint32_t device);

struct CheckResult {
  uint64_t checked = 0;  // m * n
  uint64_t wrong = 0;    // output elements of which any device's copy is wrong
  // A sentence on the first wrong one (lowest row, then column, then device), empty without:
  // "kernel K, device D, row R, column C: found <hex>, expected <hex>".
  std::string first;
  uint32_t crc32 = 0;  // zlib CRC-32 of the final matrix as dense rows, from the owners' memories
};

// Row access into the devices' memories; see Check.
using RowReader = std::function<const uint8_t*(uint32_t device, uint32_t row)>;

// Compares every element of every device: final values where they must be,
// partial sums (rs) and untouched -0.0 elsewhere. `row_of` returns a pointer to
// the n elements of a device's row, valid until the next call from the same
// thread; it is called from at most `threads` threads (the caller's is one of
// them), once per device and row, once more where a row has a wrong element.
// The result does not depend on the number of threads. What `row_of` throws is
// thrown again here, when all threads have ended.
CheckResult Check(const RingSpec& spec, uint32_t kernel, const RowReader& row_of, uint32_t threads);

}  // namespace t3::golden
