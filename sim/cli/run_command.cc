#include "sim/cli/run_command.h"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "sim/cli/progress.h"
#include "sim/cli/run_options.h"
#include "sim/cli/version.h"
#include "sim/report/output_file.h"
#include "sim/report/report.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

using Clock = std::chrono::steady_clock;

// As a shell would read it back.
std::string CommandText(const std::vector<std::string>& args) {
  std::string text = "t3sim run";
  for (const std::string& arg : args) {
    const bool plain =
        !arg.empty() &&
        arg.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+.,:/@%") ==
            std::string::npos;
    if (plain) {
      text += " " + arg;
      continue;
    }
    text += " '";
    for (const char c : arg) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += "'";
  }
  return text;
}

void CheckMemory(const RunOptions& options, const Environment& environment) {
  const uint64_t available = environment.available_memory();
  for (const Mode mode : options.modes) {
    RunRequest request = options.request;
    request.mode = mode;
    const uint64_t needed = environment.simulator.estimate_memory_bytes(request);
    if (available != 0 && needed > available) {
      constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
      throw UsageError(fmt::format(
          "this run needs {:.2f} GiB of memory and {:.2f} GiB are available; a smaller --m, --n, "
          "--tp or --repeat needs less",
          static_cast<double>(needed) / kGiB, static_cast<double>(available) / kGiB));
    }
  }
}

std::unique_ptr<OutputFile> TryOutput(const char* option, const std::string& path) {
  if (path.empty() || path == "-") return nullptr;
  return std::make_unique<OutputFile>(option, path);
}

// Simulates one mode; `mark` is where its wall time begins and becomes its end.
ReportRun RunMode(const RunOptions& options, Mode mode, const OutputFile* trace,
                  const Environment& environment, Clock::time_point* mark) {
  ReportRun run;
  run.model = options.model;
  run.layer = options.layer;
  run.request = options.request;
  run.request.mode = mode;
  if (trace != nullptr) run.request.trace.path = trace->temporary();

  {
    ProgressLine line(environment.err, environment.err_is_terminal,
                      fmt::format("{:<8}", ModeName(mode)));
    const bool show = options.progress == ProgressMode::kOn ||
                      (options.progress == ProgressMode::kAuto && environment.err_is_terminal);
    const ProgressSink sink =
        show ? ProgressSink([&line](const Progress& progress) { line.Show(progress); })
             : ProgressSink([](const Progress&) {});
    try {
      run.result = environment.simulator.run(run.request, sink, *environment.stop);
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }
  const Clock::time_point now = Clock::now();
  run.wall_s = std::chrono::duration<double>(now - *mark).count();
  *mark = now;
  return run;
}

Report NewReport(const std::vector<std::string>& args, const RunOptions& options) {
  Report report;
  report.version = Version();
  report.git = Git();
  report.command = CommandText(args);
  report.threads = options.request.threads;
  for (const Key& key : AllKeys()) {
    report.config.emplace_back(key.name, GetKey(key, options.request.system));
  }
  report.rtl = options.rtl;
  report.warnings = options.warnings;
  return report;
}

// Keeps the waves, or says why there are none.
void FinishTrace(const RunOptions& options, OutputFile* trace, Report* report) {
  const RunResult& result = report->runs.back().result;
  if (result.trace_written) {
    trace->Keep();
    return;
  }
  report->warnings.push_back(fmt::format(
      "--trace {}: no waves, the run ended in cycle {} before --trace-from {}",
      options.request.trace.path, result.trace_last_cycle, options.request.trace.from_cycle));
}

}  // namespace

int RunCommand(const std::vector<std::string>& args, const Environment& environment) {
  const RunOptions options = ParseRun(args, environment.simulator);
  if (options.help) {
    *environment.out << RunHelp();
    return 0;
  }
  const std::unique_ptr<OutputFile> json = TryOutput("--json", options.json);
  const std::unique_ptr<OutputFile> csv = TryOutput("--csv", options.csv);
  const std::unique_ptr<OutputFile> trace = TryOutput("--trace", options.request.trace.path);
  CheckMemory(options, environment);

  Report report = NewReport(args, options);
  Clock::time_point mark = environment.start;
  for (const Mode mode : options.modes) {
    report.runs.push_back(RunMode(options, mode, trace.get(), environment, &mark));
    const RunResult& result = report.runs.back().result;
    if (result.outcome == Outcome::kInterrupted) {
      *environment.err << "t3sim: interrupted; no report is written\n";
      return 130;
    }
    for (const std::string& warning : result.warnings) {
      report.warnings.push_back(fmt::format("{}: {}", ModeName(mode), warning));
    }
  }
  if (trace != nullptr) FinishTrace(options, trace.get(), &report);

  // A report on standard output is alone there.
  const bool piped = options.json == "-" || options.csv == "-";
  std::ostream& people = piped ? *environment.err : *environment.out;
  for (const std::string& warning : report.warnings) {
    *environment.err << "warning: " << warning << '\n';
  }
  if (json != nullptr) json->Write(JsonText(report));
  if (csv != nullptr) csv->Write(CsvText(report));
  if (piped) *environment.out << (options.json == "-" ? JsonText(report) : CsvText(report));
  people << TableText(report) << '\n' << Verdict(report) << std::endl;
  return ExitCode(report);
}

}  // namespace t3::sim
