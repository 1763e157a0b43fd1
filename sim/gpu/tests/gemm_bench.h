// Drives a GemmProducer as a device does, with a memory that answers after a fixed
// latency, and records what it offers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "sim/gpu/gemm_producer.h"

namespace t3::sim {

struct BenchConfig {
  uint64_t latency = 10;  // cycles from taking a read to its answer, at least 1
  bool at_once = false;   // any number of reads per cycle and channel
  bool stores_at_once = false;
  uint32_t take_of_8 = 8;  // how often an offered access is taken
  bool skip = false;       // leave out cycles in which nothing can happen
  uint64_t seed = 1;
};

class GemmBench {
 public:
  struct StoreEvent {
    uint64_t cycle;
    uint32_t channel;
    StoreAccess store;
  };
  struct ReadEvent {
    uint64_t cycle;
    uint32_t channel;
    uint64_t addr;
  };

  GemmBench(const GemmConfig& config, const GemmProblem& problem, const BenchConfig& bench = {})
      : config_(config),
        bench_(bench),
        payload_({golden::DataKind::kRandom, problem.format, 3, problem.m, problem.n, problem.k}),
        producer_(config, problem, &payload_),
        held_store_(config.channels, nullptr),
        held_(config.channels),
        held_read_(config.channels, nullptr),
        under_way_(config.channels, 0),
        random_(bench.seed) {}

  const golden::Payload& payload() const { return payload_; }
  GemmProducer& producer() { return producer_; }
  uint64_t cycle() const { return cycle_; }
  uint64_t begun() const { return begun_; }
  uint32_t most_under_way() const { return most_under_way_; }
  const std::vector<StoreEvent>& stores() const { return stores_; }
  const std::vector<ReadEvent>& reads() const { return reads_; }

  void Step() {
    while (!answers_.empty() && answers_.front().cycle <= cycle_) {
      producer_.ReadDone(answers_.front().id);
      --under_way_[answers_.front().channel];
      answers_.pop_front();
    }
    producer_.Begin(cycle_);
    ++begun_;
    bool offered = false;
    for (uint32_t c = 0; c < config_.channels; ++c) {
      while (const StoreAccess* store = producer_.Store(c)) {
        CheckHeld(store, &held_store_[c], &held_[c]);
        offered = true;
        if (random_() % 8 >= bench_.take_of_8) break;
        stores_.push_back({cycle_, c, *store});
        producer_.StoreTaken(c);
        held_store_[c] = nullptr;
        if (!bench_.stores_at_once) break;
      }
      EXPECT_TRUE(held_store_[c] == nullptr || producer_.Store(c) == held_store_[c]);
      while (const ReadAccess* read = producer_.Read(c)) {
        EXPECT_TRUE(held_read_[c] == nullptr || held_read_[c] == read);
        held_read_[c] = read;
        offered = true;
        if (random_() % 8 >= bench_.take_of_8) break;
        reads_.push_back({cycle_, c, read->addr});
        answers_.push_back({cycle_ + bench_.latency, c, read->id});
        most_under_way_ = std::max(most_under_way_, ++under_way_[c]);
        producer_.ReadTaken(c);
        held_read_[c] = nullptr;
        if (!bench_.at_once) break;
      }
    }
    uint64_t next = producer_.NextEvent();
    EXPECT_GT(next, cycle_);
    if (!answers_.empty()) next = std::min(next, answers_.front().cycle);
    cycle_ = bench_.skip && !offered && next != UINT64_MAX ? next : cycle_ + 1;
  }

  void RunUntilIdle(uint64_t limit = 20000000) {
    while (!producer_.Idle() && cycle_ < limit) Step();
    ASSERT_LT(cycle_, limit) << "the producer does not come to rest";
    EXPECT_TRUE(answers_.empty()) << "a read was still under way";
  }

 private:
  struct Answer {
    uint64_t cycle;
    uint32_t channel;
    uint16_t id;
  };

  // An access that was not taken stays the same, in the same place.
  static void CheckHeld(const StoreAccess* store, const StoreAccess** held, StoreAccess* copy) {
    if (*held == nullptr) {
      *held = store;
      *copy = *store;
      return;
    }
    EXPECT_EQ(store, *held);
    EXPECT_EQ(store->addr, copy->addr);
    EXPECT_EQ(std::memcmp(store->strobes, copy->strobes, sizeof copy->strobes), 0);
    EXPECT_EQ(std::memcmp(store->data, copy->data, sizeof copy->data), 0);
  }

  const GemmConfig config_;
  const BenchConfig bench_;
  golden::Payload payload_;
  GemmProducer producer_;
  uint64_t cycle_ = 0, begun_ = 0;
  std::vector<const StoreAccess*> held_store_;
  std::vector<StoreAccess> held_;
  std::vector<const ReadAccess*> held_read_;
  std::vector<uint32_t> under_way_;
  uint32_t most_under_way_ = 0;
  std::deque<Answer> answers_;
  std::mt19937_64 random_;
  std::vector<StoreEvent> stores_;
  std::vector<ReadEvent> reads_;
};

// The chunk whose tiles [floor(c*T/C), floor((c+1)*T/C)) hold the tile.
inline uint32_t ChunkByDefinition(uint32_t tile, uint32_t tiles, uint32_t chunks) {
  for (uint32_t c = 0; c < chunks; ++c) {
    const uint64_t first = uint64_t{c} * tiles / chunks;
    const uint64_t end = uint64_t{c + 1} * tiles / chunks;
    if (tile >= first && tile < end) return c;
  }
  return UINT32_MAX;
}

}  // namespace t3::sim
