// Small whole systems for the tests of tb/top.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>

#include "sim/system/run.h"

namespace t3::tb {

// A request with small tables by default; what a test varies is set on it.
inline sim::RunRequest System(uint32_t devices, uint32_t m, uint32_t n, uint32_t k = 32) {
  sim::RunRequest r;
  r.devices = devices;
  r.m = m;
  r.n = n;
  r.k = k;
  r.rtl_config = "tiny";
  r.mode = sim::Mode::kT3;
  r.system.dram_bandwidth_gb_s = 170;  // two channels
  r.system.link_latency_ns = 50;
  return r;
}

inline sim::RunResult Simulate(const sim::RunRequest& request) {
  const std::atomic<bool> stop{false};
  return sim::Run(request, [](const sim::Progress&) {}, stop);
}

// Passes: every element of every device right, every invariant held.
inline void ExpectPass(const sim::RunRequest& request) {
  const sim::RunResult result = Simulate(request);
  EXPECT_EQ(result.outcome, sim::Outcome::kPass) << result.first_fault;
  EXPECT_EQ(result.wrong, 0u) << result.first_fault;
  EXPECT_EQ(result.checked, uint64_t{request.m} * request.n * request.repeat);
}

}  // namespace t3::tb
