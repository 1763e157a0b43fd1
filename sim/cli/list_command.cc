#include "sim/cli/list_command.h"

#include <fmt/format.h>

#include "sim/cli/arguments.h"
#include "sim/cli/keys.h"
#include "sim/cli/workloads.h"

namespace t3::sim {
namespace {

void ListKeys(std::ostream& out) {
  out << fmt::format("{:<32} {:<9} {:<20} {:<8} {}\n", "key", "unit", "range", "default",
                     "meaning (GB = 10^9 bytes)");
  const SystemConfig defaults;
  for (const Key& key : AllKeys()) {
    out << fmt::format("{:<32} {:<9} {:<20} {:<8} {}\n", key.name,
                       key.unit.empty() ? "-" : key.unit, RangeText(key),
                       FormatConfigValue(GetKey(key, defaults)), key.help);
  }
}

void ListWorkloads(std::ostream& out) {
  out << fmt::format("{:<12} {:<6} {:>4} {:>7} {:>7} {:>8}\n", "model", "layer", "TP", "M", "N",
                     "local K");
  for (const Workload& row : AllWorkloads()) {
    for (const uint32_t tp : row.tp) {
      out << fmt::format("{:<12} {:<6} {:>4} {:>7} {:>7} {:>8}\n", row.model, row.layer, tp, row.m,
                         row.n, LocalK(row, tp));
    }
  }
}

}  // namespace

int ListCommand(const std::vector<std::string>& args, std::ostream& out) {
  const Arguments parsed({{"", {{"keys", "", ""}}}}, args);
  if (parsed.Has("keys")) {
    ListKeys(out);
  } else {
    ListWorkloads(out);
  }
  return 0;
}

}  // namespace t3::sim
