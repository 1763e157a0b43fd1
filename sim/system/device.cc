#include "sim/system/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "t3_rtl_configs.h"

namespace t3::sim {
namespace {

constexpr uint32_t kQuietCycles = 4;  // of idle_o without an input, before time may jump
constexpr uint32_t kResetCycles = 4;
constexpr uint64_t kAccessLimit = 100000;  // cycles until an answer to a register access
constexpr uint32_t kStopInterval = 4096;
constexpr uint32_t kStressStall = 64;  // of 256: how often a handshake is held back

ChannelConfig MakeChannelConfig(const RunRequest& request, const RtlConfig& rtl, uint32_t device,
                                uint32_t channel) {
  const SystemConfig& system = request.system;
  ChannelConfig config;
  config.line_bytes = rtl.LineBytes;
  config.queue_entries = system.dram_queue_entries;
  config.slot_num = uint64_t{rtl.LineBytes} * rtl.NumChannels * KiloPerSecond(system.clock_ghz);
  config.slot_den = KiloPerSecond(system.dram_bandwidth_gb_s);
  const uint64_t common = std::gcd(config.slot_num, config.slot_den);
  config.slot_num /= common;
  config.slot_den /= common;
  config.latency_cycles = static_cast<uint32_t>(
      std::max(1.0, std::ceil(system.dram_latency_ns * system.clock_ghz - 1e-6)));
  config.stress = request.stress.has_value();
  config.seed = request.stress.value_or(0) * 1000003 + device * 64 + channel;
  return config;
}

GemmConfig MakeGemmConfig(const RunRequest& request, const RtlConfig& rtl, const Layout& layout,
                          uint32_t device) {
  const SystemConfig& system = request.system;
  GemmConfig config;
  config.compute_units = system.compute_units;
  config.workgroups_per_cu = system.workgroups_per_cu;
  config.tile_m = system.tile_m;
  config.tile_n = system.tile_n;
  config.tile_k = system.tile_k;
  config.wavefronts = system.wavefronts_per_workgroup;
  config.column_major = system.column_major;
  config.clock_ghz = system.clock_ghz;
  config.peak_tflops = system.peak_tflops;
  config.channels = rtl.NumChannels;
  config.line_bytes = rtl.LineBytes;
  config.a_base = layout.a_base;
  config.b_base = layout.b_base;
  config.stress = request.stress.has_value();
  config.stress_seed = request.stress.value_or(0) * 1000033 + device;
  return config;
}

// Calls visit(index) for every set bit.
template <class Visit>
void ForEachBit(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(__builtin_ctz(mask)));
}

uint32_t Load(const tb::Port& port) { return tb::LoadMask(port.data, port.bytes); }
void Store(const tb::Port& port, uint32_t value) { tb::StoreMask(port.data, port.bytes, value); }

}  // namespace

Device::Device(const RunRequest& request, const RtlConfig& rtl, const Layout& layout,
               const golden::Payload* payload, Scoreboard* scoreboard, uint32_t number)
    : layout_(layout),
      number_(number),
      channels_(rtl.NumChannels),
      line_bytes_(rtl.LineBytes),
      strobe_bytes_(rtl.LineBytes / 8),
      lanes_(rtl.Links * rtl.LinkLines),
      lanes_per_link_(rtl.LinkLines),
      latency_(LinkLatencyCycles(request.system)),
      stress_(request.stress.has_value()),
      random_(request.stress.value_or(0) * 1000037 + number),
      rtl_(tb::MakeRtlDevice(request.rtl_config,
                             !request.trace.path.empty() && request.trace.device == number,
                             number)),
      memory_(layout.end),
      gemm_(MakeGemmConfig(request, rtl, layout, number),
            GemmProblem{request.m, request.n, request.k, request.devices, request.format, number},
            payload),
      link_(rtl.Links, LinkSerializer(KiloPerSecond(request.system.clock_ghz),
                                      KiloPerSecond(request.system.link_bandwidth_gb_s),
                                      request.system.link_header_bytes)),
      lane_(lanes_),
      faults_(number == request.hooks.fault_device ? request.hooks.fault : std::string(),
              request.hooks.fault_after, rtl.LineBytes),
      program_(HostEnvironment{&request, &layout, number, &port_, &gemm_, &memory_, scoreboard,
                               &interrupt_cycle_,
                               rtl.TrackerSets / rtl.TrackerBanks * rtl.TrackerWays}) {
  channel_.reserve(channels_);
  for (uint32_t c = 0; c < channels_; ++c) {
    channel_.emplace_back(MakeChannelConfig(request, rtl, number, c), &memory_);
  }
}

Device::~Device() = default;

void Device::Reset() {
  Store(rtl_->rst_ni, 0);
  Store(rtl_->axil_wstrb_i, 0xf);
  for (uint32_t i = 0; i < kResetCycles; ++i) {
    rtl_->Eval(false);
    rtl_->Eval(true);
  }
  Store(rtl_->rst_ni, 1);
  port_.Start([this] { program_.Run(); });
}

void Device::OpenGate(uint64_t launch_cycle) { port_.set_wake_cycle(launch_cycle); }

void Device::SetTrace(const TraceWindow& window, uint64_t zero) {
  trace_ = window;
  trace_zero_ = zero;
}

void Device::Fault(std::string text) {
  if (!fault_.empty()) return;
  fault_ = fmt::format("device {}, cycle {}: {}", number_, cycle_, text);
  fault_cycle_ = cycle_;
}

bool Device::HostMayRun() const {
  switch (port_.waiting()) {
    case HostPort::Wait::kInterrupt:
      return irq_;
    case HostPort::Wait::kCycle:
      return cycle_ >= port_.wake_cycle();
    default:
      return false;
  }
}

bool Device::Quiet() const { return quiet_cycles_ >= kQuietCycles && !port_.wants_access(); }

// Leaves out cycles in which nothing happens, up to the start of `to`. Waves show
// them none the less; the models never see them, so that waves change nothing.
void Device::SkipTo(uint64_t to) {
  while (cycle_ < to) {
    if (trace_.path.empty() || cycle_ > trace_.to || to <= trace_.from) {
      cycle_ = to;
    } else if (cycle_ < trace_.from) {
      cycle_ = trace_.from;
    } else {
      SettleLow();
      SettleHigh();
      ++cycle_;
    }
  }
}

uint64_t Device::NextEvent() const {
  uint64_t next = port_.waiting() == HostPort::Wait::kCycle ? port_.wake_cycle() : UINT64_MAX;
  for (const Lane& lane : lane_) {
    next = std::min({next, lane.data_in.NextArrival(), lane.control_in.NextArrival()});
  }
  ForEachBit(busy_channels_, [&](uint32_t c) { next = std::min(next, channel_[c].NextEvent()); });
  if (!gemm_.Idle()) next = std::min(next, gemm_.NextEvent());
  return next;
}

bool Device::Due() const {
  const auto later = [this](uint64_t cycle) { return cycle > cycle_ && cycle != UINT64_MAX; };
  bool due = port_.wants_access() ||
             (port_.waiting() == HostPort::Wait::kCycle && later(port_.wake_cycle())) ||
             (!gemm_.Idle() && later(gemm_.NextEvent()));
  for (const LinkSerializer& link : link_) due |= !link.FreeAt(cycle_);
  for (const Lane& lane : lane_) {
    due |= later(lane.data_in.NextArrival()) || later(lane.control_in.NextArrival());
  }
  ForEachBit(busy_channels_, [&](uint32_t c) { due |= later(channel_[c].NextEvent()); });
  return due;
}

void Device::RunUntil(uint64_t to, const std::atomic<bool>& stop) {
  uint32_t count = 0;
  while (cycle_ < to && !Failed()) {
    while (HostMayRun()) port_.Resume(cycle_);
    if (Quiet()) {
      const uint64_t next = NextEvent();
      if (next > cycle_) {
        SkipTo(std::min(next, to));
        continue;
      }
    }
    Cycle();
    ++cycle_;
    if (++count % kStopInterval == 0 && stop.load(std::memory_order_relaxed)) return;
  }
}

std::string Device::Diagnose() {
  const HostPort::Wait waiting = port_.waiting();
  if (waiting == HostPort::Wait::kFinished) return "";
  if (port_.wants_access()) {
    return fmt::format("device {}: the register access at {:#x} gets no answer", number_,
                       port_.address());
  }
  program_.RequestDiagnosis();
  port_.Resume(cycle_);
  while (port_.waiting() != HostPort::Wait::kFinished && !Failed()) {
    Cycle();
    ++cycle_;
  }
  return program_.diagnosis();
}

void Device::Cycle() {
  input_ = false;
  TakeWriteBacks();
  DriveMemory();
  DriveGemm();
  DriveReceivers();
  DriveTransmitters();
  DriveRegisters();

  SettleLow();
  SampleMemory();
  SampleGemm();
  SampleRegisters();
  SettleHigh();

  const bool irq = Load(rtl_->irq_o) != 0;
  if (irq && !irq_) interrupt_cycle_ = cycle_;
  irq_ = irq;
  if (input_) last_progress_ = cycle_;
  quiet_cycles_ = !input_ && Load(rtl_->idle_o) != 0 ? quiet_cycles_ + 1 : 0;
  if (rtl_->Failed()) Fault("an assertion of the RTL failed, its message is above");
  if (answered_) {
    answered_ = access_driven_ = false;
    port_.Answer(cycle_ + 1, answer_ok_, answer_);
  }
}

// The two halves of a clock cycle: the inputs settle, then the clock rises.
void Device::SettleLow() {
  if (!trace_.path.empty()) UpdateTrace();
  rtl_->Eval(false);
  if (tracing_) rtl_->DumpTrace((cycle_ - trace_zero_) * 10);
}

void Device::SettleHigh() {
  rtl_->Eval(true);
  if (tracing_) rtl_->DumpTrace((cycle_ - trace_zero_) * 10 + 5);
}

void Device::UpdateTrace() {
  const bool inside = cycle_ >= trace_.from && cycle_ <= trace_.to;
  if (inside && !trace_written_) {
    rtl_->OpenTrace(trace_.path);
    tracing_ = trace_written_ = true;
  } else if (tracing_ && !inside) {
    rtl_->CloseTrace();
    tracing_ = false;
  }
}

// Write-backs that the RTL shows in this cycle are in memory from this cycle on.
void Device::TakeWriteBacks() {
  ForEachBit(Load(rtl_->wb_valid_o), [&](uint32_t c) {
    const uint32_t lsb = c * tb::MemReq::kBits;
    const uint64_t addr = tb::LoadBits(rtl_->wb_req_o.data, lsb, tb::kAddrW);
    const uint32_t cls =
        static_cast<uint32_t>(tb::LoadBits(rtl_->wb_req_o.data, lsb + tb::MemReq::kBits - 3, 3));
    channel_[c].WriteBack(addr, rtl_->wb_strb_o.data + c * strobe_bytes_,
                          rtl_->wb_data_o.data + c * line_bytes_);
    const bool right = cls == tb::kClsTrackWrite
                           ? addr >= layout_.words_base && addr < layout_.words_end
                           : layout_.InBuffer(0, addr, line_bytes_) ||
                                 (layout_.buffers > 1 && layout_.InBuffer(1, addr, line_bytes_));
    if (!right)
      Fault(fmt::format("a write of class {} to address {:#x}, outside its region", cls, addr));
    input_ = true;
  });
}

void Device::DriveMemory() {
  uint32_t rsp = 0, track = 0, nmc = 0, ready = 0;
  dram_valid_ = Load(rtl_->dram_valid_o);
  ForEachBit(busy_channels_ | dram_valid_, [&](uint32_t c) {
    MemoryChannel& channel = channel_[c];
    channel.Begin(cycle_);
    const auto* read = channel.ReadDone();
    if (read != nullptr) {
      input_ = true;
      if (read->cls == tb::kClsGemmRead) {
        gemm_.ReadDone(read->tag);
      } else {
        rsp |= 1u << c;
        if (read->cls == tb::kClsTrackRead) track |= 1u << c;
        std::memcpy(rtl_->rsp_tag_i.data + c * 2, &read->tag, 2);
        std::memcpy(rtl_->rsp_data_i.data + c * line_bytes_, channel.ReadData(), line_bytes_);
      }
    }
    const MemRequest* write = channel.WriteHead();
    if (write != nullptr) {
      nmc |= 1u << c;
      tb::MemReq req;
      req.cls = write->cls;
      req.op = write->op;
      req.fmt = write->fmt;
      req.ctx = write->ctx;
      req.count = write->count;
      req.tag = write->tag;
      req.addr = write->addr;
      req.Store(rtl_->nmc_req_i.data, c * tb::MemReq::kBits);
      std::memcpy(rtl_->nmc_strb_i.data + c * strobe_bytes_, write->strobes, strobe_bytes_);
      std::memcpy(rtl_->nmc_data_i.data + c * line_bytes_, write->data, line_bytes_);
      if (write->op == tb::kMemUpdate) {
        std::memcpy(rtl_->nmc_old_i.data + c * line_bytes_, channel.WriteOld(), line_bytes_);
      }
    }
    rtl_->dram_occupancy_i.data[c] = static_cast<uint8_t>(std::min(channel.Occupancy(), 255u));
    if ((dram_valid_ >> c & 1) != 0 && channel.Ready()) ready |= 1u << c;
    if (read == nullptr && write == nullptr && channel.Idle()) busy_channels_ &= ~(1u << c);
  });
  dram_ready_ = ready;
  nmc_valid_ = nmc;
  Store(rtl_->dram_ready_i, ready);
  Store(rtl_->rsp_valid_i, rsp);
  Store(rtl_->rsp_track_i, track);
  Store(rtl_->nmc_valid_i, nmc);
}

void Device::DriveGemm() {
  if (!gemm_.Idle()) {
    gemm_.Begin(cycle_);
    for (uint32_t c = 0; c < channels_; ++c) {
      if ((store_offered_ >> c & 1) == 0) {
        if (const StoreAccess* store = gemm_.Store(c)) {
          store_offered_ |= 1u << c;
          const tb::Subtile sub{store->ctx, store->chunk, store->wgx, store->wgy, store->wf};
          const uint64_t packed = sub.Pack();
          std::memcpy(rtl_->st_sub_i.data + c * 6, &packed, 6);
          std::memcpy(rtl_->st_addr_i.data + c * 5, &store->addr, 5);
          std::memcpy(rtl_->st_strb_i.data + c * strobe_bytes_, store->strobes, strobe_bytes_);
          std::memcpy(rtl_->st_data_i.data + c * line_bytes_, store->data, line_bytes_);
        }
      }
      if ((read_offered_ >> c & 1) == 0) {
        if (const ReadAccess* read = gemm_.Read(c)) {
          read_offered_ |= 1u << c;
          std::memcpy(rtl_->rd_addr_i.data + c * 5, &read->addr, 5);
          std::memcpy(rtl_->rd_id_i.data + c * 2, &read->id, 2);
        }
      }
    }
  }
  Store(rtl_->st_valid_i, store_offered_);
  Store(rtl_->st_tracked_i, store_offered_);
  Store(rtl_->rd_valid_i, read_offered_);
}

void Device::DriveReceivers() {
  uint32_t rx = 0, control = 0;
  for (uint32_t l = 0; l < lanes_; ++l) {
    if (const DataPacket* packet = lane_[l].data_in.Arrived(cycle_)) {
      rx |= 1u << l;
      tb::CopyBits(rtl_->rx_packet_i.data, l * tb::Packet::kBits, packet->header, 0,
                   tb::Packet::kBits);
      std::memcpy(rtl_->rx_strb_i.data + l * strobe_bytes_, packet->strobes, strobe_bytes_);
      std::memcpy(rtl_->rx_data_i.data + l * line_bytes_, packet->line, line_bytes_);
      ++counters_.packets_received;
      lane_[l].data_in.Pop();
    }
    if (const ControlPacket* packet = lane_[l].control_in.Arrived(cycle_)) {
      control |= 1u << l;
      tb::CopyBits(rtl_->ctl_i.data, l * tb::Control::kBits, packet->bits, 0, tb::Control::kBits);
      lane_[l].control_in.Pop();
    }
  }
  input_ |= (rx | control) != 0;
  Store(rtl_->rx_valid_i, rx);
  Store(rtl_->ctl_valid_i, control);
}

// What the RTL offers to its links is known before the clock edge, and a packet
// that is offered stays: the handshake is certain when ready is given.
void Device::DriveTransmitters() {
  uint32_t ready = 0;
  const uint32_t valid = Load(rtl_->tx_valid_o);
  if (valid != 0) {
    for (LinkSerializer& link : link_) link.Begin(cycle_);
    const uint32_t first = static_cast<uint32_t>(cycle_ % lanes_);  // lanes of a link take turns
    for (uint32_t i = 0; i < lanes_; ++i) {
      const uint32_t l = (first + i) % lanes_;
      LinkSerializer& link = link_[l / lanes_per_link_];
      if ((valid >> l & 1) == 0 || !link.Free() || (stress_ && Chance(kStressStall))) continue;
      ready |= 1u << l;
      Outbox<DataPacket>& out = lane_[l].data_out;
      DataPacket& packet = out.emplace_back();
      tb::CopyBits(packet.header, 0, rtl_->tx_packet_o.data, l * tb::Packet::kBits,
                   tb::Packet::kBits);
      std::memcpy(packet.strobes, rtl_->tx_strb_o.data + l * strobe_bytes_, strobe_bytes_);
      std::memcpy(packet.line, rtl_->tx_data_o.data + l * line_bytes_, line_bytes_);
      const uint32_t bytes = tb::CountStrobes(packet.strobes, line_bytes_);
      packet.arrival = cycle_ + link.Take(bytes) + latency_;
      const uint64_t ctx = tb::LoadBits(packet.header, tb::Packet::kCtxLsb, tb::kCtxW);
      counters_.link_bytes[ctx] += bytes;
      ++counters_.packets_sent;
      if (faults_.active() && !faults_.Pass(&packet)) out.pop_back();
    }
  }
  input_ |= ready != 0;
  Store(rtl_->tx_ready_i, ready);

  uint32_t control_ready = 0;
  ForEachBit(Load(rtl_->ctl_valid_o), [&](uint32_t l) {
    if (stress_ && Chance(kStressStall)) return;
    control_ready |= 1u << l;
    ControlPacket packet;
    packet.arrival = cycle_ + latency_;
    tb::CopyBits(packet.bits, 0, rtl_->ctl_o.data, l * tb::Control::kBits, tb::Control::kBits);
    if (faults_.Pass(packet)) lane_[l].control_out.push_back(packet);
  });
  input_ |= control_ready != 0;
  Store(rtl_->ctl_ready_i, control_ready);
}

void Device::DriveRegisters() {
  const bool wanted = port_.wants_access();
  if (!wanted && !bus_driven_) return;
  if (wanted && !access_driven_) {
    address_taken_ = data_taken_ = false;
    access_start_ = cycle_;
    register_delay_ = stress_ ? random_() % 4 : 0;
  }
  input_ = true;
  access_driven_ = bus_driven_ = wanted;
  const bool drive = wanted && cycle_ >= access_start_ + register_delay_;
  const bool write = drive && port_.waiting() == HostPort::Wait::kWrite;
  const bool read = drive && !write;
  if (write) {
    Store(rtl_->axil_awaddr_i, port_.address());
    Store(rtl_->axil_wdata_i, port_.write_data());
  }
  if (read) Store(rtl_->axil_araddr_i, port_.address());
  Store(rtl_->axil_awvalid_i, write && !address_taken_);
  Store(rtl_->axil_wvalid_i, write && !data_taken_);
  Store(rtl_->axil_bready_i, write);
  Store(rtl_->axil_arvalid_i, read && !address_taken_);
  Store(rtl_->axil_rready_i, read);
}

void Device::PushRequest(uint32_t channel) {
  const tb::MemReq req = tb::MemReq::Load(rtl_->dram_req_o.data, channel * tb::MemReq::kBits);
  scratch_.cls = req.cls;
  scratch_.op = req.op;
  scratch_.fmt = req.fmt;
  scratch_.ctx = req.ctx;
  scratch_.count = req.count;
  scratch_.tag = req.tag;
  scratch_.addr = req.addr;
  std::memcpy(scratch_.strobes, rtl_->dram_strb_o.data + channel * strobe_bytes_, strobe_bytes_);
  if (req.op != tb::kMemRead) {
    std::memcpy(scratch_.data, rtl_->dram_data_o.data + channel * line_bytes_, line_bytes_);
  }
  if (req.cls >= tb::kNumCls) {
    Fault(fmt::format("a memory request of the unknown class {}", req.cls));
    return;
  }
  counters_.dram_bytes[req.cls][req.ctx] += tb::CountStrobes(scratch_.strobes, line_bytes_);
  channel_[channel].Push(scratch_);
  busy_channels_ |= 1u << channel;
}

void Device::SampleMemory() {
  ForEachBit(dram_valid_ & dram_ready_, [&](uint32_t c) {
    PushRequest(c);
    input_ = true;
  });
  if (nmc_valid_ != 0) {
    ForEachBit(nmc_valid_ & Load(rtl_->nmc_ready_o), [&](uint32_t c) {
      channel_[c].WriteTaken();
      input_ = true;
    });
  }
}

void Device::SampleGemm() {
  if (store_offered_ != 0) {
    const uint32_t taken = store_offered_ & Load(rtl_->st_ready_o);
    ForEachBit(taken, [&](uint32_t c) { gemm_.StoreTaken(c); });
    store_offered_ &= ~taken;
    input_ |= taken != 0;
  }
  if (read_offered_ != 0) {
    const uint32_t taken = read_offered_ & Load(rtl_->rd_ready_o);
    ForEachBit(taken, [&](uint32_t c) { gemm_.ReadTaken(c); });
    read_offered_ &= ~taken;
    input_ |= taken != 0;
  }
}

void Device::SampleRegisters() {
  if (!access_driven_) return;
  address_taken_ |= (Load(rtl_->axil_awvalid_i) & Load(rtl_->axil_awready_o)) != 0 ||
                    (Load(rtl_->axil_arvalid_i) & Load(rtl_->axil_arready_o)) != 0;
  data_taken_ |= (Load(rtl_->axil_wvalid_i) & Load(rtl_->axil_wready_o)) != 0;
  if ((Load(rtl_->axil_bready_i) & Load(rtl_->axil_bvalid_o)) != 0) {
    answered_ = true;
    answer_ok_ = Load(rtl_->axil_bresp_o) == 0;
  } else if ((Load(rtl_->axil_rready_i) & Load(rtl_->axil_rvalid_o)) != 0) {
    answered_ = true;
    answer_ok_ = Load(rtl_->axil_rresp_o) == 0;
    answer_ = Load(rtl_->axil_rdata_o);
  } else if (cycle_ - access_start_ > kAccessLimit) {
    Fault(fmt::format("the register access at {:#x} gets no answer", port_.address()));
  }
}

}  // namespace t3::sim
