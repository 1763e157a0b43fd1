// One memory channel: a queue of requests, when each is served, and its data.
// A flat model (fixed latency, one line per slot, two slots for an update)
// today; a bank-level model may take its place behind the same interface.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "sim/dram/fixed_queue.h"
#include "sim/dram/memory.h"

namespace t3::sim {

constexpr uint32_t kMaxLineBytes = 128;

struct MemHeader {
  uint8_t cls = 0;  // t3_pkg::cls_e
  uint8_t op = 0;   // t3_pkg::mem_op_e: 0 read, 1 store, 2 update
  uint8_t fmt = 0;
  uint8_t ctx = 0;
  bool count = false;
  uint16_t tag = 0;
  uint64_t addr = 0;  // line address
};

struct MemRequest : MemHeader {
  // Of writes; what a read is pushed with is not kept.
  uint8_t strobes[kMaxLineBytes / 8] = {};
  uint8_t data[kMaxLineBytes] = {};
};

struct ChannelConfig {
  uint32_t line_bytes = 64;
  uint32_t queue_entries = 64;
  // One line per slot: slot_num / slot_den cycles, exact (clock over the
  // channel's share of the bandwidth). Answers come back at one per cycle at
  // most: a slot shorter than a cycle serves reads no faster than that.
  uint64_t slot_num = 14, slot_den = 10;
  uint32_t latency_cycles = 140;  // from leaving the queue to data
  bool stress = false;            // random extra latency, gaps and refusals, from `seed`
  uint64_t seed = 1;
};

// Cycle protocol, once per device cycle in this order:
//   WriteBack() for the line that the RTL shows at wb
//   Begin(cycle): moves time; afterwards ReadDone()/WriteHead() say what the
//     channel presents in this cycle, Ready()/Occupancy() what it can take
//   the RTL samples: Push() if it offers a request and Ready(), WriteTaken() if
//     nmc_ready is high
// Cycles in which nothing is pushed, taken or written back and that lie before
// NextEvent() may be left out.
//
// Service: the head of the queue leaves when a slot is free (an update takes two),
// at the earliest in the cycle after its Push(). A channel that was idle serves at
// once, but saves up less than a cycle's worth of slots.
//
// Same-line order: a request never overtakes an earlier one to its line. A read
// stays at the head of the queue while an earlier write of its line is not
// written back; a write is presented when every earlier read has been answered,
// in the same cycle at the earliest. So ReadData() holds every earlier write of
// the line and no later one.
class MemoryChannel {
 public:
  // The memory must outlive the channel.
  MemoryChannel(const ChannelConfig& config, Memory* memory);

  bool Ready() const;          // a request can be pushed in this cycle
  uint32_t Occupancy() const;  // requests that have not left the queue
  void Push(const MemRequest& request);

  void Begin(uint64_t cycle);
  // The read whose data comes back in this cycle, or null. At most one per cycle.
  // Of the request only the header counts. ReadData() is memory's line, valid in
  // this cycle.
  const MemRequest* ReadDone() const;
  const uint8_t* ReadData() const;  // not for reads of class 0, whose data is not modelled
  // The write at the head that is to be performed now (to t3_nmc), or null; it
  // stays, in the same place, until WriteTaken().
  const MemRequest* WriteHead() const;
  const uint8_t* WriteOld() const;  // memory's line at this moment
  void WriteTaken();
  // In the order of WriteTaken(), each for the address that was taken.
  void WriteBack(uint64_t addr, const uint8_t* strobes, const uint8_t* data);

  bool Idle() const;  // nothing queued or under way
  // The next cycle in which the channel does something by itself, or an earlier
  // one: the cycle after Begin() while the NMC has, or is offered, a write.
  // UINT64_MAX when idle.
  uint64_t NextEvent() const;

 private:
  // Between leaving the queue and the answer, or the NMC.
  struct Served {
    uint64_t due = 0;     // first cycle in which it may be presented
    uint64_t serial = 0;  // grows in the order of leaving
    uint32_t place = 0;   // of the request in requests_
  };

  bool WritePending(uint64_t addr) const;
  void Serve();
  uint32_t TakePlace();

  ChannelConfig config_;
  Memory* memory_;
  std::mt19937_64 random_;
  // Requests stay in their place from Push() to the answer; the queues hold places.
  std::deque<MemRequest> requests_;
  std::vector<uint32_t> free_places_;  // last in, first out: few places are warm
  FixedQueue<uint32_t> queue_;
  FixedQueue<Served> reads_, writes_;
  FixedQueue<uint64_t> in_nmc_;  // lines handed to the NMC and not written back
  // Writes that left the queue and are not written back, by a hash of the line: most
  // reads need no search.
  std::array<uint32_t, 256> pending_writes_{};
  uint64_t cycle_ = 0;
  uint64_t free_at_ = 0;   // when the next slot is free, in units of 1 / slot_den cycles
  uint64_t last_due_ = 0;  // of the stress mode: answers keep their order
  uint64_t served_ = 0;    // serial of the next request that leaves the queue
  bool ready_ = true;
  bool blocked_ = false;      // the queue's head waits for something else than a slot
  bool read_shown_ = false;   // reads_.front() is presented in this cycle
  bool write_shown_ = false;  // writes_.front() is presented until it is taken
};

}  // namespace t3::sim
