// What `t3sim run` was asked to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/keys.h"
#include "sim/cli/simulator.h"

namespace t3::sim {

enum class ProgressMode { kAuto, kOn, kOff };

struct RunOptions {
  bool help = false;  // nothing else counts then
  std::optional<std::string> model, layer;
  RunRequest request;       // all but the mode; trace.path as given
  std::vector<Mode> modes;  // one run each
  RtlLimits rtl;
  std::string json, csv;  // empty: none; "-": standard output
  ProgressMode progress = ProgressMode::kAuto;
  std::vector<std::string> warnings;
};

// Parses the arguments after `run`. Throws UsageError with a sentence for
// anything that is unknown, missing, given twice, out of range or without effect.
RunOptions ParseRun(const std::vector<std::string>& args, const Simulator& simulator);

// The help of `t3sim run`.
std::string RunHelp();

}  // namespace t3::sim
