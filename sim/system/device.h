// One device: its verilated t3_top, memory channels, GEMM, host, and the ends of
// its links. Knows nothing of the other devices but their numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "sim/dram/channel.h"
#include "sim/gpu/gemm_producer.h"
#include "sim/link/faults.h"
#include "sim/link/mailbox.h"
#include "sim/link/serializer.h"
#include "sim/system/host_port.h"
#include "sim/system/host_program.h"
#include "sim/system/layout.h"
#include "sim/system/run.h"
#include "sim/system/scoreboard.h"
#include "tb/harness/rtl_device.h"
#include "tb/harness/t3_types.h"

namespace t3::sim {

// What the device counts at the ports of its RTL. GEMM reads count as whole
// lines: their requests carry no strobes.
struct DeviceCounters {
  uint64_t dram_bytes[tb::kNumCls][kContexts] = {};  // strobed, per class and context
  uint64_t link_bytes[kContexts] = {};               // strobed, per context of the receiver
  uint64_t packets_sent = 0, packets_received = 0;
};

// The waves of one device, in absolute cycles.
struct TraceWindow {
  std::string path;  // empty: none
  uint64_t from = 0, to = UINT64_MAX;
};

class Device {
 public:
  Device(const RunRequest& request, const RtlConfig& rtl, const Layout& layout,
         const golden::Payload* payload, Scoreboard* scoreboard, uint32_t number);
  ~Device();

  // Simulates up to the start of cycle `to`. Stops early where `Failed()`, or when
  // `stop` is set.
  void RunUntil(uint64_t to, const std::atomic<bool>& stop);
  // Holds the RTL in reset, then starts the host. Before the first RunUntil().
  void Reset();

  // The host launches the first kernel in this cycle; cycle 0 of the report and of
  // the waves is `zero`.
  void OpenGate(uint64_t launch_cycle);
  void SetTrace(const TraceWindow& window, uint64_t zero);
  bool trace_written() const { return trace_written_; }

  // Links, between windows.
  uint32_t lanes() const { return lanes_; }
  Outbox<DataPacket>& data_out(uint32_t lane) { return lane_[lane].data_out; }
  Outbox<ControlPacket>& control_out(uint32_t lane) { return lane_[lane].control_out; }
  Inbox<DataPacket>& data_in(uint32_t lane) { return lane_[lane].data_in; }
  Inbox<ControlPacket>& control_in(uint32_t lane) { return lane_[lane].control_in; }

  uint64_t cycle() const { return cycle_; }
  uint64_t last_progress() const { return last_progress_; }
  // Something will happen in a model by itself: time alone leads on.
  bool Due() const;
  // An assertion of the RTL failed, something was written where nothing may be,
  // or the host found a failure.
  bool Failed() const { return !fault_.empty() || !program_.fault().empty(); }
  const std::string& fault() const { return fault_.empty() ? program_.fault() : fault_; }
  uint64_t fault_cycle() const { return fault_.empty() ? program_.fault_cycle() : fault_cycle_; }
  // Lets the host say what it waits for; empty: nothing. Only where nothing moves.
  std::string Diagnose();

  const HostProgram& program() const { return program_; }
  const DeviceCounters& counters() const { return counters_; }
  const GemmProducer& gemm() const { return gemm_; }
  const Memory& memory() const { return memory_; }

 private:
  struct Lane {
    Outbox<DataPacket> data_out;
    Outbox<ControlPacket> control_out;
    Inbox<DataPacket> data_in;
    Inbox<ControlPacket> control_in;
  };

  bool HostMayRun() const;
  bool Quiet() const;
  uint64_t NextEvent() const;
  void SkipTo(uint64_t to);
  void Cycle();
  // Parts of Cycle(), in this order.
  void TakeWriteBacks();
  void DriveMemory();
  void DriveGemm();
  void DriveReceivers();
  void DriveTransmitters();
  void DriveRegisters();
  void SampleMemory();
  void SampleGemm();
  void SampleRegisters();
  void PushRequest(uint32_t channel);

  bool Chance(uint32_t of_256) { return (random_() & 0xff) < of_256; }
  void Fault(std::string text);
  void SettleLow();
  void SettleHigh();
  void UpdateTrace();

  const Layout& layout_;
  const uint32_t number_, channels_, line_bytes_, strobe_bytes_, lanes_, lanes_per_link_;
  const uint64_t latency_;
  const bool stress_;
  std::mt19937_64 random_;  // of the stalls of the links and of the registers

  std::unique_ptr<tb::RtlDevice> rtl_;
  Memory memory_;
  std::vector<MemoryChannel> channel_;
  GemmProducer gemm_;
  std::vector<LinkSerializer> link_;
  std::vector<Lane> lane_;
  LinkFaults faults_;
  HostPort port_;
  uint64_t interrupt_cycle_ = 0;
  HostProgram program_;

  uint64_t cycle_ = 0;
  uint64_t last_progress_ = 0;
  uint32_t quiet_cycles_ = 0;
  bool input_ = false;  // something was presented to the RTL in this cycle
  bool irq_ = false;
  uint32_t busy_channels_ = 0;
  uint32_t store_offered_ = 0, read_offered_ = 0;  // ports that hold an access
  uint32_t dram_valid_ = 0, dram_ready_ = 0, nmc_valid_ = 0;
  // Access of the host to the registers.
  bool access_driven_ = false, bus_driven_ = false, address_taken_ = false, data_taken_ = false;
  bool answered_ = false, answer_ok_ = false;
  uint32_t answer_ = 0;
  uint64_t access_start_ = 0, register_delay_ = 0;
  MemRequest scratch_;
  DeviceCounters counters_;

  std::string fault_;
  uint64_t fault_cycle_ = 0;
  TraceWindow trace_;
  uint64_t trace_zero_ = 0;
  bool tracing_ = false, trace_written_ = false;
};

}  // namespace t3::sim
