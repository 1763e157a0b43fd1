// C++ mirrors of the packed structs of t3_pkg that cross the ports of t3_top, and
// the places of their fields.
#pragma once

#include <cstdint>

#include "tb/harness/bits.h"

namespace t3::tb {

// Field widths of t3_pkg.
constexpr uint32_t kAddrW = 40, kDeviceW = 6, kCtxW = 2, kChunkW = 9, kGridW = 16, kWfW = 5;
constexpr uint32_t kEpochW = 40, kCrcW = 16, kSeqW = 16, kTagW = 16, kCreditW = 12;
constexpr uint32_t kNumCtx = 4;

enum Cls : uint8_t {
  kClsGemmRead,
  kClsGemmStore,
  kClsIncoming,
  kClsDmaRead,
  kClsFill,
  kClsTrackRead,
  kClsTrackWrite
};
constexpr uint32_t kNumCls = 7;
enum MemOp : uint8_t { kMemRead, kMemStore, kMemUpdate };

enum class ErrorCause : uint8_t {
  kNone,
  kCtxDead,
  kEpoch,
  kGrid,
  kChunk,
  kAddress,
  kStrobe,
  kUnexpected,
  kCrc,
  kSequence,
  kExcess,
  kCredit
};

// t3_pkg::subtile_t
struct Subtile {
  uint8_t ctx = 0;
  uint16_t chunk = 0, wgx = 0, wgy = 0;
  uint8_t wf = 0;

  static constexpr uint32_t kBits = kCtxW + kChunkW + 2 * kGridW + kWfW;

  uint64_t Pack() const {
    uint64_t v = ctx;
    v = v << kChunkW | chunk;
    v = v << kGridW | wgx;
    v = v << kGridW | wgy;
    return v << kWfW | wf;
  }
  static Subtile Unpack(uint64_t v) {
    Subtile s;
    s.wf = v & ((1u << kWfW) - 1);
    s.wgy = static_cast<uint16_t>(v >> kWfW);
    s.wgx = static_cast<uint16_t>(v >> (kWfW + kGridW));
    s.chunk = v >> (kWfW + 2 * kGridW) & ((1u << kChunkW) - 1);
    s.ctx = v >> (kWfW + 2 * kGridW + kChunkW) & ((1u << kCtxW) - 1);
    return s;
  }
};

// t3_pkg::mem_req_t
struct MemReq {
  uint8_t cls = 0, op = 0, fmt = 0, ctx = 0;
  bool count = false;
  uint16_t tag = 0;
  uint64_t addr = 0;

  static constexpr uint32_t kTagLsb = kAddrW;
  static constexpr uint32_t kTopLsb = kTagLsb + kTagW;  // count, ctx, fmt, op, cls upwards
  static constexpr uint32_t kTopBits = 1 + kCtxW + 2 + 2 + 3;
  static constexpr uint32_t kBits = kTopLsb + kTopBits;

  void Store(uint8_t* vector, uint32_t lsb) const {
    tb::StoreBits(vector, lsb, kTopLsb, uint64_t{tag} << kTagLsb | addr);
    uint32_t top = cls;
    top = top << 2 | op;
    top = top << 2 | fmt;
    top = top << kCtxW | ctx;
    tb::StoreBits(vector, lsb + kTopLsb, kTopBits, top << 1 | count);
  }
  static MemReq Load(const uint8_t* vector, uint32_t lsb) {
    MemReq r;
    const uint64_t low = tb::LoadBits(vector, lsb, kTopLsb);
    r.addr = low & ((uint64_t{1} << kAddrW) - 1);
    r.tag = static_cast<uint16_t>(low >> kTagLsb);
    const uint32_t top = static_cast<uint32_t>(tb::LoadBits(vector, lsb + kTopLsb, kTopBits));
    r.count = top & 1;
    r.ctx = top >> 1 & 3;
    r.fmt = top >> 3 & 3;
    r.op = top >> 5 & 3;
    r.cls = static_cast<uint8_t>(top >> 7);
    return r;
  }
};

// t3_pkg::packet_t. Packets travel packed; single fields are read in place.
struct Packet {
  uint16_t crc = 0, seq = 0;
  uint8_t src = 0, dst = 0;
  uint64_t epoch = 0;
  uint8_t op = 0, fmt = 0;
  uint64_t addr = 0;
  Subtile sub;

  static constexpr uint32_t kAddrLsb = Subtile::kBits;
  static constexpr uint32_t kFmtLsb = kAddrLsb + kAddrW;
  static constexpr uint32_t kOpLsb = kFmtLsb + 2;
  static constexpr uint32_t kEpochLsb = kOpLsb + 1;
  static constexpr uint32_t kDstLsb = kEpochLsb + kEpochW;
  static constexpr uint32_t kSrcLsb = kDstLsb + kDeviceW;
  static constexpr uint32_t kSeqLsb = kSrcLsb + kDeviceW;
  static constexpr uint32_t kCrcLsb = kSeqLsb + kSeqW;
  static constexpr uint32_t kBits = kCrcLsb + kCrcW;
  static constexpr uint32_t kCtxLsb = Subtile::kBits - kCtxW;
  static constexpr uint32_t kBytes = (kBits + 31) / 32 * 4;  // of a vector of its own

  void Store(uint8_t* vector, uint32_t lsb) const {
    tb::StoreBits(vector, lsb, Subtile::kBits, sub.Pack());
    tb::StoreBits(vector, lsb + kAddrLsb, kAddrW, addr);
    tb::StoreBits(vector, lsb + kFmtLsb, 2, fmt);
    tb::StoreBits(vector, lsb + kOpLsb, 1, op);
    tb::StoreBits(vector, lsb + kEpochLsb, kEpochW, epoch);
    tb::StoreBits(vector, lsb + kDstLsb, kDeviceW, dst);
    tb::StoreBits(vector, lsb + kSrcLsb, kDeviceW, src);
    tb::StoreBits(vector, lsb + kSeqLsb, kSeqW, seq);
    tb::StoreBits(vector, lsb + kCrcLsb, kCrcW, crc);
  }
  static Packet Load(const uint8_t* vector, uint32_t lsb) {
    Packet p;
    p.sub = Subtile::Unpack(tb::LoadBits(vector, lsb, Subtile::kBits));
    p.addr = tb::LoadBits(vector, lsb + kAddrLsb, kAddrW);
    p.fmt = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kFmtLsb, 2));
    p.op = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kOpLsb, 1));
    p.epoch = tb::LoadBits(vector, lsb + kEpochLsb, kEpochW);
    p.dst = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kDstLsb, kDeviceW));
    p.src = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kSrcLsb, kDeviceW));
    p.seq = static_cast<uint16_t>(tb::LoadBits(vector, lsb + kSeqLsb, kSeqW));
    p.crc = static_cast<uint16_t>(tb::LoadBits(vector, lsb + kCrcLsb, kCrcW));
    return p;
  }
};

// t3_pkg::ctl_t
struct Control {
  uint16_t crc = 0;
  bool grant = false;
  uint8_t src = 0, dst = 0, ctx = 0;
  uint64_t epoch = 0;
  uint16_t count = 0;

  static constexpr uint32_t kEpochLsb = kCreditW;
  static constexpr uint32_t kCtxLsb = kEpochLsb + kEpochW;
  static constexpr uint32_t kDstLsb = kCtxLsb + kCtxW;
  static constexpr uint32_t kSrcLsb = kDstLsb + kDeviceW;
  static constexpr uint32_t kGrantLsb = kSrcLsb + kDeviceW;
  static constexpr uint32_t kCrcLsb = kGrantLsb + 1;
  static constexpr uint32_t kBits = kCrcLsb + kCrcW;
  static constexpr uint32_t kBytes = (kBits + 31) / 32 * 4;

  void Store(uint8_t* vector, uint32_t lsb) const {
    tb::StoreBits(vector, lsb, kCreditW, count);
    tb::StoreBits(vector, lsb + kEpochLsb, kEpochW, epoch);
    tb::StoreBits(vector, lsb + kCtxLsb, kCtxW, ctx);
    tb::StoreBits(vector, lsb + kDstLsb, kDeviceW, dst);
    tb::StoreBits(vector, lsb + kSrcLsb, kDeviceW, src);
    tb::StoreBits(vector, lsb + kGrantLsb, 1, grant);
    tb::StoreBits(vector, lsb + kCrcLsb, kCrcW, crc);
  }
  static Control Load(const uint8_t* vector, uint32_t lsb) {
    Control c;
    c.count = static_cast<uint16_t>(tb::LoadBits(vector, lsb, kCreditW));
    c.epoch = tb::LoadBits(vector, lsb + kEpochLsb, kEpochW);
    c.ctx = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kCtxLsb, kCtxW));
    c.dst = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kDstLsb, kDeviceW));
    c.src = static_cast<uint8_t>(tb::LoadBits(vector, lsb + kSrcLsb, kDeviceW));
    c.grant = tb::LoadBits(vector, lsb + kGrantLsb, 1);
    c.crc = static_cast<uint16_t>(tb::LoadBits(vector, lsb + kCrcLsb, kCrcW));
    return c;
  }
};

// CRC of t3_crc16 over the concatenation, most significant part first, of the
// `header_bits` low bits of a header, the strobes and the line.
inline uint16_t PacketCrc(const uint8_t* header, uint32_t header_bits, const uint8_t* strobes,
                          const uint8_t* data, uint32_t line_bytes) {
  uint16_t crc = 0xffff;
  const auto feed = [&crc](const uint8_t* bytes, uint32_t bits) {
    for (uint32_t i = bits; i-- > 0;) {
      const bool bit = (bytes[i / 8] >> (i % 8) & 1) != (crc >> 15);
      crc = static_cast<uint16_t>(crc << 1) ^ (bit ? 0x1021 : 0);
    }
  };
  feed(header, header_bits);
  feed(strobes, line_bytes);
  feed(data, line_bytes * 8);
  return crc;
}

}  // namespace t3::tb
