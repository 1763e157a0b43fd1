// The options of a command, read with Boost.Program_options and stricter than it
// by default: no abbreviation, nothing twice, no stray words.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace t3::sim {

struct Option {
  std::string name;   // without dashes
  std::string value;  // placeholder in the help; empty: takes none
  std::string help;
  bool repeatable = false;
  bool hidden = false;  // not in the help, nor suggested
};

struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};

class Arguments {
 public:
  // Throws UsageError.
  Arguments(const std::vector<OptionGroup>& groups, const std::vector<std::string>& args);

  bool Has(const std::string& name) const { return values_.count(name) != 0; }
  // The value of an option given, else nullopt.
  std::optional<std::string> Get(const std::string& name) const;
  // All values of a repeatable option, in order.
  std::vector<std::string> GetAll(const std::string& name) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
};

// The options in columns, hidden ones left out.
std::string OptionHelp(const std::vector<OptionGroup>& groups);

}  // namespace t3::sim
