#include "sim/cli/version.h"

namespace t3::sim {

std::string Version() { return T3_VERSION; }
std::string Git() { return T3_GIT; }

}  // namespace t3::sim
