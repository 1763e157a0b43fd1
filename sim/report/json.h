// The JSON form of a run, from which the CSV row is made as well.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/report/report.h"

namespace t3::sim {

nlohmann::ordered_json RunJson(const ReportRun& run);

}  // namespace t3::sim
