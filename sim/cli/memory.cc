// AvailableMemory (declared in app.h).
#include <algorithm>
#include <fstream>
#include <string>

#include "sim/cli/app.h"

namespace t3::sim {
namespace {

// The number in a file that holds only that, or `fallback`.
uint64_t NumberIn(const char* path, uint64_t fallback) {
  std::ifstream file(path);
  uint64_t value = 0;
  return file >> value ? value : fallback;
}

}  // namespace

uint64_t AvailableMemory() {
  uint64_t available = 0;
  std::ifstream info("/proc/meminfo");
  for (std::string name; info >> name;) {
    if (name == "MemAvailable:") {
      info >> available;
      available *= 1024;
      break;
    }
    std::getline(info, name);
  }
  // A container's limit; "max" is no number.
  const uint64_t limit = NumberIn("/sys/fs/cgroup/memory.max", UINT64_MAX);
  const uint64_t used = NumberIn("/sys/fs/cgroup/memory.current", 0);
  if (limit != UINT64_MAX) available = std::min(available, limit > used ? limit - used : 1);
  return available;
}

}  // namespace t3::sim
