// Keeps the results of kernels whose buffers are used again, and compares
// everything with the golden model.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sim/dram/memory.h"
#include "sim/system/layout.h"
#include "sim/system/run.h"

namespace t3::sim {

class Scoreboard {
 public:
  Scoreboard(const RunRequest& request, const Layout& layout);

  // Copies the output of `kernel` out of a device's memory. From any thread.
  void Snapshot(uint32_t device, uint32_t kernel, const Memory& memory);
  // Compares the kernels of which every device has given its copy, in order.
  void CheckComplete();
  // Compares the output of the only kernel where it lies.
  void CheckInPlace(const std::vector<const Memory*>& memories);

  uint64_t checked() const { return checked_; }
  uint64_t wrong() const { return wrong_; }
  const std::string& first() const { return first_; }
  uint32_t crc32() const { return crc32_; }

 private:
  void Check(uint32_t kernel, const golden::RowReader& row_of);

  const RunRequest& request_;
  const Layout& layout_;
  const golden::RingSpec spec_;
  std::mutex mutex_;
  // Dense rows of each device.
  std::map<uint32_t, std::vector<std::vector<uint8_t>>> snapshots_;
  uint32_t next_kernel_ = 0;
  uint64_t checked_ = 0, wrong_ = 0;
  std::string first_;
  uint32_t crc32_ = 0;
};

}  // namespace t3::sim
