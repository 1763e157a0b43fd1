#include "sim/report/report.h"

#include <fmt/format.h>

namespace t3::sim {

const char* ModeName(Mode mode) { return mode == Mode::kT3 ? "t3" : "t3-mca"; }

const char* CollectiveName(Collective collective) {
  return collective == Collective::kAllReduce ? "ar" : "rs";
}

const char* DirectionName(Direction direction) {
  return direction == Direction::kUp ? "up" : "down";
}

const char* FormatName(golden::Format format) {
  switch (format) {
    case golden::Format::kFp16:
      return "fp16";
    case golden::Format::kBf16:
      return "bf16";
    case golden::Format::kFp32:
      return "fp32";
  }
  return "";
}

const char* DataName(golden::DataKind data) {
  switch (data) {
    case golden::DataKind::kRandom:
      return "random";
    case golden::DataKind::kSpecials:
      return "specials";
    case golden::DataKind::kGemm:
      return "gemm";
  }
  return "";
}

std::string Verdict(const Report& report) {
  uint64_t checked = 0, wrong = 0;
  const RunResult* fault = nullptr;
  for (const ReportRun& run : report.runs) {
    checked += run.result.checked;
    wrong += run.result.wrong;
    if (fault == nullptr && run.result.outcome != Outcome::kPass) fault = &run.result;
  }
  std::string text = fmt::format("{} {} elements checked, {} wrong",
                                 fault == nullptr ? "PASS" : "FAIL", checked, wrong);
  if (fault != nullptr) text += ": first " + fault->first_fault;
  return text;
}

int ExitCode(const Report& report) {
  for (const ReportRun& run : report.runs) {
    switch (run.result.outcome) {
      case Outcome::kPass:
        break;
      case Outcome::kWrong:
        return 1;
      case Outcome::kStuck:
        return 3;
      case Outcome::kInterrupted:
        return 130;
    }
  }
  return 0;
}

}  // namespace t3::sim
