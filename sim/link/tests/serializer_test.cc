#include "sim/link/serializer.h"

#include <gtest/gtest.h>

namespace t3::sim {
namespace {

// 75 GB/s at 1.4 GHz: 64 bytes take 448/375 cycles.
constexpr uint64_t kClock = 1400000, kBandwidth = 75000000;

TEST(LinkSerializer, CarriesExactlyItsBandwidth) {
  LinkSerializer link(kClock, kBandwidth, 0);
  uint64_t packets = 0, last_end = 0;
  for (uint64_t cycle = 0; cycle < 448000; ++cycle) {
    link.Begin(cycle);
    if (!link.Free()) continue;
    last_end = cycle + link.Take(64);
    ++packets;
  }
  EXPECT_EQ(packets, 375000u);
  EXPECT_EQ(last_end, 447999u);
}

TEST(LinkSerializer, LastByteLeavesInTheCycleOfTheExactTime) {
  LinkSerializer link(kClock, kBandwidth, 0);
  // Ends at 448/375 n cycles: within cycle ceil(448 n / 375) - 1.
  uint64_t sent = 0;
  for (uint64_t cycle = 0; sent < 1000; ++cycle) {
    link.Begin(cycle);
    if (!link.Free()) continue;
    ++sent;
    EXPECT_EQ(cycle + link.Take(64), (448 * sent + 374) / 375 - 1);
  }
}

TEST(LinkSerializer, IdleTimeGivesNoCredit) {
  LinkSerializer link(1, 10, 0);  // 10 bytes per cycle
  link.Begin(1000);
  EXPECT_EQ(link.Take(25), 2u);  // 2.5 cycles
  for (uint64_t cycle : {1000u, 1001u}) {
    link.Begin(cycle);
    EXPECT_FALSE(link.Free()) << cycle;
    EXPECT_FALSE(link.FreeAt(cycle)) << cycle;
  }
  EXPECT_TRUE(link.FreeAt(1002));
  link.Begin(1002);
  ASSERT_TRUE(link.Free());  // in the middle of the cycle, and the next follows at once
  EXPECT_EQ(link.Take(10), 1u);
}

TEST(LinkSerializer, HeadersOccupyTheLink) {
  LinkSerializer link(1, 10, 5);
  link.Begin(0);
  EXPECT_EQ(link.Take(5), 0u);
  EXPECT_FALSE(link.Free());
  link.Begin(1);
  EXPECT_EQ(link.Take(6), 1u);
}

TEST(LinkSerializer, LanesShareTheLink) {
  LinkSerializer link(1, 128, 0);  // two lines of 64 bytes per cycle
  for (uint64_t cycle = 0; cycle < 100; ++cycle) {
    link.Begin(cycle);
    uint32_t taken = 0;
    for (uint32_t lane = 0; lane < 4; ++lane) {
      if (!link.Free()) continue;
      EXPECT_EQ(link.Take(64), 0u);
      ++taken;
    }
    EXPECT_EQ(taken, 2u) << cycle;
  }
}

}  // namespace
}  // namespace t3::sim
