// The payload is a pure function of its coordinates, and its kinds contain what
// they promise.
#include "sw/golden/payload.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sw/golden/tests/reference.h"

namespace t3::golden {
namespace {

constexpr Format kFormats[] = {Format::kFp16, Format::kBf16, Format::kFp32};
constexpr DataKind kKinds[] = {DataKind::kRandom, DataKind::kSpecials, DataKind::kGemm};

PayloadSpec SpecOf(DataKind kind, Format format) {
  PayloadSpec spec;
  spec.kind = kind;
  spec.format = format;
  spec.seed = 7;
  spec.m = 64;
  spec.n = 1500;
  spec.k = 37;
  return spec;
}

std::vector<uint32_t> RowOf(const PayloadSpec& spec, uint32_t device, uint32_t kernel,
                            uint32_t row) {
  std::vector<uint8_t> bytes(size_t{spec.n} * ElementBytes(spec.format));
  Payload(spec).Row(device, kernel, row, 0, spec.n, bytes.data());
  std::vector<uint32_t> elements(spec.n);
  for (uint32_t i = 0; i < spec.n; ++i) elements[i] = ElementAt(spec.format, bytes.data(), i);
  return elements;
}

size_t Differences(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

TEST(Payload, PiecesOfARowAreTheRow) {
  for (DataKind kind : kKinds) {
    for (Format format : kFormats) {
      const PayloadSpec spec = SpecOf(kind, format);
      const Payload payload(spec);
      const uint32_t element = ElementBytes(format);
      const std::vector<uint32_t> whole = RowOf(spec, 3, 2, 63);
      uint32_t size = 1;
      for (uint32_t col = 0; col < spec.n; col += size, size = size * 3 % 257) {
        size = std::min(size, spec.n - col);
        std::vector<uint8_t> piece(size_t{size} * element + 2, 0xa5);
        payload.Row(3, 2, 63, col, size, piece.data() + 1);
        for (uint32_t i = 0; i < size; ++i) {
          ASSERT_EQ(ElementAt(format, piece.data() + 1, i), whole[col + i]) << col + i;
        }
        ASSERT_EQ(piece.front(), 0xa5);  // nothing else was written
        ASSERT_EQ(piece.back(), 0xa5);
      }
    }
  }
}

TEST(Payload, EveryCoordinateMatters) {
  for (DataKind kind : kKinds) {
    for (Format format : kFormats) {
      const PayloadSpec spec = SpecOf(kind, format);
      const std::vector<uint32_t> row = RowOf(spec, 1, 1, 1);
      EXPECT_EQ(row, RowOf(spec, 1, 1, 1));
      PayloadSpec other = spec;
      other.seed = 8;
      // Zeros, which kSpecials has by the hundred, may agree.
      const size_t most = spec.n * 6 / 10;
      EXPECT_GT(Differences(row, RowOf(other, 1, 1, 1)), most) << "seed";
      EXPECT_GT(Differences(row, RowOf(spec, 2, 1, 1)), most) << "device";
      EXPECT_GT(Differences(row, RowOf(spec, 1, 2, 1)), most) << "kernel";
      EXPECT_GT(Differences(row, RowOf(spec, 1, 1, 2)), most) << "row";
      std::vector<uint32_t> shifted(row.begin() + 1, row.end());
      shifted.push_back(row[0]);
      EXPECT_GT(Differences(row, shifted), most) << "column";
      // Swapping two coordinates is no other name for the same row.
      EXPECT_GT(Differences(RowOf(spec, 1, 2, 3), RowOf(spec, 2, 1, 3)), most);
      EXPECT_GT(Differences(RowOf(spec, 1, 2, 3), RowOf(spec, 1, 3, 2)), most);
      EXPECT_GT(Differences(RowOf(spec, 1, 2, 3), RowOf(spec, 3, 2, 1)), most);
    }
  }
}

TEST(Payload, TheMatrixSizeDoesNotMatterToHashedKinds) {
  PayloadSpec spec = SpecOf(DataKind::kRandom, Format::kFp16);
  const std::vector<uint32_t> row = RowOf(spec, 0, 0, 0);
  spec.m = 1;
  spec.k = 5;
  EXPECT_EQ(row, RowOf(spec, 0, 0, 0));
}

TEST(Payload, RandomValuesAreFiniteAndMixed) {
  for (Format format : kFormats) {
    const PayloadSpec spec = SpecOf(DataKind::kRandom, format);
    uint64_t negative = 0, total = 0, cancel = 0, nearly = 0;
    std::set<int> exponents;
    std::set<uint32_t> patterns;
    for (uint32_t row = 0; row < 4; ++row) {
      std::vector<double> sum(spec.n);
      std::vector<uint32_t> previous;
      for (uint32_t device = 0; device < 64; ++device) {
        const std::vector<uint32_t> values = RowOf(spec, device, 0, row);
        for (uint32_t i = 0; i < spec.n; ++i) {
          ASSERT_FALSE(IsNan(format, values[i]) || IsInfinite(format, values[i]));
          const double value = ValueOf(format, values[i]);
          sum[i] += value;
          negative += std::signbit(value);
          ++total;
          exponents.insert(std::ilogb(value));
          patterns.insert(values[i]);
          if (previous.empty()) continue;
          const double pair = value + ValueOf(format, previous[i]);
          cancel += pair == 0;
          nearly += std::fabs(pair) < std::fabs(value) / 64;
        }
        previous = values;
      }
      for (double s : sum) ASSERT_LT(std::fabs(s), format == Format::kFp16 ? 65504.0 : 1e9);
    }
    EXPECT_NEAR(static_cast<double>(negative) / static_cast<double>(total), 0.5, 0.01);
    EXPECT_EQ(exponents.size(), format == Format::kFp32 ? 32u : 16u);
    EXPECT_GT(patterns.size(), format == Format::kBf16 ? 4000u : 30000u);
    EXPECT_GT(cancel, total / 4000);  // one of 2048 pairs by design
    EXPECT_GT(nearly, total / 2000);  // six leading bits or more are lost
  }
}

// The names that a pattern deserves.
std::vector<std::string> NamesOf(Format format, uint32_t bits) {
  struct Patterns {
    uint32_t sign, quiet_bit, least_normal, greatest;
  };
  const Patterns p = format == Format::kFp16 ? Patterns{0x8000, 0x0200, 0x0400, 0x7bff}
                     : format == Format::kBf16
                         ? Patterns{0x8000, 0x0040, 0x0080, 0x7f7f}
                         : Patterns{0x80000000, 0x00400000, 0x00800000, 0x7f7fffff};
  if (IsNan(format, bits)) return {bits & p.quiet_bit ? "quiet NaN" : "signalling NaN"};
  const std::string sign = bits & p.sign ? "-" : "+";
  const uint32_t absolute = bits & ~p.sign;
  if (IsInfinite(format, bits)) return {sign + "infinity"};
  if (absolute == 0) return {sign + "zero"};
  if (absolute == 1) return {sign + "subnormal", sign + "least subnormal"};
  if (absolute == p.least_normal - 1) return {sign + "subnormal", sign + "greatest subnormal"};
  if (absolute < p.least_normal) return {sign + "subnormal"};
  if (absolute == p.least_normal) return {sign + "normal", sign + "least normal"};
  if (absolute == p.greatest) return {sign + "normal", sign + "greatest finite"};
  return {sign + "normal"};
}

TEST(Payload, SpecialsAndTheirSumsContainEverySpecialValue) {
  constexpr uint32_t kRows = 6;
  for (Format format : kFormats) {
    const PayloadSpec spec = SpecOf(DataKind::kSpecials, format);
    const uint32_t sign = format == Format::kFp32 ? 0x80000000 : 0x8000;
    for (uint32_t devices : {2u, 8u, 32u}) {
      SCOPED_TRACE(devices);
      std::map<std::string, uint64_t> values, sums, pairs;
      for (uint32_t row = 0; row < kRows; ++row) {
        std::vector<uint32_t> sum(spec.n, sign), previous;
        for (uint32_t d = 0; d < devices; ++d) {
          const std::vector<uint32_t> row_of_d = RowOf(spec, d, 0, row);
          for (uint32_t i = 0; i < spec.n; ++i) {
            const uint32_t v = row_of_d[i];
            for (const std::string& name : NamesOf(format, v)) ++values[name];
            sum[i] = ReferenceAdd(format, sum[i], v);
            if (d == 0 || NamesOf(format, v)[0].find("normal") == std::string::npos) continue;
            const uint32_t difference = v ^ previous[i];
            pairs["opposite"] += difference == sign;
            pairs["nearly opposite"] += difference == (sign | 1);
          }
          previous = row_of_d;
        }
        for (uint32_t s : sum) {
          for (const std::string& name : NamesOf(format, s)) ++sums[name];
        }
      }
      const uint64_t elements = uint64_t{kRows} * spec.n;
      for (const char* name :
           {"quiet NaN", "signalling NaN", "+infinity", "-infinity", "+zero", "-zero", "+subnormal",
            "-subnormal", "+least subnormal", "-least subnormal", "+greatest subnormal",
            "-greatest subnormal", "+least normal", "-least normal", "+greatest finite",
            "-greatest finite"}) {
        EXPECT_GT(values[name], elements * devices / 1000) << name;
      }
      for (const char* name : {"opposite", "nearly opposite"}) {
        EXPECT_GT(pairs[name], elements * (devices - 1) / 50) << name;
      }
      for (const char* name :
           {"quiet NaN", "+infinity", "-infinity", "+zero", "-zero", "+subnormal", "-subnormal"}) {
        EXPECT_GT(sums[name], elements / 1000) << name;
      }
      EXPECT_GT(sums["+normal"] + sums["-normal"], elements / 2);
    }
  }
}

// What a device produces, as real numbers.
Eigen::MatrixXd MatrixOf(const PayloadSpec& spec, uint32_t device) {
  Eigen::MatrixXd result(spec.m, spec.n);
  for (uint32_t row = 0; row < spec.m; ++row) {
    const std::vector<uint32_t> values = RowOf(spec, device, 0, row);
    for (uint32_t i = 0; i < spec.n; ++i) result(row, i) = ValueOf(spec.format, values[i]);
  }
  return result;
}

TEST(Payload, GemmIsAProductOverKInEachDevice) {
  PayloadSpec spec = SpecOf(DataKind::kGemm, Format::kFp32);
  spec.m = 24;
  spec.n = 40;
  for (uint32_t k : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u}) {
    spec.k = k;
    const Eigen::MatrixXd first = MatrixOf(spec, 0), second = MatrixOf(spec, 1);
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(first).rank(), k);
    // Slices of different devices have nothing in common.
    EXPECT_EQ(Eigen::FullPivLU<Eigen::MatrixXd>(first + second).rank(), 2 * k);
  }
}

TEST(Payload, GemmIsExactInFp32AndRoundedOnceElsewhere) {
  for (uint32_t k : {1u, 64u, 2128u, 20000u, 300000u}) {
    PayloadSpec spec = SpecOf(DataKind::kGemm, Format::kFp32);
    spec.k = k;
    spec.n = 600;
    const std::vector<uint32_t> exact = RowOf(spec, 2, 1, 5);
    double squares = 0;
    for (uint32_t bits : exact) {
      const double units = ValueOf(Format::kFp32, bits) * 256;  // products of sixteenths
      EXPECT_EQ(units, std::nearbyint(units));
      EXPECT_LE(std::fabs(units), 0x1p24);
      squares += units * units;
    }
    // With entries in -r .. r, a product's deviation is r (r + 1) / 3. Exactness in
    // any order needs r^2 K <= 2^24, which is more than these sums can show.
    const double deviation = std::sqrt(squares / spec.n / k);
    const double most = 0x1p24 / k;
    EXPECT_GT(deviation, 0.5) << "K = " << k;
    EXPECT_LT(deviation * 3, 1.2 * (most + std::sqrt(most))) << "K = " << k;
    for (Format format : {Format::kFp16, Format::kBf16}) {
      spec.format = format;
      const std::vector<uint32_t> rounded = RowOf(spec, 2, 1, 5);
      uint32_t inexact = 0;
      for (uint32_t i = 0; i < spec.n; ++i) {
        const double value = ValueOf(Format::kFp32, exact[i]);
        ASSERT_EQ(rounded[i], ReferenceFromFloat(format, static_cast<float>(value)));
        ASSERT_FALSE(IsInfinite(format, rounded[i]));
        inexact += ValueOf(format, rounded[i]) != value;
      }
      if (k >= 2128 && k <= 20000) {
        EXPECT_GT(inexact, spec.n / 4);
      }
    }
  }
}

TEST(Payload, GemmWithoutKIsZero) {
  PayloadSpec spec = SpecOf(DataKind::kGemm, Format::kBf16);
  spec.k = 0;
  for (uint32_t bits : RowOf(spec, 0, 0, 0)) ASSERT_EQ(bits, 0u);
}

}  // namespace
}  // namespace t3::golden
