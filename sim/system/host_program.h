// What runs on the host of one device: configures, fills, grants, launches the
// kernels, starts the all-gathers, releases the buffers. Uses the driver only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dram/memory.h"
#include "sim/gpu/gemm_producer.h"
#include "sim/system/host_port.h"
#include "sim/system/layout.h"
#include "sim/system/run.h"
#include "sim/system/scoreboard.h"
#include "sw/driver/t3.h"

namespace t3::sim {

// What the host reaches.
struct HostEnvironment {
  const RunRequest* request = nullptr;
  const Layout* layout = nullptr;
  uint32_t device = 0;
  HostPort* port = nullptr;
  GemmProducer* gemm = nullptr;
  Memory* memory = nullptr;
  Scoreboard* scoreboard = nullptr;
  const uint64_t* interrupt_cycle = nullptr;  // when the interrupt last rose
  uint32_t tracker_entries = 0;               // per bank, for the diagnosis
};

class HostProgram {
 public:
  explicit HostProgram(const HostEnvironment& environment);

  // The thread's body. Never throws: what goes wrong is fault().
  void Run();

  // ---- For the system, while the host waits.
  // All contexts of kernel 0 are live and granted: the host waits for the cycle
  // in which it launches.
  bool at_gate() const { return at_gate_; }
  // The next time the host is resumed it describes what the device waits for.
  void RequestDiagnosis() { diagnose_ = true; }
  bool done() const { return done_; }

  const std::string& fault() const { return fault_; }  // empty: none
  uint64_t fault_cycle() const { return fault_cycle_; }
  const std::string& diagnosis() const { return diagnosis_; }

  // Cycles in which the last reduce-scatter and the last collective ended.
  uint64_t reduced_cycle() const { return reduced_cycle_; }
  uint64_t end_cycle() const { return end_cycle_; }
  uint64_t triggers() const { return triggers_; }
  uint64_t spills() const { return spills_; }
  uint64_t peak() const { return peak_; }
  uint64_t counted_elements() const { return counted_elements_; }

 private:
  void Main();
  void Open();
  void Configure();
  bool CanLaunch();
  void Launch();
  void HandleInterrupt();
  void ContextDone(uint32_t ctx);
  void Release();
  void Finish();

  void Diagnose();
  std::string DescribeContext(uint32_t ctx);
  std::string DescribeSubtile(uint32_t ctx);
  std::string DescribeError();

  // Throws where a call of the driver failed.
  int Expect(int result, const char* call);

  bool AllGather() const { return env_.request->collective == Collective::kAllReduce; }
  uint32_t Mask(uint32_t kernel) const { return (AllGather() ? 3u : 1u) << (2 * (kernel % 2)); }
  uint64_t Epoch(uint32_t kernel) const { return kernel / 2 + 1; }

  const HostEnvironment env_;
  t3_device driver_{};
  t3_ring ring_{};
  uint32_t configured_ = 0, launched_ = 0, released_ = 0;
  uint32_t filled_ = 0;  // kernels whose buffer is filled, or needs no fill
  uint32_t done_mask_ = 0;
  bool at_gate_ = false, diagnose_ = false, done_ = false;
  std::string fault_, diagnosis_;
  uint64_t fault_cycle_ = 0;
  uint64_t reduced_cycle_ = 0, end_cycle_ = 0;
  uint64_t triggers_ = 0, spills_ = 0, peak_ = 0, counted_elements_ = 0;
};

}  // namespace t3::sim
