#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/json.h"

namespace t3::sim {
namespace {

using Json = nlohmann::ordered_json;

// RFC 4180: quoted where it holds a comma, a quote or a line end.
std::string Quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string Field(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return Quoted(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

struct Columns {
  std::vector<std::string> names, fields;
  void Add(const std::string& name, const Json& value) {
    names.push_back(Quoted(name));
    fields.push_back(Field(value));
  }
};

// The layer, the scalars of the run, then its nested ones joined by a dot.
Columns Flatten(const Json& run) {
  Columns columns;
  columns.Add("layer", run["layer"]);
  for (const auto& [name, value] : run.items()) {
    if (!value.is_structured() && name != "layer") columns.Add(name, value);
  }
  for (const auto& [name, value] : run.items()) {
    if (!value.is_object()) continue;
    for (const auto& [inner, nested] : value.items()) columns.Add(name + "." + inner, nested);
  }
  return columns;
}

}  // namespace

std::string CsvText(const Report& report) {
  std::string text;
  for (const ReportRun& run : report.runs) {
    const Columns columns = Flatten(RunJson(run));
    if (text.empty()) text = fmt::format("{}\n", fmt::join(columns.names, ","));
    text += fmt::format("{}\n", fmt::join(columns.fields, ","));
  }
  return text;
}

}  // namespace t3::sim
