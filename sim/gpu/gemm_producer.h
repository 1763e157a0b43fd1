// The accelerator as T3 sees it: workgroups that read A and B, compute for as
// long as the matrix units take, and store their tile, wavefront by wavefront.
// Knows nothing of the RTL: it offers accesses per memory channel.
#pragma once

#include <cstdint>
#include <deque>
#include <queue>
#include <random>
#include <vector>

#include "sw/golden/payload.h"

namespace t3::sim {

// One tracked store of one line.
struct StoreAccess {
  uint8_t ctx = 0;
  uint16_t chunk = 0, wgx = 0, wgy = 0;
  uint8_t wf = 0;
  uint64_t addr = 0;            // line address
  uint8_t strobes[16] = {};     // bit per byte
  uint8_t data[128] = {};
};
struct ReadAccess {
  uint64_t addr = 0;  // line address
  uint16_t id = 0;
};

struct GemmConfig {
  // Grid and timing.
  uint32_t compute_units = 80, workgroups_per_cu = 2;
  uint32_t tile_m = 128, tile_n = 128, tile_k = 32, wavefronts = 4;
  bool column_major = false;
  double clock_ghz = 1.4, peak_tflops = 114.7;
  // Memory layout.
  uint32_t channels = 16, line_bytes = 64;
  uint64_t a_base = 0, b_base = 0;  // A is M x K, B is N x K (K contiguous), dense rows
  bool stress = false;              // random gaps between stores and reads
  uint64_t stress_seed = 1;
};

// One kernel: the GEMM whose output is reduced.
struct GemmKernel {
  uint32_t kernel = 0;  // number, for the payload
  uint8_t ctx = 0;      // of the output buffer
  uint64_t out_base = 0;
  uint64_t pitch_bytes = 0;
  std::vector<uint32_t> chunk_order;  // chunks in the order in which their tiles are issued
};

// Static problem: M x N output, local K, chunks of consecutive tiles.
struct GemmProblem {
  uint32_t m = 0, n = 0, k = 0, chunks = 1;
  golden::Format format = golden::Format::kFp16;
  uint32_t device = 0;
};

class GemmProducer {
 public:
  GemmProducer(const GemmConfig& config, const GemmProblem& problem,
               const golden::Payload* payload);

  // Kernels run one after another in the order of Launch(); a launch while one
  // runs is queued. Empty output or no chunk: ends at once.
  void Launch(uint64_t cycle, const GemmKernel& kernel);

  // Once per cycle: what port `channel` offers, or null. A returned access stays
  // the same until it is taken.
  void Begin(uint64_t cycle);
  const StoreAccess* Store(uint32_t channel);
  void StoreTaken(uint32_t channel);
  const ReadAccess* Read(uint32_t channel);
  void ReadTaken(uint32_t channel);
  void ReadDone(uint16_t id);   // the data of a read came back

  uint32_t KernelsStored() const;    // kernels whose last store was taken
  uint64_t StoredCycle(uint32_t kernel) const;  // when that happened
  uint64_t ReadBytes() const;
  bool Idle() const;
  uint64_t NextEvent() const;  // first cycle at which something new is offered if nothing is taken or done until then
  double Fraction() const;     // of all workgroups of the launched kernels that are stored, for progress

 private:
  // A FIFO in a vector that grows while the first kernel runs, then stays.
  template <typename T>
  class Fifo {
   public:
    bool empty() const { return count_ == 0; }
    T& front() { return items_[head_]; }
    void Push(const T& item) {
      if (count_ == items_.size()) Grow();
      items_[(head_ + count_++) % items_.size()] = item;
    }
    void Pop() {
      head_ = (head_ + 1) % items_.size();
      --count_;
    }

   private:
    void Grow() {
      std::vector<T> larger(items_.empty() ? 64 : items_.size() * 2);
      for (size_t i = 0; i < count_; ++i) larger[i] = items_[(head_ + i) % items_.size()];
      items_.swap(larger);
      head_ = 0;
    }
    std::vector<T> items_;
    size_t head_ = 0, count_ = 0;
  };

  // Rows of A of one tile row, or rows of B of one tile column.
  struct Panel {
    uint32_t users = 0;      // resident workgroups
    uint32_t requested = 0;  // steps asked for
    std::vector<uint8_t> arrived;  // per step
  };
  // A panel step whose lines are being read; its index is the read's id.
  struct StepRead {
    uint32_t panel = 0, step = 0, lines = 0;
  };
  enum class State : uint8_t { kFree, kWaiting, kComputing, kStoring };
  // One place for a resident workgroup.
  struct Slot {
    State state = State::kFree;
    uint16_t x = 0, y = 0, chunk = 0;
    uint32_t step = 0;
    double time = 0;          // of the present step's end, or of the last one's
    uint32_t lines_left = 0;  // stores not taken yet
    std::vector<uint8_t> tile;  // the output, rows of tile_n elements
  };
  struct StoreLine {
    uint64_t addr;
    uint32_t slot, offset;  // of the line's first byte in Slot::tile; see Fetch
    uint8_t wf, first, last;
  };
  struct Event {
    double time;
    uint32_t slot;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : slot > other.slot;
    }
  };

  void StartKernel();
  void StartWorkgroups();
  bool NextTile(uint32_t* chunk, uint32_t* tile);
  void Request(uint32_t panel, uint32_t step);
  bool HasStep(const Slot& slot, uint32_t step) const;
  void StartStep(uint32_t index, double time);
  void EndStep(uint32_t index);
  void StartStores(uint32_t index);
  void Release(uint32_t index);

  const GemmConfig config_;
  const GemmProblem problem_;
  const golden::Payload* const payload_;
  uint32_t grid_x_, grid_y_, steps_, element_bytes_;
  double cycles_per_flop_;

  std::deque<GemmKernel> launched_;  // the first one runs
  bool running_ = false;
  uint32_t next_chunk_ = 0, next_tile_ = 0, tiles_left_ = 0;  // of the running kernel
  uint64_t cycle_ = 0;
  uint64_t tiles_done_ = 0, tiles_launched_ = 0;
  std::vector<uint64_t> stored_cycle_;
  std::vector<uint32_t> stored_kernel_;
  uint64_t read_bytes_ = 0;

  std::vector<Slot> slots_;
  std::vector<uint32_t> free_slots_;
  std::vector<Panel> panels_;  // grid_y_ of A, then grid_x_ of B
  std::vector<StepRead> step_reads_;
  std::vector<uint16_t> free_ids_;
  std::deque<std::pair<uint32_t, uint32_t>> waiting_requests_;  // (panel, step) without a free id
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;

  struct Port {
    Fifo<StoreLine> stores;
    Fifo<ReadAccess> reads;
    StoreAccess store;        // the head, as offered
    bool store_built = false;
    uint64_t store_from = 0, read_from = 0;  // stress: not offered before
  };
  std::vector<Port> ports_;
  std::mt19937_64 random_;
};

// Channel of an address: XOR fold of the 256-byte block index (t3_pkg::channel_of).
uint32_t ChannelOf(uint64_t addr, uint32_t channels);

}  // namespace t3::sim
