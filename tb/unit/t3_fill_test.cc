// t3_fill: the fillers of all channels together write exactly the bytes of the
// matrix, each once, each in its own channel.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <memory>
#include <random>

#include "Vt3_fill.h"
#include "tb/harness/bits.h"
#include "verilated.h"

namespace t3::tb {
namespace {

// fill_t from its least significant bit: ctx 2, fmt 2, row_bytes 40, rows 24, pitch 32, base 40.
struct Fill {
  uint64_t base, pitch, rows, row_bytes;
};

class Channel {
 public:
  explicit Channel(uint32_t number) {
    context_.threads(1);
    context_.fatalOnError(false);
    dut_ = std::make_unique<Vt3_fill>(&context_);
    dut_->channel_i = static_cast<uint8_t>(number);
    dut_->start_i = 0;
    dut_->ready_i = 0;
    dut_->rst_ni = 0;
    Tick();
    Tick();
    dut_->rst_ni = 1;
    Tick();
  }
  ~Channel() { EXPECT_FALSE(context_.gotError()); }

  // Runs one fill and counts each byte written.
  void Run(const Fill& fill, std::mt19937_64* random, std::map<uint64_t, int>* written,
           uint64_t* cycles) {
    uint8_t packed[20] = {};
    StoreBits(packed, 4, 40, fill.row_bytes);
    StoreBits(packed, 44, 24, fill.rows);
    StoreBits(packed, 68, 32, fill.pitch);
    StoreBits(packed, 100, 40, fill.base);
    std::memcpy(&dut_->fill_i, packed, sizeof packed);
    dut_->start_i = 1;
    Tick();
    dut_->start_i = 0;
    while (dut_->busy_o) {
      dut_->ready_i = random == nullptr || (*random)() % 3 != 0;
      dut_->clk_i = 0;
      dut_->eval();
      if (dut_->valid_o && dut_->ready_i) {
        const uint64_t line = LoadBits(reinterpret_cast<const uint8_t*>(&dut_->req_o), 0, 40);
        for (uint32_t b = 0; b < 64; ++b) {
          if (dut_->strb_o >> b & 1) ++(*written)[line + b];
        }
      }
      dut_->clk_i = 1;
      dut_->eval();
      ASSERT_LT(++*cycles, 1000000u);
    }
  }

 private:
  void Tick() {
    dut_->clk_i = 0;
    dut_->eval();
    dut_->clk_i = 1;
    dut_->eval();
  }
  VerilatedContext context_;
  std::unique_ptr<Vt3_fill> dut_;
};

uint32_t ChannelOfByte(uint64_t addr) {
  uint32_t fold = 0;
  for (uint64_t block = addr >> 8; block != 0; block >>= 4) fold ^= static_cast<uint32_t>(block);
  return fold & 15;
}

void Expect(const Fill& fill, std::mt19937_64* random) {
  std::map<uint64_t, int> written;
  for (uint32_t c = 0; c < 16; ++c) {
    Channel channel(c);
    std::map<uint64_t, int> mine;
    uint64_t cycles = 0;
    channel.Run(fill, random, &mine, &cycles);
    for (const auto& [addr, count] : mine) {
      ASSERT_EQ(ChannelOfByte(addr), c) << "byte " << addr;
      written[addr] += count;
    }
  }
  ASSERT_EQ(written.size(), fill.rows * fill.row_bytes);
  for (uint64_t r = 0; r < fill.rows; ++r) {
    for (uint64_t b = 0; b < fill.row_bytes; ++b) {
      ASSERT_EQ(written[fill.base + r * fill.pitch + b], 1) << "row " << r << ", byte " << b;
    }
  }
}

TEST(Fill, DenseMatrixAsOneRow) { Expect({0x10000, 40000, 1, 40000}, nullptr); }

TEST(Fill, OddRowsWithPadding) { Expect({0x12346, 78, 37, 66}, nullptr); }

TEST(Fill, OneElement) { Expect({0xfffe, 2, 1, 2}, nullptr); }

TEST(Fill, RandomMatricesUnderStalls) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 30; ++i) {
    const uint64_t row_bytes = 2 * (1 + random() % 3000);
    Expect({2 * (random() % (uint64_t{1} << 36)), row_bytes + 2 * (random() % 400),
            1 + random() % 12, row_bytes},
           &random);
  }
}

TEST(Fill, OneLinePerCycleWithinABlock) {
  Channel channel(5);
  std::map<uint64_t, int> written;
  uint64_t cycles = 0;
  channel.Run({0, 1 << 20, 1, 1 << 20}, nullptr, &written, &cycles);
  EXPECT_EQ(written.size(), (1u << 20) / 16);
  EXPECT_LE(cycles, (1u << 20) / 16 / 64 + 10);
}

}  // namespace
}  // namespace t3::tb
