#include "sim/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/cli/tests/fake_simulator.h"
#include "sim/report/output_file.h"

namespace t3::sim {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Report SomeReport() {
  Report report;
  report.version = "1.2.3";
  report.git = "abc";
  report.command = "t3sim run";
  report.config = {{"link.latency_ns", 500.0},
                   {"gpu.tile_m", uint64_t{128}},
                   {"gpu.tile_order", std::string("row")}};
  ReportRun run;
  run.request.devices = 2;
  run.request.m = 16;
  run.request.collective = Collective::kReduceScatter;
  run.result.cycles = 99;
  run.result.time_us = 1.23456789;
  run.result.checked = 256;
  run.result.dram_bytes.rs_read = 0;
  run.result.dram_bytes.gemm_write = 512;
  run.result.device_cycles = 200;
  run.wall_s = 0.5;
  run.result.per_device.resize(2);
  report.runs = {run};
  return report;
}

TEST(Json, KeepsNullApartFromZero) {
  const auto json = nlohmann::json::parse(JsonText(SomeReport()));
  const auto& run = json["runs"][0];
  EXPECT_TRUE(run["speedup"].is_null());
  EXPECT_TRUE(run["ag_us"].is_null());
  EXPECT_TRUE(run["model"].is_null());
  EXPECT_TRUE(run["stress"].is_null());
  EXPECT_TRUE(run["dram_bytes"]["ag_read"].is_null());
  EXPECT_EQ(run["dram_bytes"]["rs_read"], 0);
  EXPECT_EQ(run["dram_bytes"]["gemm_write"], 512);
  EXPECT_EQ(run["set"], nlohmann::json::object());
}

TEST(Json, HasTheDocumentedFields) {
  const auto json = nlohmann::json::parse(JsonText(SomeReport()));
  std::vector<std::string> names;
  for (const auto& item : json.items()) names.push_back(item.key());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("version", "git", "command", "threads",
                                                     "config", "warnings", "runs"));
  names.clear();
  for (const auto& item : json["runs"][0].items()) names.push_back(item.key());
  EXPECT_THAT(names,
              ::testing::UnorderedElementsAre(
                  "model", "layer", "set", "mode", "collective", "direction", "devices",
                  "rtl_config", "tp", "m", "n", "k", "dtype", "data", "seed", "stress", "repeat",
                  "cycles", "time_us", "gemm_us", "rs_us", "ag_us", "speedup", "checked", "wrong",
                  "result_crc32", "dram_bytes", "link_bytes", "link_utilization", "tracker",
                  "wall_s", "device_cycles_per_s", "per_device"));
  EXPECT_EQ(json["config"]["link.latency_ns"], 500);
  EXPECT_EQ(json["config"]["gpu.tile_order"], "row");
  EXPECT_EQ(json["runs"][0]["time_us"], 1.234568);  // picoseconds
  EXPECT_EQ(json["runs"][0]["device_cycles_per_s"], 400);
  EXPECT_EQ(json["runs"][0]["per_device"].size(), 2u);
}

// The fields of line `line` by the names of the header.
std::map<std::string, std::string> CsvRow(const std::string& text, size_t line) {
  std::istringstream lines(text);
  std::string header, row;
  std::getline(lines, header);
  for (size_t i = 0; i < line; ++i) std::getline(lines, row);
  std::map<std::string, std::string> fields;
  std::istringstream names(header), values(row);
  for (std::string name, value; std::getline(names, name, ',');) {
    std::getline(values, value, ',');
    fields[name] = value;
  }
  return fields;
}

TEST(Csv, HasARowPerRunWithEmptyFieldsForNull) {
  Report report = SomeReport();
  report.runs.push_back(report.runs[0]);
  report.runs[1].layer = "fc2";
  const std::string text = CsvText(report);
  EXPECT_EQ(text.rfind("layer,model,mode,", 0), 0u);
  const auto first = CsvRow(text, 1);
  EXPECT_EQ(first.at("layer"), "");
  EXPECT_EQ(first.at("ag_us"), "");
  EXPECT_EQ(first.at("wrong"), "0");
  EXPECT_EQ(first.at("m"), "16");
  EXPECT_EQ(first.at("dram_bytes.rs_read"), "0");
  EXPECT_EQ(first.at("dram_bytes.ag_read"), "");
  EXPECT_EQ(first.at("tracker.peak"), "0");
  EXPECT_EQ(first.count("per_device"), 0u);
  EXPECT_EQ(CsvRow(text, 2).at("layer"), "fc2");
}

TEST(Csv, QuotesWhatNeedsIt) {
  Report report = SomeReport();
  report.runs[0].layer = "a,\"b\"";
  EXPECT_THAT(CsvText(report), HasSubstr("\n\"a,\"\"b\"\"\","));
}

TEST(Verdict, CoversAllRuns) {
  Report report = SomeReport();
  EXPECT_EQ(Verdict(report), "PASS 256 elements checked, 0 wrong");
  EXPECT_EQ(ExitCode(report), 0);
  report.runs.push_back(report.runs[0]);
  report.runs[1].result.outcome = Outcome::kWrong;
  report.runs[1].result.wrong = 3;
  report.runs[1].result.first_fault = "device 1, row 2, column 3";
  EXPECT_EQ(Verdict(report), "FAIL 512 elements checked, 3 wrong: first device 1, row 2, column 3");
  EXPECT_EQ(ExitCode(report), 1);
  report.runs[1].result.outcome = Outcome::kStuck;
  EXPECT_EQ(ExitCode(report), 3);
}

TEST(Table, HasAColumnPerRun) {
  Report report = SomeReport();
  report.runs.push_back(report.runs[0]);
  report.runs[0].request.mode = Mode::kT3;
  const std::string text = TableText(report);
  EXPECT_THAT(text, ::testing::ContainsRegex("t3 +t3-mca\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("#wrong +0 +0\n"));
  EXPECT_THAT(text, ::testing::ContainsRegex("all-gather reads +MB +- +-\n"));
}

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() : folder_(::testing::TempDir() + "t3_output_XXXXXX") {
    EXPECT_NE(mkdtemp(folder_.data()), nullptr);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  size_t Files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  static std::string Content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::string folder_;
};

TEST_F(OutputFileTest, LeavesNothingUntilItIsWritten) {
  {
    OutputFile file("--json", Path("a"));
    EXPECT_EQ(Files(), 0u);
  }
  EXPECT_EQ(Files(), 0u);
  OutputFile("--json", Path("a")).Write("text");
  EXPECT_EQ(Content(Path("a")), "text");
  EXPECT_EQ(Files(), 1u);
  OutputFile("--json", Path("a")).Write("other");
  EXPECT_EQ(Content(Path("a")), "other");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, RemovesATemporaryThatIsNotKept) {
  {
    OutputFile file("--trace", Path("a"));
    std::ofstream(file.temporary()) << "half";
    EXPECT_EQ(Files(), 1u);
  }
  EXPECT_EQ(Files(), 0u);
}

TEST_F(OutputFileTest, FollowsASymbolicLinkAndWritesToDevices) {
  std::ofstream(Path("target")) << "old";
  fs::create_symlink(Path("target"), Path("link"));
  OutputFile("--json", Path("link")).Write("new");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(Content(Path("target")), "new");
  OutputFile("--json", "/dev/null").Write("text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, SaysWhyAPathCannotBeWritten) {
  EXPECT_THAT(ErrorOf([&] { OutputFile("--json", Path("no/such")); }),
              HasSubstr("cannot be written: No such file"));
  EXPECT_THAT(ErrorOf([&] { OutputFile("--json", folder_); }), HasSubstr("directory"));
  EXPECT_THAT(ErrorOf([&] { OutputFile("--json", "/dev/full").Write("text"); }),
              HasSubstr("No space left"));
}

}  // namespace
}  // namespace t3::sim
