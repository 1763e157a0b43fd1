#include "sim/system/system.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

#include "t3_rtl_configs.h"

namespace t3::sim {
namespace {

constexpr uint64_t kStuckCycles = 20000;  // without a handshake anywhere, at least
constexpr uint64_t kStuckLatencies = 8;   // and so many link latencies
constexpr uint64_t kSingleWindow = 4096;  // window of a device without links
constexpr size_t kStuckDevicesNamed = 8;
constexpr uint64_t kProgressMs = 300;

uint64_t NowMs() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

// Threads that work in rounds: all of them on one round, then the caller alone.
class Team {
 public:
  Team(uint32_t size, std::function<void(uint32_t)> work) : work_(std::move(work)) {
    for (uint32_t i = 1; i < size; ++i) threads_.emplace_back([this, i] { Follow(i); });
  }
  ~Team() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ending_ = true;
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void Round() {
    if (threads_.empty()) {
      work_(0);
      return;
    }
    {
      std::lock_guard<std::mutex> lock(mutex_);
      ++round_;
      working_ = static_cast<uint32_t>(threads_.size());
    }
    begin_.notify_all();
    work_(0);
    std::unique_lock<std::mutex> lock(mutex_);
    end_.wait(lock, [this] { return working_ == 0; });
  }

 private:
  void Follow(uint32_t index) {
    for (uint64_t round = 1;; ++round) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        begin_.wait(lock, [&] { return ending_ || round_ >= round; });
        if (ending_) return;
      }
      work_(index);
      std::lock_guard<std::mutex> lock(mutex_);
      if (--working_ == 0) end_.notify_one();
    }
  }

  const std::function<void(uint32_t)> work_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable begin_, end_;
  uint64_t round_ = 0;
  uint32_t working_ = 0;
  bool ending_ = false;
};

}  // namespace

System::System(const RunRequest& request, const RtlConfig& rtl, const Layout& layout,
               const golden::Payload* payload, Scoreboard* scoreboard)
    : request_(request),
      scoreboard_(scoreboard),
      window_(request.devices > 1 ? LinkLatencyCycles(request.system) : kSingleWindow),
      window_end_(0) {
  const golden::RingSpec spec = MakeRingSpec(request);
  for (uint32_t d = 0; d < request.devices; ++d) {
    devices_.push_back(std::make_unique<Device>(request, rtl, layout, payload, scoreboard, d));
    const golden::Oracle oracle = golden::TrafficOracle(spec, d);
    write_bytes_ +=
        static_cast<double>(oracle.gemm_write + oracle.rs_write + oracle.ag_write) * request.repeat;
  }
}

void System::Run(const ProgressSink& progress, const std::atomic<bool>& stop) {
  for (auto& device : devices_) device->Reset();
  const uint32_t threads =
      std::max<uint32_t>(1, std::min<uint32_t>(request_.threads, request_.devices));
  Team team(threads, [&](uint32_t thread) {
    for (uint32_t d = thread; d < devices_.size(); d += threads) {
      devices_[d]->RunUntil(window_end_, stop);
    }
  });
  do {
    window_end_ += window_;
    team.Round();
  } while (BetweenWindows(progress, stop));
}

bool System::BetweenWindows(const ProgressSink& progress, const std::atomic<bool>& stop) {
  if (stop.load()) {
    outcome_ = Outcome::kInterrupted;
    first_fault_ = fmt::format("interrupted in cycle {}", started_ ? window_end_ - cycle_zero_ : 0);
    return false;
  }
  const Device* failed = nullptr;
  for (const auto& device : devices_) {
    if (device->Failed() && (failed == nullptr || device->fault_cycle() < failed->fault_cycle())) {
      failed = device.get();
    }
  }
  if (failed != nullptr) {
    outcome_ = Outcome::kWrong;
    first_fault_ = failed->fault();
    return false;
  }
  Deliver();
  if (request_.repeat > 1) scoreboard_->CheckComplete();
  if (std::all_of(devices_.begin(), devices_.end(),
                  [](const auto& device) { return device->program().done(); })) {
    return false;
  }
  OpenGateWhenReady();
  // Twice in a row: what is due exactly between two windows has happened by then.
  stuck_windows_ = Stuck() ? stuck_windows_ + 1 : 0;
  if (stuck_windows_ == 2) {
    outcome_ = Outcome::kStuck;
    DescribeStuck();
    return false;
  }
  Report(progress);
  return true;
}

void System::Deliver() {
  for (auto& source : devices_) {
    for (uint32_t lane = 0; lane < source->lanes(); ++lane) {
      for (const DataPacket& packet : source->data_out(lane)) {
        const uint64_t dst = tb::LoadBits(packet.header, tb::Packet::kDstLsb, tb::kDeviceW);
        if (dst < devices_.size()) devices_[dst]->data_in(lane).Deliver(packet);
      }
      source->data_out(lane).clear();
      for (const ControlPacket& packet : source->control_out(lane)) {
        const uint64_t dst = tb::LoadBits(packet.bits, tb::Control::kDstLsb, tb::kDeviceW);
        if (dst < devices_.size()) devices_[dst]->control_in(lane).Deliver(packet);
      }
      source->control_out(lane).clear();
    }
  }
}

// The first kernel starts when every device is ready for it; --stress skews the
// starts by up to four link latencies.
void System::OpenGateWhenReady() {
  if (started_ || !std::all_of(devices_.begin(), devices_.end(),
                               [](const auto& device) { return device->program().at_gate(); })) {
    return;
  }
  started_ = true;
  std::vector<uint64_t> skew(devices_.size(), 0);
  if (request_.stress) {
    std::mt19937_64 random(*request_.stress * 1000039 + 7);
    for (uint64_t& cycles : skew) cycles = random() % (4 * window_ + 1);
  }
  cycle_zero_ = window_end_ + *std::min_element(skew.begin(), skew.end());
  for (uint32_t d = 0; d < devices_.size(); ++d) devices_[d]->OpenGate(window_end_ + skew[d]);
  if (!request_.trace.path.empty()) {
    const auto shift = [this](uint64_t cycle) {
      return cycle > UINT64_MAX - cycle_zero_ ? UINT64_MAX : cycle + cycle_zero_;
    };
    devices_[request_.trace.device]->SetTrace(
        {request_.trace.path, shift(request_.trace.from_cycle), shift(request_.trace.to_cycle)},
        cycle_zero_);
  }
}

bool System::Stuck() const {
  uint64_t last = 0;
  for (const auto& device : devices_) last = std::max(last, device->last_progress());
  if (window_end_ - last <= std::max(kStuckCycles, kStuckLatencies * window_)) return false;
  return std::none_of(devices_.begin(), devices_.end(),
                      [](const auto& device) { return device->Due(); });
}

void System::DescribeStuck() {
  uint64_t last = 0;
  for (const auto& device : devices_) last = std::max(last, device->last_progress());
  std::vector<std::string> parts;
  for (auto& device : devices_) {
    std::string part = device->Diagnose();
    if (device->Failed()) part = device->fault();
    if (!part.empty()) parts.push_back(std::move(part));
  }
  first_fault_ =
      fmt::format("nothing moves since cycle {}", last > cycle_zero_ ? last - cycle_zero_ : 0);
  for (size_t i = 0; i < std::min(parts.size(), kStuckDevicesNamed); ++i) {
    first_fault_ += (i == 0 ? ": " : "; ") + parts[i];
  }
  if (parts.size() > kStuckDevicesNamed) {
    first_fault_ += fmt::format("; and {} devices more", parts.size() - kStuckDevicesNamed);
  }
}

void System::Report(const ProgressSink& progress) {
  const uint64_t now = NowMs();
  if (!progress || !started_ || now < reported_ms_ + kProgressMs) return;
  reported_ms_ = now;
  uint64_t bytes = 0;
  for (const auto& device : devices_) {
    const auto& dram = device->counters().dram_bytes;
    for (uint32_t ctx = 0; ctx < kContexts; ++ctx) {
      bytes += dram[tb::kClsGemmStore][ctx] + dram[tb::kClsIncoming][ctx];
    }
  }
  Progress report;
  report.fraction = write_bytes_ > 0 ? std::min(1.0, static_cast<double>(bytes) / write_bytes_) : 0;
  report.cycles = (window_end_ - std::min(window_end_, cycle_zero_)) * devices_.size();
  progress(report);
}

}  // namespace t3::sim
