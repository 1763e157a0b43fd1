#include "sim/cli/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "sim/cli/text.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

using C = SystemConfig;

Key Integer(const char* name, const char* unit, uint32_t C::*field, uint32_t min, uint32_t max,
            const char* help) {
  return {name, unit, field, static_cast<double>(min), static_cast<double>(max), {}, help};
}

Key Real(const char* name, const char* unit, double C::*field, double min, double max,
         const char* help) {
  return {name, unit, field, min, max, {}, help};
}

Key Choice(const char* name, bool C::*field, const char* no, const char* yes, const char* help) {
  return {name, "", field, 0, 0, {no, yes}, help};
}

std::string SectionOf(const std::string& name) { return name.substr(0, name.find('.')); }

}  // namespace

const std::vector<Key>& AllKeys() {
  static const std::vector<Key> keys = {
      Integer("gpu.compute_units", "", &C::compute_units, 1, 1024, "compute units of a device"),
      Real("gpu.clock_ghz", "GHz", &C::clock_ghz, 0.01, 100, "clock of the device and of T3"),
      Real("gpu.peak_tflops", "TFLOP/s", &C::peak_tflops, 0.001, 1e6,
           "matrix rate of all compute units"),
      Integer("gpu.tile_m", "rows", &C::tile_m, 1, 1024,
              "output rows of a workgroup, a multiple of gpu.wavefronts_per_workgroup"),
      Integer("gpu.tile_n", "columns", &C::tile_n, 1, 1024, "output columns of a workgroup"),
      Integer("gpu.tile_k", "elements", &C::tile_k, 1, 4096, "depth of a step of the K loop"),
      Integer("gpu.wavefronts_per_workgroup", "", &C::wavefronts_per_workgroup, 1, 32,
              "wavefronts of a workgroup, each a band of its rows"),
      Integer("gpu.workgroups_per_cu", "", &C::workgroups_per_cu, 1, 64,
              "workgroups resident on a compute unit"),
      Choice("gpu.tile_order", &C::column_major, "row", "column",
             "linear order of the grid of workgroups"),
      Integer("gpu.pitch_padding", "elements", &C::pitch_padding, 0, 65536,
              "elements between the end of an output row and the next row"),
      Real("link.bandwidth_gb_s", "GB/s", &C::link_bandwidth_gb_s, 0.001, 1e5,
           "of a link in each direction, at most what the port of the RTL configuration carries"),
      Real("link.latency_ns", "ns", &C::link_latency_ns, 0.001, 1e7,
           "of a link, rounded up to whole cycles"),
      Integer("link.header_bytes", "bytes", &C::link_header_bytes, 0, 4096,
              "time on the link that each packet takes beside its data"),
      Integer("link.credits", "lines", &C::link_credits, 1, 2048,
              "lines that a peer may have under way, at most those of the RTL configuration"),
      Real("dram.bandwidth_gb_s", "GB/s", &C::dram_bandwidth_gb_s, 0.001, 1e6,
           "of all channels, at most what the ports of the RTL configuration carry"),
      Real("dram.latency_ns", "ns", &C::dram_latency_ns, 0, 1e5,
           "from the head of the channel's queue to data"),
      Integer("dram.queue_entries", "lines", &C::dram_queue_entries, 2, 255, "queue of a channel"),
      Integer("t3.starvation_limit_incoming", "cycles", &C::starvation_limit_incoming, 1, 65535,
              "longest wait of arriving data behind the compute stream"),
      Integer("t3.starvation_limit_dma", "cycles", &C::starvation_limit_dma, 1, 65535,
              "longest wait of triggered reads behind the compute stream"),
      Integer("t3.starvation_limit_fill", "cycles", &C::starvation_limit_fill, 1, 65535,
              "longest wait of the fill of a buffer"),
  };
  return keys;
}

std::vector<std::string> KeyNames() {
  std::vector<std::string> names;
  for (const Key& key : AllKeys()) names.push_back(key.name);
  return names;
}

std::vector<std::string> SectionNames() {
  std::vector<std::string> names;
  for (const Key& key : AllKeys()) {
    if (names.empty() || names.back() != SectionOf(key.name)) names.push_back(SectionOf(key.name));
  }
  return names;
}

const Key* FindKey(const std::string& name) {
  for (const Key& key : AllKeys()) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

ConfigValue GetKey(const Key& key, const SystemConfig& config) {
  if (const auto* integer = std::get_if<uint32_t C::*>(&key.field)) {
    return uint64_t{config.*(*integer)};
  }
  if (const auto* real = std::get_if<double C::*>(&key.field)) return config.*(*real);
  return key.choices[config.*std::get<bool C::*>(key.field) ? 1 : 0];
}

std::string FormatConfigValue(const ConfigValue& value) {
  if (const auto* integer = std::get_if<uint64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return FormatReal(*real);
  return std::get<std::string>(value);
}

std::string RangeText(const Key& key) {
  if (!key.choices.empty()) return fmt::format("{}", fmt::join(key.choices, " or "));
  return fmt::format("{} to {}", FormatReal(key.min), FormatReal(key.max));
}

std::string Settings::Where(const std::string& key) const {
  const auto found = origins.find(key);
  return found == origins.end() ? key : found->second;
}

void SetKey(const Key& key, const std::string& text, const std::string& where, Settings* settings) {
  SystemConfig& config = settings->config;
  if (const auto* integer = std::get_if<uint32_t C::*>(&key.field)) {
    config.*(*integer) = static_cast<uint32_t>(
        ParseInteger(where, text, static_cast<uint64_t>(key.min), static_cast<uint64_t>(key.max)));
  } else if (const auto* real = std::get_if<double C::*>(&key.field)) {
    config.*(*real) = ParseReal(where, text, key.min, key.max);
  } else {
    config.*std::get<bool C::*>(key.field) = ParseChoice(where, text, key.choices) == 1;
  }
  settings->origins[key.name] = where;
}

void ApplySets(const std::vector<std::string>& sets, Settings* settings) {
  std::set<std::string> seen;
  for (const std::string& text : sets) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos) {
      throw UsageError(fmt::format("--set {}: section.key=value is accepted", text));
    }
    const std::string name = text.substr(0, equals);
    const Key* key = FindKey(name);
    if (key == nullptr) {
      throw UsageError(fmt::format("--set {}: there is no key '{}'; the nearest is {}", text, name,
                                   Nearest(name, KeyNames())));
    }
    if (!seen.insert(name).second) throw UsageError(fmt::format("--set {} is given twice", name));
    SetKey(*key, text.substr(equals + 1), "--set " + name, settings);
  }
}

}  // namespace t3::sim
