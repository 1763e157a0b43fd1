// Strict reading of text: numbers, lists, and the nearest of some names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace t3::sim {

// A decimal integer, digits only, from `min` to `max`. Throws UsageError that
// begins with `what` (the option or key), names `text` and the accepted range.
uint64_t ParseInteger(const std::string& what, const std::string& text, uint64_t min, uint64_t max);

// A finite decimal number (optional fraction and exponent) from `min` to `max`;
// errors as above.
double ParseReal(const std::string& what, const std::string& text, double min, double max);

// One of `accepted`, exactly. Throws UsageError that names the nearest one and all.
size_t ParseChoice(const std::string& what, const std::string& text,
                   const std::vector<std::string>& accepted);

// Single-character insertions, deletions, substitutions and swaps of neighbours
// that lead from one name to the other; case does not count.
size_t EditDistance(std::string_view a, std::string_view b);

// The member of `names` (not empty) with the smallest distance; the first of equals.
const std::string& Nearest(std::string_view name, const std::vector<std::string>& names);

// "a,b,c" in parts; empty parts are kept.
std::vector<std::string> SplitList(const std::string& text);

// Without spaces, tabs and carriage returns at both ends.
std::string_view Trim(std::string_view text);

// The shortest decimal text that reads back as the same value: 75, 37.5.
std::string FormatReal(double value);

}  // namespace t3::sim
