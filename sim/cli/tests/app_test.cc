#include "sim/cli/app.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/cli/keys.h"
#include "sim/cli/progress.h"
#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class AppTest : public ::testing::Test {
 protected:
  int Call(const std::vector<std::string>& args) {
    out_.str("");
    err_.str("");
    Environment environment;
    environment.simulator = fake_.Functions();
    environment.out = &out_;
    environment.err = &err_;
    environment.start = std::chrono::steady_clock::now();
    environment.stop = &stop_;
    environment.available_memory = [this] { return available_; };
    return RunApp(args, environment);
  }
  int Run(std::vector<std::string> args) {
    const std::vector<std::string> shape = {"run", "--m", "8", "--n", "8", "--k", "8", "--tp", "2"};
    args.insert(args.begin(), shape.begin(), shape.end());
    return Call(args);
  }
  std::string Out() const { return out_.str(); }
  std::string Err() const { return err_.str(); }

  FakeSimulator fake_;
  std::ostringstream out_, err_;
  std::atomic<bool> stop_{false};
  uint64_t available_ = 1'000'000;
};

TEST_F(AppTest, CommandsAndTheirErrors) {
  EXPECT_EQ(Call({}), 2);
  EXPECT_THAT(Err(), HasSubstr("usage"));
  EXPECT_EQ(Call({"rum"}), 2);
  EXPECT_EQ(Err(), "t3sim: there is no command 'rum'; the nearest is run\n");
  EXPECT_EQ(Call({"sweep"}), 2);
  EXPECT_THAT(Err(), HasSubstr("not there yet"));
  EXPECT_EQ(Call({"--help"}), 0);
  EXPECT_THAT(Out(), HasSubstr("usage"));
  EXPECT_EQ(Call({"help", "run"}), 0);
  EXPECT_THAT(Out(), HasSubstr("--rtl-config"));
  const std::string help = Out();
  EXPECT_EQ(Call({"run", "--help"}), 0);
  EXPECT_EQ(Out(), help);
  EXPECT_EQ(Call({"--version"}), 0);
  EXPECT_THAT(Out(), StartsWith("t3sim 0."));
  EXPECT_EQ(Call({"list"}), 0);
  EXPECT_THAT(Out(), ::testing::ContainsRegex("t-nlg +fc2 +8 +8192 +4256 +2128\n"));
  EXPECT_EQ(Call({"list", "--keys"}), 0);
  EXPECT_THAT(Out(), ::testing::ContainsRegex("link.latency_ns +ns +0.001 to 10000000 +500 "));
  EXPECT_EQ(Call({"list", "--key"}), 2);
}

TEST_F(AppTest, EndsWithTheVerdict) {
  fake_.result.checked = 64;
  EXPECT_EQ(Run({}), 0);
  EXPECT_THAT(Out(), EndsWith("\nPASS 64 elements checked, 0 wrong\n"));
  EXPECT_EQ(Err(), "");
  EXPECT_EQ(Run({"--mode", "all"}), 0);
  EXPECT_THAT(Out(), EndsWith("\nPASS 128 elements checked, 0 wrong\n"));
  EXPECT_EQ(fake_.requests.size(), 3u);
  EXPECT_EQ(fake_.requests[1].mode, Mode::kT3);
  EXPECT_EQ(fake_.requests[2].mode, Mode::kT3Mca);
}

TEST_F(AppTest, ExitCodesFollowTheOutcome) {
  fake_.result.first_fault = "somewhere";
  fake_.result.outcome = Outcome::kWrong;
  EXPECT_EQ(Run({}), 1);
  EXPECT_THAT(Out(), EndsWith("\nFAIL 0 elements checked, 0 wrong: first somewhere\n"));
  fake_.result.outcome = Outcome::kStuck;
  EXPECT_EQ(Run({}), 3);
  fake_.result.outcome = Outcome::kInterrupted;
  EXPECT_EQ(Run({"--json", "-"}), 130);
  EXPECT_EQ(Out(), "");
}

TEST_F(AppTest, AReportOnStandardOutputIsAloneThere) {
  fake_.result.warnings = {"slow"};
  EXPECT_EQ(Run({"--json", "-"}), 0);
  const auto json = nlohmann::json::parse(Out());
  EXPECT_EQ(json["warnings"][0], "t3-mca: slow");
  EXPECT_EQ(json["command"], "t3sim run --m 8 --n 8 --k 8 --tp 2 --json -");
  EXPECT_EQ(json["config"].size(), AllKeys().size());
  EXPECT_THAT(Err(), StartsWith("warning: t3-mca: slow\n"));
  EXPECT_THAT(Err(), EndsWith("\nPASS 0 elements checked, 0 wrong\n"));
  EXPECT_EQ(Run({"--csv", "-"}), 0);
  EXPECT_THAT(Out(), StartsWith("layer,"));
}

TEST_F(AppTest, TriesOutputPathsBeforeTheRun) {
  EXPECT_EQ(Run({"--json", "/no/such/place.json"}), 2);
  EXPECT_THAT(Err(), HasSubstr("place.json"));
  EXPECT_TRUE(fake_.requests.empty());
}

TEST_F(AppTest, RefusesWhatMemoryDoesNotHold) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  fake_.memory = 3 * kGiB;
  available_ = 2 * kGiB;
  EXPECT_EQ(Run({}), 2);
  EXPECT_THAT(Err(), HasSubstr("3.00 GiB"));
  EXPECT_THAT(Err(), HasSubstr("2.00 GiB"));
  EXPECT_TRUE(fake_.requests.empty());
  available_ = 0;  // unknown
  EXPECT_EQ(Run({}), 0);
}

TEST_F(AppTest, ATraceThatWasNotWrittenIsAWarning) {
  const std::string path = ::testing::TempDir() + "t3_app_trace.fst";
  fake_.result.trace_last_cycle = 77;
  EXPECT_EQ(Run({"--trace", path, "--trace-from", "100"}), 0);
  EXPECT_THAT(Err(), StartsWith("warning: --trace "));
  EXPECT_THAT(Err(), HasSubstr("77"));
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  EXPECT_EQ(fake_.requests[0].trace.from_cycle, 100u);
}

TEST_F(AppTest, ShowsProgressWhenAsked) {
  EXPECT_EQ(Run({"--progress", "on"}), 0);
  EXPECT_EQ(ProgressText({0.5, 1'000'000}, 10.0), " 50 %  100 kilocycles/s  ETA 0:10");
  EXPECT_EQ(ProgressText({0.0, 0}, 0.0), "  0 %  0 kilocycles/s");
  EXPECT_EQ(ProgressText({0.1, 100'000}, 100.0), " 10 %  1 kilocycles/s  ETA 15:00");
}

TEST_F(AppTest, NoticesAnOutputThatFails) {
  out_.setstate(std::ios::badbit);
  EXPECT_EQ(Call({"list"}), 2);
  EXPECT_THAT(Err(), HasSubstr("standard output cannot be written"));
}

}  // namespace
}  // namespace t3::sim
