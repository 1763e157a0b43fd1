#include "sw/golden/tests/reference.h"

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>

namespace t3::golden {
namespace {

constexpr int FractionBits(Format f) {
  return f == Format::kFp16 ? 10 : f == Format::kBf16 ? 7 : 23;
}
constexpr int LeastExponent(Format f) { return f == Format::kFp16 ? -14 : -126; }
constexpr uint32_t SignBit(Format f) { return f == Format::kFp32 ? 0x80000000u : 0x8000u; }
constexpr uint32_t Infinity(Format f) {
  return f == Format::kFp16 ? 0x7c00u : f == Format::kBf16 ? 0x7f80u : 0x7f800000u;
}
uint32_t Absolute(Format f, uint32_t bits) { return bits & ~SignBit(f); }

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

uint32_t ReferenceAdd(Format f, uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  switch (f) {
    case Format::kFp16:
      sum = (Eigen::half_impl::raw_uint16_to_half(static_cast<uint16_t>(a)) +
             Eigen::half_impl::raw_uint16_to_half(static_cast<uint16_t>(b)))
                .x;
      break;
    case Format::kBf16:
      sum = (Eigen::bfloat16_impl::raw_uint16_to_bfloat16(static_cast<uint16_t>(a)) +
             Eigen::bfloat16_impl::raw_uint16_to_bfloat16(static_cast<uint16_t>(b)))
                .value;
      break;
    case Format::kFp32: {
      float x, y;
      std::memcpy(&x, &a, sizeof x);
      std::memcpy(&y, &b, sizeof y);
      sum = BitsOf(x + y);
      break;
    }
  }
  if (!IsNan(f, sum)) return sum;
  return f == Format::kFp16 ? 0x7e00u : f == Format::kBf16 ? 0x7fc0u : 0x7fc00000u;
}

double ValueOf(Format f, uint32_t bits) {
  const int fraction_bits = FractionBits(f);
  const uint32_t field = Absolute(f, bits) >> fraction_bits;
  const uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  const uint32_t significand = field == 0 ? fraction : fraction + (1u << fraction_bits);
  const int scale =
      LeastExponent(f) - fraction_bits + (field == 0 ? 0 : static_cast<int>(field) - 1);
  const double magnitude = std::ldexp(static_cast<double>(significand), scale);
  return (bits & SignBit(f)) ? -magnitude : magnitude;
}

uint32_t RoundReal(Format f, double value) {
  const int fraction_bits = FractionBits(f);
  const uint32_t sign = std::signbit(value) ? SignBit(f) : 0;
  int exponent = 0;
  std::frexp(value, &exponent);  // |value| < 2^exponent
  const int least_scale = LeastExponent(f) - fraction_bits;
  int scale = std::max(exponent - 1 - fraction_bits, least_scale);
  double places = std::nearbyint(std::ldexp(std::fabs(value), -scale));
  const double hidden = std::ldexp(1.0, fraction_bits);
  if (places == 2 * hidden) {
    places = hidden;
    ++scale;
  }
  if (places < hidden) return sign | static_cast<uint32_t>(places);
  const int field = scale - least_scale + 1;
  if (field >= static_cast<int>(Infinity(f) >> fraction_bits)) return sign | Infinity(f);
  return sign | static_cast<uint32_t>(field) << fraction_bits |
         static_cast<uint32_t>(places - hidden);
}

uint32_t ReferenceFromFloat(Format f, float value) {
  return f == Format::kFp16 ? Eigen::half(value).x : Eigen::bfloat16(value).value;
}

bool IsNan(Format f, uint32_t bits) { return Absolute(f, bits) > Infinity(f); }
bool IsInfinite(Format f, uint32_t bits) { return Absolute(f, bits) == Infinity(f); }
bool IsSubnormal(Format f, uint32_t bits) {
  return Absolute(f, bits) != 0 && Absolute(f, bits) < (1u << FractionBits(f));
}

uint32_t ElementAt(Format f, const void* row, uint32_t index) {
  const char* from = static_cast<const char*>(row);
  if (f == Format::kFp32) {
    uint32_t word;
    std::memcpy(&word, from + 4 * size_t{index}, sizeof word);
    return word;
  }
  uint16_t word;
  std::memcpy(&word, from + 2 * size_t{index}, sizeof word);
  return word;
}

uint64_t FromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoull(text);
}

}  // namespace t3::golden
