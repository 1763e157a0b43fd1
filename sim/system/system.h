// All devices and the fabric between them: simulates in windows of one link
// latency, in which no device can hear of what another one does.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/system/device.h"
#include "sim/system/layout.h"
#include "sim/system/run.h"
#include "sim/system/scoreboard.h"

namespace t3::sim {

class System {
 public:
  System(const RunRequest& request, const RtlConfig& rtl, const Layout& layout,
         const golden::Payload* payload, Scoreboard* scoreboard);

  // Until all hosts are done, or something fails, nothing moves, or `stop` is set.
  // The result does not depend on the number of threads.
  void Run(const ProgressSink& progress, const std::atomic<bool>& stop);

  Outcome outcome() const { return outcome_; }  // kPass: all hosts are done
  const std::string& first_fault() const { return first_fault_; }
  uint64_t cycle_zero() const { return cycle_zero_; }
  bool started() const { return started_; }
  uint64_t cycle() const { return window_end_; }
  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }

 private:
  // Everything between two windows; true: go on.
  bool BetweenWindows(const ProgressSink& progress, const std::atomic<bool>& stop);
  void Deliver();
  void OpenGateWhenReady();
  bool Stuck() const;
  void DescribeStuck();
  void Report(const ProgressSink& progress);

  const RunRequest& request_;
  Scoreboard* scoreboard_;
  std::vector<std::unique_ptr<Device>> devices_;
  const uint64_t window_;
  uint64_t window_end_;
  uint64_t cycle_zero_ = 0;
  bool started_ = false;
  uint32_t stuck_windows_ = 0;
  Outcome outcome_ = Outcome::kPass;
  std::string first_fault_;
  double write_bytes_ = 0;  // of all devices in the whole run, for the progress
  uint64_t reported_ms_ = 0;
};

}  // namespace t3::sim
