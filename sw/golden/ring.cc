#include "sw/golden/ring.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <future>

namespace t3::golden {
namespace {

constexpr uint32_t kBlockRows = 32;  // rows that a thread takes at a time

struct Grid {
  uint32_t x, y;  // tiles side by side, tiles on top of each other
};

Grid GridOf(const RingSpec& s) {
  return {(s.payload.n + s.tile_n - 1) / s.tile_n, (s.payload.m + s.tile_m - 1) / s.tile_m};
}

// The device that is `hops` further along the ring.
uint32_t Along(const RingSpec& s, uint32_t device, uint32_t hops) {
  const uint64_t n = s.devices;
  const uint64_t steps = s.direction > 0 ? hops % n : n - hops % n;
  return static_cast<uint32_t>((device + steps) % n);
}

// Bytes of a chunk's tiles, clipped to the matrix.
uint64_t ChunkBytes(const RingSpec& s, uint32_t chunk) {
  const Grid grid = GridOf(s);
  const uint64_t tiles = TileCount(s);
  const uint32_t first = static_cast<uint32_t>(chunk * tiles / s.devices);
  const uint32_t last = static_cast<uint32_t>((uint64_t{chunk} + 1) * tiles / s.devices);
  uint64_t elements = 0;
  for (uint32_t t = first; t < last; ++t) {
    const uint32_t x = s.column_major ? t / grid.y : t % grid.x;
    const uint32_t y = s.column_major ? t % grid.y : t / grid.x;
    elements += uint64_t{std::min(s.tile_n, s.payload.n - x * s.tile_n)} *
                std::min(s.tile_m, s.payload.m - y * s.tile_m);
  }
  return elements * ElementBytes(s.payload.format);
}

uint32_t Load(Format f, const uint8_t* row, uint32_t i) {
  uint32_t value = 0;
  std::memcpy(&value, row + size_t{i} * ElementBytes(f), ElementBytes(f));
  return value;
}

void Fill(Format f, uint32_t value, uint32_t count, uint8_t* to) {
  for (uint32_t i = 0; i < count; ++i, to += ElementBytes(f)) {
    std::memcpy(to, &value, ElementBytes(f));
  }
}

// What comparing a block of consecutive rows found.
struct Findings {
  uint64_t wrong = 0;
  std::string first;
  uLong crc = crc32(0, nullptr, 0);
  uint64_t crc_bytes = 0;
};

// Checks one row after the other; each thread has one.
class RowChecker {
 public:
  RowChecker(const RingSpec& spec, uint32_t kernel, const RowReader& row_of)
      : spec_(spec),
        kernel_(kernel),
        row_of_(row_of),
        format_(spec.payload.format),
        element_(ElementBytes(format_)),
        payload_(spec.payload),
        grid_(GridOf(spec)),
        same_everywhere_(spec.all_gather || spec.devices == 1) {
    const size_t bytes = size_t{spec.payload.n} * element_;
    expected_.assign(same_everywhere_ ? 1 : spec.devices, std::vector<uint8_t>(bytes));
    produced_.resize(bytes);
    owned_.resize(bytes);
    wrong_.resize(spec.payload.n);
  }

  void Check(uint32_t row, Findings* findings) {
    SplitIntoRuns(row);
    for (const Run& run : runs_) Expect(row, run);
    bool all_equal = true;
    for (uint32_t d = 0; d < spec_.devices; ++d) {
      const uint8_t* found = row_of_(d, row);
      for (const Run& run : runs_) {
        if (run.chunk == d) std::memcpy(At(&owned_, run), found + Offset(run), Bytes(run));
      }
      all_equal &= std::memcmp(found, Expected(d).data(), owned_.size()) == 0;
    }
    if (!all_equal) Describe(row, findings);
    findings->crc = crc32_z(findings->crc, owned_.data(), owned_.size());
    findings->crc_bytes += owned_.size();
  }

 private:
  // Columns of a row that belong to one chunk.
  struct Run {
    uint32_t col, cols, chunk;
  };

  size_t Offset(const Run& run) const { return size_t{run.col} * element_; }
  size_t Bytes(const Run& run) const { return size_t{run.cols} * element_; }
  uint8_t* At(std::vector<uint8_t>* row, const Run& run) const { return row->data() + Offset(run); }
  std::vector<uint8_t>& Expected(uint32_t device) {
    return expected_[same_everywhere_ ? 0 : device];
  }

  void SplitIntoRuns(uint32_t row) {
    runs_.clear();
    const uint32_t y = row / spec_.tile_m;
    for (uint32_t x = 0; x < grid_.x; ++x) {
      const uint32_t tile = spec_.column_major ? x * grid_.y + y : y * grid_.x + x;
      const uint32_t chunk = ChunkOfTile(spec_, tile);
      const uint32_t col = x * spec_.tile_n;
      const uint32_t cols = std::min(spec_.tile_n, spec_.payload.n - col);
      if (!runs_.empty() && runs_.back().chunk == chunk) {
        runs_.back().cols += cols;
      } else {
        runs_.push_back({col, cols, chunk});
      }
    }
  }

  // Follows the run's partial sums around the ring, from the chunk's first
  // device (phase 1) to its owner (phase N).
  void Expect(uint32_t row, const Run& run) {
    if (spec_.devices == 1) {  // plain stores
      payload_.Row(0, kernel_, row, run.col, run.cols, At(&expected_[0], run));
      return;
    }
    uint8_t* sum = At(&Expected(run.chunk), run);
    Fill(format_, MinusZero(format_), run.cols, sum);
    for (uint32_t phase = 1; phase <= spec_.devices; ++phase) {
      const uint32_t device = Along(spec_, run.chunk, phase);
      // The device of phase 1 sends its contribution away: its own buffer stays -0.
      if (phase == 1 && !same_everywhere_) {
        Fill(format_, MinusZero(format_), run.cols, At(&Expected(device), run));
      }
      payload_.Row(device, kernel_, row, run.col, run.cols, produced_.data());
      AddInto(format_, produced_.data(), run.cols, sum);
      if (phase > 1 && phase < spec_.devices && !same_everywhere_) {
        std::memcpy(At(&Expected(device), run), sum, Bytes(run));
      }
    }
  }

  // Counts the wrong columns of a row, and words the first one, on its lowest device.
  void Describe(uint32_t row, Findings* findings) {
    const uint32_t n = spec_.payload.n;
    std::fill(wrong_.begin(), wrong_.end(), 0);
    uint32_t first_col = n, first_device = 0, first_found = 0;
    for (uint32_t d = 0; d < spec_.devices; ++d) {
      const uint8_t* found = row_of_(d, row);
      const uint8_t* expected = Expected(d).data();
      for (uint32_t col = 0; col < n; ++col) {
        const uint32_t value = Load(format_, found, col);
        if (value == Load(format_, expected, col)) continue;
        wrong_[col] = 1;
        if (col < first_col) {
          first_col = col;
          first_device = d;
          first_found = value;
        }
      }
    }
    findings->wrong += static_cast<uint64_t>(std::count(wrong_.begin(), wrong_.end(), 1));
    if (!findings->first.empty() || first_col == n) return;
    const int digits = static_cast<int>(2 * element_);
    findings->first =
        fmt::format("kernel {}, device {}, row {}, column {}: found {:0{}x}, expected {:0{}x}",
                    kernel_, first_device, row, first_col, first_found, digits,
                    Load(format_, Expected(first_device).data(), first_col), digits);
  }

  const RingSpec& spec_;
  const uint32_t kernel_;
  const RowReader& row_of_;
  const Format format_;
  const uint32_t element_;
  const Payload payload_;
  const Grid grid_;
  const bool same_everywhere_;
  std::vector<Run> runs_;                       // of the row at hand
  std::vector<std::vector<uint8_t>> expected_;  // the row per device, or one for all
  std::vector<uint8_t> produced_;               // one device's contribution to a run
  std::vector<uint8_t> owned_;                  // the row as its owners hold it
  std::vector<uint8_t> wrong_;                  // per column: 1 when a device is wrong
};

}  // namespace

uint32_t TileCount(const RingSpec& spec) {
  const Grid grid = GridOf(spec);
  return grid.x * grid.y;
}

uint32_t ChunkOfTile(const RingSpec& spec, uint32_t tile) {
  // The largest c with floor(c * T / C) <= tile, that is c * T < (tile + 1) * C.
  const uint64_t bound = (uint64_t{tile} + 1) * spec.devices;
  return static_cast<uint32_t>((bound - 1) / TileCount(spec));
}

Oracle TrafficOracle(const RingSpec& spec, uint32_t device) {
  const uint64_t all =
      uint64_t{spec.payload.m} * spec.payload.n * ElementBytes(spec.payload.format);
  Oracle o{};
  if (spec.devices == 1) {
    o.gemm_write = all;
    return o;
  }
  const uint64_t own = ChunkBytes(spec, device);
  const uint64_t before = ChunkBytes(spec, Along(spec, device, spec.devices - 1));
  const uint64_t after = ChunkBytes(spec, Along(spec, device, 1));
  o.gemm_write = o.rs_write = all - before;
  o.rs_read = all - before - own;
  o.rs_link = all - own;
  if (spec.all_gather) {
    o.ag_read = o.ag_link = all - after;
    o.ag_write = all - own;
  }
  return o;
}

CheckResult Check(const RingSpec& spec, uint32_t kernel, const RowReader& row_of,
                  uint32_t threads) {
  const uint32_t rows = spec.payload.m;
  const uint32_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  std::vector<Findings> findings(blocks);
  std::atomic<uint32_t> next_block{0};
  const auto work = [&] {
    RowChecker checker(spec, kernel, row_of);
    for (uint32_t b = next_block++; b < blocks; b = next_block++) {
      const uint32_t last = std::min(rows, (b + 1) * kBlockRows);
      for (uint32_t row = b * kBlockRows; row < last; ++row) checker.Check(row, &findings[b]);
    }
  };
  std::vector<std::future<void>> others;
  for (uint32_t t = 1; t < std::min(threads, blocks); ++t) {
    others.push_back(std::async(std::launch::async, work));
  }
  work();
  for (auto& other : others) other.get();

  CheckResult result;
  result.checked = uint64_t{rows} * spec.payload.n;
  uLong crc = crc32(0, nullptr, 0);
  for (const Findings& block : findings) {
    result.wrong += block.wrong;
    if (result.first.empty()) result.first = block.first;
    crc = crc32_combine(crc, block.crc, static_cast<z_off_t>(block.crc_bytes));
  }
  result.crc32 = static_cast<uint32_t>(crc);
  return result;
}

}  // namespace t3::golden
