#include "sim/gpu/work_time.h"

#include <gtest/gtest.h>

namespace t3::sim {
namespace {

TEST(WorkTime, SumsExactly) {
  const WorkRate rate(7, 1000003);
  WorkTime time{5, 0};
  for (uint64_t i = 1; i <= 1000003; ++i) {
    time = rate.After(time, 3);
    if (i % 1000 == 0) {
      ASSERT_EQ(time.cycle, 5 + i * 21 / 1000003);
      ASSERT_EQ(time.part, i * 21 % 1000003);
    }
  }
  EXPECT_EQ(time.cycle, 5 + 21u);
  EXPECT_EQ(time.part, 0u);
  EXPECT_EQ(time.Ceil(), 26u);
  EXPECT_EQ(rate.After(time, 1).Ceil(), 27u);
}

TEST(WorkTime, TakesProductsBeyond64Bits) {
  const WorkRate rate(uint64_t{1} << 43, uint64_t{1} << 50);
  const WorkTime time = rate.After({0, 1}, uint64_t{1} << 33);
  EXPECT_EQ(time.cycle, uint64_t{1} << 26);
  EXPECT_EQ(time.part, 1u);
}

TEST(WorkTime, OrdersByCycleThenPart) {
  EXPECT_LT((WorkTime{1, 9}), (WorkTime{2, 0}));
  EXPECT_LT((WorkTime{1, 8}), (WorkTime{1, 9}));
  EXPECT_FALSE((WorkTime{1, 9} < WorkTime{1, 9}));
}

}  // namespace
}  // namespace t3::sim
