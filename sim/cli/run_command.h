// t3sim run.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/app.h"

namespace t3::sim {

// Parses, tries the output paths, estimates the memory, simulates each mode and
// reports. Returns the exit code; throws UsageError.
int RunCommand(const std::vector<std::string>& args, const Environment& environment);

}  // namespace t3::sim
