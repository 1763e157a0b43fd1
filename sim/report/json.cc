#include "sim/report/json.h"

#include <cmath>

namespace t3::sim {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json OrNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Microseconds, rounded to picoseconds.
double Rounded(double us) { return std::round(us * 1e6) / 1e6; }

Json DramJson(const DramBytes& bytes) {
  Json json;
  json["gemm_read"] = OrNull(bytes.gemm_read);
  json["gemm_write"] = OrNull(bytes.gemm_write);
  json["rs_read"] = OrNull(bytes.rs_read);
  json["rs_write"] = OrNull(bytes.rs_write);
  json["ag_read"] = OrNull(bytes.ag_read);
  json["ag_write"] = OrNull(bytes.ag_write);
  json["clear_write"] = OrNull(bytes.clear_write);
  json["tracker_read"] = OrNull(bytes.tracker_read);
  json["tracker_write"] = OrNull(bytes.tracker_write);
  return json;
}

Json TrackerJson(const TrackerStats& tracker) {
  return {{"peak", tracker.peak}, {"spills", tracker.spills}, {"triggers", tracker.triggers}};
}

Json DeviceJson(const DeviceResult& device) {
  Json json;
  json["device"] = device.device;
  json["cycles"] = device.cycles;
  json["dram_bytes"] = DramJson(device.dram_bytes);
  json["link_bytes"] = device.link_bytes;
  json["tracker"] = TrackerJson(device.tracker);
  return json;
}

}  // namespace

Json RunJson(const ReportRun& run) {
  const RunRequest& request = run.request;
  const RunResult& result = run.result;
  Json json;
  json["model"] = OrNull(run.model);
  json["layer"] = OrNull(run.layer);
  json["set"] = Json::object();
  json["mode"] = ModeName(request.mode);
  json["collective"] = CollectiveName(request.collective);
  json["direction"] = DirectionName(request.direction);
  json["devices"] = "full";
  json["rtl_config"] = request.rtl_config;
  json["tp"] = request.devices;
  json["m"] = request.m;
  json["n"] = request.n;
  json["k"] = request.k;
  json["dtype"] = FormatName(request.format);
  json["data"] = DataName(request.data);
  json["seed"] = request.seed;
  json["stress"] = OrNull(request.stress);
  json["repeat"] = request.repeat;
  json["cycles"] = result.cycles;
  json["time_us"] = Rounded(result.time_us);
  json["gemm_us"] = Rounded(result.gemm_us);
  json["rs_us"] = Rounded(result.rs_us);
  json["ag_us"] = result.ag_us ? Json(Rounded(*result.ag_us)) : Json(nullptr);
  json["speedup"] = nullptr;  // needs a sequential run of the same invocation
  json["checked"] = result.checked;
  json["wrong"] = result.wrong;
  json["result_crc32"] = result.result_crc32;
  json["dram_bytes"] = DramJson(result.dram_bytes);
  json["link_bytes"] = result.link_bytes;
  json["link_utilization"] = result.link_utilization;
  json["tracker"] = TrackerJson(result.tracker);
  json["wall_s"] = run.wall_s;
  json["device_cycles_per_s"] =
      run.wall_s > 0 ? std::round(static_cast<double>(result.device_cycles) / run.wall_s) : 0.0;
  json["per_device"] = Json::array();
  for (const DeviceResult& device : result.per_device) {
    json["per_device"].push_back(DeviceJson(device));
  }
  return json;
}

std::string JsonText(const Report& report) {
  Json json;
  json["version"] = report.version;
  json["git"] = report.git;
  json["command"] = report.command;
  json["threads"] = report.threads;
  json["config"] = Json::object();
  for (const auto& [name, value] : report.config) {
    std::visit([&json, &name = name](const auto& v) { json["config"][name] = v; }, value);
  }
  json["warnings"] = report.warnings;
  json["runs"] = Json::array();
  for (const ReportRun& run : report.runs) json["runs"].push_back(RunJson(run));
  // Arguments need not be UTF-8; a report must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace t3::sim
