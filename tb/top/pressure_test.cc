// Overflowing tables, random stalls, skewed devices, kernels back to back, few
// credits: slower, never wrong. And the same bytes whatever the threads.
#include "tb/top/systems.h"

namespace t3::tb {
namespace {

class Stalls : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Stalls, TinyTables) {
  sim::RunRequest r = System(4, 256, 256);
  r.stress = GetParam();
  const sim::RunResult result = Simulate(r);
  EXPECT_EQ(result.outcome, sim::Outcome::kPass) << result.first_fault;
  EXPECT_GT(result.tracker.spills, 0u);
}

TEST_P(Stalls, FourKernelsBackToBack) {
  sim::RunRequest r = System(4, 160, 140);
  r.repeat = 4;
  r.stress = GetParam();
  ExpectPass(r);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Stalls, ::testing::Values(1, 2, 3, 4, 5));

TEST(Pressure, FewCredits) {
  sim::RunRequest r = System(3, 160, 140);
  const uint64_t many = Simulate(r).cycles;
  r.system.link_credits = 2;
  const sim::RunResult few = Simulate(r);
  EXPECT_EQ(few.outcome, sim::Outcome::kPass) << few.first_fault;
  EXPECT_GT(few.cycles, many);
}

TEST(Pressure, OneCreditAndOneCycleOfLatency) {
  sim::RunRequest r = System(4, 96, 96);
  r.system.link_credits = 1;
  r.system.link_latency_ns = 0.5;
  ExpectPass(r);
}

TEST(Pressure, McaPolicyWithBackToBackKernels) {
  sim::RunRequest r = System(3, 256, 256);
  r.mode = sim::Mode::kT3Mca;
  r.repeat = 3;
  ExpectPass(r);
}

TEST(Pressure, ThreadsDoNotChangeAnything) {
  sim::RunRequest r = System(5, 200, 200);
  r.stress = 9;
  const sim::RunResult one = Simulate(r);
  for (uint32_t threads : {2u, 5u}) {
    r.threads = threads;
    const sim::RunResult more = Simulate(r);
    EXPECT_EQ(more.cycles, one.cycles);
    EXPECT_EQ(more.result_crc32, one.result_crc32);
    EXPECT_EQ(more.tracker.spills, one.tracker.spills);
    EXPECT_EQ(more.link_bytes, one.link_bytes);
  }
}

TEST(Pressure, LatencyIsChargedOncePerHop) {
  sim::RunRequest r = System(2, 128, 128, 16);
  r.rtl_config = "default";  // the small tables would take longer than the hop
  r.system = sim::SystemConfig();
  r.system.link_latency_ns = 100000;
  r.collective = sim::Collective::kReduceScatter;
  const double rs = Simulate(r).time_us;
  EXPECT_GT(rs, 100.0);
  EXPECT_LT(rs, 112.0);
}

}  // namespace
}  // namespace t3::tb
