// The accelerator as T3 sees it: workgroups that read A and B, compute for as
// long as the matrix units take, and store their tile, wavefront by wavefront.
// Knows nothing of the RTL: it offers accesses per memory channel.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "sim/gpu/channel_of.h"
#include "sim/gpu/panel_reads.h"
#include "sim/gpu/tile_stores.h"
#include "sim/gpu/work_time.h"
#include "sw/golden/payload.h"

namespace t3::sim {

struct GemmConfig {
  // Grid and timing. tile_m is a multiple of wavefronts; a wavefront stores a band of
  // tile_m / wavefronts rows. The peak rate is shared evenly by all
  // compute_units x workgroups_per_cu places, whether occupied or not.
  uint32_t compute_units = 80, workgroups_per_cu = 2;
  uint32_t tile_m = 128, tile_n = 128, tile_k = 32, wavefronts = 4;
  bool column_major = false;  // tiles in linear order: down the columns instead of along the rows
  double clock_ghz = 1.4, peak_tflops = 114.7;
  // Memory layout. Channels and line size are powers of two.
  uint32_t channels = 16, line_bytes = 64;
  uint32_t reads_per_channel = 128;  // under way at most; covers latency x bandwidth
  uint64_t a_base = 0, b_base = 0;   // A is M x K, B is N x K (K contiguous), dense rows
  bool stress = false;               // random gaps between stores and reads
  uint64_t stress_seed = 1;
};

// One kernel: the GEMM whose output is reduced.
struct GemmKernel {
  uint32_t kernel = 0;                // number, for the payload
  uint8_t ctx = 0;                    // of the output buffer
  uint64_t out_base = 0;              // both in bytes, multiples of an element
  uint64_t pitch_bytes = 0;           // from a row to the next
  std::vector<uint32_t> chunk_order;  // chunks in the order in which their tiles are issued
};

// Static problem: M x N output, local K, chunks of consecutive tiles: chunk c of C
// holds tiles [floor(c*T/C), floor((c+1)*T/C)) of T.
struct GemmProblem {
  uint32_t m = 0, n = 0, k = 0, chunks = 1;
  golden::Format format = golden::Format::kFp16;
  uint32_t device = 0;
};

// A workgroup takes the next tile when a place is free. It computes steps of tile_k;
// the data of the next step is asked for when a step begins, and that step begins
// when it is there and the one before is done. After the last one the tile is
// stored; the place is free when its last store is taken.
class GemmProducer {
 public:
  // The payload must outlive this.
  GemmProducer(const GemmConfig& config, const GemmProblem& problem,
               const golden::Payload* payload);

  // Kernels run one after another in the order of Launch(); a launch while one
  // runs is queued: the next begins when the last store of the one before is taken.
  // Empty output or no chunk: ends at once.
  void Launch(uint64_t cycle, const GemmKernel& kernel);

  // Moves time. Launch(cycle, ) and ReadDone() come before it in a cycle, the calls
  // below after it. Cycles in which nothing is launched, done or taken and that lie
  // before NextEvent() may be left out.
  void Begin(uint64_t cycle);
  // What port `channel` offers in this cycle, or null. A returned access stays the
  // same, in the same place, until it is taken.
  const StoreAccess* Store(uint32_t channel);
  void StoreTaken(uint32_t channel);
  const ReadAccess* Read(uint32_t channel);
  void ReadTaken(uint32_t channel);
  void ReadDone(uint16_t id);  // the data of a read came back

  uint32_t KernelsStored() const;  // kernels whose last store was taken
  // When that happened, of the kernel of that number; UINT64_MAX: not yet.
  uint64_t StoredCycle(uint32_t kernel) const;
  uint64_t ReadBytes() const;  // of the reads taken, whole lines
  bool Idle() const;           // no kernel runs
  // The next cycle in which something new is offered if nothing is taken or done
  // until then, or an earlier one: the next cycle while something is offered.
  // UINT64_MAX: none.
  uint64_t NextEvent() const;
  // Of the workgroups of all kernels launched so far, those that are stored; 0 before.
  double Fraction() const;

 private:
  enum class State : uint8_t { kFree, kWaiting, kComputing, kStoring };
  // One place for a resident workgroup.
  struct Slot {
    State state = State::kFree;
    uint16_t x = 0, y = 0, chunk = 0;
    uint32_t step = 0;
    WorkTime time;  // end of the present step, or of the last one
  };
  // The end of a slot's step.
  struct Event {
    WorkTime time;
    uint32_t slot;
    bool operator>(const Event& other) const {
      if (other.time < time) return true;
      return !(time < other.time) && slot > other.slot;
    }
  };

  uint32_t PanelA(const Slot& slot) const { return slot.y; }
  uint32_t PanelB(const Slot& slot) const { return grid_y_ + slot.x; }
  uint32_t ChunkStart(uint32_t chunk) const;
  uint32_t TilesOf(const GemmKernel& kernel) const;
  void StartKernel();
  void EndKernel();
  bool NextTile(uint32_t* chunk, uint32_t* tile);
  void StartWorkgroups();
  void Request(const Slot& slot, uint32_t step);
  bool HasStep(const Slot& slot) const;
  void StartStep(uint32_t index, WorkTime time);
  void EndStep(uint32_t index);
  void Wake(uint32_t panel);
  void StartStores(uint32_t index);

  const GemmConfig config_;
  const GemmProblem problem_;
  const uint32_t grid_x_, grid_y_, steps_;
  const WorkRate rate_;  // of one slot, per floating-point operation
  PanelReads reads_;
  TileStores stores_;

  std::deque<GemmKernel> launched_;  // the first one runs
  bool running_ = false;
  uint32_t next_chunk_ = 0, next_tile_ = 0, tiles_left_ = 0;  // of the running kernel
  uint64_t cycle_ = 0;
  uint64_t tiles_done_ = 0, tiles_launched_ = 0;
  std::vector<uint64_t> stored_cycle_;
  std::vector<uint32_t> stored_kernel_;

  std::vector<Slot> slots_;
  std::vector<uint32_t> free_slots_;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
};

}  // namespace t3::sim
