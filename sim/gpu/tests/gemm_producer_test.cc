#include "sim/gpu/gemm_producer.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "sim/gpu/tests/gemm_bench.h"

namespace t3::sim {
namespace {

// Bit i of the channel is the parity of the address bits 8 + i, 8 + i + width, ...
uint32_t ChannelByParity(uint64_t addr, uint32_t width) {
  uint32_t channel = 0;
  for (uint32_t i = 0; i < width; ++i) {
    for (uint32_t bit = 8 + i; bit < 40; bit += width) {
      channel ^= static_cast<uint32_t>(addr >> bit & 1) << i;
    }
  }
  return channel;
}

TEST(ChannelOf, FoldsTheBlockIndex) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const uint64_t addr = random() & ((uint64_t{1} << 40) - 1);
    EXPECT_EQ(ChannelOf(addr, 1), 0u);
    for (uint32_t width = 1; width <= 6; ++width) {
      ASSERT_EQ(ChannelOf(addr, 1u << width), ChannelByParity(addr, width)) << addr;
    }
  }
}

struct Case {
  std::string name;
  uint32_t m, n, k, chunks;
  golden::Format format = golden::Format::kFp16;
  bool column_major = false;
  uint32_t padding = 0;  // elements
  uint32_t tile_m = 128, tile_n = 128, tile_k = 32, wavefronts = 4;
  uint32_t channels = 16, line_bytes = 64;
  uint64_t out_base = 1 << 20;
  uint32_t compute_units = 4;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

GemmConfig ConfigOf(const Case& c) {
  GemmConfig config;
  config.compute_units = c.compute_units;
  config.tile_m = c.tile_m;
  config.tile_n = c.tile_n;
  config.tile_k = c.tile_k;
  config.wavefronts = c.wavefronts;
  config.column_major = c.column_major;
  config.channels = c.channels;
  config.line_bytes = c.line_bytes;
  config.a_base = 0x1000000;
  config.b_base = 0x9000000;
  return config;
}

GemmProblem ProblemOf(const Case& c) { return {c.m, c.n, c.k, c.chunks, c.format, 2}; }

GemmKernel KernelOf(const Case& c, uint32_t number = 5) {
  GemmKernel kernel;
  kernel.kernel = number;
  kernel.ctx = 3;
  kernel.out_base = c.out_base;
  kernel.pitch_bytes = uint64_t{c.n + c.padding} * golden::ElementBytes(c.format);
  for (uint32_t i = 0; i < c.chunks; ++i) {
    kernel.chunk_order.push_back((c.chunks / 2 + c.chunks - i) % c.chunks);
  }
  return kernel;
}

// Every byte of the matrix is stored once, with its data and the ids of its subtile.
// Looks at the stores [begin, end) of the bench.
void CheckStores(const Case& c, const GemmBench& bench, const GemmKernel& kernel, size_t begin,
                 size_t end) {
  ASSERT_EQ(bench.stores().size(), end);
  const uint32_t element = golden::ElementBytes(c.format);
  const uint32_t grid_x = (c.n + c.tile_n - 1) / c.tile_n, grid_y = (c.m + c.tile_m - 1) / c.tile_m;
  const uint64_t row_bytes = uint64_t{c.n} * element;
  const uint32_t width = static_cast<uint32_t>(__builtin_ctz(c.channels));
  std::vector<std::vector<uint8_t>> data(c.m), count(c.m);
  for (uint32_t row = 0; row < c.m; ++row) {
    data[row].resize(row_bytes);
    count[row].resize(row_bytes);
    for (uint32_t col = 0; col < c.n; ++col) {
      bench.payload().Row(2, kernel.kernel, row, col, 1, &data[row][uint64_t{col} * element]);
    }
  }
  for (size_t i = begin; i < end; ++i) {
    const auto& event = bench.stores()[i];
    const StoreAccess& store = event.store;
    ASSERT_EQ(store.addr % c.line_bytes, 0u);
    ASSERT_EQ(event.channel, ChannelByParity(store.addr, width));
    ASSERT_EQ(store.ctx, 3);
    bool some = false;
    for (uint32_t b = 0; b < 128; ++b) {
      if ((store.strobes[b / 8] >> (b % 8) & 1) == 0) continue;
      some = true;
      ASSERT_LT(b, c.line_bytes);
      const uint64_t offset = store.addr + b - kernel.out_base;
      const uint64_t row = offset / kernel.pitch_bytes, in_row = offset % kernel.pitch_bytes;
      ASSERT_LT(row, c.m);
      ASSERT_LT(in_row, row_bytes) << "padding is stored";
      const auto y = static_cast<uint32_t>(row / c.tile_m);
      const auto x = static_cast<uint32_t>(in_row / element / c.tile_n);
      const uint32_t tile = c.column_major ? x * grid_y + y : y * grid_x + x;
      ASSERT_EQ(store.wgx, x);
      ASSERT_EQ(store.wgy, y);
      ASSERT_EQ(store.wf, row % c.tile_m * c.wavefronts / c.tile_m);
      ASSERT_EQ(store.chunk, ChunkByDefinition(tile, grid_x * grid_y, c.chunks));
      ASSERT_EQ(store.data[b], data[row][in_row]) << "row " << row << ", byte " << in_row;
      ASSERT_EQ(++count[row][in_row], 1) << "stored twice: row " << row << ", byte " << in_row;
    }
    ASSERT_TRUE(some) << "a store without a byte";
  }
  for (uint32_t row = 0; row < c.m; ++row) {
    for (uint64_t b = 0; b < row_bytes; ++b) {
      ASSERT_EQ(count[row][b], 1) << "not stored: row " << row << ", byte " << b;
    }
  }
}

class GemmProducerShapes : public testing::TestWithParam<Case> {};

TEST_P(GemmProducerShapes, StoresEveryByteOnceWithItsDataAndIds) {
  const Case& c = GetParam();
  for (const bool stress : {false, true}) {
    GemmConfig config = ConfigOf(c);
    config.stress = stress;
    BenchConfig run;
    run.take_of_8 = stress ? 3 : 8;
    run.seed = 11;
    GemmBench bench(config, ProblemOf(c), run);
    const GemmKernel kernel = KernelOf(c);
    bench.producer().Launch(0, kernel);
    bench.RunUntilIdle();
    CheckStores(c, bench, kernel, 0, bench.stores().size());
    EXPECT_EQ(bench.producer().KernelsStored(), 1u);
    EXPECT_EQ(bench.producer().StoredCycle(5), bench.stores().back().cycle);
    EXPECT_EQ(bench.producer().Fraction(), 1.0);
  }
}

// With one place, tiles are stored one after another in the kernel's order.
TEST_P(GemmProducerShapes, IssuesTilesInTheOrderOfTheChunks) {
  const Case& c = GetParam();
  GemmConfig config = ConfigOf(c);
  config.compute_units = config.workgroups_per_cu = 1;
  GemmBench bench(config, ProblemOf(c));
  const GemmKernel kernel = KernelOf(c);
  bench.producer().Launch(0, kernel);
  bench.RunUntilIdle();
  std::vector<uint32_t> stored;
  const uint32_t grid_x = (c.n + c.tile_n - 1) / c.tile_n, grid_y = (c.m + c.tile_m - 1) / c.tile_m;
  for (const auto& event : bench.stores()) {
    const uint32_t tile = c.column_major ? event.store.wgx * grid_y + event.store.wgy
                                         : event.store.wgy * grid_x + event.store.wgx;
    if (stored.empty() || stored.back() != tile) stored.push_back(tile);
  }
  std::vector<uint32_t> expected;
  for (const uint32_t chunk : kernel.chunk_order) {
    for (uint32_t tile = 0; tile < grid_x * grid_y; ++tile) {
      if (ChunkByDefinition(tile, grid_x * grid_y, c.chunks) == chunk) expected.push_back(tile);
    }
  }
  EXPECT_EQ(stored, expected);
}

// With all workgroups resident each panel is read once, with one place once per tile.
TEST_P(GemmProducerShapes, ReadsEachPanelOnceWhileItHasUsers) {
  const Case& c = GetParam();
  const uint32_t element = golden::ElementBytes(c.format);
  const uint32_t grid_x = (c.n + c.tile_n - 1) / c.tile_n, grid_y = (c.m + c.tile_m - 1) / c.tile_m;
  const auto width = static_cast<uint32_t>(__builtin_ctz(c.channels));
  for (const bool shared : {true, false}) {
    GemmConfig config = ConfigOf(c);
    config.compute_units = shared ? grid_x * grid_y : 1;
    config.workgroups_per_cu = 1;
    // How often each line is read. A step reads each line that holds one of its elements,
    // unless the row had an element of an earlier step in the line.
    std::map<uint64_t, uint32_t> expected, found;
    const auto add = [&](uint64_t base, uint32_t rows, uint32_t panel_rows, uint32_t times) {
      std::set<std::tuple<uint32_t, uint32_t, uint64_t>> panel_step_line;
      for (uint32_t row = 0; row < rows; ++row) {
        std::set<uint64_t> lines_of_row;
        for (uint32_t col = 0; col < c.k; ++col) {
          const uint64_t addr = base + (uint64_t{row} * c.k + col) * element;
          const uint64_t line = addr / c.line_bytes * c.line_bytes;
          if (!lines_of_row.insert(line).second) continue;
          if (panel_step_line.emplace(row / panel_rows, col / c.tile_k, line).second) {
            expected[line] += times;
          }
        }
      }
    };
    add(config.a_base, c.m, c.tile_m, shared ? 1 : grid_x);
    add(config.b_base, c.n, c.tile_n, shared ? 1 : grid_y);
    GemmBench bench(config, ProblemOf(c));
    bench.producer().Launch(0, KernelOf(c));
    bench.RunUntilIdle();
    for (const auto& read : bench.reads()) {
      ++found[read.addr];
      ASSERT_EQ(read.channel, ChannelByParity(read.addr, width));
    }
    EXPECT_TRUE(found == expected) << (shared ? "shared" : "not shared");
    EXPECT_EQ(bench.producer().ReadBytes(), bench.reads().size() * c.line_bytes);
  }
}

// Rows of whole lines: M x K + N x K elements, exactly.
TEST(GemmProducer, ReadsTheBytesOfAAndBOnce) {
  const Case c{"", 256, 384, 128, 4};
  GemmConfig config = ConfigOf(c);
  config.compute_units = 6;
  GemmBench bench(config, ProblemOf(c));
  bench.producer().Launch(0, KernelOf(c));
  bench.RunUntilIdle();
  EXPECT_EQ(bench.producer().ReadBytes(), (256u + 384u) * 128u * 2u);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  Case even{"Even", 256, 384, 128, 4};
  cases.push_back(even);
  Case odd{"OddEdges", 133, 261, 70, 3};
  cases.push_back(odd);
  odd.name = "OddEdgesColumns";
  odd.column_major = true;
  cases.push_back(odd);
  odd.name = "OddEdgesPaddedPitch";
  odd.padding = 7;
  odd.out_base += 34;
  cases.push_back(odd);
  odd.name = "OddEdgesFp32";
  odd.format = golden::Format::kFp32;
  odd.out_base += 2;
  cases.push_back(odd);
  odd.name = "OddEdgesBf16WideLines";
  odd.format = golden::Format::kBf16;
  odd.line_bytes = 128;
  odd.channels = 2;
  cases.push_back(odd);
  Case thin{"OneElement", 1, 1, 1, 1};
  cases.push_back(thin);
  thin = {"OneColumn", 300, 1, 40, 2};
  cases.push_back(thin);
  thin = {"OneRow", 1, 300, 40, 5};  // more chunks than tiles
  cases.push_back(thin);
  Case small{"SmallTiles", 37, 41, 50, 7};
  small.tile_m = 6;
  small.tile_n = 5;
  small.tile_k = 3;
  small.wavefronts = 3;
  small.padding = 1;
  cases.push_back(small);
  small.name = "SmallTilesOneStep";
  small.k = 3;
  small.column_major = true;
  small.channels = 1;
  cases.push_back(small);
  Case wide{"WideTiles", 64, 1000, 33, 2};
  wide.tile_m = 32;
  wide.tile_n = 512;
  wide.wavefronts = 32;
  cases.push_back(wide);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Shapes, GemmProducerShapes, testing::ValuesIn(Cases()),
                         [](const auto& info) { return info.param.name; });

TEST(GemmProducer, RunsKernelsOneAfterAnother) {
  Case c{"", 200, 150, 64, 2};
  GemmBench bench(ConfigOf(c), ProblemOf(c));
  GemmKernel first = KernelOf(c, 7), second = KernelOf(c, 9);
  second.ctx = 1;
  second.out_base = 0x4000000;
  GemmKernel empty = KernelOf(c, 8);
  empty.chunk_order.clear();
  bench.producer().Launch(0, first);
  bench.producer().Launch(0, empty);
  bench.producer().Launch(0, second);
  EXPECT_FALSE(bench.producer().Idle());
  EXPECT_EQ(bench.producer().StoredCycle(7), UINT64_MAX);
  bench.RunUntilIdle();
  EXPECT_EQ(bench.producer().KernelsStored(), 3u);
  uint64_t last_of_first = 0, first_of_second = UINT64_MAX;
  for (const auto& event : bench.stores()) {
    const bool second_output = event.store.addr >= second.out_base;
    ASSERT_EQ(event.store.ctx, second_output ? 1 : 3);
    if (second_output) {
      first_of_second = std::min(first_of_second, event.cycle);
    } else {
      last_of_first = std::max(last_of_first, event.cycle);
    }
  }
  EXPECT_LT(last_of_first, first_of_second);
  EXPECT_EQ(bench.producer().StoredCycle(7), last_of_first);
  EXPECT_EQ(bench.producer().StoredCycle(8), last_of_first);
  EXPECT_EQ(bench.producer().StoredCycle(9), bench.stores().back().cycle);
  EXPECT_EQ(bench.producer().NextEvent(), UINT64_MAX);
}

// One place: the second kernel begins where the first took its last tile.
TEST(GemmProducer, SecondKernelStoresEverythingAgain) {
  const Case c{"", 200, 300, 64, 2};
  GemmConfig config = ConfigOf(c);
  config.compute_units = config.workgroups_per_cu = 1;
  GemmBench bench(config, ProblemOf(c));
  const GemmKernel first = KernelOf(c, 1), second = KernelOf(c, 2);
  bench.producer().Launch(0, first);
  bench.RunUntilIdle();
  const size_t stores = bench.stores().size();
  CheckStores(c, bench, first, 0, stores);
  bench.producer().Launch(bench.cycle() + 100, second);
  bench.RunUntilIdle();
  CheckStores(c, bench, second, stores, 2 * stores);
}

// A port that takes all that is offered empties the queue of a tile that is not listed
// to its end.
TEST(GemmProducer, TileLargerThanTheQueueOfItsChannel) {
  Case c{"", 256, 256, 64, 1};
  c.channels = 1;
  BenchConfig run;
  run.stores_at_once = true;
  GemmBench bench(ConfigOf(c), ProblemOf(c), run);
  const GemmKernel kernel = KernelOf(c);
  bench.producer().Launch(0, kernel);
  bench.RunUntilIdle();
  CheckStores(c, bench, kernel, 0, 256u * 8);
}

// With stress, a channel pauses between its accesses though all are taken at once.
TEST(GemmProducer, StressLeavesGaps) {
  const Case c{"", 256, 256, 64, 1};
  GemmConfig config = ConfigOf(c);
  config.stress = true;
  GemmBench bench(config, ProblemOf(c));
  bench.producer().Launch(0, KernelOf(c));
  bench.RunUntilIdle();
  const auto gaps = [](const auto& events) {
    std::map<uint32_t, uint64_t> last;
    std::map<uint64_t, uint32_t> count;
    for (const auto& event : events) {
      const auto [it, first] = last.emplace(event.channel, event.cycle);
      if (!first) ++count[event.cycle - it->second];
      it->second = event.cycle;
    }
    return count;
  };
  for (auto count : {gaps(bench.stores()), gaps(bench.reads())}) {
    for (uint64_t gap = 1; gap <= 8; ++gap) EXPECT_GT(count[gap], 20u) << gap;
  }
}

TEST(GemmProducer, KernelWithoutTilesEndsAtOnce) {
  for (const Case& c : {Case{"", 0, 150, 64, 2}, Case{"", 150, 0, 64, 2}}) {
    GemmBench bench(ConfigOf(c), ProblemOf(c));
    bench.producer().Launch(33, KernelOf(c));
    EXPECT_TRUE(bench.producer().Idle());
    EXPECT_EQ(bench.producer().KernelsStored(), 1u);
    EXPECT_EQ(bench.producer().StoredCycle(5), 33u);
  }
}

TEST(GemmProducer, StoresOfOneWavefrontStayTogether) {
  Case c{"", 128, 512, 64, 1};
  GemmBench bench(ConfigOf(c), ProblemOf(c));
  bench.producer().Launch(0, KernelOf(c));
  bench.RunUntilIdle();
  // In each channel, the wavefronts of a tile come in order.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> last;
  for (const auto& event : bench.stores()) {
    uint32_t& wf = last[{event.channel, event.store.wgx}];
    ASSERT_GE(event.store.wf, wf);
    wf = event.store.wf;
  }
}

}  // namespace
}  // namespace t3::sim
