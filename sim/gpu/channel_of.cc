#include "sim/gpu/channel_of.h"

namespace t3::sim {

uint32_t ChannelOf(uint64_t addr, uint32_t channels) {
  if (channels <= 1) return 0;
  const auto width = static_cast<uint32_t>(__builtin_ctz(channels));
  uint64_t fold = 0;
  for (uint64_t block = addr >> 8; block != 0; block >>= width) fold ^= block;
  return static_cast<uint32_t>(fold) & (channels - 1);
}

}  // namespace t3::sim
