#include "sim/system/host_port.h"

#include <utility>

namespace t3::sim {

HostPort::~HostPort() {
  if (!thread_.joinable()) return;
  while (wait_ != Wait::kFinished) {
    ending_ = true;
    answer_ok_ = false;
    Resume(cycle_);
  }
  thread_.join();
}

void HostPort::Start(std::function<void()> program) {
  wait_ = Wait::kInterrupt;
  thread_ = std::thread([this, program = std::move(program)] {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      turn_changed_.wait(lock, [this] { return hosts_turn_; });
    }
    if (!ending_) program();
    std::lock_guard<std::mutex> lock(mutex_);
    wait_ = Wait::kFinished;
    hosts_turn_ = false;
    turn_changed_.notify_all();
  });
  Resume(0);
}

void HostPort::Resume(uint64_t cycle) {
  std::unique_lock<std::mutex> lock(mutex_);
  cycle_ = cycle;
  hosts_turn_ = true;
  turn_changed_.notify_all();
  turn_changed_.wait(lock, [this] { return !hosts_turn_; });
}

void HostPort::Answer(uint64_t cycle, bool ok, uint32_t value) {
  answer_ok_ = ok;
  data_ = value;
  Resume(cycle);
}

bool HostPort::Yield(Wait wait) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (ending_) return false;
  wait_ = wait;
  hosts_turn_ = false;
  turn_changed_.notify_all();
  turn_changed_.wait(lock, [this] { return hosts_turn_; });
  return !ending_;
}

bool HostPort::Read(uint32_t address, uint32_t* value) {
  address_ = address;
  if (!Yield(Wait::kRead) || !answer_ok_) return false;
  *value = data_;
  return true;
}

bool HostPort::Write(uint32_t address, uint32_t value) {
  address_ = address;
  data_ = value;
  return Yield(Wait::kWrite) && answer_ok_;
}

bool HostPort::WaitCycle(uint64_t cycle) {
  wake_cycle_ = cycle;
  return Yield(Wait::kCycle);
}

}  // namespace t3::sim
