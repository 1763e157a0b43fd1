#include "sim/system/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "t3_rtl_configs.h"

namespace t3::sim {
namespace {

constexpr uint64_t kRegionAlign = 4096;

uint64_t AlignUp(uint64_t value) {
  return (value + kRegionAlign - 1) / kRegionAlign * kRegionAlign;
}

// Hands out regions one after the other, with a gap between them.
class Allocator {
 public:
  uint64_t Take(unsigned __int128 bytes) {
    const uint64_t base = next_;
    if (bytes > kAddressSpace ||
        base + static_cast<uint64_t>(bytes) > kAddressSpace - 2 * kRegionAlign) {
      throw std::invalid_argument(
          fmt::format("output buffers, tracker words and the matrices A and B do not fit into the "
                      "address space of {} bytes",
                      kAddressSpace));
    }
    next_ = AlignUp(base + static_cast<uint64_t>(bytes)) + kRegionAlign;
    return base;
  }
  uint64_t next() const { return next_; }

 private:
  uint64_t next_ = uint64_t{1} << 20;
};

}  // namespace

Layout MakeLayout(const RunRequest& request, const RtlConfig& rtl) {
  const SystemConfig& system = request.system;
  const uint64_t element = golden::ElementBytes(request.format);
  Layout layout;
  layout.grid_x = (request.n + system.tile_n - 1) / system.tile_n;
  layout.grid_y = (request.m + system.tile_m - 1) / system.tile_m;
  layout.tiles = layout.grid_x * layout.grid_y;
  layout.subtiles = uint64_t{layout.tiles} * system.wavefronts_per_workgroup;
  layout.row_bytes = request.n * element;
  layout.pitch_bytes = (uint64_t{request.n} + system.pitch_padding) * element;
  layout.buffer_bytes = (request.m - 1) * layout.pitch_bytes + layout.row_bytes;
  layout.buffers = std::min<uint32_t>(request.repeat, 2);

  Allocator allocator;
  // Stress shifts the buffers by some elements, so that rows are cut by lines.
  const uint64_t shift = request.stress ? *request.stress % (rtl.LineBytes / element) * element : 0;
  for (uint32_t b = 0; b < layout.buffers; ++b) {
    layout.buffer_base[b] = allocator.Take(layout.buffer_bytes + rtl.LineBytes) + shift;
  }
  layout.words_base = allocator.next();
  for (uint32_t c = 0; c < 2 * layout.buffers; ++c) {
    layout.count_base[c] = allocator.Take(8 * layout.subtiles);
    layout.ring_base[c] = allocator.Take(8 * layout.subtiles);
  }
  layout.words_end = allocator.next();
  using Wide = unsigned __int128;
  layout.a_base = allocator.Take(Wide{request.m} * request.k * element + rtl.LineBytes);
  layout.b_base = allocator.Take(Wide{request.n} * request.k * element + rtl.LineBytes);
  layout.end = allocator.next();
  return layout;
}

golden::RingSpec MakeRingSpec(const RunRequest& request) {
  golden::RingSpec spec;
  spec.payload = {request.data, request.format, request.seed, request.m, request.n, request.k};
  spec.devices = request.devices;
  spec.direction = request.direction == Direction::kUp ? 1 : -1;
  spec.tile_m = request.system.tile_m;
  spec.tile_n = request.system.tile_n;
  spec.column_major = request.system.column_major;
  spec.all_gather = request.collective == Collective::kAllReduce;
  return spec;
}

uint64_t LinkLatencyCycles(const SystemConfig& system) {
  // Products like 500 * 1.4 are whole numbers that doubles miss by a little.
  const double cycles = system.link_latency_ns * system.clock_ghz;
  const double nearest = std::round(cycles);
  const double whole = std::abs(cycles - nearest) < 1e-9 * nearest ? nearest : std::ceil(cycles);
  return std::max<uint64_t>(1, static_cast<uint64_t>(whole));
}

uint64_t KiloPerSecond(double giga) {
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(giga * 1e6)));
}

uint32_t Successor(const RunRequest& request, uint32_t d) {
  const uint32_t n = request.devices;
  return (request.direction == Direction::kUp ? d + 1 : d + n - 1) % n;
}

uint32_t Predecessor(const RunRequest& request, uint32_t d) {
  const uint32_t n = request.devices;
  return (request.direction == Direction::kUp ? d + n - 1 : d + 1) % n;
}

std::vector<uint32_t> ChunkOrder(const RunRequest& request, uint32_t d) {
  std::vector<uint32_t> order;
  for (uint32_t phase = 1, chunk = d; phase <= request.devices; ++phase) {
    chunk = Predecessor(request, chunk);
    order.push_back(chunk);
  }
  return order;
}

uint64_t SubtileElements(const RunRequest& request, const Layout& layout, uint64_t subtile) {
  const SystemConfig& system = request.system;
  const uint64_t tile = subtile / system.wavefronts_per_workgroup;
  const uint64_t wavefront = subtile % system.wavefronts_per_workgroup;
  const uint64_t x = system.column_major ? tile / layout.grid_y : tile % layout.grid_x;
  const uint64_t y = system.column_major ? tile % layout.grid_y : tile / layout.grid_x;
  const uint64_t band = system.tile_m / system.wavefronts_per_workgroup;
  const uint64_t row = y * system.tile_m + wavefront * band;
  if (row >= request.m) return 0;
  const uint64_t rows = std::min<uint64_t>(band, request.m - row);
  const uint64_t cols = std::min<uint64_t>(system.tile_n, request.n - x * system.tile_n);
  return rows * cols;
}

uint64_t ExpectedTriggers(const RunRequest& request, const Layout& layout, uint32_t d) {
  if (request.devices == 1) return 0;
  const golden::RingSpec spec = MakeRingSpec(request);
  const uint32_t before = Predecessor(request, d), after = Successor(request, d);
  uint64_t triggers = 0;
  for (uint64_t subtile = 0; subtile < layout.subtiles; ++subtile) {
    if (SubtileElements(request, layout, subtile) == 0) continue;
    const uint32_t tile = static_cast<uint32_t>(subtile / request.system.wavefronts_per_workgroup);
    const uint32_t chunk = golden::ChunkOfTile(spec, tile);
    // Reduce-scatter: all but the chunk of phase 1 and the own one. All-gather:
    // all but the own one and the one whose last receiver this device is.
    triggers += chunk != before && chunk != d;
    if (spec.all_gather) triggers += chunk != d && chunk != after;
  }
  return triggers;
}

}  // namespace t3::sim
