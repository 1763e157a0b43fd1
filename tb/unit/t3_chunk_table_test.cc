// t3_chunk_table against a map: who is answered, when, and with what.
#include <array>
#include <deque>
#include <map>
#include <vector>

#include "Vt3_chunk_table.h"
#include "tb/harness/clock_bench.h"
#include "tb/unit/t3_map_types.h"

namespace t3::tb {
namespace {

constexpr uint32_t kPorts = T3_NumPorts, kChunks = T3_Chunks, kIdBits = 11;
using Words = std::array<uint8_t, 16>;  // an entry as the port holds it

class Bench : public ClockBench<Vt3_chunk_table> {
 public:
  explicit Bench(uint64_t seed) : ClockBench(seed) {
    for (uint32_t c = 0; c < kNumCtx; ++c) SetLimit(c, kChunks);
    (*this)->we_i = 0;
    (*this)->req_valid_i = 0;
    Reset();
  }
  // Chunks of a context that count as configured.
  void SetLimit(uint32_t ctx, uint32_t chunks) {
    StoreBits(Bytes((*this)->num_chunks_i), ctx * 10, 10, chunks);
  }
  void Request(uint32_t port, uint32_t id) {
    (*this)->req_valid_i = (*this)->req_valid_i | 1u << port;
    StoreBits(Bytes((*this)->req_id_i), port * kIdBits, kIdBits, id);
  }
  void Write(uint32_t id, const Words& entry) {
    (*this)->we_i = 1;
    (*this)->wctx_i = id >> 9;
    (*this)->wchunk_i = id & 511;
    std::memcpy(Bytes((*this)->wdata_i), entry.data(), 16);
  }
  Words RandomEntry() {
    Words w{};
    for (int i = 0; i < 13; ++i) w[static_cast<size_t>(i)] = static_cast<uint8_t>(Draw());
    w[13] = Draw() & 0x7f;  // 111 bits
    return w;
  }
  uint32_t RandomId() {
    return static_cast<uint32_t>(Draw(0, 3) << 9 | Draw(0, kChunks - 1));
  }
  Words Answer() {
    Words w;
    std::memcpy(w.data(), Bytes((*this)->rsp_entry_o), 16);
    return w;
  }
  // Writes all entries; returns what was written.
  std::map<uint32_t, Words> Fill() {
    std::map<uint32_t, Words> table;
    for (uint32_t c = 0; c < kNumCtx; ++c) {
      for (uint32_t k = 0; k < kChunks; ++k) {
        const uint32_t id = c << 9 | k;
        Write(id, table[id] = RandomEntry());
        Settle();
        Edge();
      }
    }
    (*this)->we_i = 0;
    return table;
  }
};

TEST(ChunkTable, AnswersTwoCyclesAfterTheGrant) {
  Bench bench(1);
  const auto table = bench.Fill();
  const uint32_t id = 2 << 9 | (kChunks - 1);
  bench.Request(1, id);
  bench.Settle();
  EXPECT_EQ(bench->req_ready_o, 2u);
  bench.Edge();
  bench->req_valid_i = 0;
  bench.Settle();
  EXPECT_FALSE(bench->rsp_valid_o);
  bench.Edge();
  bench.Settle();
  ASSERT_TRUE(bench->rsp_valid_o);
  EXPECT_EQ(bench->rsp_id_o, id);
  EXPECT_EQ(bench.Answer(), table.at(id));
  bench.Edge();
  bench.Settle();
  EXPECT_FALSE(bench->rsp_valid_o);
}

TEST(ChunkTable, ChunksBeyondTheNumberOfTheContextReadAsNothing) {
  Bench bench(2);
  const auto table = bench.Fill();
  bench.SetLimit(0, 0);
  bench.SetLimit(1, 5);
  bench.SetLimit(2, kChunks);
  for (const auto& [id, known] : std::map<uint32_t, bool>{{0, false},
                                                          {1 << 9 | 4, true},
                                                          {1 << 9 | 5, false},
                                                          {1 << 9 | 6, false},
                                                          {2 << 9 | 5, true},
                                                          {2 << 9 | (kChunks - 1), true}}) {
    bench.Request(0, id);
    for (int i = 0; i < 3; ++i) {
      bench.Settle();
      if (i == 2) {
        EXPECT_TRUE(bench->rsp_valid_o);
        EXPECT_EQ(bench.Answer(), known ? table.at(id) : Words{}) << "id " << id;
      }
      bench.Edge();
      bench->req_valid_i = 0;
    }
  }
}

TEST(ChunkTable, ServesAllPortsInTurnWithoutAGap) {
  Bench bench(3);
  bench.Fill();
  std::vector<uint32_t> served(kPorts);
  for (uint32_t p = 0; p < kPorts; ++p) bench.Request(p, p);
  for (uint32_t i = 0; i < 10 * kPorts; ++i) {
    bench.Settle();
    ASSERT_EQ(__builtin_popcount(bench->req_ready_o), 1);
    ++served[static_cast<size_t>(__builtin_ctz(bench->req_ready_o))];
    ASSERT_EQ(bench->rsp_valid_o, i >= 2);
    bench.Edge();
  }
  for (uint32_t p = 0; p < kPorts; ++p) EXPECT_EQ(served[p], 10u) << "port " << p;
}

class Random : public ::testing::TestWithParam<uint64_t> {};

// A request is read in the cycle after its grant and sees all writes before that.
TEST_P(Random, RequestsAndWrites) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  Bench bench(GetParam());
  auto table = bench.Fill();
  for (uint32_t c = 0; c < kNumCtx; ++c) bench.SetLimit(c, kChunks / 2 + c);
  struct Read {
    bool valid = false;
    uint32_t id = 0;
    Words entry{};
  };
  Read granted, read;
  std::vector<int64_t> wanted(kPorts, -1);  // id that a port asks for
  uint32_t answers = 0, unknown = 0;
  for (int i = 0; i < 30000; ++i) {
    const bool write = bench.Chance(30);
    bench->we_i = 0;
    // Few ids, so that reads meet writes.
    const uint32_t written = static_cast<uint32_t>(bench.Draw(0, 3) << 9 | bench.Draw(0, 3));
    Words entry{};
    if (write) bench.Write(written, entry = bench.RandomEntry());
    bench->req_valid_i = 0;
    for (uint32_t p = 0; p < kPorts; ++p) {
      if (wanted[p] < 0 && bench.Chance(20)) {
        wanted[p] = bench.Chance(60) ? static_cast<int64_t>(bench.Draw(0, 3) << 9 | bench.Draw(0, 3))
                                     : bench.RandomId();
      }
      if (wanted[p] >= 0) bench.Request(p, static_cast<uint32_t>(wanted[p]));
    }
    bench.Settle();
    ASSERT_EQ(bench->rsp_valid_o, read.valid) << "cycle " << i;
    if (read.valid) {
      const uint32_t ctx = read.id >> 9;
      const bool known = (read.id & 511) < kChunks / 2 + ctx;
      ASSERT_EQ(bench->rsp_id_o, read.id);
      ASSERT_EQ(bench.Answer(), known ? read.entry : Words{}) << "cycle " << i;
      ++answers;
      unknown += !known;
    }
    read = granted;
    if (read.valid) read.entry = table.at(read.id);
    granted.valid = bench->req_ready_o != 0;
    ASSERT_EQ(granted.valid, bench->req_valid_i != 0);
    if (granted.valid) {
      ASSERT_EQ(__builtin_popcount(bench->req_ready_o), 1);
      const auto port = static_cast<size_t>(__builtin_ctz(bench->req_ready_o));
      ASSERT_GE(wanted[port], 0);
      granted.id = static_cast<uint32_t>(wanted[port]);
      wanted[port] = -1;
    }
    if (write) table[written] = entry;
    bench.Edge();
  }
  EXPECT_GT(answers, 5000u);
  EXPECT_GT(unknown, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Values(11, 12));

}  // namespace
}  // namespace t3::tb
