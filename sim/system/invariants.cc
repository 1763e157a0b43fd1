#include "sim/system/invariants.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace t3::sim {
namespace {

uint64_t Bytes(const uint64_t (&counts)[kContexts], uint32_t collective) {
  return counts[collective] + counts[collective + 2];
}

std::string Traffic(const RunRequest& request, const Device& device, uint32_t number) {
  const golden::Oracle oracle = golden::TrafficOracle(MakeRingSpec(request), number);
  const DeviceCounters& counters = device.counters();
  const auto& dram = counters.dram_bytes;
  const uint64_t fill = request.devices > 1
                            ? uint64_t{request.m} * request.n * golden::ElementBytes(request.format)
                            : 0;
  const struct {
    const char* name;
    uint64_t found, expected;
  } rows[] = {
      {"gemm_write", Bytes(dram[tb::kClsGemmStore], 0), oracle.gemm_write},
      {"rs_read", Bytes(dram[tb::kClsDmaRead], 0), oracle.rs_read},
      {"rs_write", Bytes(dram[tb::kClsIncoming], 0), oracle.rs_write},
      {"ag_read", Bytes(dram[tb::kClsDmaRead], 1), oracle.ag_read},
      {"ag_write", Bytes(dram[tb::kClsIncoming], 1), oracle.ag_write},
      {"clear_write", Bytes(dram[tb::kClsFill], 0) + Bytes(dram[tb::kClsFill], 1), fill},
      {"reduce-scatter link bytes", Bytes(counters.link_bytes, 0), oracle.rs_link},
      {"all-gather link bytes", Bytes(counters.link_bytes, 1), oracle.ag_link},
  };
  for (const auto& row : rows) {
    if (row.found != row.expected * request.repeat) {
      return fmt::format("device {}: {} is {}, the traffic oracle says {}", number, row.name,
                         row.found, row.expected * request.repeat);
    }
  }
  return "";
}

// The bytes between two rows belong to nobody.
std::string Padding(const RunRequest& request, const Layout& layout, const Device& device,
                    uint32_t number) {
  const uint64_t padding = layout.pitch_bytes - layout.row_bytes;
  if (padding == 0) return "";
  std::vector<uint8_t> bytes(padding);
  for (uint32_t b = 0; b < layout.buffers; ++b) {
    for (uint32_t row = 0; row + 1 < request.m; ++row) {
      const uint64_t at = layout.buffer_base[b] + row * layout.pitch_bytes + layout.row_bytes;
      device.memory().Copy(at, padding, bytes.data());
      if (std::any_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != 0; })) {
        return fmt::format("device {}: the padding behind row {} was written", number, row);
      }
    }
  }
  return "";
}

}  // namespace

std::string BrokenInvariant(const RunRequest& request, const Layout& layout, const System& system) {
  uint64_t sent = 0, received = 0;
  for (uint32_t d = 0; d < request.devices; ++d) {
    const Device& device = *system.devices()[d];
    sent += device.counters().packets_sent;
    received += device.counters().packets_received;
    std::string broken = Traffic(request, device, d);
    if (broken.empty()) broken = Padding(request, layout, device, d);
    if (!broken.empty()) return broken;
    const uint64_t triggers = ExpectedTriggers(request, layout, d) * request.repeat;
    if (device.program().triggers() != triggers) {
      return fmt::format("device {}: {} subtiles were triggered, {} have an action", d,
                         device.program().triggers(), triggers);
    }
  }
  if (sent != received) return fmt::format("{} packets were sent, {} arrived", sent, received);
  return "";
}

}  // namespace t3::sim
