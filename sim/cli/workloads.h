// The named workloads: sub-layers of five Transformers whose output needs a
// collective. The rows come from sim/workloads/*.csv, built into the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace t3::sim {

struct Workload {
  std::string model, layer;
  uint32_t m = 0;            // output rows (tokens)
  uint32_t n = 0;            // output columns
  uint32_t full_k = 0;       // K before it is sliced over the devices
  std::vector<uint32_t> tp;  // degrees of the published evaluation
};

// Rows of one file: a header `model,layer,m,n,full_k,tp` and data, tp being
// degrees separated by blanks; `#` lines are comments. Throws UsageError.
std::vector<Workload> ParseWorkloads(const std::string& name, const std::string& text);

// All built-in rows in the order of the published tables.
const std::vector<Workload>& AllWorkloads();

// Throws UsageError that names the nearest model or layer.
const Workload& FindWorkload(const std::string& model, const std::string& layer);

// full_k / tp; throws UsageError if tp does not divide it.
uint32_t LocalK(const Workload& workload, uint32_t tp);

}  // namespace t3::sim
