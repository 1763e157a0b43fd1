#include "sw/golden/ring.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include <fmt/format.h>

namespace t3::golden {
namespace {

struct Grid {
  uint32_t x, y;
};

Grid GridOf(const RingSpec& s) {
  return {(s.payload.n + s.tile_n - 1) / s.tile_n, (s.payload.m + s.tile_m - 1) / s.tile_m};
}

uint32_t TileAt(const RingSpec& s, const Grid& grid, uint32_t x, uint32_t y) {
  return s.column_major ? x * grid.y + y : y * grid.x + x;
}

uint32_t Load(Format f, const uint8_t* row, uint32_t i) {
  if (f == Format::kFp32) {
    uint32_t v;
    std::memcpy(&v, row + size_t{i} * 4, 4);
    return v;
  }
  uint16_t v;
  std::memcpy(&v, row + size_t{i} * 2, 2);
  return v;
}

// What the rows [first, last) of all devices must hold, compared.
struct Slice {
  uint64_t wrong = 0;
  std::string first;
  uLong crc = crc32(0, nullptr, 0);
  uint64_t bytes = 0;
};

class RowChecker {
 public:
  RowChecker(const RingSpec& spec, uint32_t kernel, const RowReader& row_of)
      : spec_(spec), kernel_(kernel), row_of_(row_of), payload_(spec.payload), grid_(GridOf(spec)) {
    const size_t bytes = size_t{spec.payload.n} * ElementBytes(spec.payload.format);
    produced_.resize(spec.devices);
    for (auto& row : produced_) row.resize(bytes);
    final_.resize(bytes);
    partial_.resize(spec.tile_n);
    bad_.resize(spec.payload.n);
  }

  void Check(uint32_t row, Slice* slice) {
    const uint32_t n = spec_.payload.n, devices = spec_.devices;
    for (uint32_t d = 0; d < devices; ++d) {
      payload_.Row(d, kernel_, row, 0, n, produced_[d].data());
    }
    std::fill(bad_.begin(), bad_.end(), 0);
    const uint32_t y = row / spec_.tile_m;
    for (uint32_t x = 0; x < grid_.x; ++x) {
      const uint32_t col = x * spec_.tile_n;
      const uint32_t cols = std::min(spec_.tile_n, n - col);
      CheckPiece(row, col, cols, ChunkOfTile(spec_, TileAt(spec_, grid_, x, y)), slice);
    }
    slice->wrong += static_cast<uint64_t>(std::count(bad_.begin(), bad_.end(), 1));
    slice->crc = crc32(slice->crc, final_.data(), static_cast<uInt>(final_.size()));
    slice->bytes += final_.size();
  }

 private:
  void CheckPiece(uint32_t row, uint32_t col, uint32_t cols, uint32_t chunk, Slice* slice) {
    const Format f = spec_.payload.format;
    const uint32_t es = ElementBytes(f), devices = spec_.devices;
    if (devices == 1) {  // plain stores keep their bits
      for (uint32_t i = 0; i < cols; ++i) partial_[i] = Load(f, produced_[0].data(), col + i);
      Compare(0, row, col, cols, slice);
    } else {
      for (uint32_t i = 0; i < cols; ++i) partial_[i] = MinusZero(f);
      for (uint32_t phase = 1; phase <= devices; ++phase) {
        const int step = static_cast<int>(phase) * spec_.direction;
        const int size = static_cast<int>(devices);
        const uint32_t d =
            static_cast<uint32_t>(((static_cast<int>(chunk) + step) % size + size) % size);
        // The first device keeps nothing of the chunk: its buffer stays -0.
        if (phase == 1 && !spec_.all_gather) Compare(d, row, col, cols, slice);
        for (uint32_t i = 0; i < cols; ++i) {
          partial_[i] = Add(f, partial_[i], Load(f, produced_[d].data(), col + i));
        }
        if (phase > 1 && !spec_.all_gather) Compare(d, row, col, cols, slice);
      }
      if (spec_.all_gather) {
        for (uint32_t d = 0; d < devices; ++d) Compare(d, row, col, cols, slice);
      }
    }
    // The CRC is taken over what the owner's memory holds.
    std::memcpy(final_.data() + size_t{col} * es,
                row_of_(devices == 1 ? 0 : chunk, row) + size_t{col} * es, size_t{cols} * es);
  }

  void Compare(uint32_t device, uint32_t row, uint32_t col, uint32_t cols, Slice* slice) {
    const Format f = spec_.payload.format;
    const uint8_t* found = row_of_(device, row);
    for (uint32_t i = 0; i < cols; ++i) {
      const uint32_t value = Load(f, found, col + i);
      if (value == partial_[i]) continue;
      bad_[col + i] = 1;
      if (slice->first.empty()) {
        const int digits = f == Format::kFp32 ? 8 : 4;
        slice->first = fmt::format(
            "kernel {}, device {}, row {}, column {}: found {:0{}x}, expected {:0{}x}", kernel_,
            device, row, col + i, value, digits, partial_[i], digits);
      }
    }
  }

  const RingSpec& spec_;
  const uint32_t kernel_;
  const RowReader& row_of_;
  const Payload payload_;
  const Grid grid_;
  std::vector<std::vector<uint8_t>> produced_;  // the row, per device
  std::vector<uint8_t> final_;
  std::vector<uint32_t> partial_;
  std::vector<uint8_t> bad_;  // per column: some device is wrong
};

uint64_t ChunkBytes(const RingSpec& s, uint32_t chunk) {
  const Grid grid = GridOf(s);
  uint64_t elements = 0;
  const uint64_t tiles = TileCount(s);
  const uint32_t first = static_cast<uint32_t>(chunk * tiles / s.devices);
  const uint32_t last = static_cast<uint32_t>((chunk + 1) * tiles / s.devices);
  for (uint32_t t = first; t < last; ++t) {
    const uint32_t x = s.column_major ? t / grid.y : t % grid.x;
    const uint32_t y = s.column_major ? t % grid.y : t / grid.x;
    elements += uint64_t{std::min(s.tile_n, s.payload.n - x * s.tile_n)} *
                std::min(s.tile_m, s.payload.m - y * s.tile_m);
  }
  return elements * ElementBytes(s.payload.format);
}

}  // namespace

uint32_t TileCount(const RingSpec& spec) {
  const Grid grid = GridOf(spec);
  return grid.x * grid.y;
}

uint32_t ChunkOfTile(const RingSpec& spec, uint32_t tile) {
  // The largest c with floor(c * T / C) <= tile.
  const uint64_t tiles = TileCount(spec);
  return static_cast<uint32_t>(((uint64_t{tile} + 1) * spec.devices - 1) / tiles);
}

Oracle TrafficOracle(const RingSpec& spec, uint32_t device) {
  const uint64_t all =
      uint64_t{spec.payload.m} * spec.payload.n * ElementBytes(spec.payload.format);
  Oracle o{};
  if (spec.devices == 1) {
    o.gemm_write = all;
    return o;
  }
  const uint32_t n = spec.devices;
  const uint32_t before = (device + n - static_cast<uint32_t>(spec.direction + static_cast<int>(n)) % n) % n;
  const uint32_t after = (device + static_cast<uint32_t>(spec.direction + static_cast<int>(n)) % n) % n;
  const uint64_t own = ChunkBytes(spec, device);
  o.gemm_write = o.rs_write = all - ChunkBytes(spec, before);
  o.rs_read = all - ChunkBytes(spec, before) - own;
  o.rs_link = all - own;
  if (spec.all_gather) {
    o.ag_read = o.ag_link = all - ChunkBytes(spec, after);
    o.ag_write = all - own;
  }
  return o;
}

CheckResult Check(const RingSpec& spec, uint32_t kernel, const RowReader& row_of,
                  uint32_t threads) {
  const uint32_t rows = spec.payload.m;
  threads = std::max(1u, std::min(threads, rows));
  std::vector<Slice> slices(threads);
  const auto work = [&](uint32_t t) {
    RowChecker checker(spec, kernel, row_of);
    const uint32_t last = static_cast<uint32_t>(uint64_t{t + 1} * rows / threads);
    for (uint32_t r = static_cast<uint32_t>(uint64_t{t} * rows / threads); r < last; ++r) {
      checker.Check(r, &slices[t]);
    }
  };
  std::vector<std::thread> pool;
  for (uint32_t t = 1; t < threads; ++t) pool.emplace_back(work, t);
  work(0);
  for (auto& thread : pool) thread.join();

  CheckResult result;
  result.checked = uint64_t{rows} * spec.payload.n;
  uLong crc = crc32(0, nullptr, 0);
  for (const Slice& slice : slices) {
    result.wrong += slice.wrong;
    if (result.first.empty()) result.first = slice.first;
    crc = crc32_combine(crc, slice.crc, static_cast<z_off_t>(slice.bytes));
  }
  result.crc32 = static_cast<uint32_t>(crc);
  return result;
}

}  // namespace t3::golden
