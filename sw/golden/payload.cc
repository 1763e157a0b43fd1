#include "sw/golden/payload.h"

#include <cstring>
#include <vector>

namespace t3::golden {
namespace {

// A finalizer with full avalanche (multiply-xorshift).
inline uint64_t Mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return x;
}

inline uint64_t StreamKey(uint64_t seed, uint32_t device, uint32_t kernel, uint32_t row) {
  return Mix(Mix(seed ^ 0x9e3779b97f4a7c15u) + (uint64_t{device} << 32 | kernel)) ^
         Mix(uint64_t{row} + 0x51ed270b7a1f39u);
}

// Finite values of mixed sign: exponents in a band of 12 around 1.0, so that sums
// of 64 of them stay finite in fp16 and cancel now and then.
inline uint32_t RandomValue(Format f, uint64_t h) {
  const uint32_t spread = static_cast<uint32_t>(h >> 40) % 12;
  switch (f) {
    case Format::kFp16:
      return (static_cast<uint32_t>(h) & 0x8000u) | ((9 + spread) << 10 & 0x7c00u) |
             (static_cast<uint32_t>(h >> 16) & 0x3ffu);
    case Format::kBf16:
      return (static_cast<uint32_t>(h) & 0x8000u) | ((121 + spread) << 7 & 0x7f80u) |
             (static_cast<uint32_t>(h >> 16) & 0x7fu);
    case Format::kFp32:
      return (static_cast<uint32_t>(h) & 0x80000000u) | ((121 + spread) << 23 & 0x7f800000u) |
             (static_cast<uint32_t>(h >> 8) & 0x7fffffu);
  }
  return 0;
}

// Bit patterns that adders get wrong.
inline uint32_t SpecialValue(Format f, uint64_t h, uint64_t shared) {
  const uint32_t mantissa = f == Format::kFp16 ? 10 : f == Format::kBf16 ? 7 : 23;
  const uint32_t sign_bit = f == Format::kFp32 ? 0x80000000u : 0x8000u;
  const uint32_t infinity = (sign_bit - 1) & ~((1u << mantissa) - 1);
  const uint32_t sign = (h & 1) ? sign_bit : 0;
  const uint32_t fraction = static_cast<uint32_t>(h >> 20) & ((1u << mantissa) - 1);
  switch ((h >> 1) % 16) {
    case 0: return sign;                                   // zero
    case 1: return sign | fraction;                        // subnormal
    case 2: return sign | 1;                               // least subnormal
    case 3: return sign | ((1u << mantissa) - 1);          // greatest subnormal
    case 4: return sign | (1u << mantissa);                // least normal
    case 5: return sign | (infinity - 1);                  // greatest finite
    case 6: return (h >> 5) % 8 ? RandomValue(f, h) : sign | infinity;
    case 7: return (h >> 5) % 8 ? RandomValue(f, h) : infinity | (fraction | 1) | sign;  // NaN
    // Values that all devices share but for the sign: sums cancel exactly or nearly.
    case 8:
    case 9: return (RandomValue(f, shared) & ~sign_bit) | sign;
    case 10: return ((RandomValue(f, shared) & ~sign_bit) ^ (h >> 9 & 1)) | sign;
    default: return RandomValue(f, h);
  }
}

// Entry of A or B: an integer of -4..4 over 8, so that products and their sums are
// exact in fp32 for K up to 2^17 and more.
inline float Entry(uint64_t key, uint32_t index) {
  return static_cast<float>(static_cast<int>(Mix(key + index) % 9) - 4) * 0.125f;
}

template <typename T>
void Put(void* out, uint32_t i, uint32_t value) {
  const T v = static_cast<T>(value);
  std::memcpy(static_cast<char*>(out) + size_t{i} * sizeof(T), &v, sizeof v);
}

inline void PutElement(Format f, void* out, uint32_t i, uint32_t value) {
  if (f == Format::kFp32) Put<uint32_t>(out, i, value);
  else Put<uint16_t>(out, i, value);
}

}  // namespace

Payload::Payload(const PayloadSpec& spec) : spec_(spec) {}

void Payload::Row(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col,
                  uint32_t count, void* out) const {
  const Format f = spec_.format;
  const uint64_t key = StreamKey(spec_.seed, device, kernel, row);
  switch (spec_.kind) {
    case DataKind::kRandom:
      for (uint32_t i = 0; i < count; ++i) {
        PutElement(f, out, i, RandomValue(f, Mix(key + col + i)));
      }
      return;
    case DataKind::kSpecials: {
      const uint64_t shared = StreamKey(spec_.seed, 0xffffffffu, kernel, row);
      for (uint32_t i = 0; i < count; ++i) {
        PutElement(f, out, i,
                   SpecialValue(f, Mix(key + col + i), Mix(shared + col + i)));
      }
      return;
    }
    case DataKind::kGemm: {
      std::vector<float> sum(count, 0.0f);
      const uint64_t a_key = StreamKey(spec_.seed + 1, device, kernel, row);
      for (uint32_t k = 0; k < spec_.k; ++k) {
        const float a = Entry(a_key, k);
        const uint64_t b_key = StreamKey(spec_.seed + 2, device, kernel, k);
        for (uint32_t i = 0; i < count; ++i) sum[i] += a * Entry(b_key, col + i);
      }
      for (uint32_t i = 0; i < count; ++i) PutElement(f, out, i, FromFloat(f, sum[i]));
      return;
    }
  }
}

}  // namespace t3::golden
