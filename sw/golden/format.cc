#include "sw/golden/format.h"

#include <algorithm>
#include <cstring>

namespace t3::golden {
namespace {

// Significands are computed with the hidden bit at this place of a 64-bit word,
// for all formats: 27 or more bits lie below the last place of the result.
constexpr uint32_t kHidden = 50;

// A format of 1 sign, kExponent exponent and kMantissa fraction bits.
template <typename WordType, uint32_t kExponent, uint32_t kMantissa>
struct Layout {
  using Word = WordType;
  static constexpr uint32_t kFractionBits = kMantissa;
  static constexpr uint32_t kBias = (1u << (kExponent - 1)) - 1;
  static constexpr uint32_t kSign = 1u << (kExponent + kMantissa);
  static constexpr uint32_t kInfinity = kSign - (1u << kMantissa);
  static constexpr uint32_t kNan = kInfinity | 1u << (kMantissa - 1);
};
using Fp16 = Layout<uint16_t, 5, 10>;
using Bf16 = Layout<uint16_t, 8, 7>;
using Fp32 = Layout<uint32_t, 8, 23>;

// The magnitude significand * 2^(exponent - bias - kHidden), exponent >= 1.
// Subnormal numbers have exponent 1 and no hidden bit.
struct Magnitude {
  uint64_t significand;
  uint32_t exponent;
};

template <typename L>
Magnitude Unpack(uint32_t absolute) {
  const uint32_t field = absolute >> L::kFractionBits;
  const uint32_t subnormal = field == 0;
  const uint64_t fraction = absolute & ((1u << L::kFractionBits) - 1);
  const uint64_t hidden = uint64_t{subnormal ^ 1} << L::kFractionBits;
  return {(fraction | hidden) << (kHidden - L::kFractionBits), field + subnormal};
}

// value / 2^distance; the last bit is also set when a set bit was shifted out,
// so that rounding still knows on which side of a tie the exact value lies.
uint64_t ShiftRight(uint64_t value, uint32_t distance) {
  const uint32_t places = std::min(distance, 63u);
  const uint64_t shifted = value >> places;
  return shifted | ((shifted << places) != value);
}

// Rounds a non-zero significand below 2^(kHidden + 2) to nearest even and packs it.
template <typename L>
uint32_t RoundAndPack(uint64_t significand, uint32_t exponent) {
  // The leading one goes to the place above the hidden bit, unless the exponent
  // would fall below 1: there the number is subnormal.
  constexpr uint32_t kTop = kHidden + 1;
  const uint32_t leading = 63 - static_cast<uint32_t>(__builtin_clzll(significand));
  const uint32_t shift = std::min(kTop - leading, exponent);
  significand <<= shift;
  exponent += 1 - shift;

  constexpr uint32_t kDropped = kTop - L::kFractionBits;
  constexpr uint64_t kBelowHalf = (uint64_t{1} << (kDropped - 1)) - 1;
  const uint64_t odd = significand >> kDropped & 1;
  const uint64_t kept = (significand + kBelowHalf + odd) >> kDropped;
  // The hidden bit, and a carry out of the significand, add one to the exponent.
  const uint64_t packed = (uint64_t{exponent - 1} << L::kFractionBits) + kept;
  return static_cast<uint32_t>(std::min<uint64_t>(packed, L::kInfinity));
}

template <typename L>
uint32_t AddAs(uint32_t a, uint32_t b) {
  const uint32_t abs_a = a & (L::kSign - 1), abs_b = b & (L::kSign - 1);
  const uint32_t large = std::max(abs_a, abs_b), small = std::min(abs_a, abs_b);
  const uint32_t sign = (abs_a >= abs_b ? a : b) & L::kSign;
  const uint32_t subtract = ((a ^ b) & L::kSign) != 0;
  if (large >= L::kInfinity) {
    if (large > L::kInfinity || (small == L::kInfinity && subtract)) return L::kNan;
    return sign | L::kInfinity;
  }
  const Magnitude x = Unpack<L>(large), y = Unpack<L>(small);
  const uint64_t aligned = ShiftRight(y.significand, x.exponent - y.exponent);
  const uint64_t negate = uint64_t{0} - subtract;
  const uint64_t sum = x.significand + ((aligned ^ negate) - negate);
  if (sum == 0) return a & b & L::kSign;  // -0 only from two of them
  return sign | RoundAndPack<L>(sum, x.exponent);
}

template <typename L>
void AddIntoAs(const void* x, size_t count, void* sum) {
  using Word = typename L::Word;
  const char* from = static_cast<const char*>(x);
  char* to = static_cast<char*>(sum);
  for (size_t i = 0; i < count * sizeof(Word); i += sizeof(Word)) {
    Word a, b;
    std::memcpy(&a, to + i, sizeof a);
    std::memcpy(&b, from + i, sizeof b);
    const Word result = static_cast<Word>(AddAs<L>(a, b));
    std::memcpy(to + i, &result, sizeof result);
  }
}

template <typename L>
uint32_t FromFloatAs(uint32_t bits) {
  const uint32_t absolute = bits & (Fp32::kSign - 1);
  const uint32_t sign = bits == absolute ? 0 : L::kSign;
  if (absolute == 0) return sign;
  Magnitude x = Unpack<Fp32>(absolute);
  // From one bias to the other; below exponent 1 the significand gives way.
  constexpr uint32_t kRebias = Fp32::kBias - L::kBias;
  if (x.exponent <= kRebias) {
    x.significand = ShiftRight(x.significand, kRebias + 1 - x.exponent);
    x.exponent = kRebias + 1;
  }
  return sign | RoundAndPack<L>(x.significand, x.exponent - kRebias);
}

}  // namespace

uint32_t MinusZero(Format f) {
  switch (f) {
    case Format::kFp16:
      return Fp16::kSign;
    case Format::kBf16:
      return Bf16::kSign;
    case Format::kFp32:
      return Fp32::kSign;
  }
  return 0;
}

uint32_t CanonicalNan(Format f) {
  switch (f) {
    case Format::kFp16:
      return Fp16::kNan;
    case Format::kBf16:
      return Bf16::kNan;
    case Format::kFp32:
      return Fp32::kNan;
  }
  return 0;
}

uint32_t Add(Format f, uint32_t a, uint32_t b) {
  switch (f) {
    case Format::kFp16:
      return AddAs<Fp16>(a, b);
    case Format::kBf16:
      return AddAs<Bf16>(a, b);
    case Format::kFp32:
      return AddAs<Fp32>(a, b);
  }
  return 0;
}

void AddInto(Format f, const void* x, size_t count, void* sum) {
  switch (f) {
    case Format::kFp16:
      return AddIntoAs<Fp16>(x, count, sum);
    case Format::kBf16:
      return AddIntoAs<Bf16>(x, count, sum);
    case Format::kFp32:
      return AddIntoAs<Fp32>(x, count, sum);
  }
}

uint32_t FromFloat(Format f, float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  switch (f) {
    case Format::kFp16:
      return FromFloatAs<Fp16>(bits);
    case Format::kBf16:
      return FromFloatAs<Bf16>(bits);
    case Format::kFp32:
      return FromFloatAs<Fp32>(bits);
  }
  return 0;
}

}  // namespace t3::golden
