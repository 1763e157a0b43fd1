// Progress of a run on standard error: percent, speed, time to go.
#pragma once

#include <chrono>
#include <ostream>
#include <string>

#include "sim/system/run.h"

namespace t3::sim {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // `label` begins each line. On a terminal one line is rewritten; elsewhere a
  // line is added every few seconds.
  ProgressLine(std::ostream* out, bool terminal, const std::string& label);
  // Erases the line of a terminal.
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(const Progress& progress);

 private:
  std::ostream* out_;
  bool terminal_;
  bool shown_ = false;
  std::string label_;
  Clock::time_point start_, last_;
};

// " 42 %  317 kilocycles/s  ETA 1:05", of a run that has taken `seconds`.
std::string ProgressText(const Progress& progress, double seconds);

}  // namespace t3::sim
