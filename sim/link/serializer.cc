#include "sim/link/serializer.h"

#include <numeric>

namespace t3::sim {

LinkSerializer::LinkSerializer(uint64_t clock, uint64_t bandwidth, uint32_t header_bytes)
    : header_bytes_(header_bytes) {
  const uint64_t common = std::gcd(clock, bandwidth);
  per_byte_ = clock / common;
  per_cycle_ = bandwidth / common;
}

void LinkSerializer::Begin(uint64_t cycle) {
  const uint64_t elapsed = cycle - cycle_;
  cycle_ = cycle;
  backlog_ = elapsed > backlog_ / per_cycle_ ? 0 : backlog_ - elapsed * per_cycle_;
}

uint64_t LinkSerializer::Take(uint32_t bytes) {
  backlog_ += (uint64_t{bytes} + header_bytes_) * per_byte_;
  return (backlog_ + per_cycle_ - 1) / per_cycle_ - 1;
}

}  // namespace t3::sim
