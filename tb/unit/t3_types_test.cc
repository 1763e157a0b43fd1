// The C++ mirrors of the packed structs against the structs themselves.
#include "tb/harness/t3_types.h"

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstring>
#include <random>
#include <type_traits>

#include "Vt3_types.h"

namespace t3::tb {
namespace {

constexpr uint64_t kSeed = 20240427;

class Types : public testing::Test {
 protected:
  Types() : random_(kSeed) {
    context_.threads(1);
    top_ = std::make_unique<Vt3_types>(&context_);
  }

  uint64_t Draw(uint32_t bits) { return random_() & ((uint64_t{1} << bits) - 1); }

  // New values on all inputs.
  void Randomize() {
    top_->ctx_i = Draw(2);
    top_->chunk_i = Draw(9);
    top_->wgx_i = Draw(16);
    top_->wgy_i = Draw(16);
    top_->wf_i = Draw(5);
    top_->cls_i = Draw(3);
    top_->op_i = Draw(2);
    top_->fmt_i = Draw(2);
    top_->flag_i = Draw(1);
    top_->tag_i = Draw(16);
    top_->addr_i = Draw(40);
    top_->crc_i = Draw(16);
    top_->seq_i = Draw(16);
    top_->src_i = Draw(6);
    top_->dst_i = Draw(6);
    top_->epoch_i = Draw(40);
    top_->count_i = Draw(12);
    top_->clk_i = 0;
    top_->eval();
    top_->clk_i = 1;
    top_->eval();
  }
  template <class Vector>
  static const uint8_t* Bytes(const Vector& vector) {
    return reinterpret_cast<const uint8_t*>(&vector);
  }

  std::mt19937_64 random_;
  VerilatedContext context_;
  std::unique_ptr<Vt3_types> top_;
};

TEST_F(Types, SubtileHasTheBitsOfTheStruct) {
  for (int i = 0; i < 200; ++i) {
    Randomize();
    const uint64_t packed = LoadBits(Bytes(top_->sub_o), Subtile::kBits, Subtile::kBits);
    const Subtile sub = Subtile::Unpack(packed);
    EXPECT_EQ(sub.ctx, top_->ctx_i);
    EXPECT_EQ(sub.chunk, top_->chunk_i);
    EXPECT_EQ(sub.wgx, top_->wgx_i);
    EXPECT_EQ(sub.wgy, top_->wgy_i);
    EXPECT_EQ(sub.wf, top_->wf_i);
    EXPECT_EQ(sub.Pack(), packed);
  }
}

TEST_F(Types, MemoryRequestHasTheBitsOfTheStruct) {
  for (int i = 0; i < 200; ++i) {
    Randomize();
    const MemReq req = MemReq::Load(Bytes(top_->req_o), MemReq::kBits);
    EXPECT_EQ(req.cls, top_->cls_i);
    EXPECT_EQ(req.op, top_->op_i);
    EXPECT_EQ(req.fmt, top_->fmt_i);
    EXPECT_EQ(req.ctx, top_->ctx_i);
    EXPECT_EQ(req.count, top_->flag_i != 0);
    EXPECT_EQ(req.tag, top_->tag_i);
    EXPECT_EQ(req.addr, top_->addr_i);
    std::remove_reference_t<decltype(top_->req_o)> copy{};
    req.Store(reinterpret_cast<uint8_t*>(&copy), MemReq::kBits);
    EXPECT_EQ(std::memcmp(&copy, &top_->req_o, sizeof copy), 0);
  }
}

TEST_F(Types, PacketHasTheBitsOfTheStruct) {
  for (int i = 0; i < 200; ++i) {
    Randomize();
    const Packet packet = Packet::Load(Bytes(top_->packet_o), Packet::kBits);
    EXPECT_EQ(packet.crc, top_->crc_i);
    EXPECT_EQ(packet.seq, top_->seq_i);
    EXPECT_EQ(packet.src, top_->src_i);
    EXPECT_EQ(packet.dst, top_->dst_i);
    EXPECT_EQ(packet.epoch, top_->epoch_i);
    EXPECT_EQ(packet.op, top_->op_i & 1);
    EXPECT_EQ(packet.fmt, top_->fmt_i);
    EXPECT_EQ(packet.addr, top_->addr_i);
    EXPECT_EQ(packet.sub.ctx, top_->ctx_i);
    EXPECT_EQ(LoadBits(Bytes(top_->packet_o), Packet::kBits + Packet::kCtxLsb, kCtxW), top_->ctx_i);
    std::remove_reference_t<decltype(top_->packet_o)> copy{};
    packet.Store(reinterpret_cast<uint8_t*>(&copy), Packet::kBits);
    EXPECT_EQ(std::memcmp(&copy, &top_->packet_o, sizeof copy), 0);
  }
}

TEST_F(Types, ControlPacketHasTheBitsOfTheStruct) {
  for (int i = 0; i < 200; ++i) {
    Randomize();
    const Control control = Control::Load(Bytes(top_->ctl_o), Control::kBits);
    EXPECT_EQ(control.crc, top_->crc_i);
    EXPECT_EQ(control.grant, top_->flag_i != 0);
    EXPECT_EQ(control.src, top_->src_i);
    EXPECT_EQ(control.dst, top_->dst_i);
    EXPECT_EQ(control.ctx, top_->ctx_i);
    EXPECT_EQ(control.epoch, top_->epoch_i);
    EXPECT_EQ(control.count, top_->count_i);
    std::remove_reference_t<decltype(top_->ctl_o)> copy{};
    control.Store(reinterpret_cast<uint8_t*>(&copy), Control::kBits);
    EXPECT_EQ(std::memcmp(&copy, &top_->ctl_o, sizeof copy), 0);
  }
}

TEST_F(Types, PacketCrcIsThatOfTheHardware) {
  for (int i = 0; i < 50; ++i) {
    Randomize();
    uint8_t header[Packet::kBytes] = {};
    CopyBits(header, 0, Bytes(top_->packet_o), Packet::kBits, Packet::kBits);
    uint8_t strobes[8], line[64];
    const uint16_t tag = top_->tag_i, seq = top_->seq_i;
    for (int j = 0; j < 4; ++j) std::memcpy(strobes + 2 * j, &tag, 2);
    for (int j = 0; j < 32; ++j) std::memcpy(line + 2 * j, &seq, 2);
    EXPECT_EQ(PacketCrc(header, Packet::kCrcLsb, strobes, line, 64), top_->crc_o);
  }
}

// Every offset and width against one bit at a time.
TEST(Bits, LoadStoreCopyAgreeWithSingleBits) {
  std::mt19937_64 random(kSeed);
  const auto bit = [](const uint8_t* v, uint32_t i) { return v[i / 8] >> (i % 8) & 1; };
  for (uint32_t lsb = 0; lsb < 64; ++lsb) {
    for (uint32_t width = 1; width <= 64; ++width) {
      uint8_t vector[20], before[20];
      for (uint8_t& byte : vector) byte = static_cast<uint8_t>(random());
      std::memcpy(before, vector, sizeof vector);
      const uint64_t loaded = LoadBits(vector, lsb, width);
      for (uint32_t i = 0; i < 64; ++i) {
        ASSERT_EQ(loaded >> i & 1, i < width ? bit(vector, lsb + i) : 0u) << lsb << " " << width;
      }
      const uint64_t value = width == 64 ? random() : random() & ((uint64_t{1} << width) - 1);
      StoreBits(vector, lsb, width, value);
      for (uint32_t i = 0; i < 160; ++i) {
        const bool inside = i >= lsb && i < lsb + width;
        const uint32_t expected = inside ? value >> (i - lsb) & 1 : bit(before, i);
        ASSERT_EQ(bit(vector, i), static_cast<int>(expected)) << lsb << " " << width;
      }
    }
  }
  uint8_t from[64], to[64];
  for (uint8_t& byte : from) byte = static_cast<uint8_t>(random());
  for (uint32_t to_lsb : {0u, 8u, 13u, 83u}) {
    for (uint32_t from_lsb : {0u, 16u, 5u, 175u}) {
      for (uint32_t width : {40u, 83u, 128u, 175u}) {
        std::memset(to, 0xa5, sizeof to);
        CopyBits(to, to_lsb, from, from_lsb, width);
        for (uint32_t i = 0; i < 300; ++i) {
          const bool inside = i >= to_lsb && i < to_lsb + width;
          const int expected = inside ? bit(from, from_lsb + i - to_lsb) : 0xa5 >> (i % 8) & 1;
          ASSERT_EQ(bit(to, i), expected) << to_lsb << " " << from_lsb << " " << width;
        }
      }
    }
  }
}

TEST(Bits, CountStrobes) {
  uint8_t strobes[16] = {0xff, 0, 0x01, 0, 0, 0, 0, 0x80, 0x0f};
  EXPECT_EQ(CountStrobes(strobes, 64), 10u);
  EXPECT_EQ(CountStrobes(strobes, 128), 14u);
}

}  // namespace
}  // namespace t3::tb
