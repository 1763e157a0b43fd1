#include "sim/dram/channel.h"

#include <algorithm>
#include <cassert>

namespace t3::sim {
namespace {

constexpr uint8_t kRead = 0, kUpdate = 2;  // t3_pkg::mem_op_e
constexpr uint8_t kGemmRead = 0;           // t3_pkg::cls_e
constexpr size_t kInNmc = 16;              // more than the stages of t3_nmc
constexpr uint32_t kStressLatency = 64;    // extra cycles, below
constexpr uint32_t kStressOdds = 8;        // one cycle in so many refuses, or presents nothing

// Requests between leaving the queue and their answer: one leaves per cycle where
// the slot is not shorter. Beyond that the queue waits.
size_t UnderWay(const ChannelConfig& config) {
  return size_t{config.latency_cycles} + kStressLatency + 2;
}

size_t Hash(uint64_t addr) { return addr * 0x9e3779b97f4a7c15u >> 56; }

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

// Grows while the first requests fill the channel, then reuses places.
uint32_t MemoryChannel::TakePlace() {
  if (free_places_.empty()) {
    requests_.emplace_back();
    return static_cast<uint32_t>(requests_.size() - 1);
  }
  const uint32_t place = free_places_.back();
  free_places_.pop_back();
  return place;
}

void MemoryChannel::Push(const MemRequest& request) {
  assert(!queue_.full());
  const uint32_t place = TakePlace();
  if (request.op == kRead) {
    static_cast<MemHeader&>(requests_[place]) = request;
  } else {
    requests_[place] = request;
  }
  queue_.Append() = place;
}

bool MemoryChannel::WritePending(uint64_t addr) const {
  if (pending_writes_[Hash(addr)] == 0) return false;
  for (size_t i = 0; i < in_nmc_.size(); ++i) {
    if (in_nmc_[i] == addr) return true;
  }
  for (size_t i = 0; i < writes_.size(); ++i) {
    if (requests_[writes_[i].place].addr == addr) return true;
  }
  return false;
}

// Moves requests from the queue to memory, as slots become free.
void MemoryChannel::Serve() {
  const uint64_t now = cycle_ * config_.slot_den;
  blocked_ = false;
  while (!queue_.empty() && free_at_ <= now) {
    const uint32_t place = queue_.front();
    const MemHeader& head = requests_[place];
    const bool read = head.op == kRead;
    blocked_ = (read ? reads_ : writes_).full() ||
               (read && head.cls != kGemmRead && WritePending(head.addr));
    if (blocked_) return;
    // A slot that became free since the last cycle counts from its exact time.
    const uint64_t start = free_at_ + config_.slot_den > now ? free_at_ : now;
    free_at_ = start + config_.slot_num * (head.op == kUpdate ? 2 : 1);
    uint64_t due = cycle_ + config_.latency_cycles;
    if (config_.stress) {
      due = std::max(due + random_() % kStressLatency, last_due_);
      last_due_ = due;
    }
    if (!read) ++pending_writes_[Hash(head.addr)];
    (read ? reads_ : writes_).Append() = {due, served_++, place};
    queue_.Pop();
  }
}

void MemoryChannel::Begin(uint64_t cycle) {
  cycle_ = cycle;
  if (read_shown_) {
    free_places_.push_back(reads_.front().place);
    reads_.Pop();
    read_shown_ = false;
  }
  if (!queue_.empty()) Serve();
  bool gap = false;
  if (config_.stress) {
    ready_ = random_() % kStressOdds != 0;
    gap = random_() % kStressOdds == 0;
  }
  if (gap) return;
  read_shown_ = !reads_.empty() && reads_.front().due <= cycle_;
  if (!write_shown_ && !writes_.empty() && writes_.front().due <= cycle_ && !in_nmc_.full()) {
    const size_t waiting = read_shown_ ? 1 : 0;  // the oldest read that is not answered yet
    write_shown_ = reads_.size() <= waiting || reads_[waiting].serial > writes_.front().serial;
  }
}

const MemRequest* MemoryChannel::ReadDone() const {
  return read_shown_ ? &requests_[reads_.front().place] : nullptr;
}

const uint8_t* MemoryChannel::ReadData() const {
  return memory_->Read(requests_[reads_.front().place].addr);
}

const MemRequest* MemoryChannel::WriteHead() const {
  return write_shown_ ? &requests_[writes_.front().place] : nullptr;
}

const uint8_t* MemoryChannel::WriteOld() const {
  return memory_->Read(requests_[writes_.front().place].addr);
}

void MemoryChannel::WriteTaken() {
  assert(write_shown_);
  const uint32_t place = writes_.front().place;
  in_nmc_.Append() = requests_[place].addr;
  free_places_.push_back(place);
  writes_.Pop();
  write_shown_ = false;
}

void MemoryChannel::WriteBack(uint64_t addr, const uint8_t* strobes, const uint8_t* data) {
  assert(!in_nmc_.empty() && in_nmc_.front() == addr);
  memory_->WriteLine(addr, config_.line_bytes, strobes, data);
  --pending_writes_[Hash(addr)];
  in_nmc_.Pop();
}

bool MemoryChannel::Idle() const {
  return queue_.empty() && reads_.empty() && writes_.empty() && in_nmc_.empty();
}

uint64_t MemoryChannel::NextEvent() const {
  const auto later = [this](uint64_t cycle) { return std::max(cycle_ + 1, cycle); };
  if (write_shown_ || !in_nmc_.empty()) return cycle_ + 1;
  uint64_t next = UINT64_MAX;
  if (!queue_.empty() && !blocked_) {
    next = later((free_at_ + config_.slot_den - 1) / config_.slot_den);
  }
  if (!reads_.empty()) next = std::min(next, later(reads_.front().due));
  if (!writes_.empty()) next = std::min(next, later(writes_.front().due));
  return next;
}

}  // namespace t3::sim
