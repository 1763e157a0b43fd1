// The version of the project and the commit that was built.
#pragma once

#include <string>

namespace t3::sim {

std::string Version();  // the file VERSION
std::string Git();      // `git describe` when the build was configured, or "unknown"

}  // namespace t3::sim
