// Bad usage or input: one sentence for the user, exit code 2.
#pragma once

#include <stdexcept>
#include <string>

namespace t3::sim {

class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace t3::sim
