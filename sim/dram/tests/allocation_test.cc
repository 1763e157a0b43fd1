// Replaces the program's operator new: in steady state nothing is allocated.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "sim/dram/channel.h"

namespace {
uint64_t allocations = 0;
}  // namespace

void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace t3::sim {
namespace {

TEST(MemoryChannelMemory, AllocatesNothingWhenItHasBeenFullOnce) {
  const ChannelConfig config;
  Memory memory(Memory::kPageBytes);
  MemoryChannel channel(config, &memory);
  MemRequest request;
  request.cls = 3;
  uint64_t cycle = 0, answered = 0, before = 0;
  for (; cycle < 40000; ++cycle) {
    if (cycle == 2000) before = allocations;
    channel.Begin(cycle);
    answered += channel.ReadDone() != nullptr;
    if (const MemRequest* write = channel.WriteHead()) {
      const uint64_t addr = write->addr;
      channel.WriteTaken();
      channel.WriteBack(addr, request.strobes, request.data);
      ++answered;
    }
    if (channel.Ready()) {
      request.op = static_cast<uint8_t>(cycle % 7 == 0 ? 1 : 0);
      request.addr = cycle * 64 % Memory::kPageBytes;
      channel.Push(request);
    }
  }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(answered, 25000u);
}

}  // namespace
}  // namespace t3::sim
