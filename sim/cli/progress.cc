#include "sim/cli/progress.h"

#include <fmt/format.h>

#include <algorithm>

namespace t3::sim {

ProgressLine::ProgressLine(std::ostream* out, bool terminal, const std::string& label)
    : out_(out), terminal_(terminal), label_(label), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() {
  if (terminal_ && shown_) *out_ << "\r\x1b[K" << std::flush;
}

void ProgressLine::Show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  const std::chrono::duration<double> since = now - last_;
  if (since.count() < (terminal_ ? 0.2 : 5.0)) return;
  last_ = now;
  shown_ = true;
  const std::chrono::duration<double> elapsed = now - start_;
  const std::string line = label_ + ProgressText(progress, elapsed.count());
  *out_ << (terminal_ ? "\r" + line + "\x1b[K" : line + "\n") << std::flush;
}

std::string ProgressText(const Progress& progress, double seconds) {
  const double fraction = std::clamp(progress.fraction, 0.0, 1.0);
  const double speed = seconds > 0 ? static_cast<double>(progress.cycles) / seconds / 1000 : 0;
  std::string text = fmt::format("{:3.0f} %  {:.0f} kilocycles/s", 100 * fraction, speed);
  if (fraction > 0) {
    const auto left = static_cast<uint64_t>(seconds * (1 - fraction) / fraction + 0.5);
    text += fmt::format("  ETA {}:{:02}", left / 60, left % 60);
  }
  return text;
}

}  // namespace t3::sim
