// The accelerator as T3 sees it: workgroups that read A and B, compute for as
// long as the matrix units take, and store their tile, wavefront by wavefront.
// Knows nothing of the RTL: it offers accesses per memory channel.
#pragma once

#include <cstdint>
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
};

// Channel of an address: XOR fold of the 256-byte block index (t3_pkg::channel_of).
uint32_t ChannelOf(uint64_t addr, uint32_t channels);

}  // namespace t3::sim
