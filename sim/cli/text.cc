#include "sim/cli/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "sim/report/usage_error.h"

namespace t3::sim {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// [+-] digits [. digits] [e [+-] digits], with a digit before the exponent.
bool IsDecimal(std::string_view text) {
  size_t i = 0;
  const auto digits = [&] {
    const size_t start = i;
    while (i < text.size() && IsDigit(text[i])) ++i;
    return i - start;
  };
  const auto sign = [&] {
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  };
  sign();
  size_t mantissa = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    sign();
    if (digits() == 0) return false;
  }
  return i == text.size();
}

}  // namespace

uint64_t ParseInteger(const std::string& what, const std::string& text, uint64_t min,
                      uint64_t max) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool digits = !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
  if (!digits || error != std::errc() || stop != end || value < min || value > max) {
    const std::string upper = max == UINT64_MAX ? fmt::format("at least {}", min)
                                                : fmt::format("from {} to {}", min, max);
    throw UsageError(
        fmt::format("{} is '{}'; a decimal integer {} is accepted", what, text, upper));
  }
  return value;
}

double ParseReal(const std::string& what, const std::string& text, double min, double max) {
  double value = NAN;
  if (IsDecimal(text)) {
    const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
    std::from_chars(begin, text.data() + text.size(), value);
  }
  if (!(value >= min && value <= max)) {
    throw UsageError(fmt::format("{} is '{}'; a decimal number from {} to {} is accepted", what,
                                 text, FormatReal(min), FormatReal(max)));
  }
  return value + 0.0;  // never -0
}

size_t ParseChoice(const std::string& what, const std::string& text,
                   const std::vector<std::string>& accepted) {
  const auto found = std::find(accepted.begin(), accepted.end(), text);
  if (found == accepted.end()) {
    throw UsageError(fmt::format("{} is '{}'; the nearest value is '{}' of {}", what, text,
                                 Nearest(text, accepted), fmt::join(accepted, ", ")));
  }
  return static_cast<size_t>(found - accepted.begin());
}

size_t EditDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  // Rows of the table for the prefixes of `a` of lengths i-2, i-1 and i.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, last);
    std::swap(last, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

const std::string& Nearest(std::string_view name, const std::vector<std::string>& names) {
  return *std::min_element(names.begin(), names.end(),
                           [&](const std::string& a, const std::string& b) {
                             return EditDistance(name, a) < EditDistance(name, b);
                           });
}

std::vector<std::string> SplitList(const std::string& text) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t comma; (comma = text.find(',', start)) != std::string::npos; start = comma + 1) {
    parts.push_back(text.substr(start, comma - start));
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string FormatReal(double value) { return fmt::format("{}", value); }

}  // namespace t3::sim
