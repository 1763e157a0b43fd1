// The system keys: the one table of their names, units, ranges, defaults and
// meaning, and how they are read from --set and from INI files.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "sim/report/report.h"
#include "sim/system/run.h"

namespace t3::sim {

// A key and the field of SystemConfig that it sets.
struct Key {
  std::string name;  // section.key
  std::string unit;  // empty: a number without unit, or a word
  std::variant<uint32_t SystemConfig::*, double SystemConfig::*, bool SystemConfig::*> field;
  double min = 0, max = 0;           // of numbers
  std::vector<std::string> choices;  // of a bool field: the words for false and true
  std::string help;                  // half a sentence
};

const std::vector<Key>& AllKeys();
std::vector<std::string> KeyNames();
std::vector<std::string> SectionNames();

// Null if there is no such key.
const Key* FindKey(const std::string& name);

// What the key holds in `config`.
ConfigValue GetKey(const Key& key, const SystemConfig& config);
std::string FormatConfigValue(const ConfigValue& value);

// "from 1 to 1024", "row or column".
std::string RangeText(const Key& key);

// A configuration, and where each value that is not a default came from
// ("--set link.credits", "s.ini:2: link.credits").
struct Settings {
  SystemConfig config;
  std::map<std::string, std::string> origins;  // by key name

  bool IsSet(const std::string& key) const { return origins.count(key) != 0; }
  // The origin, or the name of the key where the default holds.
  std::string Where(const std::string& key) const;
};

// Parses and sets one key. `where` begins the sentence of an error and becomes
// the origin.
void SetKey(const Key& key, const std::string& text, const std::string& where, Settings* settings);

// Reads `text` of an INI file called `path` in messages. Throws UsageError
// ("path:line: ...") for an unknown section or key, a key given twice, a line
// that is none, or a value that the key does not accept.
void ReadIni(const std::string& path, const std::string& text, Settings* settings);

// The same from the file itself; an error names it if it cannot be read.
void ReadIniFile(const std::string& path, Settings* settings);

// Applies the values of repeated --set options (section.key=value) over the
// settings. Throws UsageError.
void ApplySets(const std::vector<std::string>& sets, Settings* settings);

}  // namespace t3::sim
