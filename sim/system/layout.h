// Where everything of one device's memory is, equal on all devices, and the
// numbers that follow from a request.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/run.h"
#include "sw/golden/ring.h"

namespace t3 {
struct RtlConfig;
}

namespace t3::sim {

constexpr uint32_t kContexts = 4;  // two buffers with a reduce-scatter and an all-gather each
constexpr uint64_t kAddressSpace = uint64_t{1} << 40;

struct Layout {
  uint32_t buffers = 1;  // output buffers: 2 where kernels follow each other
  uint64_t buffer_base[2] = {};
  uint64_t buffer_bytes = 0;  // from the first element to the end of the last row
  uint64_t row_bytes = 0, pitch_bytes = 0;
  uint64_t words_base = 0, words_end = 0;  // count words and ready rings
  uint64_t count_base[kContexts] = {}, ring_base[kContexts] = {};
  uint64_t a_base = 0, b_base = 0;  // the GEMM's inputs; only requested, never touched
  uint64_t end = 0;

  uint32_t grid_x = 0, grid_y = 0, tiles = 0;
  uint64_t subtiles = 0;  // tiles * wavefronts

  bool InBuffer(uint32_t buffer, uint64_t line, uint32_t line_bytes) const {
    return line + line_bytes > buffer_base[buffer] && line < buffer_base[buffer] + buffer_bytes;
  }
};

// Throws std::invalid_argument where the address space is too small.
Layout MakeLayout(const RunRequest& request, const RtlConfig& rtl);

// The golden model's view of the request.
golden::RingSpec MakeRingSpec(const RunRequest& request);

// Latency of the links in cycles, at least 1: the length of a window.
uint64_t LinkLatencyCycles(const SystemConfig& system);

// A frequency or a bandwidth given in 10^9 per second, as an integer in 10^3 per
// second, at least 1: the grain that keeps exact fractions of time within 64 bits.
uint64_t KiloPerSecond(double giga);

// Neighbours of device d.
uint32_t Successor(const RunRequest& request, uint32_t d);
uint32_t Predecessor(const RunRequest& request, uint32_t d);

// Chunks in the order in which device d issues their workgroups.
std::vector<uint32_t> ChunkOrder(const RunRequest& request, uint32_t d);

// Elements of one subtile, from its linear index; 0 where it lies outside.
uint64_t SubtileElements(const RunRequest& request, const Layout& layout, uint64_t subtile);

// Subtiles that complete with an action (are sent on) on device d, per kernel.
uint64_t ExpectedTriggers(const RunRequest& request, const Layout& layout, uint32_t d);

}  // namespace t3::sim
