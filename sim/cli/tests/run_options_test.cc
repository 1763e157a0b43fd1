#include "sim/cli/run_options.h"

#include <gtest/gtest.h>

#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::vector<std::string> kShape = {"--m", "512", "--n", "384", "--k", "64", "--tp", "4"};

RunOptions Parse(std::vector<std::string> args, bool shape = true) {
  if (shape) args.insert(args.begin(), kShape.begin(), kShape.end());
  FakeSimulator simulator;
  return ParseRun(args, simulator.Functions());
}

std::string Refused(const std::vector<std::string>& args, bool shape = true) {
  return ErrorOf([&] { Parse(args, shape); });
}

TEST(ParseRun, HasTheDocumentedDefaults) {
  const RunOptions options = Parse({});
  EXPECT_EQ(options.request.m, 512u);
  EXPECT_EQ(options.request.n, 384u);
  EXPECT_EQ(options.request.k, 64u);
  EXPECT_EQ(options.request.devices, 4u);
  EXPECT_EQ(options.request.format, golden::Format::kFp16);
  EXPECT_EQ(options.request.data, golden::DataKind::kRandom);
  EXPECT_EQ(options.request.seed, 1u);
  EXPECT_EQ(options.request.collective, Collective::kAllReduce);
  EXPECT_EQ(options.request.direction, Direction::kUp);
  EXPECT_EQ(options.request.stress, std::nullopt);
  EXPECT_EQ(options.request.repeat, 1u);
  EXPECT_EQ(options.request.rtl_config, "default");
  EXPECT_THAT(options.modes, ElementsAre(Mode::kT3Mca));
  EXPECT_THAT(options.warnings, IsEmpty());
}

TEST(ParseRun, ReadsEveryOption) {
  const RunOptions options =
      Parse({"--dtype",     "fp32",           "--data", "gemm",         "--seed",
             "7",           "--repeat",       "3",      "--collective", "rs",
             "--direction", "down",           "--mode", "t3-mca,t3",    "--stress",
             "0",           "--threads",      "5",      "--json=j",     "--csv",
             "c",           "--progress",     "off",    "--devices",    "full",
             "--set",       "link.credits=9", "--set",  "gpu.tile_k=8"});
  EXPECT_EQ(options.request.format, golden::Format::kFp32);
  EXPECT_EQ(options.request.data, golden::DataKind::kGemm);
  EXPECT_EQ(options.request.seed, 7u);
  EXPECT_EQ(options.request.repeat, 3u);
  EXPECT_EQ(options.request.collective, Collective::kReduceScatter);
  EXPECT_EQ(options.request.direction, Direction::kDown);
  EXPECT_THAT(options.modes, ElementsAre(Mode::kT3Mca, Mode::kT3));
  EXPECT_EQ(options.request.stress, 0u);
  EXPECT_EQ(options.request.threads, 5u);
  EXPECT_EQ(options.json, "j");
  EXPECT_EQ(options.csv, "c");
  EXPECT_EQ(options.progress, ProgressMode::kOff);
  EXPECT_EQ(options.request.system.link_credits, 9u);
  EXPECT_EQ(options.request.system.tile_k, 8u);
}

TEST(ParseRun, TakesANamedLayerOrAShape) {
  const RunOptions options = Parse({"--model", "t-nlg", "--layer", "fc2", "--tp", "16"}, false);
  EXPECT_EQ(options.model, "t-nlg");
  EXPECT_EQ(options.request.m, 8192u);
  EXPECT_EQ(options.request.k, 1064u);
  EXPECT_THAT(Refused({"--model", "t-nlg", "--layer", "fc2"}, false),
              StartsWith("--tp is missing"));
  EXPECT_THAT(Refused({"--layer", "fc2", "--tp", "8"}, false), StartsWith("--model is missing"));
  EXPECT_THAT(Refused({"--m", "1", "--k", "1", "--tp", "1"}, false), StartsWith("--n is missing"));
  EXPECT_THAT(Refused({"--model", "t-nlg", "--layer", "fc2"}), StartsWith("--m and --model"));
}

TEST(ParseRun, RefusesAbbreviationsDuplicatesAndStrayWords) {
  EXPECT_THAT(Refused({"--thread", "2"}), HasSubstr("--thread; the nearest is --threads"));
  EXPECT_THAT(Refused({"--coll=ar"}), HasSubstr("no option --coll"));
  EXPECT_THAT(Refused({"-m", "2"}), HasSubstr("no option -m"));
  EXPECT_THAT(Refused({"--seed", "1", "--seed", "1"}), StartsWith("--seed is given twice"));
  EXPECT_THAT(Refused({"stray"}), HasSubstr("'stray'"));
  EXPECT_THAT(Refused({"--", "stray"}), HasSubstr("'stray'"));
  EXPECT_THAT(Refused({"--json", "--csv", "x"}), HasSubstr("--json needs a value"));
  EXPECT_THAT(Refused({"--json"}), HasSubstr("--json"));
  EXPECT_THAT(Refused({"--json", ""}), HasSubstr("--json"));
}

TEST(ParseRun, RefusesValuesOutOfRange) {
  EXPECT_THAT(Refused({"--m", "16777216", "--n", "1", "--k", "1", "--tp", "1"}, false),
              StartsWith("--m is '16777216'"));
  EXPECT_THAT(Refused({"--m", "1", "--n", "1", "--k", "1", "--tp", "65"}, false),
              StartsWith("--tp is '65'"));
  EXPECT_THAT(Refused({"--repeat", "0"}), StartsWith("--repeat is '0'"));
  EXPECT_THAT(Refused({"--threads", "0"}), StartsWith("--threads is '0'"));
  EXPECT_THAT(Refused({"--collective", "allreduce"}), HasSubstr("ar, rs"));
  EXPECT_THAT(Refused({"--rtl-config", "defualt"}), HasSubstr("'default'"));
}

TEST(ParseRun, ListsOfModes) {
  EXPECT_THAT(Parse({"--mode", "all"}).modes, ElementsAre(Mode::kT3, Mode::kT3Mca));
  EXPECT_THAT(Refused({"--mode", "t3,t3"}), HasSubstr("t3 is given twice"));
  EXPECT_THAT(Refused({"--mode", "all,t3"}), HasSubstr("alone"));
  EXPECT_THAT(Refused({"--mode", "t3,"}), StartsWith("--mode is ''"));
}

TEST(ParseRun, SaysWhatIsNotThereYet) {
  for (const auto& args : std::vector<std::vector<std::string>>{{"--mode", "sequential"},
                                                                {"--mode", "t3,ideal-overlap"},
                                                                {"--mode", "ideal-rs-nmc"},
                                                                {"--collective", "a2a"},
                                                                {"--devices", "mirror"},
                                                                {"--timeline", "x"}}) {
    EXPECT_THAT(Refused(args), HasSubstr("is not there yet")) << args[1];
  }
}

TEST(ParseRun, RefusesWhatHasNoEffect) {
  for (const char* option : {"--trace-from", "--trace-to", "--trace-device"}) {
    EXPECT_THAT(Refused({option, "1"}), HasSubstr("no effect without --trace"));
  }
  EXPECT_THAT(Refused({"--trace", "x", "--mode", "all"}), HasSubstr("one mode"));
  EXPECT_THAT(Refused({"--trace", "x", "--trace-device", "4"}),
              StartsWith("--trace-device is '4'"));
  EXPECT_THAT(Refused({"--trace", "x", "--trace-from", "5", "--trace-to", "4"}),
              StartsWith("--trace-to 4"));
  EXPECT_THAT(Refused({"--json", "-", "--csv", "-"}), HasSubstr("--json - and --csv -"));
  EXPECT_THAT(Refused({"--json", "x", "--csv", "x"}), HasSubstr("same file"));
  EXPECT_THAT(Refused({"--trace", "x", "--csv", "x"}), HasSubstr("same file"));
}

TEST(ParseRun, RefusesBandwidthBeyondThePortsAndNamesWhatCarriesIt) {
  EXPECT_EQ(Parse({"--set", "link.bandwidth_gb_s=89.6"}).request.system.link_bandwidth_gb_s, 89.6);
  EXPECT_THAT(Refused({"--set", "link.bandwidth_gb_s=90"}),
              HasSubstr("--rtl-config link4 carries"));
  EXPECT_THAT(Refused({"--set", "link.bandwidth_gb_s=400"}),
              HasSubstr("no configuration carries it"));
  EXPECT_THAT(Refused({"--set", "dram.bandwidth_gb_s=1500"}), HasSubstr("1433.6 GB/s"));
  // A lower clock counts as well.
  EXPECT_THAT(Refused({"--set", "link.bandwidth_gb_s=80", "--set", "gpu.clock_ghz=1"}),
              HasSubstr("64 GB/s"));
}

TEST(ParseRun, FitsDefaultsToTheConfigurationWithAWarning) {
  const RunOptions options = Parse({"--rtl-config", "tiny", "--set", "link.latency_ns=1"});
  EXPECT_NEAR(options.request.system.dram_bandwidth_gb_s, 179.2, 1e-9);
  EXPECT_EQ(options.request.system.link_credits, 100u);
  EXPECT_THAT(options.warnings,
              ElementsAre(StartsWith("dram.bandwidth_gb_s"), StartsWith("link.credits")));
  EXPECT_THAT(Refused({"--rtl-config", "tiny", "--set", "link.credits=101"}), HasSubstr("has 100"));
}

TEST(ParseRun, WarnsWhenCreditsDoNotCoverTheRoundTrip) {
  // 75 GB/s x 1000 ns = 75000 bytes = 1171.9 lines.
  EXPECT_THAT(Parse({"--set", "link.credits=1172"}).warnings, IsEmpty());
  EXPECT_THAT(Parse({"--set", "link.credits=1171"}).warnings,
              ElementsAre(StartsWith("link.credits: 1171 lines")));
  EXPECT_THAT(
      Parse({"--m", "1", "--n", "1", "--k", "1", "--tp", "1", "--set", "link.credits=1"}, false)
          .warnings,
      IsEmpty());
}

TEST(ParseRun, ChecksTheGrid) {
  EXPECT_THAT(Refused({"--set", "gpu.tile_m=126"}), HasSubstr("wavefronts_per_workgroup 4"));
  EXPECT_THAT(Refused({"--set", "gpu.wavefronts_per_workgroup=3"}), HasSubstr("gpu.tile_m is 128"));
  EXPECT_THAT(
      Refused({"--m", "16777215", "--n", "1", "--k", "1", "--tp", "1", "--set", "gpu.tile_m=4"},
              false),
      HasSubstr("tiles"));
  EXPECT_THAT(Refused({"--m", "8000000", "--n", "80000", "--k", "1", "--tp", "1"}, false),
              HasSubstr("subtiles"));
}

TEST(ParseRun, ReadsTestHooks) {
  const TestHooks hooks = Parse({"--test-hook", "lose-credits@2:30"}).request.hooks;
  EXPECT_EQ(hooks.fault, "lose-credits");
  EXPECT_EQ(hooks.fault_device, 2u);
  EXPECT_EQ(hooks.fault_after, 30u);
  EXPECT_EQ(Parse({"--test-hook", "cut-element"}).request.hooks.fault_after, 0u);
  Refused({"--test-hook", "nonsense"});
  Refused({"--test-hook", "cut-element@4"});
  Refused({"--test-hook", "cut-element@"});
  EXPECT_THAT(RunHelp(), ::testing::Not(HasSubstr("test-hook")));
}

}  // namespace
}  // namespace t3::sim
