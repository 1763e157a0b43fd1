// The host processor of one device: a thread that runs the driver, in strict turns
// with the thread that simulates the device. Exactly one of the two runs at a
// time, so that the host takes no time of its own and results are deterministic.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace t3::sim {

class HostPort {
 public:
  enum class Wait { kRead, kWrite, kInterrupt, kCycle, kFinished };
  static constexpr uint64_t kForever = UINT64_MAX;

  ~HostPort();  // ends the host: what it waits for fails

  // ---- The device's side.
  // Runs `program` in the host's thread until it waits for the first time.
  void Start(std::function<void()> program);
  // Lets the host go on, in `cycle`, until it waits again.
  void Resume(uint64_t cycle);
  // Answers the access that the host waits for and lets it go on.
  void Answer(uint64_t cycle, bool ok, uint32_t value);

  Wait waiting() const { return wait_; }
  bool wants_access() const { return wait_ == Wait::kRead || wait_ == Wait::kWrite; }
  uint32_t address() const { return address_; }
  uint32_t write_data() const { return data_; }
  uint64_t wake_cycle() const { return wake_cycle_; }  // of kCycle
  void set_wake_cycle(uint64_t cycle) { wake_cycle_ = cycle; }

  // ---- The host's side. False (-1 of the bus): the access failed, or the
  // simulation ends.
  bool Read(uint32_t address, uint32_t* value);
  bool Write(uint32_t address, uint32_t value);
  // Until the device resumes the host, which it does on its interrupt.
  bool WaitInterrupt() { return Yield(Wait::kInterrupt); }
  // Until a cycle; kForever: one that the device's side sets later.
  bool WaitCycle(uint64_t cycle);
  uint64_t cycle() const { return cycle_; }

 private:
  bool Yield(Wait wait);

  std::mutex mutex_;
  std::condition_variable turn_changed_;
  bool hosts_turn_ = false;
  bool ending_ = false;
  Wait wait_ = Wait::kFinished;
  uint32_t address_ = 0, data_ = 0;
  bool answer_ok_ = false;
  uint64_t cycle_ = 0, wake_cycle_ = 0;
  std::thread thread_;
};

}  // namespace t3::sim
