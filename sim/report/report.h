// What one invocation reports, and its forms: table, verdict, JSON, CSV.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/system/run.h"

namespace t3::sim {

// The value of a system key.
using ConfigValue = std::variant<uint64_t, double, std::string>;

struct ReportRun {
  std::optional<std::string> model, layer;  // of a named workload
  RunRequest request;
  RunResult result;
  double wall_s = 0;  // process start (or the end of the run before) to the verdict
};

struct Report {
  std::string version, git, command;
  uint32_t threads = 1;
  std::vector<std::pair<std::string, ConfigValue>> config;  // every key, as used
  RtlLimits rtl;
  std::vector<std::string> warnings;
  std::vector<ReportRun> runs;
};

// The names that the command line and the reports use.
const char* ModeName(Mode mode);                    // t3, t3-mca
const char* CollectiveName(Collective collective);  // ar, rs
const char* DirectionName(Direction direction);     // up, down
const char* FormatName(golden::Format format);      // fp16, bf16, fp32
const char* DataName(golden::DataKind data);        // random, specials, gemm

// A table for people, a column per run; ends with a newline.
std::string TableText(const Report& report);

// "PASS 34865152 elements checked, 0 wrong", or "FAIL ...: first fault", over all runs.
std::string Verdict(const Report& report);

// 0, or the exit code of the first run that did not pass: 1 wrong, 3 stuck, 130 interrupted.
int ExitCode(const Report& report);

// One JSON object, ending with a newline.
std::string JsonText(const Report& report);

// A header and one row per run.
std::string CsvText(const Report& report);

}  // namespace t3::sim
