// The reads of a GEMM: panels of A and B, shared by the workgroups that use them,
// read step by step of the K loop and spread over the memory channels.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/dram/fixed_queue.h"

namespace t3::sim {

struct ReadAccess {
  uint64_t addr = 0;  // line address
  uint16_t id = 0;
};

// One operand: dense rows of K elements, cut into panels of consecutive rows.
struct Operand {
  uint64_t base = 0;
  uint32_t rows = 0, panel_rows = 1;
};

struct PanelReadsConfig {
  uint32_t channels = 16, line_bytes = 64;
  uint32_t per_channel = 128;  // reads taken and not answered
  uint64_t row_bytes = 0;      // K elements
  uint64_t step_bytes = 64;    // of a row in one step; the last step may be shorter
  bool stress = false;         // random gaps between the reads of a channel
  uint64_t stress_seed = 1;
};

// The panels of A are numbered first, then those of B. A panel is read once for as
// long as it has users: that later ones find it there stands for the cache, which is
// not modelled. A step is asked for when the one before has arrived. It reads every
// line that holds a byte of it, row by row, but not again what the step before of
// the row, or the row before in the step, has brought.
class PanelReads {
 public:
  PanelReads(const PanelReadsConfig& config, const Operand& a, const Operand& b);

  // A user begins or ends. When the last one ends, all steps asked for must have
  // arrived; the panel is forgotten.
  void Join(uint32_t panel) { ++panels_[panel].users; }
  void Leave(uint32_t panel);
  // Reads the step unless that was asked for before. Requires step <= ArrivedSteps().
  void Request(uint32_t panel, uint32_t step);
  uint32_t ArrivedSteps(uint32_t panel) const { return panels_[panel].arrived; }

  // Moves time. Once per cycle, before the calls of this cycle below.
  void Begin(uint64_t cycle) { cycle_ = cycle; }
  // A panel of which another step has arrived; false: none. Steps arrive here, not
  // in Done().
  bool NextArrival(uint32_t* panel);
  // Spreads the steps asked for over the channels, as far as their queues have room.
  void Spread();

  // The read at the head of a channel, or null; it stays until Taken().
  const ReadAccess* Offered(uint32_t channel);
  void Taken(uint32_t channel);
  void Done(uint16_t id);  // the data is back

  uint64_t bytes() const { return lines_taken_ * config_.line_bytes; }  // of reads taken
  // The next cycle in which something arrives or is offered, or an earlier one: the
  // next cycle while something is offered. UINT64_MAX: only Request() and Done()
  // lead on.
  uint64_t NextEvent() const;

 private:
  struct Panel {
    uint32_t users = 0;
    uint32_t requested = 0, arrived = 0;  // steps
  };
  // A step that is being read. The ids of its reads name it and the channel.
  struct Step {
    uint32_t panel = 0;
    uint32_t lines = 0;   // not answered yet
    bool listed = false;  // all lines are in the channels' queues
  };
  // The step whose lines are being listed.
  struct Listing {
    bool active = false;
    uint16_t step = 0;
    uint64_t row = 0, end = 0;   // address of the row's first byte; of the operand's last row
    uint64_t from = 0, to = 0;   // of the step in the row
    uint64_t line = 0;           // to be listed next; past the step: next row
    uint64_t last = UINT64_MAX;  // listed last
    uint32_t channel = 0;        // of `line`
  };
  struct Channel {
    FixedQueue<ReadAccess> queue;
    uint32_t under_way = 0;
    uint64_t not_before = 0;  // stress
    bool offered = false;
  };

  void StartListing();
  void StartRow();
  bool NextLine();

  const PanelReadsConfig config_;
  const Operand a_, b_;
  const uint32_t a_panels_;
  std::vector<Panel> panels_;
  std::vector<Step> steps_;
  std::vector<uint16_t> free_steps_;
  FixedQueue<uint32_t> requests_;  // panels of which a step was asked for and not listed
  FixedQueue<uint16_t> arrivals_;  // steps that are complete and not reported
  Listing listing_;
  std::vector<Channel> channels_;
  std::mt19937_64 random_;
  uint64_t cycle_ = 0;
  uint64_t lines_taken_ = 0;
};

}  // namespace t3::sim
