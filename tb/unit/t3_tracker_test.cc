// t3_tracker: counts against a map, with spills, fetches, random memory latency
// and stalls; rate on hits; excess; removal of a context.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "Vt3_tracker.h"
#include "tb/harness/bits.h"
#include "verilated.h"

namespace t3::tb {
namespace {

// Places of fields in event_t, ctx_cfg_t and word_req_t (t3_pkg).
constexpr uint32_t kNotifyLsb = 16, kActionLsb = 17, kExpectedLsb = 19, kIndexLsb = 43, kSubLsb = 67;
constexpr uint32_t kCfgBits = 319, kCfgEpochLsb = 277, kCfgCountBaseLsb = 40;
constexpr uint32_t kWordAddrLsb = 64, kWordWriteLsb = 109;
constexpr uint64_t kCountBase = 0x10000;  // context c at (c + 1) * kCountBase

struct Event {
  uint32_t ctx = 0, index = 0, expected = 0, action = 1, elems = 0;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    context_.threads(1);
    context_.fatalOnError(false);
    dut_ = std::make_unique<Vt3_tracker>(&context_);
    for (uint32_t c = 0; c < 4; ++c) SetEpoch(c, 5);
    dut_->rst_ni = 0;
    dut_->bank_i = 0;
    dut_->ev_valid_i = 0;
    dut_->mem_rsp_valid_i = 0;
    dut_->clear_valid_i = 0;
    dut_->peek_index_i = 0;
    Cycle(nullptr);
    Cycle(nullptr);
    dut_->rst_ni = 1;
  }
  ~Bench() { EXPECT_FALSE(context_.gotError()); }

  void SetEpoch(uint32_t ctx, uint64_t epoch) {
    auto* cfg = reinterpret_cast<uint8_t*>(&dut_->ctx_cfg_i);
    StoreBits(cfg, ctx * kCfgBits + kCfgEpochLsb, 40, epoch);
    StoreBits(cfg, ctx * kCfgBits + kCfgCountBaseLsb, 40, (ctx + 1) * kCountBase);
  }

  // One clock cycle that offers an event or none; true: it was taken.
  bool Cycle(const Event* event) {
    dut_->ev_valid_i = event != nullptr;
    if (event) {
      auto* ev = reinterpret_cast<uint8_t*>(&dut_->ev_i);
      StoreBits(ev, 0, 16, event->elems);
      StoreBits(ev, kNotifyLsb, 1, 0);
      StoreBits(ev, kActionLsb, 2, event->action);
      StoreBits(ev, kExpectedLsb, 24, event->expected);
      StoreBits(ev, kIndexLsb, 24, event->index);
      StoreBits(ev, kSubLsb, 48, uint64_t{event->ctx} << 46 | event->index);
    }
    dut_->trig_ready_i = !stalls_ || random_() % 3 != 0;
    dut_->mem_ready_i = !stalls_ || random_() % 3 != 0;
    dut_->mem_rsp_valid_i = 0;
    if (!answers_.empty() && answers_.front().first <= cycle_) {
      dut_->mem_rsp_valid_i = 1;
      dut_->mem_rsp_data_i = answers_.front().second;
      answers_.pop_front();
    }
    dut_->clk_i = 0;
    dut_->eval();
    const bool taken = event != nullptr && dut_->ev_ready_o;
    if (dut_->trig_valid_o && dut_->trig_ready_i) {
      const auto* trig = reinterpret_cast<const uint8_t*>(&dut_->trig_o);
      const uint64_t sub = LoadBits(trig, 1, 48);
      triggers.emplace_back(static_cast<uint32_t>(sub >> 46), static_cast<uint32_t>(sub & 0xffffff));
    }
    if (dut_->mem_valid_o && dut_->mem_ready_i) {
      const auto* request = reinterpret_cast<const uint8_t*>(&dut_->mem_o);
      const uint64_t addr = LoadBits(request, kWordAddrLsb, 40);
      if (LoadBits(request, kWordWriteLsb, 1)) {
        memory[addr] = LoadBits(request, 0, 64);
        ++spills;
      } else {
        answers_.emplace_back(cycle_ + 1 + (stalls_ ? random_() % 40 : 3), memory[addr]);
        ++fetches;
      }
    }
    if (dut_->acct_valid_o) {
      counted += dut_->acct_elems_o;
      completed += dut_->acct_complete_o;
      excess += dut_->acct_excess_o;
    }
    dut_->clk_i = 1;
    dut_->eval();
    ++cycle_;
    return taken;
  }
  void Send(const Event& event) {
    for (int i = 0; i < 10000; ++i) {
      if (Cycle(&event)) return;
    }
    FAIL() << "an event was not taken for 10,000 cycles";
  }
  void Drain() {
    for (int i = 0; i < 300; ++i) Cycle(nullptr);
    EXPECT_FALSE(dut_->busy_o);
  }
  void Clear(uint32_t ctx) {
    dut_->clear_valid_i = 1;
    dut_->clear_ctx_i = ctx;
    for (int i = 0; !dut_->clear_done_o; ++i) {
      ASSERT_LT(i, 1000);
      Cycle(nullptr);
    }
    dut_->clear_valid_i = 0;
    Cycle(nullptr);
  }

  Vt3_tracker* dut() { return dut_.get(); }
  void set_stalls(bool on) { stalls_ = on; }

  std::vector<std::pair<uint32_t, uint32_t>> triggers;  // (context, index)
  std::map<uint64_t, uint64_t> memory;
  uint64_t spills = 0, fetches = 0, counted = 0, completed = 0, excess = 0;

 private:
  VerilatedContext context_;
  std::unique_ptr<Vt3_tracker> dut_;
  std::mt19937_64 random_;
  std::deque<std::pair<uint64_t, uint64_t>> answers_;
  uint64_t cycle_ = 0;
  bool stalls_ = false;
};

// The bank of an index: 0 is ours (see t3_event_xbar).
bool InBank(uint32_t index) {
  uint32_t fold = 0;
  for (; index != 0; index >>= 3) fold ^= index;
  return (fold & 7) == 0;
}

std::vector<uint32_t> Indices(uint32_t count) {
  std::vector<uint32_t> v;
  for (uint32_t i = 0; v.size() < count; ++i) {
    if (InBank(i)) v.push_back(i);
  }
  return v;
}

TEST(Tracker, CompletesAtTheExpectedCountAndTriggersOnce) {
  Bench bench(1);
  for (int i = 0; i < 3; ++i) bench.Send({1, 0, 96, 2, 32});
  bench.Drain();
  ASSERT_EQ(bench.triggers.size(), 1u);
  EXPECT_EQ(bench.triggers[0], std::make_pair(1u, 0u));
  EXPECT_EQ(bench.completed, 1u);
  EXPECT_EQ(bench.dut()->entries_o, 0);
}

TEST(Tracker, AnActionOfNoneIsAccountedAndNotTriggered) {
  Bench bench(2);
  bench.Send({0, 9, 32, 0, 32});
  bench.Drain();
  EXPECT_TRUE(bench.triggers.empty());
  EXPECT_EQ(bench.completed, 1u);
}

TEST(Tracker, OneEventPerCycleOnHitsOfOneSubtileAndOfMany) {
  Bench bench(3);
  const auto indices = Indices(16);
  for (uint32_t index : indices) bench.Send({0, index, 1 << 20, 1, 1});
  for (int i = 0; i < 200; ++i) {
    const Event same{0, indices[3], 1 << 20, 1, 1};
    EXPECT_TRUE(bench.Cycle(&same)) << i;
  }
  for (uint32_t i = 0; i < 200; ++i) {
    const Event other{0, indices[i % 16], 1 << 20, 1, 1};
    EXPECT_TRUE(bench.Cycle(&other)) << i;
  }
  bench.Drain();
  EXPECT_EQ(bench.counted, 416u);
  EXPECT_EQ(bench.dut()->entries_o, 16);
}

TEST(Tracker, MoreElementsThanExpectedAreExcess) {
  Bench bench(4);
  bench.Send({0, 0, 40, 1, 32});
  bench.Send({0, 0, 40, 1, 32});
  bench.Drain();
  EXPECT_EQ(bench.excess, 1u);
  EXPECT_TRUE(bench.triggers.empty());
}

TEST(Tracker, ClearRemovesOneContextOnly) {
  Bench bench(5);
  const auto indices = Indices(40);
  for (uint32_t index : indices) {
    bench.Send({0, index, 64, 1, 32});
    bench.Send({1, index, 64, 1, 32});
  }
  bench.Drain();
  EXPECT_EQ(bench.dut()->entries_o, 80);
  bench.Clear(0);
  EXPECT_EQ(bench.dut()->entries_o, 40);
  for (uint32_t index : indices) bench.Send({1, index, 64, 1, 32});
  bench.Drain();
  EXPECT_EQ(bench.triggers.size(), 40u);
}

TEST(Tracker, AStaleEpochInMemoryReadsAsZero) {
  Bench bench(6);
  const auto indices = Indices(2000);
  for (uint32_t index : indices) bench.Send({0, index, 64, 1, 32});
  bench.Drain();
  EXPECT_GT(bench.spills, 0u);
  bench.Clear(0);
  bench.SetEpoch(0, 6);
  for (int round = 0; round < 2; ++round) {
    for (uint32_t index : indices) bench.Send({0, index, 64, 1, 32});
  }
  bench.Drain();
  EXPECT_EQ(bench.completed, indices.size());
  EXPECT_EQ(bench.excess, 0u);
}

// Random events of four contexts over many more subtiles than fit.
class Random : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Random, NoCountIsLostOrInvented) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  std::mt19937_64 random(GetParam());
  Bench bench(GetParam());
  bench.set_stalls(true);
  const auto indices = Indices(700);
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> left;
  std::vector<std::pair<uint32_t, uint32_t>> open;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> expected;
  uint64_t total = 0;
  for (uint32_t c = 0; c < 4; ++c) {
    for (uint32_t index : indices) {
      const uint32_t elements = 32 * (1 + static_cast<uint32_t>(random() % 6));
      left[{c, index}] = expected[{c, index}] = elements;
      open.emplace_back(c, index);
      total += elements;
    }
  }
  while (!open.empty()) {
    // Mostly near the front, so that subtiles live for a while and then complete.
    const size_t window = std::min<size_t>(open.size(), 600);
    const size_t pick = random() % window;
    const auto key = open[pick];
    const uint32_t elems = std::min<uint32_t>(left[key], 1 + static_cast<uint32_t>(random() % 64));
    bench.Send({key.first, key.second, expected[key], 1 + static_cast<uint32_t>(random() % 2), elems});
    if ((left[key] -= elems) == 0) open.erase(open.begin() + static_cast<long>(pick));
  }
  bench.Drain();
  EXPECT_EQ(bench.counted, total);
  EXPECT_EQ(bench.excess, 0u);
  EXPECT_EQ(bench.triggers.size(), expected.size());
  const std::set<std::pair<uint32_t, uint32_t>> distinct(bench.triggers.begin(), bench.triggers.end());
  EXPECT_EQ(distinct.size(), expected.size());
  EXPECT_GT(bench.spills, 0u);
  EXPECT_GT(bench.fetches, 0u);
  EXPECT_EQ(bench.dut()->entries_o, 0);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Values(11, 12, 13));

}  // namespace
}  // namespace t3::tb
