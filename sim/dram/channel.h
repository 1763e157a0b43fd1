// One memory channel: a queue of requests, when each is served, and its data.
// A flat model (fixed latency, one line per slot, two slots for an update)
// today; a bank-level model may take its place behind the same interface.
#pragma once

#include <cstdint>
#include <random>

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
  uint32_t nmc_latency_cycles = 3;  // informational: how long a write is under way in t3_nmc
  bool stress = false;  // random extra latency and refusals, from `seed`
  uint64_t seed = 1;
};

// Cycle protocol, once per device cycle in this order:
//   Ready()/Occupancy() before the clock edge -> Push() if the request was taken
//   Begin(cycle): moves time; afterwards ReadDone()/WriteHead() say what the
//     channel presents in this cycle
//   the RTL samples; WriteTaken() when nmc_ready was high
//   WriteBack() for each wb_valid line
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
};

}  // namespace t3::sim
