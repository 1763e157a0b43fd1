#include "sim/dram/channel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace t3::sim {
namespace {

constexpr uint8_t kRead = 0, kStore = 1, kUpdate = 2;
constexpr uint8_t kGemmRead = 0, kDmaRead = 3, kIncoming = 2;
constexpr uint64_t kPage = Memory::kPageBytes;

MemRequest Request(uint8_t op, uint64_t addr, uint16_t tag = 0) {
  MemRequest request;
  request.cls = op == kRead ? kDmaRead : kIncoming;
  request.op = op;
  request.addr = addr;
  request.tag = tag;
  std::memset(request.strobes, 0xff, sizeof request.strobes);
  std::memset(request.data, tag & 0xff, sizeof request.data);
  return request;
}

// Drives a channel as a device does: an NMC of `kStages` cycles that adds bytes of
// updates, writes to a line that is under way wait as in the RTL.
class Bench {
 public:
  static constexpr uint64_t kStages = 3;
  struct Answer {
    uint64_t cycle;
    uint16_t tag;
    uint8_t data;  // first byte of the line
  };

  explicit Bench(const ChannelConfig& config, uint64_t start = 0)
      : config_(config), memory_(kPage), channel_(config, &memory_), cycle_(start) {}

  MemoryChannel& channel() { return channel_; }
  Memory& memory() { return memory_; }
  uint64_t cycle() const { return cycle_; }
  std::deque<MemRequest>& input() { return input_; }
  std::vector<Answer>& reads() { return reads_; }    // answered
  std::vector<Answer>& writes() { return writes_; }  // taken by the NMC, data as pushed
  void set_nmc_odds(uint32_t of_8) { nmc_odds_ = of_8; }

  // One cycle; pushes the next of input() where the channel takes it.
  void Step() {
    if (!nmc_.empty() && nmc_.front().due == cycle_) {
      channel_.WriteBack(nmc_.front().addr, nmc_.front().strobes, nmc_.front().data);
      nmc_.pop_front();
    }
    channel_.Begin(cycle_);
    if (const MemRequest* read = channel_.ReadDone()) {
      reads_.push_back({cycle_, read->tag, *channel_.ReadData()});
    }
    const MemRequest* write = channel_.WriteHead();
    EXPECT_TRUE(write != nullptr || !write_offered_) << "a write was withdrawn";
    write_offered_ = write != nullptr;
    const bool push = !input_.empty() && channel_.Ready();
    if (push) channel_.Push(input_.front());
    if (push) input_.pop_front();
    if (write != nullptr && random_() % 8 < nmc_odds_ && !UnderWay(write->addr)) {
      writes_.push_back({cycle_, write->tag, write->data[0]});
      const uint8_t* old = channel_.WriteOld();
      for (const Line& line : nmc_) {
        if (line.addr == write->addr) old = line.data;  // as the RTL: the result that leaves now
      }
      nmc_.emplace_back();
      Line& line = nmc_.back();
      line.due = cycle_ + kStages;
      line.addr = write->addr;
      std::memcpy(line.strobes, write->strobes, sizeof line.strobes);
      std::memcpy(line.data, write->data, sizeof line.data);
      if (write->op == kUpdate) {
        for (uint32_t b = 0; b < config_.line_bytes; ++b) line.data[b] += old[b];
      }
      channel_.WriteTaken();
      write_offered_ = false;
    }
    ++cycle_;
  }

  void RunUntilIdle(uint64_t limit = 1000000) {
    const uint64_t end = cycle_ + limit;
    do {
      Step();
    } while ((!input_.empty() || !channel_.Idle()) && cycle_ < end);
    EXPECT_LT(cycle_, end) << "the channel does not come to rest";
  }

 private:
  struct Line {
    uint64_t due = 0, addr = 0;
    uint8_t strobes[16], data[128];
  };
  bool UnderWay(uint64_t addr) const {
    for (const Line& line : nmc_) {
      if (line.addr == addr && line.due > cycle_ + 1) return true;
    }
    return false;
  }

  ChannelConfig config_;
  Memory memory_;
  MemoryChannel channel_;
  uint64_t cycle_;
  std::deque<MemRequest> input_;
  std::vector<Answer> reads_, writes_;
  std::deque<Line> nmc_;
  std::mt19937 random_{7};
  uint32_t nmc_odds_ = 8;
  bool write_offered_ = false;
};

TEST(MemoryChannel, AnswersAfterTheLatency) {
  ChannelConfig config;
  Bench bench(config);
  bench.input() = {Request(kRead, 64, 1)};
  bench.RunUntilIdle();
  ASSERT_EQ(bench.reads().size(), 1u);
  EXPECT_EQ(bench.reads()[0].cycle,
            1 + config.latency_cycles);  // leaves in the cycle after the push
  EXPECT_EQ(bench.reads()[0].tag, 1);
}

TEST(MemoryChannel, PresentsWritesAfterTheLatencyAndChangesMemoryAtWriteBackOnly) {
  ChannelConfig config;
  config.latency_cycles = 10;
  Bench bench(config);
  bench.input() = {Request(kStore, 128, 0x55)};
  for (int i = 0; i < 11 + 3; ++i) {
    bench.Step();
    EXPECT_EQ(*bench.memory().Read(128), 0) << i;
  }
  ASSERT_EQ(bench.writes().size(), 1u);
  EXPECT_EQ(bench.writes()[0].cycle, 11u);
  EXPECT_FALSE(bench.channel().Idle());
  bench.Step();
  EXPECT_EQ(*bench.memory().Read(128), 0x55);
  EXPECT_TRUE(bench.channel().Idle());
  EXPECT_EQ(bench.channel().NextEvent(), UINT64_MAX);
}

// The i-th request of a full queue leaves in cycle ceil(used slots x slot time),
// for every slot time: no drift.
TEST(MemoryChannel, ServesAtTheExactRate) {
  const std::vector<std::pair<uint64_t, uint64_t>> slots = {
      {14, 10}, {1, 1}, {7, 3}, {1000001, 1000000}, {35840000, 25600000}};
  for (const auto& [num, den] : slots) {
    for (const uint64_t start : {uint64_t{0}, uint64_t{1000000007}}) {
      ChannelConfig config;
      config.slot_num = num;
      config.slot_den = den;
      config.latency_cycles = 20;
      Bench bench(config, start);
      std::mt19937 random(3);
      std::vector<uint64_t> read_due;
      uint64_t used = 0;
      for (uint32_t i = 0; i < 3000; ++i) {
        const uint8_t op = static_cast<uint8_t>(random() % 3);
        bench.input().push_back(Request(op, i * 64 % kPage, static_cast<uint16_t>(i)));
        if (op == kRead) read_due.push_back(start + 1 + (used * num + den - 1) / den + 20);
        used += op == kUpdate ? 2 : 1;
      }
      bench.RunUntilIdle();
      ASSERT_EQ(bench.reads().size(), read_due.size());
      for (size_t i = 0; i < read_due.size(); ++i) {
        ASSERT_EQ(bench.reads()[i].cycle, read_due[i])
            << "read " << i << ", slot " << num << "/" << den;
      }
      EXPECT_EQ(bench.reads().size() + bench.writes().size(), 3000u);
    }
  }
}

TEST(MemoryChannel, IdleTimeSavesUpNoMoreThanOneSlot) {
  ChannelConfig config;
  config.slot_num = 5;
  config.slot_den = 1;
  config.latency_cycles = 1;
  Bench bench(config);
  bench.input() = {Request(kRead, 0, 0)};
  bench.RunUntilIdle();
  for (int i = 0; i < 1000; ++i) bench.Step();
  const uint64_t start = bench.cycle();
  for (uint16_t i = 1; i <= 4; ++i) bench.input().push_back(Request(kRead, i * 64u, i));
  bench.RunUntilIdle();
  ASSERT_EQ(bench.reads().size(), 5u);
  for (uint64_t i = 1; i < 5; ++i) EXPECT_EQ(bench.reads()[i].cycle, start + 2 + (i - 1) * 5);
}

TEST(MemoryChannel, CountsOccupancyUntilARequestLeavesAndRefusesWhenFull) {
  ChannelConfig config;
  config.queue_entries = 4;
  config.slot_num = 100;
  config.slot_den = 1;
  Bench bench(config);
  for (uint16_t i = 0; i < 8; ++i) bench.input().push_back(Request(kRead, i * 64u, i));
  bench.Step();
  EXPECT_EQ(bench.channel().Occupancy(), 1u);
  for (int i = 0; i < 20; ++i) bench.Step();
  EXPECT_EQ(bench.channel().Occupancy(), 4u);
  EXPECT_FALSE(bench.channel().Ready());
  EXPECT_EQ(bench.input().size(), 3u) << "one left at once, four are queued";
  for (int i = 0; i < 100; ++i) bench.Step();
  EXPECT_EQ(bench.input().size(), 2u);
  bench.RunUntilIdle();
  EXPECT_EQ(bench.channel().Occupancy(), 0u);
  EXPECT_EQ(bench.reads().size(), 8u);
}

TEST(MemoryChannel, ReadWaitsForTheWriteBackOfAnEarlierWriteOfItsLine) {
  ChannelConfig config;
  config.latency_cycles = 30;
  Bench bench(config);
  bench.set_nmc_odds(0);  // the NMC takes nothing
  bench.input() = {Request(kStore, 0x1000, 9), Request(kRead, 0x1000, 1),
                   Request(kRead, 0x2000, 2)};
  for (int i = 0; i < 300; ++i) bench.Step();
  EXPECT_TRUE(bench.reads().empty());
  bench.set_nmc_odds(8);
  bench.RunUntilIdle();
  ASSERT_EQ(bench.reads().size(), 2u);
  EXPECT_EQ(bench.reads()[0].data, 9);
  EXPECT_EQ(bench.reads()[0].cycle, bench.writes()[0].cycle + Bench::kStages + 30);
}

TEST(MemoryChannel, ReadOfAnotherLineDoesNotWait) {
  ChannelConfig config;
  Bench bench(config);
  bench.set_nmc_odds(0);
  bench.input() = {Request(kStore, 0x1000, 9), Request(kRead, 0x2000, 2)};
  for (int i = 0; i < 300; ++i) bench.Step();
  ASSERT_EQ(bench.reads().size(), 1u);
  EXPECT_EQ(bench.reads()[0].cycle, 3 + 140u);  // pushed in 1, second slot from 1 + 1.4
}

TEST(MemoryChannel, GemmReadsNeverWait) {
  ChannelConfig config;
  Bench bench(config);
  bench.set_nmc_odds(0);
  MemRequest read = Request(kRead, 0x1000, 2);
  read.cls = kGemmRead;
  bench.input() = {Request(kStore, 0x1000, 9), read};
  for (int i = 0; i < 300; ++i) bench.Step();
  EXPECT_EQ(bench.reads().size(), 1u);
}

TEST(MemoryChannel, LaterWriteOfTheLineIsNotSeenByTheReadBefore) {
  ChannelConfig config;
  config.slot_num = 1;
  config.slot_den = 4;  // several leave in one cycle and are answered one by one
  config.latency_cycles = 5;
  Bench bench(config);
  for (uint16_t i = 0; i < 20; ++i) bench.input().push_back(Request(kRead, 0x100, i));
  bench.input().push_back(Request(kStore, 0x100, 0xee));
  for (uint16_t i = 20; i < 40; ++i) bench.input().push_back(Request(kRead, 0x100, i));
  bench.RunUntilIdle();
  ASSERT_EQ(bench.reads().size(), 40u);
  for (uint16_t i = 0; i < 40; ++i) EXPECT_EQ(bench.reads()[i].data, i < 20 ? 0 : 0xee) << i;
}

// Random requests to few lines: each read must return what its line held after the
// earlier writes of the channel, computed here in the order of the pushes.
void CheckOrder(const ChannelConfig& config, uint32_t nmc_odds, uint32_t lines, uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ", slot " + std::to_string(config.slot_num) + "/" +
               std::to_string(config.slot_den) + ", stress " + std::to_string(config.stress));
  Bench bench(config);
  bench.set_nmc_odds(nmc_odds);
  std::mt19937_64 random(seed);
  std::map<uint64_t, uint8_t> value;
  std::vector<uint8_t> expected_read;
  std::vector<uint16_t> expected_write;
  for (uint32_t i = 0; i < 4000; ++i) {
    const uint64_t addr = random() % lines * 64;
    const uint8_t op = static_cast<uint8_t>(random() % 3);
    MemRequest request = Request(op, addr, static_cast<uint16_t>(i));
    if (op == kRead) expected_read.push_back(value[addr]);
    if (op == kStore) value[addr] = request.data[0];
    if (op == kUpdate) value[addr] = static_cast<uint8_t>(value[addr] + request.data[0]);
    if (op != kRead) expected_write.push_back(request.tag);
    bench.input().push_back(request);
  }
  // Bursts with pauses between them, in which the channel may run dry.
  std::deque<MemRequest> all;
  all.swap(bench.input());
  while (!all.empty()) {
    for (uint64_t n = 1 + random() % 40; n > 0 && !all.empty(); --n) {
      bench.input().push_back(all.front());
      all.pop_front();
    }
    for (uint64_t n = random() % 60; n > 0; --n) bench.Step();
  }
  bench.RunUntilIdle();
  ASSERT_EQ(bench.reads().size(), expected_read.size());
  for (size_t i = 0; i < expected_read.size(); ++i) {
    ASSERT_EQ(bench.reads()[i].data, expected_read[i]) << "read " << i;
  }
  ASSERT_EQ(bench.writes().size(), expected_write.size());
  for (size_t i = 0; i < expected_write.size(); ++i) {
    ASSERT_EQ(bench.writes()[i].tag, expected_write[i]) << "write " << i;
  }
  for (const auto& [addr, byte] : value) EXPECT_EQ(*bench.memory().Read(addr), byte);
}

TEST(MemoryChannel, KeepsSameLineOrder) {
  for (const bool stress : {false, true}) {
    for (const auto& [num, den] : {std::pair{14, 10}, {1, 1}, {1, 3}, {9, 2}}) {
      for (const uint32_t latency : {1u, 4u, 140u}) {
        ChannelConfig config;
        config.stress = stress;
        config.slot_num = static_cast<uint64_t>(num);
        config.slot_den = static_cast<uint64_t>(den);
        config.latency_cycles = latency;
        config.queue_entries = 16;
        config.seed = latency;
        CheckOrder(config, 8, 3, latency);
        CheckOrder(config, 3, 40, latency + 1);
      }
    }
  }
}

TEST(MemoryChannel, StressIsTheSameForTheSameSeed) {
  const auto run = [](uint64_t seed) {
    ChannelConfig config;
    config.stress = true;
    config.seed = seed;
    Bench bench(config);
    for (uint16_t i = 0; i < 500; ++i) bench.input().push_back(Request(i % 3, i % 50 * 64u, i));
    bench.RunUntilIdle();
    std::vector<uint64_t> cycles;
    for (const auto& answer : bench.reads()) cycles.push_back(answer.cycle);
    return cycles;
  };
  EXPECT_EQ(run(5), run(5));
  EXPECT_NE(run(5), run(6));
}

// Leaving out the cycles before NextEvent() changes nothing.
TEST(MemoryChannel, CyclesWithoutAnEventMayBeLeftOut) {
  for (const uint64_t num : {3u, 17u, 250u}) {
    ChannelConfig config;
    config.slot_num = num;
    config.slot_den = 2;
    const auto run = [&](bool skip) {
      Memory memory(kPage);
      MemoryChannel channel(config, &memory);
      for (uint16_t i = 0; i < 40; ++i) channel.Push(Request(kRead, i * 64u, i));
      std::vector<std::pair<uint64_t, uint16_t>> answers;
      uint64_t cycle = 0, begun = 0;
      while (!channel.Idle()) {
        channel.Begin(cycle);
        ++begun;
        if (const MemRequest* read = channel.ReadDone()) answers.emplace_back(cycle, read->tag);
        const uint64_t next = channel.NextEvent();
        EXPECT_GT(next, cycle);
        cycle = skip && next != UINT64_MAX ? next : cycle + 1;
      }
      if (skip) {
        EXPECT_LE(begun, 3 * 40u) << "cycles without an event were not left out";
      }
      return answers;
    };
    const auto answers = run(false);
    EXPECT_EQ(answers.size(), 40u);
    EXPECT_EQ(run(true), answers);
  }
}

}  // namespace
}  // namespace t3::sim
