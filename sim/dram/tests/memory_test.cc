#include "sim/dram/memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <stdexcept>
#include <vector>

namespace t3::sim {
namespace {

constexpr uint64_t kPage = Memory::kPageBytes;

TEST(Memory, IsZeroUntilWritten) {
  const Memory memory(3 * kPage);
  std::vector<uint8_t> all(3 * kPage, 0xff);
  memory.Copy(0, all.size(), all.data());
  EXPECT_EQ(all, std::vector<uint8_t>(3 * kPage, 0));
}

TEST(Memory, ReadSeesWhatAtWrote) {
  Memory memory(2 * kPage);
  const uint8_t* before = memory.Read(kPage + 100);
  EXPECT_EQ(*before, 0);
  *memory.At(kPage + 100) = 7;
  EXPECT_EQ(*memory.Read(kPage + 100), 7);
  EXPECT_EQ(memory.At(kPage + 100), memory.Read(kPage + 100));
  EXPECT_EQ(*memory.Read(100), 0) << "another page that nobody touched";
}

TEST(Memory, CopyCrossesPages) {
  Memory memory(4 * kPage);
  for (uint64_t i = 0; i < 2 * kPage; ++i)
    *memory.At(kPage - 5 + i) = static_cast<uint8_t>(i * 7 + 1);
  std::vector<uint8_t> out(2 * kPage + 2, 0xaa);
  memory.Copy(kPage - 6, out.size(), out.data());
  EXPECT_EQ(out[0], 0);
  for (uint64_t i = 0; i < 2 * kPage; ++i)
    ASSERT_EQ(out[i + 1], static_cast<uint8_t>(i * 7 + 1)) << i;
  EXPECT_EQ(out.back(), 0);
}

TEST(Memory, WritesOnlyStrobedBytes) {
  for (const uint32_t line : {64u, 128u}) {
    Memory memory(kPage);
    std::vector<uint8_t> expected(kPage, 0);
    std::mt19937 random(line);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t addr = random() % (kPage / line) * line;
      uint8_t strobes[16], data[128];
      for (uint8_t& s : strobes) {
        const uint32_t kind = random() % 4;
        s = static_cast<uint8_t>(kind == 0 ? 0 : kind == 1 ? 0xff : random());
      }
      for (uint8_t& d : data) d = static_cast<uint8_t>(random());
      memory.WriteLine(addr, line, strobes, data);
      for (uint32_t b = 0; b < line; ++b) {
        if (strobes[b / 8] >> (b % 8) & 1) expected[addr + b] = data[b];
      }
    }
    std::vector<uint8_t> found(kPage);
    memory.Copy(0, kPage, found.data());
    EXPECT_EQ(found, expected);
  }
}

TEST(Memory, RefusesAddressesBeyondTheEnd) {
  Memory memory(kPage + 1);
  EXPECT_NO_THROW(memory.At(2 * kPage - 1));
  EXPECT_THROW(memory.At(2 * kPage), std::out_of_range);
  EXPECT_THROW(memory.Read(UINT64_MAX), std::out_of_range);
  uint8_t out[2];
  EXPECT_THROW(memory.Copy(2 * kPage - 1, 2, out), std::out_of_range);
  const uint8_t strobes[16] = {}, data[128] = {};
  EXPECT_THROW(memory.WriteLine(uint64_t{1} << 40, 64, strobes, data), std::out_of_range);
  EXPECT_THROW(Memory(0).Read(0), std::out_of_range);
}

}  // namespace
}  // namespace t3::sim
