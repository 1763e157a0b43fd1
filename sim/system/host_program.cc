#include "sim/system/host_program.h"

#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <utility>

namespace t3::sim {
namespace {

// The simulation ends while the host waits.
struct Ended {};

constexpr uint32_t kFailures = T3_IRQ_STATUS_FAILED_MASK << T3_IRQ_STATUS_FAILED_LSB |
                               1u << T3_IRQ_STATUS_ERROR_LSB | 1u << T3_IRQ_STATUS_REFUSED_LSB;
constexpr uint32_t kFillDone = 1u << T3_IRQ_STATUS_FILL_DONE_LSB;
constexpr uint32_t kEvents = T3_IRQ_STATUS_DONE_MASK << T3_IRQ_STATUS_DONE_LSB |
                             1u << T3_IRQ_STATUS_GRANTED_LSB | kFillDone | kFailures;

int BusRead(void* port, uint32_t offset, uint32_t* value) {
  return static_cast<HostPort*>(port)->Read(offset, value) ? 0 : -1;
}
int BusWrite(void* port, uint32_t offset, uint32_t value) {
  return static_cast<HostPort*>(port)->Write(offset, value) ? 0 : -1;
}

}  // namespace

HostProgram::HostProgram(const HostEnvironment& environment) : env_(environment) {}

int HostProgram::Expect(int result, const char* call) {
  if (result >= 0) return result;
  throw std::runtime_error(fmt::format("{} answered {}", call, result));
}

void HostProgram::Run() {
  try {
    Main();
  } catch (const Ended&) {
    // The port fails every access from now on.
  } catch (const std::exception& error) {
    if (fault_.empty()) fault_ = fmt::format("device {}: {}", env_.device, error.what());
    fault_cycle_ = env_.port->cycle();
  }
  done_ = true;
}

void HostProgram::Main() {
  Open();
  const uint32_t kernels = env_.request->repeat;
  while (released_ < kernels) {
    if (configured_ < kernels && configured_ < released_ + 2 && configured_ == filled_) {
      Configure();
    } else if (CanLaunch()) {
      Launch();
      if (diagnose_) return;
    } else if (released_ < launched_ && (done_mask_ & Mask(released_)) == Mask(released_)) {
      Release();
    } else {
      if (!env_.port->WaitInterrupt()) throw Ended{};
      if (diagnose_) {
        Diagnose();
        return;
      }
      HandleInterrupt();
    }
  }
  Finish();
}

void HostProgram::Open() {
  const RunRequest& request = *env_.request;
  const SystemConfig& system = request.system;
  const t3_bus bus = {BusRead, BusWrite, env_.port};
  Expect(t3_open(&driver_, &bus), "t3_open");
  Expect(t3_set_device(&driver_, static_cast<uint8_t>(env_.device)), "t3_set_device");

  struct t3_policy policy {};
  policy.policy = request.mode == Mode::kT3 ? T3_ROUND_ROBIN : T3_MCA;
  policy.threshold = 30;
  policy.queue_entries = static_cast<uint8_t>(system.dram_queue_entries);
  policy.limit_incoming = static_cast<uint16_t>(system.starvation_limit_incoming);
  policy.limit_dma = static_cast<uint16_t>(system.starvation_limit_dma);
  policy.limit_fill = static_cast<uint16_t>(system.starvation_limit_fill);
  Expect(t3_set_policy(&driver_, &policy), "t3_set_policy");

  ring_.devices = static_cast<uint8_t>(request.devices);
  ring_.device = static_cast<uint8_t>(env_.device);
  ring_.direction = request.direction == Direction::kUp ? 1 : -1;
  if (request.devices > 1) {
    Expect(t3_set_credits(&driver_, t3_ring_successor(&ring_), system.link_credits),
           "t3_set_credits");
  }
  Expect(t3_irq_enable(&driver_, kEvents), "t3_irq_enable");
}

void HostProgram::Configure() {
  const RunRequest& request = *env_.request;
  const Layout& layout = *env_.layout;
  const uint32_t slot = configured_ % 2;
  struct t3_buffer buffer {};
  buffer.base = layout.buffer_base[slot];
  buffer.pitch_bytes = static_cast<uint32_t>(layout.pitch_bytes);
  buffer.rows = request.m;
  buffer.cols = request.n;
  buffer.tile_m = static_cast<uint16_t>(request.system.tile_m);
  buffer.tile_n = static_cast<uint16_t>(request.system.tile_n);
  buffer.wavefronts = static_cast<uint8_t>(request.system.wavefronts_per_workgroup);
  buffer.column_major = request.system.column_major;
  buffer.format = static_cast<uint8_t>(request.format);
  // The peer's memory is laid out like this one.
  ring_.next.base = buffer.base;
  ring_.next.pitch_bytes = buffer.pitch_bytes;
  for (uint32_t ctx = 2 * slot; ctx < 2 * slot + (AllGather() ? 2 : 1); ++ctx) {
    buffer.count_base = layout.count_base[ctx];
    buffer.ring_base = layout.ring_base[ctx];
    ring_.next.ctx = static_cast<uint8_t>(ctx);
    const auto configure = ctx % 2 == 0 ? t3_ring_reduce_scatter : t3_ring_all_gather;
    Expect(configure(&driver_, &ring_, static_cast<uint8_t>(ctx), &buffer, Epoch(configured_)),
           ctx % 2 == 0 ? "t3_ring_reduce_scatter" : "t3_ring_all_gather");
  }
  if (request.devices > 1) {
    Expect(t3_fill(&driver_, static_cast<uint8_t>(2 * slot), Mask(configured_),
                   t3_ring_predecessor(&ring_), 0),
           "t3_fill");
  } else {
    ++filled_;
  }
  ++configured_;
}

bool HostProgram::CanLaunch() {
  if (launched_ == configured_ || launched_ >= filled_) return false;
  return Expect(t3_ready_to_launch(&driver_, Mask(launched_)), "t3_ready_to_launch") == 1;
}

void HostProgram::Launch() {
  if (launched_ == 0) {  // the devices start the first kernel together
    at_gate_ = true;
    if (!env_.port->WaitCycle(HostPort::kForever)) throw Ended{};
    if (diagnose_) {
      Diagnose();
      return;
    }
  }
  Expect(t3_launch(&driver_, Mask(launched_)), "t3_launch");
  GemmKernel kernel;
  kernel.kernel = launched_;
  kernel.ctx = static_cast<uint8_t>(2 * (launched_ % 2));
  kernel.out_base = env_.layout->buffer_base[launched_ % 2];
  kernel.pitch_bytes = env_.layout->pitch_bytes;
  kernel.chunk_order = ChunkOrder(*env_.request, env_.device);
  env_.gemm->Launch(env_.port->cycle(), kernel);
  ++launched_;
}

void HostProgram::HandleInterrupt() {
  uint32_t events = 0;
  Expect(t3_irq_status(&driver_, &events), "t3_irq_status");
  Expect(t3_irq_clear(&driver_, events), "t3_irq_clear");
  if (events & kFailures) {
    fault_ = DescribeError();
    throw std::runtime_error("");
  }
  if (events & kFillDone) ++filled_;
  for (uint32_t ctx = 0; ctx < kContexts; ++ctx) {
    if (events >> (T3_IRQ_STATUS_DONE_LSB + ctx) & 1) ContextDone(ctx);
  }
}

void HostProgram::ContextDone(uint32_t ctx) {
  done_mask_ |= 1u << ctx;
  end_cycle_ = *env_.interrupt_cycle;
  if (ctx % 2 != 0) return;
  reduced_cycle_ = *env_.interrupt_cycle;
  if (AllGather() && env_.request->devices > 1) {
    Expect(t3_send_chunk(&driver_, static_cast<uint8_t>(ctx + 1), env_.device), "t3_send_chunk");
  }
}

void HostProgram::Release() {
  if (env_.request->repeat > 1) env_.scoreboard->Snapshot(env_.device, released_, *env_.memory);
  const uint32_t mask = Mask(released_);
  for (uint32_t ctx = 0; ctx < kContexts; ++ctx) {
    if (mask >> ctx & 1) Expect(t3_release(&driver_, static_cast<uint8_t>(ctx)), "t3_release");
  }
  done_mask_ &= ~mask;
  ++released_;
}

void HostProgram::Finish() {
  uint32_t entries = 0, peak = 0;
  Expect(t3_counter(&driver_, T3_COUNTER_TRIGGERS, &triggers_), "t3_counter");
  Expect(t3_counter(&driver_, T3_COUNTER_SPILLS, &spills_), "t3_counter");
  Expect(t3_counter(&driver_, T3_COUNTER_ELEMENTS, &counted_elements_), "t3_counter");
  Expect(t3_tracker(&driver_, &entries, &peak), "t3_tracker");
  peak_ = peak;
  if (entries != 0) {
    throw std::runtime_error(fmt::format("{} entries are left in the tracker", entries));
  }
}

std::string HostProgram::DescribeError() {
  struct t3_error error {};
  if (t3_error(&driver_, &error) != T3_OK || !error.valid) {
    return fmt::format("device {}: a context failed and no error was captured", env_.device);
  }
  const std::string whose =
      error.remote ? fmt::format("an access of device {}", error.src) : "an access of its own";
  return fmt::format(
      "device {} refused {}: {} (context {}, chunk {}, workgroup {},{}, wavefront {}, address "
      "{:#x}, epoch {})",
      env_.device, whose, t3_error_text(error.cause), error.ctx, error.chunk, error.wgx, error.wgy,
      error.wf, error.addr, error.epoch);
}

void HostProgram::Diagnose() {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += "; ";
    text += part;
  };
  for (uint32_t kernel = released_; kernel < launched_; ++kernel) {
    for (uint32_t ctx = 0; ctx < kContexts; ++ctx) {
      if ((Mask(kernel) & ~done_mask_) >> ctx & 1) add(DescribeContext(ctx));
    }
  }
  if (launched_ < configured_ && launched_ >= filled_) {
    add(fmt::format("kernel {} waits for the fill of its buffer", launched_));
  } else if (launched_ < configured_ && !at_gate_) {
    add(fmt::format("kernel {} waits for the grant of device {}", launched_,
                    Successor(*env_.request, env_.device)));
  }
  if (!text.empty()) diagnosis_ = fmt::format("device {}: {}", env_.device, text);
}

std::string HostProgram::DescribeContext(uint32_t ctx) {
  struct t3_status status {};
  Expect(t3_status(&driver_, static_cast<uint8_t>(ctx), &status), "t3_status");
  return fmt::format(
      "context {} ({}) waits for {} subtiles, {} elements to arrive and {} to leave{}", ctx,
      ctx % 2 == 0 ? "reduce-scatter" : "all-gather", status.subtiles_left, status.elements_left,
      status.sends_left, DescribeSubtile(ctx));
}

std::string HostProgram::DescribeSubtile(uint32_t ctx) {
  const RunRequest& request = *env_.request;
  const Layout& layout = *env_.layout;
  const uint64_t updates = ctx % 2 == 0 && request.devices > 1 ? 2 : 1;
  uint64_t found = UINT64_MAX, count = 0;
  // On chip: the entries of every bank.
  for (uint32_t bank = 0; bank < driver_.caps.banks; ++bank) {
    for (uint32_t index = 0; index < env_.tracker_entries; ++index) {
      struct t3_peek entry {};
      Expect(t3_peek(&driver_, static_cast<uint8_t>(bank), static_cast<uint16_t>(index), &entry),
             "t3_peek");
      if (entry.valid && entry.ctx == ctx && entry.sub < found) {
        found = entry.sub;
        count = entry.count;
      }
    }
  }
  // In memory: words {epoch, count} of this life of the context.
  for (uint64_t subtile = 0; found == UINT64_MAX && subtile < layout.subtiles; ++subtile) {
    uint64_t word = 0;
    env_.memory->Copy(layout.count_base[ctx] + 8 * subtile, 8, &word);
    const uint64_t elements = word & 0xffffff;
    if (word >> 24 == driver_.context[ctx].epoch && elements > 0 &&
        elements < updates * SubtileElements(request, layout, subtile)) {
      found = subtile;
      count = elements;
    }
  }
  if (found == UINT64_MAX) return "; no subtile is partly counted";
  const uint32_t wavefronts = request.system.wavefronts_per_workgroup;
  const uint64_t tile = found / wavefronts;
  const uint64_t x = request.system.column_major ? tile / layout.grid_y : tile % layout.grid_x;
  const uint64_t y = request.system.column_major ? tile % layout.grid_y : tile / layout.grid_x;
  return fmt::format("; subtile {} (workgroup {},{}, wavefront {}) counted {} of {} elements",
                     found, x, y, found % wavefronts, count,
                     updates * SubtileElements(request, layout, found));
}

}  // namespace t3::sim
