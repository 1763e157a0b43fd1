#include "sw/golden/format.h"

#include <cstring>

namespace t3::golden {
namespace {

// Widths of a format: exponent and stored significand bits.
struct Layout {
  uint32_t exponent, mantissa;
};

constexpr Layout LayoutOf(Format f) {
  switch (f) {
    case Format::kFp16: return {5, 10};
    case Format::kBf16: return {8, 7};
    case Format::kFp32: return {8, 23};
  }
  return {8, 23};
}

// A finite non-zero magnitude as significand * 2^(exponent - bias - mantissa),
// with exponent at least 1 (subnormals have exponent 1 and no hidden bit).
struct Magnitude {
  uint64_t significand;
  uint32_t exponent;
};

template <uint32_t kExponent, uint32_t kMantissa>
Magnitude Unpack(uint32_t bits) {
  const uint32_t exponent = (bits >> kMantissa) & ((1u << kExponent) - 1);
  const uint64_t fraction = bits & ((1u << kMantissa) - 1);
  if (exponent == 0) return {fraction, 1};
  return {fraction | (uint64_t{1} << kMantissa), exponent};
}

// Exact sum in 64-bit integers: the smaller operand is shifted against the larger
// one by at most kMantissa + 4 places; what lies below only says "not zero".
template <uint32_t kExponent, uint32_t kMantissa>
uint32_t AddAs(uint32_t a, uint32_t b, uint32_t nan) {
  constexpr uint32_t kSign = 1u << (kExponent + kMantissa);
  constexpr uint32_t kInfinity = ((1u << kExponent) - 1) << kMantissa;
  const uint32_t abs_a = a & (kSign - 1), abs_b = b & (kSign - 1);
  if (abs_a > kInfinity || abs_b > kInfinity) return nan;
  if (abs_a == kInfinity || abs_b == kInfinity) {
    if (abs_a == abs_b && a != b) return nan;
    return abs_a == kInfinity ? a : b;
  }
  const bool swap = abs_b > abs_a;
  const uint32_t large = swap ? b : a, small = swap ? a : b;
  const Magnitude x = Unpack<kExponent, kMantissa>(large & (kSign - 1));
  const Magnitude y = Unpack<kExponent, kMantissa>(small & (kSign - 1));

  // kExtra bits below the large operand's last place hold the small one's rest.
  constexpr uint32_t kExtra = kMantissa + 4;
  const uint32_t distance = x.exponent - y.exponent;
  const uint64_t wide = y.significand << kExtra;
  uint64_t aligned;
  if (distance > kExtra + kMantissa) {
    aligned = y.significand != 0;  // far below half a unit in the last place
  } else {
    aligned = (wide >> distance) | ((wide & ((uint64_t{1} << distance) - 1)) != 0);
  }
  const bool subtract = ((a ^ b) & kSign) != 0;
  uint64_t sum = x.significand << kExtra;
  sum = subtract ? sum - aligned : sum + aligned;
  if (sum == 0) return subtract ? 0 : (a & b & kSign);

  // Bring the leading one to the hidden bit's place, not below exponent 1.
  uint32_t exponent = x.exponent;
  constexpr uint32_t kHidden = kMantissa + kExtra;
  const uint32_t leading = 63 - static_cast<uint32_t>(__builtin_clzll(sum));
  if (leading > kHidden) {
    sum = (sum >> 1) | (sum & 1);
    ++exponent;
  } else {
    uint32_t shift = kHidden - leading;
    if (shift > exponent - 1) shift = exponent - 1;
    sum <<= shift;
    exponent -= shift;
  }
  const bool normal = (sum >> kHidden) != 0;
  uint64_t kept = sum >> kExtra;
  const uint64_t rest = sum & ((uint64_t{1} << kExtra) - 1);
  constexpr uint64_t kHalf = uint64_t{1} << (kExtra - 1);
  if (rest > kHalf || (rest == kHalf && (kept & 1))) ++kept;
  // A carry out of the significand moves into the exponent by itself.
  const uint64_t packed =
      normal ? (uint64_t{exponent} << kMantissa) + kept - (uint64_t{1} << kMantissa) : kept;
  const uint32_t magnitude = packed >= kInfinity ? kInfinity : static_cast<uint32_t>(packed);
  return (large & kSign) | magnitude;
}

}  // namespace

uint32_t MinusZero(Format f) { return f == Format::kFp32 ? 0x80000000u : 0x8000u; }

uint32_t CanonicalNan(Format f) {
  switch (f) {
    case Format::kFp16: return 0x7e00u;
    case Format::kBf16: return 0x7fc0u;
    case Format::kFp32: return 0x7fc00000u;
  }
  return 0;
}

uint32_t Add(Format f, uint32_t a, uint32_t b) {
  switch (f) {
    case Format::kFp16: return AddAs<5, 10>(a, b, 0x7e00u);
    case Format::kBf16: return AddAs<8, 7>(a, b, 0x7fc0u);
    case Format::kFp32: return AddAs<8, 23>(a, b, 0x7fc00000u);
  }
  return 0;
}

uint32_t FromFloat(Format f, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if (f == Format::kFp32) return bits;
  if (f == Format::kBf16) {
    const uint32_t lsb = (bits >> 16) & 1;
    return (bits + 0x7fffu + lsb) >> 16;
  }
  // fp16: shift the 24-bit significand to its place, round to nearest even.
  const Layout layout = LayoutOf(f);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const int exponent = static_cast<int>((bits >> 23) & 0xff) - 127 + 15;
  const uint64_t significand = (bits & 0x7fffffu) | ((bits & 0x7f800000u) ? 0x800000u : 0u);
  if (exponent > 30) return sign | 0x7c00u;
  int shift = 23 - static_cast<int>(layout.mantissa);
  if (exponent < 1) shift += 1 - exponent;
  if (shift > 40) return sign;
  uint64_t kept = significand >> shift;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;
  const uint32_t base = exponent < 1 ? 0 : static_cast<uint32_t>(exponent - 1) << 10;
  const uint32_t magnitude = base + static_cast<uint32_t>(kept);
  return sign | (magnitude >= 0x7c00u ? 0x7c00u : magnitude);
}

}  // namespace t3::golden
