#include "sim/cli/arguments.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <sstream>

#include "sim/cli/text.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

namespace po = boost::program_options;

void Add(const Option& option, po::options_description* description) {
  if (option.value.empty()) {
    description->add_options()(option.name.c_str(), option.help.c_str());
  } else {
    description->add_options()(option.name.c_str(),
                               po::value<std::string>()->value_name(option.value),
                               option.help.c_str());
  }
}

}  // namespace

Arguments::Arguments(const std::vector<OptionGroup>& groups, const std::vector<std::string>& args) {
  po::options_description description;
  std::map<std::string, const Option*> known;
  std::vector<std::string> names;
  for (const OptionGroup& group : groups) {
    for (const Option& option : group.options) {
      Add(option, &description);
      known[option.name] = &option;
      if (!option.hidden) names.push_back("--" + option.name);
    }
  }

  namespace style = po::command_line_style;
  std::vector<po::option> parsed;
  try {
    parsed = po::command_line_parser(args)
                 .options(description)
                 .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
                 .allow_unregistered()
                 .run()
                 .options;
  } catch (const po::error& error) {
    throw UsageError(error.what());
  }

  for (const po::option& option : parsed) {
    const std::string& token = option.original_tokens.front();
    if (option.unregistered || option.string_key.empty()) {
      if (token.rfind('-', 0) == 0) {
        const std::string name = token.substr(0, token.find('='));
        throw UsageError(
            fmt::format("there is no option {}; the nearest is {}", name, Nearest(name, names)));
      }
      throw UsageError(fmt::format("'{}' belongs to no option; options begin with --", token));
    }
    // Boost takes the next word for the value, an option too.
    if (!option.value.empty() && token.find('=') == std::string::npos &&
        option.value.front().rfind("--", 0) == 0) {
      throw UsageError(fmt::format("--{} needs a value, and {} follows it", option.string_key,
                                   option.value.front()));
    }
    std::vector<std::string>& values = values_[option.string_key];
    if (!values.empty() && !known.at(option.string_key)->repeatable) {
      throw UsageError(fmt::format("--{} is given twice", option.string_key));
    }
    values.push_back(option.value.empty() ? "" : option.value.front());
  }
}

std::optional<std::string> Arguments::Get(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second.front();
}

std::vector<std::string> Arguments::GetAll(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

std::string OptionHelp(const std::vector<OptionGroup>& groups) {
  std::ostringstream text;
  for (const OptionGroup& group : groups) {
    po::options_description description(group.title, 100);
    for (const Option& option : group.options) {
      if (!option.hidden) Add(option, &description);
    }
    if (!description.options().empty()) text << description << '\n';
  }
  return text.str();
}

}  // namespace t3::sim
