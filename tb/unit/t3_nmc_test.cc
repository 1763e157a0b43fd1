// t3_nmc: sums of all formats against the golden model, strobes, order of writes
// to one line, rate.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "Vt3_nmc.h"
#include "sw/golden/format.h"
#include "verilated.h"

namespace t3::tb {
namespace {

using golden::Format;

constexpr uint32_t kLineBytes = 64;
constexpr uint32_t kStore = 1, kUpdate = 2;  // t3_pkg::mem_op_e

struct Line {
  uint8_t bytes[kLineBytes];
};

struct Write {
  uint32_t op = kUpdate, fmt = 0, tag = 0;
  uint64_t addr = 0, strobes = ~uint64_t{0};
  Line data, old;
};

struct Bench {
  VerilatedContext context;
  std::unique_ptr<Vt3_nmc> dut;

  Bench() {
    context.threads(1);
    context.fatalOnError(false);
    dut = std::make_unique<Vt3_nmc>(&context);
    dut->rst_ni = 0;
    dut->valid_i = 0;
    Edge();
    Edge();
    dut->rst_ni = 1;
  }
  ~Bench() { EXPECT_FALSE(context.gotError()); }

  void Edge() {
    dut->clk_i = 0;
    dut->eval();
    dut->clk_i = 1;
    dut->eval();
  }
  void Offer(const Write& w) {
    // mem_req_t: cls 3, op 2, fmt 2, ctx 2, count 1, tag 16, addr 40 bits.
    const uint64_t low = w.addr | uint64_t{w.tag} << 40 | uint64_t{1} << 56 |
                         uint64_t{w.fmt} << 59 | uint64_t{w.op} << 61;
    dut->req_i[0] = static_cast<uint32_t>(low);
    dut->req_i[1] = static_cast<uint32_t>(low >> 32);
    dut->req_i[2] = 2u >> 1;  // class: incoming
    dut->strb_i = w.strobes;
    std::memcpy(&dut->data_i, w.data.bytes, kLineBytes);
    std::memcpy(&dut->old_i, w.old.bytes, kLineBytes);
    dut->valid_i = 1;
  }
  // Low half of a cycle: outputs settle.
  bool Ready() {
    dut->clk_i = 0;
    dut->eval();
    return dut->ready_o;
  }
  void Rise() {
    dut->clk_i = 1;
    dut->eval();
  }
};

uint32_t Lane(const Line& line, Format f, uint32_t i) {
  uint32_t v = 0;
  std::memcpy(&v, line.bytes + i * golden::ElementBytes(f), golden::ElementBytes(f));
  return v;
}

void SetLane(Line* line, Format f, uint32_t i, uint32_t v) {
  std::memcpy(line->bytes + i * golden::ElementBytes(f), &v, golden::ElementBytes(f));
}

// Streams lines of pairs, one per cycle, and compares every lane.
class Adder {
 public:
  explicit Adder(Format f) : format_(f), lanes_(kLineBytes / golden::ElementBytes(f)) {}

  void Add(uint32_t a, uint32_t b) {
    SetLane(&write_.old, format_, used_, a);
    SetLane(&write_.data, format_, used_, b);
    if (++used_ == lanes_) Send();
  }
  void Drain() {
    if (used_ != 0) Send();
    bench_.dut->valid_i = 0;
    for (int i = 0; i < 5; ++i) Cycle();
    EXPECT_TRUE(pending_.empty());
  }
  uint64_t wrong() const { return wrong_; }
  uint64_t sums() const { return sums_; }

 private:
  void Send() {
    used_ = 0;
    write_.fmt = static_cast<uint32_t>(format_);
    write_.addr = (write_.addr + kLineBytes) % 4096;
    bench_.Offer(write_);
    pending_.push_back(write_);
    ASSERT_TRUE(Cycle());  // full rate: never held up
  }
  bool Cycle() {
    const bool ready = bench_.Ready();
    bench_.Rise();
    if (bench_.dut->wb_valid_o) {
      Line result;
      std::memcpy(result.bytes, &bench_.dut->wb_data_o, kLineBytes);
      const Write& w = pending_.front();
      for (uint32_t i = 0; i < lanes_; ++i) {
        const uint32_t a = Lane(w.old, format_, i), b = Lane(w.data, format_, i);
        const uint32_t expected = golden::Add(format_, a, b);
        ++sums_;
        if (Lane(result, format_, i) != expected && wrong_++ < 5) {
          ADD_FAILURE() << std::hex << a << " + " << b << " gave " << Lane(result, format_, i)
                        << ", expected " << expected;
        }
      }
      pending_.pop_front();
    }
    return ready;
  }

  Format format_;
  uint32_t lanes_, used_ = 0;
  Bench bench_;
  Write write_;
  std::deque<Write> pending_;
  uint64_t wrong_ = 0, sums_ = 0;
};

// 300 operands: every exponent's ends, ties, specials, and random ones.
std::vector<uint32_t> Operands(uint32_t mantissa) {
  std::vector<uint32_t> v = {0, 0x8000, 1, 0x8001, 0x7fff, 0xffff};
  for (uint32_t e = 0; e < (0x8000u >> mantissa) && v.size() < 200; e += mantissa == 10 ? 1 : 6) {
    v.push_back(e << mantissa);
    v.push_back(0x8000 | e << mantissa | 1);
    v.push_back(e << mantissa | ((1u << mantissa) - 1));
  }
  std::mt19937 random(mantissa);
  while (v.size() < 300) v.push_back(random() & 0xffff);
  return v;
}

void Exhaustive(Format f, uint32_t mantissa) {
  Adder adder(f);
  const auto operands = Operands(mantissa);
  ASSERT_GE(operands.size(), 300u);
  for (uint32_t b : operands) {
    for (uint32_t a = 0; a < 0x10000; ++a) adder.Add(a, b);
  }
  adder.Drain();
  EXPECT_EQ(adder.wrong(), 0u);
  EXPECT_EQ(adder.sums(), operands.size() * 0x10000);
}

TEST(Nmc, AddsAllFp16Values) { Exhaustive(Format::kFp16, 10); }
TEST(Nmc, AddsAllBf16Values) { Exhaustive(Format::kBf16, 7); }

TEST(Nmc, AddsFp32) {
  const char* pairs = std::getenv("T3_FP32_PAIRS");
  const uint64_t count = pairs ? std::strtoull(pairs, nullptr, 10) : 2000000;
  Adder adder(Format::kFp32);
  std::mt19937_64 random(32);
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t r = random();
    uint32_t a = static_cast<uint32_t>(r), b = static_cast<uint32_t>(r >> 32);
    const uint64_t how = random();
    if (how & 1) {  // exponents at most 26 apart
      const uint32_t e = ((a >> 23 & 255) + how / 2 % 53 - 26) & 255;
      b = (b & 0x807fffff) | e << 23;
    }
    if ((how & 0x3e) == 0) b = (a ^ 0x80000000) ^ static_cast<uint32_t>(how >> 8 & 3);  // cancels
    if ((how & 0x7c0) == 0) a &= 0x807fffff;  // subnormal
    adder.Add(a, b);
  }
  adder.Drain();
  EXPECT_EQ(adder.wrong(), 0u);
}

// Random stores and updates on a few lines, with strobes and gaps: memory must end
// as if they were done one after another.
TEST(Nmc, WritesToOneLineKeepTheirOrder) {
  Bench bench;
  std::mt19937_64 random(7);
  std::map<uint64_t, Line> memory, expected;
  for (uint64_t a = 0; a < 3; ++a) memory[a * 64] = expected[a * 64] = Line{};
  std::deque<Write> writes;
  uint64_t done = 0, cycles = 0;
  constexpr uint64_t kCount = 20000;
  Write next;
  bool offered = false;
  while (done < kCount) {
    ++cycles;
    ASSERT_LT(cycles, kCount * 20);
    if (bench.dut->wb_valid_o) {
      const Write& w = writes.front();
      for (uint32_t b = 0; b < kLineBytes; ++b) {
        if (bench.dut->wb_strb_o >> b & 1) {
          memory[w.addr].bytes[b] = reinterpret_cast<const uint8_t*>(&bench.dut->wb_data_o)[b];
        }
      }
      EXPECT_EQ(0, std::memcmp(memory[w.addr].bytes, w.old.bytes, kLineBytes)) << "write " << done;
      writes.pop_front();
      ++done;
    }
    if (!offered && random() % 4 != 0) {
      next.op = random() % 4 == 0 ? kStore : kUpdate;
      next.fmt = static_cast<uint32_t>(random() % 3);
      next.addr = random() % 3 * 64;
      next.strobes = 0;
      for (uint32_t w = 0; w < 16; ++w) next.strobes |= random() % 3 ? uint64_t{0xf} << (4 * w) : 0;
      for (auto& byte : next.data.bytes) byte = static_cast<uint8_t>(random());
      offered = true;
    }
    if (offered) {
      next.old = memory[next.addr];
      bench.Offer(next);
    } else {
      bench.dut->valid_i = 0;
    }
    const bool taken = bench.Ready() && offered;
    if (taken) {
      const auto f = static_cast<Format>(next.fmt);
      Line& line = expected[next.addr];
      for (uint32_t i = 0; i < kLineBytes / golden::ElementBytes(f); ++i) {
        if (!(next.strobes >> (i * golden::ElementBytes(f)) & 1)) continue;
        const uint32_t value = Lane(next.data, f, i);
        SetLane(&line, f, i, next.op == kStore ? value : golden::Add(f, Lane(line, f, i), value));
      }
      Write record = next;
      record.old = line;  // what the line must be after this write
      writes.push_back(record);
      offered = false;
    }
    bench.Rise();
  }
}

TEST(Nmc, OneLinePerCycleOnDifferentLinesAndFixedLatency) {
  Bench bench;
  Write w;
  std::memset(&w.data, 0, sizeof w.data);
  std::memset(&w.old, 0, sizeof w.old);
  for (uint32_t i = 0; i < 100; ++i) {
    w.addr = uint64_t{i} * 64;
    bench.Offer(w);
    EXPECT_TRUE(bench.Ready()) << i;
    bench.Rise();
    EXPECT_EQ(bench.dut->wb_valid_o, i >= 2) << i;
  }
}

}  // namespace
}  // namespace t3::tb
