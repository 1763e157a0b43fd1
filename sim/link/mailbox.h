// What is under way between devices. Within a window of one link latency nothing
// that is sent arrives, so a sender fills its outbox and a receiver empties its
// inbox without looking at each other; Deliver() moves packets between windows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tb/harness/t3_types.h"

namespace t3::sim {

struct DataPacket {
  uint64_t arrival = 0;                     // cycle
  uint8_t header[tb::Packet::kBytes] = {};  // t3_pkg::packet_t
  uint8_t strobes[16] = {};
  uint8_t line[128] = {};
};

struct ControlPacket {
  uint64_t arrival = 0;
  uint8_t bits[tb::Control::kBytes] = {};  // t3_pkg::ctl_t
};

// Packets for one lane of one device, in order of arrival. A lane takes one per
// cycle; packets of several senders that meet are taken in the order of delivery.
template <class T>
class Inbox {
 public:
  // The packet that arrives in `cycle` or should have before, or null.
  const T* Arrived(uint64_t cycle) const {
    return head_ < queue_.size() && queue_[head_].arrival <= cycle ? &queue_[head_] : nullptr;
  }
  void Pop() {
    if (++head_ == queue_.size()) {
      queue_.clear();
      head_ = 0;
    }
  }
  uint64_t NextArrival() const {
    return head_ < queue_.size() ? queue_[head_].arrival : UINT64_MAX;
  }
  bool Empty() const { return queue_.empty(); }

  // Keeps the order of arrival; equal arrivals stay in the order of calls.
  void Deliver(const T& packet) {
    if (head_ > 4096 && head_ * 2 > queue_.size()) {
      queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
    queue_.push_back(packet);
    for (size_t i = queue_.size() - 1; i > head_ && queue_[i].arrival < queue_[i - 1].arrival;
         --i) {
      std::swap(queue_[i], queue_[i - 1]);
    }
  }

 private:
  std::vector<T> queue_;
  size_t head_ = 0;
};

template <class T>
using Outbox = std::vector<T>;

}  // namespace t3::sim
