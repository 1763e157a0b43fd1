#include <gtest/gtest.h>

#include "sim/gpu/gemm_producer.h"
#include "sim/gpu/tests/gemm_bench.h"

namespace t3::sim {
namespace {

GemmKernel Kernel(uint32_t n, uint32_t chunks) {
  GemmKernel kernel;
  kernel.out_base = 1 << 20;
  kernel.pitch_bytes = uint64_t{n} * 2;
  for (uint32_t c = 0; c < chunks; ++c) kernel.chunk_order.push_back(c);
  return kernel;
}

// ceil of flops x slots x 1.4 GHz / 114.7 TFLOP/s, in whole numbers.
uint64_t Cycles(uint64_t flops, uint64_t slots) {
  return (flops * slots * 14 + 1147000 - 1) / 1147000;
}

TEST(GemmTiming, OneWaveTakesTheClosedForm) {
  GemmConfig config;
  config.compute_units = 2;  // 4 places, 4 tiles
  GemmProblem problem{256, 256, 512 * 64, 1, golden::Format::kFp16, 0};
  BenchConfig run;
  run.latency = 1;
  run.at_once = true;
  run.skip = true;
  GemmBench bench(config, problem, run);
  bench.producer().Launch(0, Kernel(256, 1));
  bench.RunUntilIdle();
  // The first step's data is there in cycle 1. 1024 steps of 51.19 cycles each: a
  // step that were rounded would show.
  EXPECT_EQ(bench.stores().front().cycle, 1 + Cycles(2ull * 128 * 128 * problem.k, 4));
}

TEST(GemmTiming, EdgeTilesTakeLessTime) {
  GemmConfig config;
  config.compute_units = 1;
  config.workgroups_per_cu = 1;
  GemmProblem problem{100, 30, 77, 1, golden::Format::kFp16, 0};
  BenchConfig run;
  run.latency = 1;
  run.at_once = true;
  GemmBench bench(config, problem, run);
  bench.producer().Launch(0, Kernel(30, 1));
  bench.RunUntilIdle();
  EXPECT_EQ(bench.stores().front().cycle, 1 + Cycles(2ull * 100 * 30 * 77, 1));
}

TEST(GemmTiming, WavesFollowEachOther) {
  GemmConfig config;
  config.compute_units = 1;
  config.workgroups_per_cu = 2;
  GemmProblem problem{128, 128 * 6, 32 * 32, 1, golden::Format::kFp16, 0};
  BenchConfig run;
  run.latency = 1;
  run.at_once = true;
  GemmBench bench(config, problem, run);
  bench.producer().Launch(0, Kernel(problem.n, 1));
  bench.RunUntilIdle();
  // Three waves; between them reads (1 cycle) and the stores of two tiles, 512 lines
  // each over 16 channels, at least 64 cycles.
  const uint64_t compute = Cycles(2ull * 128 * 128 * problem.k, 2);
  const uint64_t end = bench.producer().StoredCycle(0);
  EXPECT_GE(end, 3 * (compute + 33));
  EXPECT_LE(end, 3 * (compute + 1 + 130));
}

// The data of a step is asked for when the step before begins.
TEST(GemmTiming, StepsAreDoubleBuffered) {
  GemmConfig config;
  config.compute_units = 2;
  GemmProblem problem{256, 256, 32 * 20, 1, golden::Format::kFp16, 0};
  const uint64_t compute = Cycles(2ull * 128 * 128 * 32, 4);
  ASSERT_EQ(compute, 52u);
  for (const uint64_t latency : {60u, 500u}) {
    BenchConfig run;
    run.latency = latency;
    run.at_once = true;
    GemmBench bench(config, problem, run);
    bench.producer().Launch(0, Kernel(256, 1));
    bench.RunUntilIdle();
    EXPECT_EQ(bench.stores().front().cycle, 20 * latency + compute);
  }
}

TEST(GemmTiming, ReadsUnderWayAreBounded) {
  GemmConfig config;
  config.compute_units = 20;
  config.reads_per_channel = 24;
  GemmProblem problem{512, 512, 256, 1, golden::Format::kFp16, 0};
  BenchConfig run;
  run.latency = 5000;
  GemmBench bench(config, problem, run);
  bench.producer().Launch(0, Kernel(512, 1));
  bench.RunUntilIdle();
  EXPECT_EQ(bench.most_under_way(), 24u);
}

// Thousands of workgroups at a time: more panel steps than ids.
TEST(GemmTiming, MorePanelsThanIdsWait) {
  GemmConfig config;
  config.compute_units = 1024;
  config.workgroups_per_cu = 5;
  config.tile_m = config.tile_n = 1;
  config.wavefronts = 1;
  config.channels = 16;
  GemmProblem problem{1, 5000, 40, 1, golden::Format::kFp16, 0};
  GemmBench bench(config, problem);
  bench.producer().Launch(0, Kernel(5000, 1));
  bench.RunUntilIdle();
  EXPECT_EQ(bench.stores().size(), 5000u);
}

TEST(GemmTiming, EqualRunsAreEqualAndCyclesWithoutAnEventMayBeLeftOut) {
  for (const bool stress : {false, true}) {
    GemmConfig config;
    config.compute_units = 3;
    config.stress = stress;
    const GemmProblem problem{300, 400, 100, 3, golden::Format::kFp16, 0};
    const auto run = [&](bool skip, uint64_t seed) {
      BenchConfig bench_config;
      bench_config.latency = 700;
      bench_config.skip = skip;
      config.stress_seed = seed;
      GemmBench bench(config, problem, bench_config);
      bench.producer().Launch(0, Kernel(400, 3));
      bench.RunUntilIdle();
      std::vector<uint64_t> log;
      for (const auto& e : bench.stores())
        log.insert(log.end(), {e.cycle, e.channel, e.store.addr});
      for (const auto& e : bench.reads()) log.insert(log.end(), {e.cycle, e.channel, e.addr});
      return std::pair(log, bench.begun());
    };
    const auto [log, begun] = run(false, 1);
    EXPECT_EQ(run(false, 1).first, log);
    const auto [skipped_log, skipped_begun] = run(true, 1);
    EXPECT_EQ(skipped_log, log);
    EXPECT_LT(skipped_begun, begun * 3 / 4) << "no cycles were left out";
    EXPECT_EQ(run(false, 2).first == log, !stress);
  }
}

// Time that passes without calls before a read comes back must count.
TEST(GemmTiming, StepStartsWhenItsDataComesHoweverLongThePause) {
  GemmConfig config;
  config.compute_units = 1;
  config.workgroups_per_cu = 1;
  const GemmProblem problem{128, 128, 32, 1, golden::Format::kFp16, 0};
  BenchConfig run;
  run.latency = 12345;
  run.at_once = true;
  run.skip = true;
  GemmBench bench(config, problem, run);
  bench.producer().Launch(0, Kernel(128, 1));
  bench.RunUntilIdle();
  EXPECT_EQ(bench.stores().front().cycle, 12345 + Cycles(2ull * 128 * 128 * 32, 1));
  EXPECT_LT(bench.begun(), 200u);
}

}  // namespace
}  // namespace t3::sim
