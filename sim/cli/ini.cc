// INI files of system keys (declared in keys.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "sim/cli/keys.h"
#include "sim/cli/text.h"
#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

// Without a comment: '#' or ';' at the start of the line or after a blank.
std::string_view WithoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if ((line[i] == '#' || line[i] == ';') &&
        (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
      return line.substr(0, i);
    }
  }
  return line;
}

std::string ParseSection(const std::string& at, std::string_view line) {
  if (line.back() != ']') {
    throw UsageError(fmt::format("{}: '{}' does not end with ']'", at, line));
  }
  const std::string section(Trim(line.substr(1, line.size() - 2)));
  const std::vector<std::string> sections = SectionNames();
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    throw UsageError(fmt::format("{}: there is no section [{}]; the nearest is [{}]", at, section,
                                 Nearest(section, sections)));
  }
  return section;
}

const Key& ParseKey(const std::string& at, const std::string& section, const std::string& name) {
  const std::string full = section + "." + name;
  const Key* key = FindKey(full);
  if (key == nullptr) {
    throw UsageError(fmt::format("{}: section [{}] has no key '{}'; the nearest is {}", at, section,
                                 name, Nearest(full, KeyNames())));
  }
  return *key;
}

}  // namespace

void ReadIni(const std::string& path, const std::string& text, Settings* settings) {
  std::string_view rest = text;
  if (rest.substr(0, 3) == "\xEF\xBB\xBF") rest.remove_prefix(3);

  std::string section;
  std::map<std::string, size_t> seen;  // key -> its line
  for (size_t number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = Trim(WithoutComment(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;

    const std::string at = fmt::format("{}:{}", path, number);
    if (line.front() == '[') {
      section = ParseSection(at, line);
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      throw UsageError(fmt::format("{}: '{}' is neither [section] nor key = value", at, line));
    }
    const std::string name(Trim(line.substr(0, equals)));
    if (section.empty()) {
      throw UsageError(fmt::format("{}: key '{}' stands before the first section, one of [{}]", at,
                                   name, fmt::join(SectionNames(), "], [")));
    }
    const Key& key = ParseKey(at, section, name);
    const auto [first, fresh] = seen.emplace(key.name, number);
    if (!fresh) {
      throw UsageError(
          fmt::format("{}: {} is given twice, first in line {}", at, key.name, first->second));
    }
    SetKey(key, std::string(Trim(line.substr(equals + 1))), at + ": " + key.name, settings);
  }
}

void ReadIniFile(const std::string& path, Settings* settings) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw UsageError(fmt::format("--system {} is a directory, not a file", path));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets failbit of `text`, not an error of the file.
  if (!file.is_open() || file.bad()) {
    throw UsageError(fmt::format("--system {} cannot be read: {}", path, std::strerror(errno)));
  }
  ReadIni(path, text.str(), settings);
}

}  // namespace t3::sim
