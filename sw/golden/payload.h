// What each device's GEMM produces: a pure function of (kind, seed, kernel,
// device, row, column), so that nobody has to store it.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/golden/format.h"

namespace t3::golden {

enum class DataKind : uint8_t {
  kRandom,    // hashed finite values of mixed sign and magnitude
  kSpecials,  // subnormal, infinite, NaN, signed-zero and cancelling values among random ones
  kGemm,      // the product of real sliced matrices, exact in fp32, then rounded
};

struct PayloadSpec {
  DataKind kind = DataKind::kRandom;
  Format format = Format::kFp16;
  uint64_t seed = 1;
  uint32_t m = 0, n = 0, k = 0;  // output rows, columns, local K (kGemm only, at most 2^24)
};

// Thread-safe; no state that a call changes.
class Payload {
 public:
  explicit Payload(const PayloadSpec& spec);

  // Writes `count` consecutive elements of row `row` from column `col`, as
  // little-endian elements of the format, to `out`. Requires row < m and
  // col + count <= n. A row may be fetched in any pieces: an element's value
  // does not depend on them. Costs O(count), kGemm O(count * k).
  void Row(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
           void* out) const;

 private:
  template <Format kFormat>
  void RowAs(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
             void* out) const;
  // The kGemm products of one row piece of at most kBlock columns.
  void Products(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
                float* sum) const;

  PayloadSpec spec_;
  uint32_t range_ = 0;        // kGemm: matrix entries are -range_ .. range_, in sixteenths
  std::vector<float> table_;  // kGemm: every row of every B is a window of it
};

}  // namespace t3::golden
