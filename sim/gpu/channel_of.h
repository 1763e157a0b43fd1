// Which memory channel an address belongs to.
#pragma once

#include <cstdint>

namespace t3::sim {

// XOR fold of the 256-byte block index (t3_pkg::channel_of). `channels` is a power
// of two.
uint32_t ChannelOf(uint64_t addr, uint32_t channels);

}  // namespace t3::sim
