// How long packets occupy a link, in exact integer arithmetic.
#pragma once

#include <cstdint>

namespace t3::sim {

// One direction of one link, shared by its lanes. Time is kept in tokens: a
// cycle is worth `bandwidth` of them (bytes per second), a byte costs `clock`
// (cycles per second); both may be given in the same multiple.
class LinkSerializer {
 public:
  LinkSerializer(uint64_t clock, uint64_t bandwidth, uint32_t header_bytes);

  // Moves to a cycle, not before the last one.
  void Begin(uint64_t cycle);
  // The link becomes free within this cycle: a packet can be taken.
  bool Free() const { return backlog_ < per_cycle_; }
  // Free() in a cycle not before that of Begin().
  bool FreeAt(uint64_t cycle) const { return backlog_ / per_cycle_ <= cycle - cycle_; }
  // Takes a packet of `bytes` strobed bytes. It follows the one before without a
  // gap. Returns in how many cycles from this one its last byte leaves (0: in
  // this cycle).
  uint64_t Take(uint32_t bytes);

 private:
  uint64_t per_byte_, per_cycle_;
  uint32_t header_bytes_;
  uint64_t cycle_ = 0;
  uint64_t backlog_ = 0;  // tokens from the start of cycle_ until the link is free
};

}  // namespace t3::sim
