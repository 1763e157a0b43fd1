// The program t3sim, apart from main(): tests call it with a simulator and
// streams of their own.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "sim/cli/simulator.h"

namespace t3::sim {

struct Environment {
  Simulator simulator;
  std::ostream* out = nullptr;  // standard output
  std::ostream* err = nullptr;  // standard error
  bool err_is_terminal = false;
  std::chrono::steady_clock::time_point start;  // of the process
  const std::atomic<bool>* stop = nullptr;      // the user interrupts
  std::function<uint64_t()> available_memory;   // bytes; 0: unknown
};

// Runs `t3sim args...` and returns the exit code: 0 every element right; 1 wrong
// result; 2 bad usage or input; 3 no progress; 130 interrupted.
int RunApp(const std::vector<std::string>& args, const Environment& environment);

// Bytes that this process may still take: of the machine or of its control
// group, whichever is less; 0 if nothing says.
uint64_t AvailableMemory();

}  // namespace t3::sim
