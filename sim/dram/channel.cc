#include "sim/dram/channel.h"

#include <algorithm>

namespace t3::sim {
namespace {

// Requests between leaving the queue and their answer: latency over the fastest
// slot, and the stress mode's extra.
size_t UnderWay(const ChannelConfig& c) {
  return static_cast<size_t>(c.latency_cycles) * c.slot_den / c.slot_num + c.latency_cycles + 300;
}

constexpr size_t kInNmc = 16;  // more than the stages of t3_nmc

}  // namespace

MemoryChannel::MemoryChannel(const ChannelConfig& config, Memory* memory)
    : config_(config),
      memory_(memory),
      random_(config.seed),
      queue_(config.queue_entries),
      reads_(UnderWay(config)),
      writes_(UnderWay(config)),
      in_nmc_(kInNmc) {}

bool MemoryChannel::Ready() const { return ready_ && !queue_.full(); }

uint32_t MemoryChannel::Occupancy() const { return static_cast<uint32_t>(queue_.size()); }

void MemoryChannel::Push(const MemRequest& request) { queue_.Append() = request; }

bool MemoryChannel::WriteUnderWay(uint64_t addr) {
  for (size_t i = 0; i < in_nmc_.size(); ++i) {
    if (in_nmc_[i] == addr) return true;
  }
  for (size_t i = 0; i < writes_.size(); ++i) {
    if (writes_[i].request.addr == addr) return true;
  }
  return false;
}

// Moves requests from the queue to memory, as slots become free.
void MemoryChannel::Serve() {
  while (!queue_.empty()) {
    const MemRequest& head = queue_.front();
    if (free_at_ > cycle_ * config_.slot_den) return;
    const bool read = head.op == 0;
    if (read ? reads_.full() : writes_.full()) return;
    // A read sees every earlier write of its line. (A write needs no such check:
    // an earlier read of its line answers no later than it is performed.)
    if (read && head.cls != 0 && WriteUnderWay(head.addr)) return;
    // Idle time gives no credit, but a slot that became free since the last cycle
    // counts from its exact time.
    const uint64_t now = cycle_ * config_.slot_den;
    const uint64_t start = free_at_ + config_.slot_den > now ? free_at_ : now;
    free_at_ = start + config_.slot_num * (head.op == 2 ? 2 : 1);
    uint64_t due = cycle_ + config_.latency_cycles;
    if (config_.stress) {
      due = std::max(due + random_() % 64, last_due_);
      last_due_ = due;
    }
    Served& served = read ? reads_.Append() : writes_.Append();
    served.request = head;
    served.due = due;
    queue_.Pop();
  }
}

void MemoryChannel::Begin(uint64_t cycle) {
  cycle_ = cycle;
  if (read_shown_) {
    reads_.Pop();
    read_shown_ = false;
  }
  if (!queue_.empty()) Serve();
  if (config_.stress) {
    ready_ = random_() % 8 != 0;
    bubble_ = random_() % 8 == 0;
  }
  read_shown_ = !bubble_ && !reads_.empty() && reads_.front().due <= cycle_;
}

const MemRequest* MemoryChannel::ReadDone() const {
  return read_shown_ ? &reads_.front().request : nullptr;
}

const uint8_t* MemoryChannel::ReadData() const { return memory_->Read(reads_.front().request.addr); }

const MemRequest* MemoryChannel::WriteHead() const {
  if (bubble_ || writes_.empty() || writes_.front().due > cycle_ || in_nmc_.full()) return nullptr;
  return &writes_.front().request;
}

const uint8_t* MemoryChannel::WriteOld() const { return memory_->Read(writes_.front().request.addr); }

void MemoryChannel::WriteTaken() {
  in_nmc_.Append() = writes_.front().request.addr;
  writes_.Pop();
}

void MemoryChannel::WriteBack(uint64_t addr, const uint8_t* strobes, const uint8_t* data) {
  memory_->WriteLine(addr, config_.line_bytes, strobes, data);
  in_nmc_.Pop();
}

bool MemoryChannel::Idle() const {
  return queue_.empty() && reads_.empty() && writes_.empty() && in_nmc_.empty();
}

uint64_t MemoryChannel::NextEvent() const {
  uint64_t next = UINT64_MAX;
  if (!in_nmc_.empty()) return cycle_ + 1;
  if (!queue_.empty()) {
    next = std::max(cycle_ + 1, (free_at_ + config_.slot_den - 1) / config_.slot_den);
  }
  if (!reads_.empty()) next = std::min(next, std::max(cycle_ + 1, reads_.front().due));
  if (!writes_.empty()) next = std::min(next, std::max(cycle_ + 1, writes_.front().due));
  return next;
}

}  // namespace t3::sim
