// Planted faults: stuck systems are named, bad packets are refused and reported.
#include "tb/top/systems.h"

namespace t3::tb {
namespace {

sim::RunResult WithFault(const std::string& fault, uint64_t after) {
  sim::RunRequest r = System(3, 160, 140);
  r.system.link_credits = 64;  // fewer than a device sends
  r.hooks.fault = fault;
  r.hooks.fault_after = after;
  r.hooks.fault_device = 1;
  return Simulate(r);
}

TEST(Fault, LostCreditsLeaveTheSystemStuckAndNamed) {
  const sim::RunResult result = WithFault("lose-credits", 20);
  EXPECT_EQ(result.outcome, sim::Outcome::kStuck);
  EXPECT_NE(result.first_fault.find("device"), std::string::npos) << result.first_fault;
  EXPECT_NE(result.first_fault.find("subtile"), std::string::npos) << result.first_fault;
}

class Refused : public ::testing::TestWithParam<const char*> {};

TEST_P(Refused, BadPacketsFailTheRunWithAReason) {
  const sim::RunResult result = WithFault(GetParam(), 30);
  EXPECT_EQ(result.outcome, sim::Outcome::kWrong);
  EXPECT_FALSE(result.first_fault.empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Refused,
                         ::testing::Values("corrupt-packet", "wrong-context", "outside-grid",
                                           "cut-element"));

}  // namespace
}  // namespace t3::tb
