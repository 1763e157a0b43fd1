#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "sim/report/report.h"

namespace t3::sim {
namespace {

std::string WithThousands(uint64_t value) {
  std::string text = std::to_string(value);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string Micros(double us) { return fmt::format("{:.3f}", us); }

std::string Megabytes(const std::optional<uint64_t>& bytes) {
  return bytes ? fmt::format("{:.3f}", static_cast<double>(*bytes) / 1e6) : "-";
}

struct Row {
  const char* label;
  const char* unit;
  std::function<std::string(const ReportRun&)> value;
};

// A row of DRAM traffic.
Row Traffic(const char* label, std::optional<uint64_t> DramBytes::*field) {
  return {label, "MB",
          [field](const ReportRun& run) { return Megabytes(run.result.dram_bytes.*field); }};
}

const std::vector<Row>& Rows() {
  static const std::vector<Row> rows = {
      {"time", "us", [](const ReportRun& run) { return Micros(run.result.time_us); }},
      {"  GEMM", "us", [](const ReportRun& run) { return Micros(run.result.gemm_us); }},
      {"  reduce-scatter after it", "us",
       [](const ReportRun& run) { return Micros(run.result.rs_us); }},
      {"  all-gather", "us",
       [](const ReportRun& run) { return run.result.ag_us ? Micros(*run.result.ag_us) : "-"; }},
      {"cycles", "", [](const ReportRun& run) { return WithThousands(run.result.cycles); }},
      Traffic("DRAM, GEMM reads", &DramBytes::gemm_read),
      Traffic("DRAM, GEMM writes", &DramBytes::gemm_write),
      Traffic("DRAM, reduce-scatter reads", &DramBytes::rs_read),
      Traffic("DRAM, reduce-scatter writes", &DramBytes::rs_write),
      Traffic("DRAM, all-gather reads", &DramBytes::ag_read),
      Traffic("DRAM, all-gather writes", &DramBytes::ag_write),
      Traffic("DRAM, fill with -0", &DramBytes::clear_write),
      Traffic("DRAM, tracker reads", &DramBytes::tracker_read),
      Traffic("DRAM, tracker writes", &DramBytes::tracker_write),
      {"links", "MB", [](const ReportRun& run) { return Megabytes(run.result.link_bytes); }},
      {"link utilization", "%",
       [](const ReportRun& run) {
         return fmt::format("{:.1f}", 100 * run.result.link_utilization);
       }},
      {"tracker, peak entries", "",
       [](const ReportRun& run) { return WithThousands(run.result.tracker.peak); }},
      {"tracker, spills", "",
       [](const ReportRun& run) { return WithThousands(run.result.tracker.spills); }},
      {"subtiles triggered", "",
       [](const ReportRun& run) { return WithThousands(run.result.tracker.triggers); }},
      {"elements checked", "",
       [](const ReportRun& run) { return WithThousands(run.result.checked); }},
      {"#wrong", "", [](const ReportRun& run) { return WithThousands(run.result.wrong); }},
      {"result CRC-32", "",
       [](const ReportRun& run) { return fmt::format("{:08x}", run.result.result_crc32); }},
      {"wall time", "s", [](const ReportRun& run) { return fmt::format("{:.1f}", run.wall_s); }},
      {"simulated device cycles", "1000/s",
       [](const ReportRun& run) {
         return fmt::format("{:.0f}",
                            run.wall_s > 0
                                ? static_cast<double>(run.result.device_cycles) / run.wall_s / 1000
                                : 0.0);
       }},
  };
  return rows;
}

// What all runs have in common.
std::string Heading(const Report& report) {
  const ReportRun& run = report.runs.front();
  const RunRequest& request = run.request;
  const SystemConfig& system = request.system;
  std::string text = fmt::format("OpenT3 {}: ", report.version);
  if (run.model) text += fmt::format("{} {}, ", *run.model, *run.layer);
  text +=
      fmt::format("M {} x N {}, local K {}, {}, TP {}, {}, ring {}\n", request.m, request.n,
                  request.k, FormatName(request.format), request.devices,
                  request.collective == Collective::kAllReduce ? "all-reduce" : "reduce-scatter",
                  DirectionName(request.direction));
  text += fmt::format(
      "RTL configuration {}: {} channels of {}-byte lines, {} line{} per cycle and link\n",
      request.rtl_config, report.rtl.channels, report.rtl.line_bytes, report.rtl.link_lines,
      report.rtl.link_lines == 1 ? "" : "s");
  text +=
      fmt::format("System: {} GHz, link {} GB/s and {} ns, DRAM {} GB/s\n\n", system.clock_ghz,
                  system.link_bandwidth_gb_s, system.link_latency_ns, system.dram_bandwidth_gb_s);
  return text;
}

}  // namespace

std::string TableText(const Report& report) {
  std::string text = Heading(report);
  text += fmt::format("{:<28}{:>8}", "all devices", "");
  for (const ReportRun& run : report.runs)
    text += fmt::format("{:>16}", ModeName(run.request.mode));
  text += '\n';
  for (const Row& row : Rows()) {
    text += fmt::format("{:<28}{:>8}", row.label, row.unit);
    for (const ReportRun& run : report.runs) text += fmt::format("{:>16}", row.value(run));
    text += '\n';
  }
  return text;
}

}  // namespace t3::sim
