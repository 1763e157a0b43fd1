#include "sim/dram/fixed_queue.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace t3::sim {
namespace {

TEST(FixedQueue, BehavesLikeADequeOfBoundedSize) {
  for (const size_t capacity : {1, 2, 3, 7, 64, 100}) {
    FixedQueue<int> queue(capacity);
    std::deque<int> expected;
    std::mt19937 random(static_cast<uint32_t>(capacity));
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(queue.size(), expected.size());
      ASSERT_EQ(queue.empty(), expected.empty());
      ASSERT_EQ(queue.full(), expected.size() == capacity);
      for (size_t j = 0; j < expected.size(); ++j) ASSERT_EQ(queue[j], expected[j]);
      if (random() % 2 == 0 && !queue.full()) {
        queue.Append() = i;
        expected.push_back(i);
      } else if (!queue.empty()) {
        ASSERT_EQ(queue.front(), expected.front());
        queue.Pop();
        expected.pop_front();
      }
    }
  }
}

TEST(FixedQueue, ItemsStayInTheirPlace) {
  FixedQueue<int> queue(4);
  queue.Append() = 1;
  const int* first = &queue.front();
  for (int i = 0; i < 3; ++i) queue.Append() = i;
  EXPECT_EQ(first, &queue.front());
  EXPECT_EQ(*first, 1);
}

}  // namespace
}  // namespace t3::sim
