#include "sim/cli/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "sim/cli/text.h"
#include "sim/report/usage_error.h"
#include "workloads_data.h"  // generated: kWorkloadFiles

namespace t3::sim {

std::vector<Workload> ParseWorkloads(const std::string& name, const std::string& text) {
  std::vector<Workload> rows;
  std::istringstream lines(text);
  std::string line;
  bool header = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::string at = fmt::format("{}:{}", name, number);
    if (!header) {
      if (line != "model,layer,m,n,full_k,tp") {
        throw UsageError(fmt::format("{}: the header is '{}'", at, line));
      }
      header = true;
      continue;
    }
    const std::vector<std::string> fields = SplitList(line);
    if (fields.size() != 6) throw UsageError(fmt::format("{}: six fields are needed", at));
    const auto dimension = [&](size_t i) {
      return static_cast<uint32_t>(ParseInteger(at, fields[i], 1, (1u << 24) - 1));
    };
    Workload row{fields[0], fields[1], dimension(2), dimension(3), dimension(4), {}};
    std::istringstream degrees(fields[5]);
    for (std::string degree; degrees >> degree;) {
      row.tp.push_back(static_cast<uint32_t>(ParseInteger(at, degree, 1, 64)));
    }
    rows.push_back(row);
  }
  return rows;
}

const std::vector<Workload>& AllWorkloads() {
  static const std::vector<Workload> all = [] {
    std::vector<Workload> rows;
    for (const auto& [name, text] : kWorkloadFiles) {
      for (Workload& row : ParseWorkloads(name, text)) rows.push_back(std::move(row));
    }
    return rows;
  }();
  return all;
}

const Workload& FindWorkload(const std::string& model, const std::string& layer) {
  std::vector<std::string> models, layers;
  for (const Workload& row : AllWorkloads()) {
    if (models.empty() || models.back() != row.model) models.push_back(row.model);
  }
  ParseChoice("--model", model, models);
  for (const Workload& row : AllWorkloads()) {
    if (row.model == model) layers.push_back(row.layer);
  }
  ParseChoice("--layer", layer, layers);
  return *std::find_if(AllWorkloads().begin(), AllWorkloads().end(), [&](const Workload& row) {
    return row.model == model && row.layer == layer;
  });
}

uint32_t LocalK(const Workload& workload, uint32_t tp) {
  if (workload.full_k % tp != 0) {
    throw UsageError(fmt::format("--tp {} does not divide the full K {} of {} {}", tp,
                                 workload.full_k, workload.model, workload.layer));
  }
  return workload.full_k / tp;
}

}  // namespace t3::sim
