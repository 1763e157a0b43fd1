// What one simulation is asked to do and what it answers: the only interface
// between the command line (sim/cli, sim/report) and the system (sim/system).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sw/golden/format.h"
#include "sw/golden/payload.h"

namespace t3::sim {

enum class Mode { kT3, kT3Mca };
enum class Collective { kReduceScatter, kAllReduce };
enum class Direction { kUp, kDown };  // the ring's successor of d is d+1 or d-1

// Every key of the INI file and of --set, with the default of the paper's
// system. Units are in the names; ranges are checked by sim/cli/keys.
struct SystemConfig {
  // gpu.*
  uint32_t compute_units = 80;
  double clock_ghz = 1.4;
  double peak_tflops = 114.7;
  uint32_t tile_m = 128;
  uint32_t tile_n = 128;
  uint32_t tile_k = 32;
  uint32_t wavefronts_per_workgroup = 4;
  uint32_t workgroups_per_cu = 2;
  bool column_major = false;  // gpu.tile_order=row|column: linear order of the workgroup grid
  uint32_t pitch_padding = 0;  // gpu.pitch_padding: elements between the end of a row and the next row
  // link.*
  double link_bandwidth_gb_s = 75;
  double link_latency_ns = 500;
  uint32_t link_header_bytes = 0;
  uint32_t link_credits = 2048;  // lines, per peer
  // dram.*
  double dram_bandwidth_gb_s = 1024;
  double dram_latency_ns = 100;  // flat model: request at the queue's head to data
  uint32_t dram_queue_entries = 64;
  // t3.*
  uint32_t starvation_limit_incoming = 500;  // cycles
  uint32_t starvation_limit_dma = 500;       // cycles
  uint32_t starvation_limit_fill = 4000;     // cycles
};

// Where and when to record waves; `path` empty: no trace.
struct TraceRequest {
  std::string path;
  uint64_t from_cycle = 0;
  uint64_t to_cycle = UINT64_MAX;
  uint32_t device = 0;
};

// Faults that tests plant; all off by default. Not reachable from the command
// line except through the hidden option --test-hook.
struct TestHooks {
  std::string fault;        // "", "lose-credits", "swallow-packet", "corrupt-packet", "wrong-context", "stale-epoch", "outside-grid", "cut-element"
  uint64_t fault_after = 0;  // packets (or credits) that pass before the fault strikes
  uint32_t fault_device = 0;  // the sender
};

struct RunRequest {
  uint32_t devices = 0;  // 1..64
  uint32_t m = 0, n = 0, k = 0;  // output rows, output columns, local (sliced) K
  golden::Format format = golden::Format::kFp16;
  golden::DataKind data = golden::DataKind::kRandom;
  uint64_t seed = 1;
  Mode mode = Mode::kT3Mca;
  Collective collective = Collective::kAllReduce;
  Direction direction = Direction::kUp;
  std::optional<uint64_t> stress;  // seed of random stalls and skew
  uint32_t repeat = 1;
  uint32_t threads = 1;
  std::string rtl_config = "default";
  SystemConfig system;
  TraceRequest trace;
  TestHooks hooks;
};

// Strobed bytes; nullopt is what the run does not have (JSON null).
struct DramBytes {
  std::optional<uint64_t> gemm_read, gemm_write, rs_read, rs_write, ag_read,
      ag_write, clear_write, tracker_read, tracker_write;
};

struct TrackerStats {
  uint64_t peak = 0;      // entries on chip at once, largest over the devices
  uint64_t spills = 0;    // entries written to memory
  uint64_t triggers = 0;  // subtiles that completed with an action
};

struct DeviceResult {
  uint32_t device = 0;
  uint64_t cycles = 0;
  DramBytes dram_bytes;
  uint64_t link_bytes = 0;
  TrackerStats tracker;
};

enum class Outcome { kPass, kWrong, kStuck, kInterrupted };

struct RunResult {
  Outcome outcome = Outcome::kPass;
  uint64_t cycles = 0;  // from cycle 0 (first launch) to the last device's end
  double time_us = 0, gemm_us = 0, rs_us = 0;
  std::optional<double> ag_us;
  uint64_t checked = 0, wrong = 0;
  std::string first_fault;  // one sentence: the first wrong element, broken invariant, failed context or what is stuck
  uint32_t result_crc32 = 0;
  DramBytes dram_bytes;  // sums over the devices
  uint64_t link_bytes = 0;
  double link_utilization = 0;
  TrackerStats tracker;
  std::vector<DeviceResult> per_device;
  uint64_t device_cycles = 0;  // cycles of all RTL devices since cycle 0
  uint64_t trace_last_cycle = 0;  // last cycle reached, for the warning about a window never reached
  bool trace_written = false;
  std::vector<std::string> warnings;
};

// Called from one thread, at most a few times a second.
struct Progress {
  double fraction = 0;     // 0..1, estimated
  uint64_t cycles = 0;     // device-cycles simulated
};
using ProgressSink = std::function<void(const Progress&)>;

// Limits of a named RTL configuration, from the parameters it was verilated with.
struct RtlLimits {
  std::string name;
  uint32_t channels = 0, line_bytes = 0, link_lines = 0, links = 0, credits = 0;
  uint32_t chunks = 0, contexts = 0;
};
// nullopt: no such configuration. Names: `RtlConfigNames()`.
std::optional<RtlLimits> FindRtlConfig(const std::string& name);
std::vector<std::string> RtlConfigNames();

// Bytes of memory that Run will need, estimated.
uint64_t EstimateMemoryBytes(const RunRequest& request);

// Simulates. `stop` becomes true when the user interrupts. The request must
// have passed the command line's checks (throws std::invalid_argument, with a
// sentence, for what only the system can know).
RunResult Run(const RunRequest& request, const ProgressSink& progress,
              const std::atomic<bool>& stop);

}  // namespace t3::sim
