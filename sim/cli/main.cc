// t3sim: simulates T3 and checks what it computes.
#include <unistd.h>

#include <csignal>
#include <iostream>

#include "sim/cli/app.h"

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");

// The first signal ends the run in order; the next one at once.
void StopOnSignal(int signal) {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop = true; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  t3::sim::Environment environment;
  environment.start = std::chrono::steady_clock::now();
  environment.simulator = {t3::sim::FindRtlConfig, t3::sim::RtlConfigNames,
                           t3::sim::EstimateMemoryBytes, t3::sim::Run};
  environment.out = &std::cout;
  environment.err = &std::cerr;
  environment.err_is_terminal = isatty(STDERR_FILENO) == 1;
  environment.stop = &stop;
  environment.available_memory = t3::sim::AvailableMemory;
  StopOnSignal(SIGINT);
  StopOnSignal(SIGTERM);
  return t3::sim::RunApp(std::vector<std::string>(argv + 1, argv + argc), environment);
}
