// One memory channel: a queue of requests, when each is served, and its data.
// A flat model (fixed latency, one line per slot, two slots for an update)
// today; a bank-level model may take its place behind the same interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/dram/memory.h"

namespace t3::sim {

constexpr uint32_t kMaxLineBytes = 128;

struct MemRequest {
  uint8_t cls = 0;    // t3_pkg::cls_e
  uint8_t op = 0;     // t3_pkg::mem_op_e: 0 read, 1 store, 2 update
  uint8_t fmt = 0;
  uint8_t ctx = 0;
  bool count = false;
  uint16_t tag = 0;
  uint64_t addr = 0;  // line address
  uint8_t strobes[kMaxLineBytes / 8] = {};
  uint8_t data[kMaxLineBytes] = {};  // of writes; uninitialised for reads
};

struct ChannelConfig {
  uint32_t line_bytes = 64;
  uint32_t queue_entries = 64;
  // One line per slot: slot_num / slot_den cycles, exact (clock over the
  // channel's share of the bandwidth).
  uint64_t slot_num = 14, slot_den = 10;
  uint32_t latency_cycles = 140;  // from leaving the queue to data
  bool stress = false;  // random extra latency and refusals, from `seed`
  uint64_t seed = 1;
};

// Cycle protocol, once per device cycle in this order:
//   WriteBack() for the line that the RTL shows at wb
//   Begin(cycle): moves time; afterwards ReadDone()/WriteHead() say what the
//     channel presents in this cycle, Ready()/Occupancy() what it can take
//   the RTL samples: Push() if it offers a request and Ready(), WriteTaken() if
//     nmc_ready is high
// Same-line order: a request never overtakes an earlier one to its line, and a
// read waits for write-backs of its line that are under way in the NMC.
class MemoryChannel {
 public:
  MemoryChannel(const ChannelConfig& config, Memory* memory);

  bool Ready() const;           // a request can be pushed in this cycle
  uint32_t Occupancy() const;   // requests queued, not yet performed
  void Push(const MemRequest& request);

  void Begin(uint64_t cycle);
  // The read whose data comes back in this cycle, or null. `line` of ReadData is
  // memory's line, valid in this cycle. At most one per cycle.
  const MemRequest* ReadDone() const;
  const uint8_t* ReadData() const;
  // The write at the head that is to be performed now (to t3_nmc), or null; it
  // stays until WriteTaken().
  const MemRequest* WriteHead() const;
  const uint8_t* WriteOld() const;  // memory's line at this moment
  void WriteTaken();
  void WriteBack(uint64_t addr, const uint8_t* strobes, const uint8_t* data);

  bool Idle() const;            // nothing queued or under way
  // First cycle at which Begin() would present something if nothing is pushed;
  // UINT64_MAX when idle.
  uint64_t NextEvent() const;

 private:
  struct Served {
    MemRequest request;
    uint64_t due = 0;  // cycle in which it answers or is handed to the NMC
  };

  // Rings of requests: queued, then read or write under way. Sizes are fixed, so
  // nothing is allocated while a run goes on.
  template <typename T>
  class Ring {
   public:
    explicit Ring(size_t capacity) : items_(capacity) {}
    bool empty() const { return count_ == 0; }
    bool full() const { return count_ == items_.size(); }
    size_t size() const { return count_; }
    T& front() { return items_[head_]; }
    const T& front() const { return items_[head_]; }
    T& operator[](size_t i) { return items_[(head_ + i) % items_.size()]; }
    T& Append() { return items_[(head_ + count_++) % items_.size()]; }
    void Pop() {
      head_ = head_ + 1 == items_.size() ? 0 : head_ + 1;
      --count_;
    }

   private:
    std::vector<T> items_;
    size_t head_ = 0, count_ = 0;
  };

  bool WriteUnderWay(uint64_t addr);
  void Serve();

  ChannelConfig config_;
  Memory* memory_;
  std::mt19937_64 random_;
  Ring<MemRequest> queue_;
  Ring<Served> reads_, writes_;
  Ring<uint64_t> in_nmc_;    // lines handed to the NMC and not written back
  uint64_t cycle_ = 0;
  uint64_t free_at_ = 0;     // first cycle, in units of 1 / slot_den, with a free slot
  uint64_t last_due_ = 0;    // of the stress mode: answers keep their order
  bool ready_ = true;
  bool bubble_ = false;      // stress: present nothing in this cycle
  bool read_shown_ = false;  // reads_.front() was presented in this cycle
};

}  // namespace t3::sim
