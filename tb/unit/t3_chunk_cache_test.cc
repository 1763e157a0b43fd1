// t3_chunk_cache against a table that changes under it: no answer is older than the
// last change, requests are asked once, neighbouring chunks stay.
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

#include "Vt3_chunk_cache.h"
#include "tb/harness/bits.h"
#include "tb/harness/clock_bench.h"

namespace t3::tb {
namespace {

constexpr uint32_t Id(uint32_t ctx, uint32_t chunk) { return ctx << 9 | chunk; }

// The table beside the cache: a request that is taken is read in the next cycle and
// answered in the one after it, as t3_chunk_table does.
class Bench : public ClockBench<Vt3_chunk_cache> {
 public:
  explicit Bench(uint64_t seed) : ClockBench(seed) {
    (*this)->inv_i = 0;
    (*this)->lookup_valid_i = 0;
    (*this)->rsp_valid_i = 0;
    Reset();
  }

  // Drives a cycle with a look-up or none up to where the outputs are settled.
  void Begin(std::optional<uint32_t> id, bool ready) {
    (*this)->lookup_valid_i = id.has_value();
    if (id) (*this)->lookup_id_i = *id;
    (*this)->req_ready_i = ready;
    (*this)->rsp_valid_i = read_.has_value();
    if (read_) {
      (*this)->rsp_id_i = read_->first;
      StoreBits(Bytes((*this)->rsp_entry_i), 0, 64, read_->second);
    }
    Settle();
  }
  // `other`: another port's request is taken instead.
  void End(std::optional<uint32_t> other = std::nullopt) {
    read_.reset();
    if (granted_) read_ = {*granted_, table[*granted_]};
    granted_ = other;
    if ((*this)->req_valid_o && (*this)->req_ready_i) {
      granted_ = (*this)->req_id_o;
      ++requests;
    }
    Edge();
  }
  uint64_t Entry() { return LoadBits(Bytes((*this)->entry_o), 0, 64); }
  // Looks up until it hits; returns the cycles that it waited.
  uint32_t LookUp(uint32_t id) {
    for (uint32_t i = 0; i < 100; ++i) {
      Begin(id, true);
      const bool hit = (*this)->hit_o;
      if (hit) EXPECT_EQ(Entry(), table[id]);
      End();
      if (hit) return i;
    }
    ADD_FAILURE() << "no hit";
    return 100;
  }
  void Change(uint32_t id, uint64_t entry) {
    (*this)->inv_i = 1;
    Begin(std::nullopt, false);
    End();
    table[id] = entry;
    (*this)->inv_i = 0;
  }

  std::map<uint32_t, uint64_t> table;
  uint32_t requests = 0;

 private:
  std::optional<uint32_t> granted_;
  std::optional<std::pair<uint32_t, uint64_t>> read_;
};

TEST(ChunkCache, AMissAsksOnceAndThenHits) {
  Bench bench(1);
  bench.table[Id(1, 7)] = 77;
  EXPECT_EQ(bench.LookUp(Id(1, 7)), 3u);
  EXPECT_EQ(bench.LookUp(Id(1, 7)), 0u);
  EXPECT_EQ(bench.requests, 1u);
}

TEST(ChunkCache, NeighbouringChunksOfTwoContextPairsStay) {
  Bench bench(2);
  const uint32_t ids[] = {Id(0, 4), Id(0, 5), Id(2, 4), Id(2, 5)};
  for (uint32_t id : ids) bench.table[id] = id * 3;
  for (uint32_t id : ids) EXPECT_GT(bench.LookUp(id), 0u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(bench.LookUp(ids[i % 4]), 0u);
  EXPECT_EQ(bench.requests, 4u);
  // The other context of a pair takes the place.
  bench.table[Id(1, 4)] = 5;
  EXPECT_GT(bench.LookUp(Id(1, 4)), 0u);
  EXPECT_GT(bench.LookUp(Id(0, 4)), 0u);
  EXPECT_EQ(bench.LookUp(Id(0, 5)), 0u);
}

TEST(ChunkCache, NothingIsAskedWithoutALookUp) {
  Bench bench(3);
  for (int i = 0; i < 10; ++i) {
    bench.Begin(std::nullopt, true);
    EXPECT_FALSE(bench->req_valid_o);
    bench.End();
  }
}

TEST(ChunkCache, AChangeForgetsEverything) {
  Bench bench(4);
  bench.table[Id(0, 0)] = 1;
  bench.table[Id(0, 1)] = 2;
  bench.LookUp(Id(0, 0));
  bench.LookUp(Id(0, 1));
  bench.Change(Id(0, 0), 9);
  EXPECT_GT(bench.LookUp(Id(0, 0)), 0u);
  EXPECT_GT(bench.LookUp(Id(0, 1)), 0u);
}

TEST(ChunkCache, AnAnswerReadBeforeTheChangeIsNotTaken) {
  // The change falls into each cycle of a miss.
  for (uint32_t when = 0; when < 5; ++when) {
    Bench bench(5);
    bench.table[Id(3, 2)] = 1;
    for (uint32_t i = 0; i < when; ++i) {
      bench.Begin(Id(3, 2), true);
      bench.End();
    }
    bench->inv_i = 1;
    bench.Begin(Id(3, 2), true);
    bench.End();
    bench.table[Id(3, 2)] = 2;
    bench->inv_i = 0;
    bench.LookUp(Id(3, 2));
  }
}

class Random : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Random, LookUpsUnderChangesAndOtherPorts) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  Bench bench(GetParam());
  const auto id = [&] {
    return Id(static_cast<uint32_t>(bench.Draw(0, 3)), static_cast<uint32_t>(bench.Draw(0, 2)));
  };
  std::optional<uint32_t> wanted;
  uint32_t hits = 0, waited = 0, changes = 0;
  for (int i = 0; i < 60000; ++i) {
    if (!wanted && bench.Chance(80)) wanted = id();
    const bool change = bench.Chance(4);
    bench->inv_i = change;
    bench.Begin(wanted, bench.Chance(60));
    if (wanted && bench->hit_o) {
      ASSERT_EQ(bench.Entry(), bench.table[*wanted]) << "cycle " << i;
      wanted.reset();
      ++hits;
      waited = 0;
    } else if (wanted) {
      ASSERT_LT(++waited, 200u);
    }
    ASSERT_FALSE(bench->req_valid_o && !bench->lookup_valid_i);
    bench.End(bench.Chance(50) ? std::optional<uint32_t>(id()) : std::nullopt);
    if (change) {
      bench.table[id()] = bench.Draw();
      ++changes;
    }
  }
  EXPECT_GT(hits, 8000u);
  EXPECT_GT(changes, 1500u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Values(11, 12));

}  // namespace
}  // namespace t3::tb
