#include "sim/system/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "sim/system/invariants.h"
#include "sim/system/layout.h"
#include "sim/system/scoreboard.h"
#include "sim/system/system.h"
#include "t3_rtl_configs.h"
#include "tb/harness/rtl_device.h"

namespace t3::sim {
namespace {

DramBytes& operator+=(DramBytes& sum, const DramBytes& term) {
  for (auto field :
       {&DramBytes::gemm_read, &DramBytes::gemm_write, &DramBytes::rs_read, &DramBytes::rs_write,
        &DramBytes::ag_read, &DramBytes::ag_write, &DramBytes::clear_write,
        &DramBytes::tracker_read, &DramBytes::tracker_write}) {
    if (term.*field) sum.*field = (sum.*field).value_or(0) + *(term.*field);
  }
  return sum;
}

uint64_t SumOf(const uint64_t (&counts)[kContexts], uint32_t first, uint32_t step) {
  uint64_t sum = 0;
  for (uint32_t ctx = first; ctx < kContexts; ctx += step) sum += counts[ctx];
  return sum;
}

DeviceResult ResultOf(const RunRequest& request, const Device& device, uint32_t number,
                      uint64_t cycle_zero) {
  const auto& dram = device.counters().dram_bytes;
  const HostProgram& program = device.program();
  DeviceResult result;
  result.device = number;
  result.cycles = program.end_cycle() > cycle_zero ? program.end_cycle() - cycle_zero : 0;
  DramBytes& bytes = result.dram_bytes;
  bytes.gemm_read = SumOf(dram[tb::kClsGemmRead], 0, 1);
  bytes.gemm_write = SumOf(dram[tb::kClsGemmStore], 0, 1);
  bytes.rs_read = SumOf(dram[tb::kClsDmaRead], 0, 2);
  bytes.rs_write = SumOf(dram[tb::kClsIncoming], 0, 2);
  if (request.collective == Collective::kAllReduce) {
    bytes.ag_read = SumOf(dram[tb::kClsDmaRead], 1, 2);
    bytes.ag_write = SumOf(dram[tb::kClsIncoming], 1, 2);
  }
  bytes.clear_write = SumOf(dram[tb::kClsFill], 0, 1);
  bytes.tracker_read = SumOf(dram[tb::kClsTrackRead], 0, 1);
  bytes.tracker_write = SumOf(dram[tb::kClsTrackWrite], 0, 1);
  result.link_bytes = SumOf(device.counters().link_bytes, 0, 1);
  result.tracker = {program.peak(), program.spills(), program.triggers()};
  return result;
}

// Times from the cycles in which the last GEMM, reduce-scatter and collective ended.
void FillTimes(const RunRequest& request, const System& system, RunResult* result) {
  const uint64_t zero = system.cycle_zero();
  uint64_t gemm = zero, reduced = zero, end = zero;
  for (const auto& device : system.devices()) {
    if (device->gemm().KernelsStored() >= request.repeat) {
      gemm = std::max(gemm, device->gemm().StoredCycle(request.repeat - 1));
    }
    reduced = std::max(reduced, device->program().reduced_cycle());
    end = std::max(end, device->program().end_cycle());
  }
  reduced = std::max(gemm, reduced);
  end = std::max(reduced, end);
  const double per_us = request.system.clock_ghz * 1000;
  result->cycles = end - zero;
  result->gemm_us = static_cast<double>(gemm - zero) / per_us;
  result->rs_us = static_cast<double>(reduced - gemm) / per_us;
  if (request.collective == Collective::kAllReduce) {
    result->ag_us = static_cast<double>(end - reduced) / per_us;
  }
  result->time_us = static_cast<double>(end - zero) / per_us;
}

void FillTraffic(const RunRequest& request, const System& system, RunResult* result) {
  for (uint32_t d = 0; d < request.devices; ++d) {
    const DeviceResult device = ResultOf(request, *system.devices()[d], d, system.cycle_zero());
    result->dram_bytes += device.dram_bytes;
    result->link_bytes += device.link_bytes;
    result->tracker.peak = std::max(result->tracker.peak, device.tracker.peak);
    result->tracker.spills += device.tracker.spills;
    result->tracker.triggers += device.tracker.triggers;
    result->per_device.push_back(device);
  }
  const double capacity =
      request.system.link_bandwidth_gb_s * 1000 * request.devices * result->time_us;  // bytes
  if (request.devices > 1 && capacity > 0) {
    result->link_utilization = static_cast<double>(result->link_bytes) / capacity;
  }
}

void Verify(const RunRequest& request, const Layout& layout, const System& system,
            Scoreboard* scoreboard, RunResult* result) {
  if (request.repeat == 1) {
    std::vector<const Memory*> memories;
    for (const auto& device : system.devices()) memories.push_back(&device->memory());
    scoreboard->CheckInPlace(memories);
  }
  result->checked = scoreboard->checked();
  result->wrong = scoreboard->wrong();
  result->result_crc32 = scoreboard->crc32();
  result->first_fault = scoreboard->first();
  const std::string broken = BrokenInvariant(request, layout, system);
  if (result->first_fault.empty()) result->first_fault = broken;
  if (result->wrong > 0 || !broken.empty()) result->outcome = Outcome::kWrong;
}

const RtlConfig& RtlOf(const RunRequest& request) {
  const RtlConfig* rtl = tb::FindRtlParameters(request.rtl_config);
  if (rtl == nullptr) {
    throw std::invalid_argument(
        fmt::format("there is no RTL configuration '{}'", request.rtl_config));
  }
  return *rtl;
}

}  // namespace

std::optional<RtlLimits> FindRtlConfig(const std::string& name) {
  const RtlConfig* rtl = tb::FindRtlParameters(name);
  if (rtl == nullptr) return std::nullopt;
  RtlLimits limits;
  limits.name = name;
  limits.channels = rtl->NumChannels;
  limits.line_bytes = rtl->LineBytes;
  limits.link_lines = rtl->LinkLines;
  limits.links = rtl->Links;
  limits.credits = rtl->LinkCredits;
  limits.chunks = rtl->Chunks;
  limits.contexts = kContexts;
  return limits;
}

std::vector<std::string> RtlConfigNames() {
  std::vector<std::string> names;
  for (const RtlConfig& rtl : kRtlConfigs) names.push_back(rtl.name);
  return names;
}

uint64_t EstimateMemoryBytes(const RunRequest& request) {
  const RtlConfig& rtl = RtlOf(request);
  const Layout layout = MakeLayout(request, rtl);
  const uint64_t output = layout.buffer_bytes + Memory::kPageBytes;
  // Receive buffers of the RTL, its other state, packets under way, and the
  // table of the memory's pages.
  const uint64_t model = uint64_t{rtl.Links} * rtl.LinkLines * rtl.LinkCredits *
                             (rtl.LineBytes + 64 + 2 * sizeof(DataPacket)) +
                         (uint64_t{4} << 20) + layout.end / Memory::kPageBytes * sizeof(void*);
  const uint64_t words = 2 * layout.buffers * 2 * (8 * layout.subtiles + Memory::kPageBytes);
  // Copies of results wait for the slowest device, two kernels behind at most.
  const uint64_t copies = request.repeat > 1 ? 3 * request.m * layout.row_bytes : 0;
  return request.devices * (layout.buffers * output + words + model + copies) +
         (uint64_t{32} << 20);
}

RunResult Run(const RunRequest& request, const ProgressSink& progress,
              const std::atomic<bool>& stop) {
  const RtlConfig& rtl = RtlOf(request);
  const Layout layout = MakeLayout(request, rtl);
  const golden::Payload payload(MakeRingSpec(request).payload);
  Scoreboard scoreboard(request, layout);
  System system(request, rtl, layout, &payload, &scoreboard);
  system.Run(progress, stop);

  RunResult result;
  result.outcome = system.outcome();
  result.first_fault = system.first_fault();
  FillTimes(request, system, &result);
  FillTraffic(request, system, &result);
  const uint64_t simulated =
      system.started() ? system.cycle() - std::min(system.cycle(), system.cycle_zero()) : 0;
  result.device_cycles =
      request.devices * (result.outcome == Outcome::kPass ? result.cycles : simulated);
  if (result.outcome == Outcome::kPass) {
    Verify(request, layout, system, &scoreboard, &result);
  } else {
    result.checked = scoreboard.checked();
    result.wrong = scoreboard.wrong();
  }
  if (!request.trace.path.empty()) {
    result.trace_written = system.devices()[request.trace.device]->trace_written();
    result.trace_last_cycle = simulated;
  }
  return result;
}

}  // namespace t3::sim
