// A simulator that answers at once, for tests of the command line.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "sim/cli/simulator.h"
#include "sim/report/usage_error.h"

namespace t3::sim {

// Configurations: default (16 x 64 bytes), tiny (2 x 64, 64 chunks, 100 credits),
// link4 (four lines per cycle). Runs pass; every run's request is kept.
class FakeSimulator {
 public:
  std::vector<RunRequest> requests;
  RunResult result;
  uint64_t memory = 1000;

  Simulator Functions() {
    return {
        [](const std::string& name) -> std::optional<RtlLimits> {
          RtlLimits limits{name, 16, 64, 1, 1, 2048, 512, 4};
          if (name == "default") return limits;
          if (name == "tiny") {
            limits.channels = 2;
            limits.chunks = 64;
            limits.credits = 100;
            return limits;
          }
          if (name == "link4") {
            limits.link_lines = 4;
            return limits;
          }
          return std::nullopt;
        },
        [] {
          return std::vector<std::string>{"default", "tiny", "link4"};
        },
        [this](const RunRequest&) { return memory; },
        [this](const RunRequest& request, const ProgressSink& progress, const std::atomic<bool>&) {
          requests.push_back(request);
          progress({0.5, 1000});
          return result;
        }};
  }
};

// The sentence of the UsageError that `statement` throws; fails without one.
template <typename Statement>
std::string ErrorOf(Statement statement) {
  try {
    statement();
  } catch (const UsageError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace t3::sim
