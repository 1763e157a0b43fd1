// What must hold at the end of every run, whatever the values: the traffic
// oracle, conservation of packets and triggers, untouched padding.
#pragma once

#include <string>

#include "sim/system/layout.h"
#include "sim/system/run.h"
#include "sim/system/system.h"

namespace t3::sim {

// A sentence on the first that does not hold; empty: all do.
std::string BrokenInvariant(const RunRequest& request, const Layout& layout, const System& system);

}  // namespace t3::sim
