// The adders and the conversion against the references of reference.h.
//
// T3_ADD_OPERANDS=65536 adds all pairs of fp16 and of bf16 (minutes);
// T3_ADD_PAIRS=100000000 raises the number of random fp32 pairs; T3_SEED changes them.
#include "sw/golden/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "sw/golden/tests/reference.h"

namespace t3::golden {
namespace {

constexpr Format kFormats[] = {Format::kFp16, Format::kBf16, Format::kFp32};

uint64_t Seed() {
  static const uint64_t seed = FromEnvironment("T3_SEED", 1);
  std::printf("T3_SEED=%llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

// Each exponent with fractions that make ties, carries and long borrows; both signs.
std::vector<uint32_t> ChosenOperands(Format f) {
  const uint64_t wanted = FromEnvironment("T3_ADD_OPERANDS", 0);
  std::vector<uint32_t> operands;
  if (wanted >= 65536) {
    for (uint32_t bits = 0; bits < 65536; ++bits) operands.push_back(bits);
    return operands;
  }
  if (f == Format::kFp16) {
    for (uint32_t field = 0; field < 32; ++field) {
      for (uint32_t fraction : {0x000, 0x001, 0x002, 0x155, 0x1ff, 0x200, 0x201, 0x3fe, 0x3ff}) {
        operands.push_back(field << 10 | fraction);
        operands.push_back(0x8000 | field << 10 | fraction);
      }
    }
  } else {
    for (uint32_t field = 0; field < 256; ++field) {
      for (uint32_t fraction : {0x00, 0x01, 0x7f}) operands.push_back(field << 7 | fraction);
      // The other sign, fractions that vary with the exponent.
      operands.push_back(0x8000 | field << 7 | (field * 37 + 1) % 128);
    }
    for (uint32_t field : {0, 1, 2, 126, 127, 128, 253, 254, 255}) {
      for (uint32_t fraction : {0x00, 0x01, 0x02, 0x3f, 0x40, 0x41, 0x7e, 0x7f}) {
        operands.push_back(0x8000 | field << 7 | fraction);
      }
    }
  }
  return operands;
}

void CompareAllSums(Format f) {
  const std::vector<uint32_t> operands = ChosenOperands(f);
  ASSERT_GE(operands.size(), 300u);
  std::vector<double> value(65536);
  for (uint32_t a = 0; a < 65536; ++a) {
    if (!IsNan(f, a) && !IsInfinite(f, a)) value[a] = ValueOf(f, a);
  }
  uint64_t wrong = 0, by_real_numbers = 0;
  for (uint32_t b : operands) {
    const bool finite = !IsNan(f, b) && !IsInfinite(f, b);
    for (uint32_t a = 0; a < 65536 && wrong < 10; ++a) {
      const uint32_t found = Add(f, a, b);
      const uint32_t expected = ReferenceAdd(f, a, b);
      if (found != expected || found != Add(f, b, a)) {
        ++wrong;
        ADD_FAILURE() << std::hex << a << " + " << b << " = " << found << ", expected " << expected;
      }
      // Definitions instead of somebody's code, for a part of the sums.
      if (!finite || (a ^ b) % 8 != 0 || IsNan(f, a) || IsInfinite(f, a)) continue;
      ++by_real_numbers;
      const uint32_t rounded = RoundReal(f, value[a] + value[b]);
      if (found != rounded) {
        ++wrong;
        ADD_FAILURE() << std::hex << a << " + " << b << " = " << found << ", really " << rounded;
      }
    }
  }
  EXPECT_GE(by_real_numbers, operands.size() * 65536 / 10);
  std::printf("%zu operands with each of 65536 patterns, %llu sums by real numbers\n",
              operands.size(), static_cast<unsigned long long>(by_real_numbers));
}

TEST(Format, SumsOfFp16AreThoseOfEigenAndOfRealNumbers) { CompareAllSums(Format::kFp16); }

TEST(Format, SumsOfBf16AreThoseOfEigenAndOfRealNumbers) { CompareAllSums(Format::kBf16); }

void ExpectHardwareSum(uint32_t a, uint32_t b, uint64_t* wrong) {
  const uint32_t found = Add(Format::kFp32, a, b);
  const uint32_t expected = ReferenceAdd(Format::kFp32, a, b);
  if (found == expected || ++*wrong > 10) return;
  ADD_FAILURE() << std::hex << a << " + " << b << " = " << found << ", expected " << expected;
}

TEST(Format, SumsOfFp32AreThoseOfTheProcessor) {
  const uint64_t pairs = FromEnvironment("T3_ADD_PAIRS", 4'000'000);
  std::mt19937_64 random(Seed());
  uint64_t wrong = 0, cancelled = 0, subnormal = 0;
  for (uint64_t i = 0; i < pairs; ++i) {
    const uint64_t bits = random();
    uint32_t a = static_cast<uint32_t>(bits), b = static_cast<uint32_t>(bits >> 32);
    if (i % 2 == 0) {  // exponents at most 26 apart
      const uint64_t more = random();
      const int field_a = static_cast<int>(more % 255);
      const int apart = static_cast<int>((more >> 8) % 53) - 26;
      const int field_b = std::min(std::max(field_a + apart, 0), 254);
      // Few significant bits make ties; equal fractions cancel.
      const uint32_t sparse = 0xffffffffu << ((more >> 16) % 24);
      const uint32_t fraction_b = (more >> 24) % 4 == 0 ? b & sparse : b;
      a = (a & 0x807fffffu) | static_cast<uint32_t>(field_a) << 23;
      b = (fraction_b & 0x807fffffu) | static_cast<uint32_t>(field_b) << 23;
      if ((more >> 32) % 8 == 0) {  // opposite, at most some last places apart
        b = (a ^ 0x80000000u) + static_cast<uint32_t>((more >> 40) % 9) - 4;
      }
    }
    ExpectHardwareSum(a, b, &wrong);
    ExpectHardwareSum(b, a, &wrong);
    const uint32_t sum = ReferenceAdd(Format::kFp32, a, b);
    cancelled += (sum & 0x7fffffffu) == 0;
    subnormal += IsSubnormal(Format::kFp32, sum);
  }
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(cancelled, pairs / 1000);
  EXPECT_GE(subnormal, pairs / 1000);
  std::printf("%llu pairs, %llu cancel, %llu subnormal sums\n",
              static_cast<unsigned long long>(pairs), static_cast<unsigned long long>(cancelled),
              static_cast<unsigned long long>(subnormal));
}

TEST(Format, SumsOfFp32Corners) {
  std::vector<uint32_t> corners;
  for (uint32_t field :
       {0, 1, 2, 23, 24, 25, 26, 103, 126, 127, 128, 150, 151, 152, 253, 254, 255}) {
    for (uint32_t fraction :
         {0x0u, 0x1u, 0x2u, 0x3u, 0x3fffffu, 0x400000u, 0x400001u, 0x7ffffeu, 0x7fffffu}) {
      corners.push_back(field << 23 | fraction);
      corners.push_back(0x80000000u | field << 23 | fraction);
    }
  }
  uint64_t wrong = 0;
  for (uint32_t a : corners) {
    for (uint32_t b : corners) ExpectHardwareSum(a, b, &wrong);
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(Format, SumsWorkedOutByHand) {
  const Format h = Format::kFp16;
  EXPECT_EQ(Add(h, 0x3c00, 0x3c00), 0x4000u);  // 1 + 1
  EXPECT_EQ(Add(h, 0x3c00, 0x1000), 0x3c00u);  // 1 + 2^-11: a tie, to even
  EXPECT_EQ(Add(h, 0x3c01, 0x1000), 0x3c02u);  // a tie, to even upwards
  EXPECT_EQ(Add(h, 0x3c00, 0x1001), 0x3c01u);  // just above the tie
  EXPECT_EQ(Add(h, 0x0001, 0x03ff), 0x0400u);  // subnormals become normal
  EXPECT_EQ(Add(h, 0x0400, 0x8001), 0x03ffu);  // and the reverse
  EXPECT_EQ(Add(h, 0x7bff, 0x4c00), 0x7c00u);  // 65504 + 16: a tie, to infinity
  EXPECT_EQ(Add(h, 0x7bff, 0x4bff), 0x7bffu);  // just below it
  EXPECT_EQ(Add(h, 0xfbff, 0xfbff), 0xfc00u);
  EXPECT_EQ(Add(h, 0x7c00, 0xfc00), 0x7e00u);  // infinity - infinity
  EXPECT_EQ(Add(h, 0xfc00, 0x7bff), 0xfc00u);
  EXPECT_EQ(Add(h, 0xfd01, 0x3c00), 0x7e00u);  // a signalling NaN of the other sign
  EXPECT_EQ(Add(h, 0x3c00, 0xbc00), 0x0000u);  // 1 - 1 = +0
  EXPECT_EQ(Add(h, 0x8000, 0x0000), 0x0000u);
  EXPECT_EQ(Add(h, 0x8000, 0x8000), 0x8000u);
  const Format b = Format::kBf16;
  EXPECT_EQ(Add(b, 0x3f80, 0x3b80), 0x3f80u);  // 1 + 2^-8: a tie, to even
  EXPECT_EQ(Add(b, 0x3f81, 0x3b80), 0x3f82u);
  EXPECT_EQ(Add(b, 0x3f80, 0x3b81), 0x3f81u);
  EXPECT_EQ(Add(b, 0x7f80, 0xff80), 0x7fc0u);
  EXPECT_EQ(Add(b, 0x7f7f, 0x7b00), 0x7f80u);  // 255/256 * 2^128 + 2^119: a tie, to infinity
  EXPECT_EQ(Add(b, 0x3f80, 0xbf80), 0x0000u);
  const Format s = Format::kFp32;
  EXPECT_EQ(Add(s, 0x3f800000, 0x33800000), 0x3f800000u);  // 1 + 2^-24: a tie, to even
  EXPECT_EQ(Add(s, 0x3f800001, 0x33800000), 0x3f800002u);
  EXPECT_EQ(Add(s, 0x7f800000, 0xff800000), 0x7fc00000u);
  EXPECT_EQ(Add(s, 0x00000001, 0x807fffff), 0x807ffffeu);
}

TEST(Format, ConstantsAreThoseOfTheSpecification) {
  EXPECT_EQ(MinusZero(Format::kFp16), 0x8000u);
  EXPECT_EQ(MinusZero(Format::kBf16), 0x8000u);
  EXPECT_EQ(MinusZero(Format::kFp32), 0x80000000u);
  EXPECT_EQ(CanonicalNan(Format::kFp16), 0x7e00u);
  EXPECT_EQ(CanonicalNan(Format::kBf16), 0x7fc0u);
  EXPECT_EQ(CanonicalNan(Format::kFp32), 0x7fc00000u);
  EXPECT_EQ(ElementBytes(Format::kFp16), 2u);
  EXPECT_EQ(ElementBytes(Format::kBf16), 2u);
  EXPECT_EQ(ElementBytes(Format::kFp32), 4u);
}

TEST(Format, MinusZeroIsTheIdentity) {
  for (Format f : kFormats) {
    const uint32_t step = f == Format::kFp32 ? 65537 : 1;
    const uint64_t end = f == Format::kFp32 ? uint64_t{1} << 32 : 65536;
    for (uint64_t bits = 0; bits < end; bits += step) {
      const uint32_t x = static_cast<uint32_t>(bits);
      const uint32_t expected = IsNan(f, x) ? CanonicalNan(f) : x;
      ASSERT_EQ(Add(f, x, MinusZero(f)), expected) << std::hex << x;
      ASSERT_EQ(Add(f, MinusZero(f), x), expected) << std::hex << x;
    }
  }
}

TEST(Format, AddIntoAddsEachElementAndNoOther) {
  std::mt19937 random(static_cast<uint32_t>(Seed()));
  for (Format f : kFormats) {
    for (uint32_t count : {0u, 1u, 7u, 129u}) {
      const size_t bytes = size_t{count} * ElementBytes(f);
      std::vector<uint8_t> x(bytes + 1), sum(bytes + 4);
      for (uint8_t& byte : x) byte = static_cast<uint8_t>(random());
      for (uint8_t& byte : sum) byte = static_cast<uint8_t>(random());
      const std::vector<uint8_t> before = sum;
      AddInto(f, x.data() + 1, count, sum.data() + 1);  // at odd addresses
      for (uint32_t i = 0; i < count; ++i) {
        EXPECT_EQ(
            ElementAt(f, sum.data() + 1, i),
            ReferenceAdd(f, ElementAt(f, before.data() + 1, i), ElementAt(f, x.data() + 1, i)));
      }
      EXPECT_EQ(sum[0], before[0]);
      for (size_t i = bytes + 1; i < sum.size(); ++i) EXPECT_EQ(sum[i], before[i]);
    }
  }
}

TEST(Format, FromFloatIsExactWhereItCanBe) {
  for (Format f : {Format::kFp16, Format::kBf16}) {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      if (IsNan(f, bits) || IsInfinite(f, bits)) continue;
      ASSERT_EQ(FromFloat(f, static_cast<float>(ValueOf(f, bits))), bits) << std::hex << bits;
    }
  }
  for (float value : {0.0f, -0.0f, 1.5f, -3e-45f, 3e38f}) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    EXPECT_EQ(FromFloat(Format::kFp32, value), bits);
  }
}

TEST(Format, FromFloatRoundsToNearestEven) {
  for (Format f : {Format::kFp16, Format::kBf16}) {
    const uint32_t greatest = f == Format::kFp16 ? 0x7bff : 0x7f7f;
    for (uint32_t bits = 0; bits < greatest; ++bits) {
      // Half-way to the next number; a float has room for it.
      const float middle = static_cast<float>((ValueOf(f, bits) + ValueOf(f, bits + 1)) / 2);
      const float infinity = std::numeric_limits<float>::infinity();
      ASSERT_EQ(FromFloat(f, middle), bits + bits % 2) << std::hex << bits;
      ASSERT_EQ(FromFloat(f, std::nextafter(middle, 0.0f)), bits) << std::hex << bits;
      ASSERT_EQ(FromFloat(f, std::nextafter(middle, infinity)), bits + 1) << std::hex << bits;
      ASSERT_EQ(FromFloat(f, -middle), 0x8000 + bits + bits % 2) << std::hex << bits;
    }
    EXPECT_EQ(FromFloat(f, std::numeric_limits<float>::max()), greatest + 1);  // infinity
    EXPECT_EQ(FromFloat(f, -std::numeric_limits<float>::denorm_min()), 0x8000u);
  }
  std::mt19937 random(static_cast<uint32_t>(Seed()));
  for (int i = 0; i < 1'000'000; ++i) {
    const uint32_t bits = random();
    float value;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    for (Format f : {Format::kFp16, Format::kBf16}) {
      ASSERT_EQ(FromFloat(f, value), ReferenceFromFloat(f, value)) << std::hex << bits;
      ASSERT_EQ(FromFloat(f, value), RoundReal(f, value)) << std::hex << bits;
    }
  }
}

}  // namespace
}  // namespace t3::golden
