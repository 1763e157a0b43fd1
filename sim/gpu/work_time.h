// Points in time in cycles, as exact fractions: however many steps are added, none
// is rounded.
#pragma once

#include <cstdint>

namespace t3::sim {

struct WorkTime {
  uint64_t cycle = 0;
  uint64_t part = 0;  // of a cycle, in units of the WorkRate's fraction

  bool operator<(const WorkTime& other) const {
    return cycle != other.cycle ? cycle < other.cycle : part < other.part;
  }
  // The first cycle that starts at this time or later.
  uint64_t Ceil() const { return cycle + (part != 0); }
};

// How long work takes: `work` units take work * num / den cycles.
class WorkRate {
 public:
  // den at least 1, at most 2^62.
  WorkRate(uint64_t num, uint64_t den) : num_(num), den_(den) {}

  // The end of work that starts at `start`. Its cycle number must fit 64 bits.
  WorkTime After(WorkTime start, uint64_t work) const {
    const unsigned __int128 total = static_cast<unsigned __int128>(work) * num_ + start.part;
    return {start.cycle + static_cast<uint64_t>(total / den_), static_cast<uint64_t>(total % den_)};
  }

 private:
  uint64_t num_, den_;
};

}  // namespace t3::sim
