// Bench of t3_csr: an AXI4-Lite master with random stalls, and the device around
// the registers as far as they see it (tracker clear, links, channels).
#pragma once

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "Vt3_csr.h"
#include "tb/harness/bits.h"

namespace t3::tb {

constexpr uint32_t kCfgBits = 319, kSubtileBits = 48, kErrorBits = 141, kBanks = 8;
constexpr uint32_t kOkay = 0, kSlvErr = 2;

// Offsets of the register map, spelled out once more.
constexpr uint32_t kStatus = 0x28, kLaunch = 0x2c, kIrqStatus = 0x30, kIrqEnable = 0x34,
                   kSendTile = 0x60, kSendTiles = 0x64, kSendChunk = 0x68, kFill = 0x70,
                   kGrant = 0x74, kGrantSelect = 0x80, kErrorInfo = 0x90, kCounters = 0x100;
constexpr uint32_t Ctx(uint32_t ctx, uint32_t offset) { return 0x400 + 0x100 * ctx + offset; }
constexpr uint32_t kControl = 0x00, kCtxStatus = 0x04, kSubtiles = 0x58, kElements = 0x5c,
                   kSends = 0x64, kNotified = 0x6c;
constexpr uint32_t kConfigure = 1, kRelease = 2, kAbort = 4;
enum State : uint32_t { kFree, kClearing, kLive, kLaunched, kDone, kDraining, kScrub };
// Bits of IRQ_STATUS.
constexpr uint32_t kIrqGranted = 1 << 8, kIrqFill = 1 << 9, kIrqAbort = 1 << 10,
                   kIrqError = 1 << 11, kIrqRefused = 1 << 12;
constexpr uint32_t IrqDone(uint32_t ctx) { return 1u << ctx; }
constexpr uint32_t IrqFailed(uint32_t ctx) { return 16u << ctx; }

struct Access {
  bool write = false;
  uint32_t addr = 0, data = 0, strb = 0xf;
};
struct Response {
  uint32_t resp = 0, data = 0;
};
struct GrantOut {
  uint32_t link, dst, ctx;
  uint64_t epoch;
  uint64_t cycle;
};
struct Error {
  uint32_t cause = 0;
  bool fails = false, peer_fails = false, remote = false;
  uint32_t src = 0;
  uint64_t addr = 0, epoch = 0, sub = 0;
};

// {context, chunk, wgx, wgy, wf} in the order of t3_pkg::subtile_t.
inline uint64_t Subtile(uint64_t ctx, uint64_t chunk, uint64_t x, uint64_t y, uint64_t wf) {
  return ctx << 46 | chunk << 37 | x << 21 | y << 5 | wf;
}

class CsrBench {
 public:
  explicit CsrBench(uint64_t seed) : rnd(seed) {
    context.threads(1);
    top = std::make_unique<Vt3_csr>(&context);
    top->rst_ni = 0;
    top->cmd_ready_i = 1;
    top->grant_ready_i = 3;
    for (int i = 0; i < 3; i++) Tick();
    top->rst_ni = 1;
  }
  ~CsrBench() { top->final(); }

  // One cycle: drive, eval, sample, edge.
  void Tick() {
    DriveBus();
    if (on_drive) on_drive();
    top->clk_i = 0;
    top->eval();
    const bool in_reset = !top->rst_ni;
    if (!in_reset) {
      SampleBus();
      SampleDevice();
    }
    if (on_sample) on_sample();
    top->clk_i = 1;
    top->eval();
    cycle++;
    // Pulses last one cycle.
    top->acct_valid_i = top->acct_complete_i = top->acct_notify_i = top->acct_excess_i = 0;
    top->sent_valid_i = top->err_valid_i = top->granted_valid_i = 0;
    top->clear_done_i = 0;
    if (!in_reset) DriveClear();
  }
  void Ticks(uint32_t n) {
    while (n--) Tick();
  }

  // ---- Bus. Writes and reads queue separately and run at the same time.
  void Queue(const Access& access) { (access.write ? writes_ : reads_).push_back(access); }
  bool BusIdle() const { return writes_.empty() && reads_.empty(); }
  Response Do(const Access& access) {
    const size_t had_w = write_answers.size(), had_r = read_answers.size();
    (access.write ? writes_ : reads_).push_back(access);
    const uint64_t start = cycle;
    while (access.write ? write_answers.size() == had_w : read_answers.size() == had_r) {
      if (cycle - start > 1000) {
        ADD_FAILURE() << "no answer for address " << std::hex << access.addr;
        return {3, 0};
      }
      Tick();
    }
    return access.write ? write_answers.back() : read_answers.back();
  }
  uint32_t Write(uint32_t addr, uint32_t data, uint32_t strb = 0xf) {
    return Do({true, addr, data, strb}).resp;
  }
  void Set(uint32_t addr, uint32_t data) {
    ASSERT_EQ(Write(addr, data), kOkay) << std::hex << addr;
  }
  Response Read(uint32_t addr) { return Do({false, addr, 0, 0}); }
  uint32_t Get(uint32_t addr) {
    const Response r = Read(addr);
    EXPECT_EQ(r.resp, kOkay) << std::hex << addr;
    return r.data;
  }
  uint64_t Get64(uint32_t addr) {
    const uint64_t low = Get(addr);
    return low | uint64_t{Get(addr + 4)} << 32;
  }

  // ---- Contexts.
  void Prepare(uint32_t ctx, uint64_t epoch, uint32_t subtiles, uint64_t elements, uint64_t sends,
               uint32_t fmt = 0) {
    Set(Ctx(ctx, 0x08), static_cast<uint32_t>(epoch));
    Set(Ctx(ctx, 0x0c), static_cast<uint32_t>(epoch >> 32));
    Set(Ctx(ctx, 0x10), fmt | 4u << 16);
    Set(Ctx(ctx, kSubtiles), subtiles);
    Set(Ctx(ctx, kElements), static_cast<uint32_t>(elements));
    Set(Ctx(ctx, kElements + 4), static_cast<uint32_t>(elements >> 32));
    Set(Ctx(ctx, kSends), static_cast<uint32_t>(sends));
    Set(Ctx(ctx, kSends + 4), static_cast<uint32_t>(sends >> 32));
  }
  void GoLive(uint32_t ctx, uint64_t epoch, uint32_t subtiles, uint64_t elements, uint64_t sends,
              uint32_t fmt = 0) {
    Prepare(ctx, epoch, subtiles, elements, sends, fmt);
    Set(Ctx(ctx, kControl), kConfigure);
    WaitState(ctx, kLive);
  }
  uint32_t StateOf(uint32_t ctx) { return Get(Ctx(ctx, kCtxStatus)) & 7; }
  bool Failed(uint32_t ctx) { return Get(Ctx(ctx, kCtxStatus)) >> 8 & 1; }
  void WaitState(uint32_t ctx, uint32_t state) {
    for (int i = 0; i < 500; i++) {
      if (StateOf(ctx) == state) return;
    }
    ADD_FAILURE() << "context " << ctx << " is not in state " << state << " but " << StateOf(ctx);
  }
  uint64_t Cfg(uint32_t ctx, uint32_t lsb, uint32_t width) const {
    return LoadBits(Bytes(top->ctx_cfg_o), ctx * kCfgBits + lsb, width);
  }
  bool Live(uint32_t ctx) const { return Cfg(ctx, kCfgBits - 1, 1); }
  bool Launched(uint32_t ctx) const { return Cfg(ctx, kCfgBits - 2, 1); }

  // ---- Pulses of the next cycle.
  void Account(uint32_t bank, uint32_t ctx, uint32_t elems, bool complete, bool notify = false,
               bool excess = false, uint64_t sub = 0) {
    top->acct_valid_i |= 1u << bank;
    top->acct_ctx_i =
        static_cast<uint16_t>((top->acct_ctx_i & ~(3u << 2 * bank)) | ctx << 2 * bank);
    StoreBits(Bytes(top->acct_elems_i), bank * 16, 16, elems);
    top->acct_complete_i |= static_cast<uint8_t>(complete << bank);
    top->acct_notify_i |= static_cast<uint8_t>(notify << bank);
    top->acct_excess_i |= static_cast<uint8_t>(excess << bank);
    StoreBits(Bytes(top->acct_sub_i), bank * kSubtileBits, kSubtileBits, sub);
  }
  void Sent(uint32_t lane, uint32_t ctx, uint32_t bytes) {
    top->sent_valid_i |= 1u << lane;
    top->sent_ctx_i = static_cast<uint8_t>((top->sent_ctx_i & ~(3u << 2 * lane)) | ctx << 2 * lane);
    top->sent_bytes_i =
        static_cast<uint16_t>((top->sent_bytes_i & ~(0xffu << 8 * lane)) | bytes << 8 * lane);
  }
  void Report(uint32_t source, const Error& e) {
    top->err_valid_i |= 1u << source;
    uint32_t at = source * kErrorBits;
    auto put = [&](uint32_t width, uint64_t value) {
      StoreBits(Bytes(top->err_i), at, width, value);
      at += width;
    };
    put(48, e.sub), put(40, e.epoch), put(40, e.addr), put(6, e.src);
    put(1, e.remote), put(1, e.peer_fails), put(1, e.fails), put(4, e.cause);
  }
  void Granted(uint32_t lane, uint32_t src, uint32_t ctx, uint64_t epoch) {
    top->granted_valid_i |= 1u << lane;
    top->granted_src_i =
        static_cast<uint16_t>((top->granted_src_i & ~(63u << 6 * lane)) | src << 6 * lane);
    top->granted_ctx_i =
        static_cast<uint8_t>((top->granted_ctx_i & ~(3u << 2 * lane)) | ctx << 2 * lane);
    StoreBits(Bytes(top->granted_epoch_i), lane * 40, 40, epoch);
  }

  uint32_t Draw(uint32_t low, uint32_t high) {
    return std::uniform_int_distribution<uint32_t>(low, high)(rnd);
  }

  template <typename T>
  static uint8_t* Bytes(T& wide) {
    return reinterpret_cast<uint8_t*>(wide.data());
  }
  template <typename T>
  static const uint8_t* Bytes(const T& wide) {
    return reinterpret_cast<const uint8_t*>(wide.data());
  }

  VerilatedContext context;  // outlives the model
  std::unique_ptr<Vt3_csr> top;
  std::mt19937_64 rnd;
  uint64_t cycle = 0;
  uint32_t stall_percent = 0;       // of the bus
  uint32_t clear_cycles = 20;       // of the tracker
  std::function<void()> on_drive;   // sets inputs of the cycle
  std::function<void()> on_sample;  // looks at the cycle, changes nothing
  std::vector<Response> write_answers, read_answers;
  // What the device saw.
  std::vector<GrantOut> grants;
  std::vector<uint32_t> fills;    // contexts, at their start
  std::vector<uint32_t> flushes;  // contexts
  std::vector<uint32_t> clears;   // contexts, at their end
  uint64_t invalidations = 0, last_invalidation = 0;

 private:
  bool Stall() { return Draw(0, 99) < stall_percent; }

  void DriveBus() {
    // A valid that is up stays up; else it comes up at random, also for the next
    // transaction while an answer is outstanding.
    if (aw_ < writes_.size() && !top->awvalid_i && !Stall()) {
      top->awvalid_i = 1;
      top->awaddr_i = static_cast<uint16_t>(writes_[aw_].addr);
    }
    if (w_ < writes_.size() && !top->wvalid_i && !Stall()) {
      top->wvalid_i = 1;
      top->wdata_i = writes_[w_].data;
      top->wstrb_i = static_cast<uint8_t>(writes_[w_].strb);
    }
    if (ar_ < reads_.size() && !top->arvalid_i && !Stall()) {
      top->arvalid_i = 1;
      top->araddr_i = static_cast<uint16_t>(reads_[ar_].addr);
    }
    top->bready_i = !Stall();
    top->rready_i = !Stall();
  }

  void SampleBus() {
    // An answer belongs to a transaction, and stays as it is until it is taken.
    if (top->bvalid_o) {
      EXPECT_TRUE(aw_ > 0 && w_ > 0) << "answer without a write";
      if (held_b_) {
        EXPECT_EQ(*held_b_, top->bresp_o);
      }
    } else {
      EXPECT_FALSE(held_b_) << "bvalid dropped";
    }
    if (top->rvalid_o) {
      EXPECT_TRUE(ar_ > 0) << "answer without a read";
      if (held_r_) {
        EXPECT_EQ(held_r_->resp, top->rresp_o);
        EXPECT_EQ(held_r_->data, top->rdata_o);
      }
    } else {
      EXPECT_FALSE(held_r_) << "rvalid dropped";
    }
    held_b_.reset();
    held_r_.reset();
    if (top->bvalid_o && !top->bready_i) held_b_ = top->bresp_o;
    if (top->rvalid_o && !top->rready_i) held_r_ = Response{top->rresp_o, top->rdata_o};

    const bool aw = top->awvalid_i && top->awready_o, w = top->wvalid_i && top->wready_o;
    const bool ar = top->arvalid_i && top->arready_o;
    if (top->bvalid_o && top->bready_i) {
      write_answers.push_back({top->bresp_o, 0});
      writes_.pop_front();
      aw_--, w_--;
    }
    if (top->rvalid_o && top->rready_i) {
      read_answers.push_back({top->rresp_o, top->rdata_o});
      reads_.pop_front();
      ar_--;
    }
    aw_ += aw, w_ += w, ar_ += ar;
    drop_aw_ = aw;
    drop_w_ = w;
    drop_ar_ = ar;
  }

  void SampleDevice() {
    if (top->flush_valid_o) flushes.push_back(top->flush_ctx_o);
    if (top->fill_start_o) fills.push_back(top->fill_ctx_o);
    if (top->chunk_inv_o) invalidations++, last_invalidation = cycle;
    const uint32_t granted = top->grant_valid_o & top->grant_ready_i;
    EXPECT_NE(top->grant_valid_o, 3) << "one grant on two links";
    if (granted) {
      grants.push_back(
          {granted >> 1, top->grant_dst_o, top->grant_ctx_o, top->grant_epoch_o, cycle});
    }
  }

  // After the edge: inputs of the next cycle.
  void DriveClear() {
    if (drop_aw_) top->awvalid_i = 0;
    if (drop_w_) top->wvalid_i = 0;
    if (drop_ar_) top->arvalid_i = 0;
    if (!top->clear_valid_o) {
      clear_age_ = 0;
      cleared_ = false;
    } else if (!cleared_ && ++clear_age_ >= clear_cycles) {
      top->clear_done_i = 1;
      cleared_ = true;
      clears.push_back(top->clear_ctx_o);
    }
  }

  std::deque<Access> writes_, reads_;
  size_t aw_ = 0, w_ = 0, ar_ = 0;  // accepted and not yet answered
  bool drop_aw_ = false, drop_w_ = false, drop_ar_ = false;
  std::optional<uint32_t> held_b_;
  std::optional<Response> held_r_;
  uint32_t clear_age_ = 0;
  bool cleared_ = false;
};

}  // namespace t3::tb
