// The functions of sim/system/run.h that the command line calls, so that tests
// can put others in their place.
#pragma once

#include <functional>

#include "sim/system/run.h"

namespace t3::sim {

struct Simulator {
  std::function<std::optional<RtlLimits>(const std::string&)> find_rtl_config;
  std::function<std::vector<std::string>()> rtl_config_names;
  std::function<uint64_t(const RunRequest&)> estimate_memory_bytes;
  std::function<RunResult(const RunRequest&, const ProgressSink&, const std::atomic<bool>&)> run;
};

}  // namespace t3::sim
