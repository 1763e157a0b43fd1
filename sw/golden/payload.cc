#include "sw/golden/payload.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace t3::golden {
namespace {

constexpr uint32_t kBlock = 512;     // columns of a product that are summed together
constexpr uint32_t kWindows = 4096;  // places in the table where a row of B may start

// A finalizer with full avalanche (multiply-xorshift).
uint64_t Mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  return x;
}

// What a hash is drawn for; keeps the streams of one seed apart.
enum class Stream : uint64_t { kElement, kShared, kA, kB, kTable };

// The hash key of a row: element i of the stream is Mix(key + i).
uint64_t RowKey(uint64_t seed, Stream stream, uint32_t device, uint32_t kernel, uint32_t row) {
  uint64_t key = Mix(seed + 0x9e3779b97f4a7c15u);
  key = Mix(key + static_cast<uint64_t>(stream));
  key = Mix(key + (uint64_t{device} << 32 | kernel));
  return Mix(key + row);
}

template <Format kFormat>
struct Bits;  // the word of a format, its fraction bits, and the exponent fields of kRandom
template <>
struct Bits<Format::kFp16> {
  using Word = uint16_t;
  static constexpr uint32_t kFraction = 10, kLowest = 4, kExponents = 16;
};
template <>
struct Bits<Format::kBf16> {
  using Word = uint16_t;
  static constexpr uint32_t kFraction = 7, kLowest = 120, kExponents = 16;
};
template <>
struct Bits<Format::kFp32> {
  using Word = uint32_t;
  static constexpr uint32_t kFraction = 23, kLowest = 112, kExponents = 32;
};

template <Format kFormat>
struct Values {
  using B = Bits<kFormat>;
  using Word = typename B::Word;
  static constexpr uint32_t kSign = 1u << (8 * sizeof(Word) - 1);
  static constexpr uint32_t kFractionMask = (1u << B::kFraction) - 1;
  static constexpr uint32_t kInfinity = (kSign - 1) & ~kFractionMask;

  static uint32_t Sign(uint64_t h) { return static_cast<uint32_t>(h >> 63) * kSign; }
  static uint32_t Fraction(uint64_t h) { return static_cast<uint32_t>(h) & kFractionMask; }

  // Below 32 (fp32: 65536), so that fp16 sums of hundreds stay finite. One of eight
  // is coarse, one of 32 numbers: two of them cancel exactly in one of 32 cases, and
  // they make ties.
  static uint32_t Random(uint64_t h) {
    const bool coarse = (h >> 50) % 8 == 0;
    const uint32_t draw = static_cast<uint32_t>(h >> 40) % B::kExponents;
    const uint32_t exponent = B::kLowest + (coarse ? B::kExponents / 2 + draw % 4 : draw);
    const uint32_t mask = coarse ? 3u << (B::kFraction - 2) : kFractionMask;
    return Sign(h) | exponent << B::kFraction | (Fraction(h) & mask);
  }

  static uint32_t Tiny(uint64_t h) {
    switch ((h >> 32) % 4) {
      case 0:
        return Sign(h) | 1;  // least subnormal
      case 1:
        return Sign(h) | kFractionMask;  // greatest subnormal
      case 2:
        return Sign(h) | (kFractionMask + 1);  // least normal
      default:
        return Sign(h) | Fraction(h);  // any subnormal
    }
  }

  static uint32_t Extreme(uint64_t h) {
    const uint32_t kind = (h >> 32) % 16;
    if (kind == 0) return Sign(h) | kInfinity;
    if (kind == 1) return Sign(h) | kInfinity | Fraction(h) | 1;  // NaN, quiet or not
    if (kind < 6) return Sign(h) | (kInfinity - 1);               // greatest finite
    return Random(h);
  }

  // `shared` is the same on all devices and says what they have in common, for
  // sums of eight values chosen independently would rarely be remarkable.
  static uint32_t Special(uint64_t h, uint64_t shared) {
    switch (shared % 8) {
      case 0:
        return (h >> 32) % 8 ? kSign : 0;  // zeros; the sum is -0 unless one is +0
      case 1:
        return Tiny(h);
      case 2:
        return (Random(shared) & ~kSign) | Sign(h);  // cancels exactly
      case 3:
        return ((Random(shared) & ~kSign) ^ (h >> 32 & 1)) | Sign(h);  // or nearly
      case 4:
        return Extreme(h);
      case 5:
        return static_cast<uint32_t>(h >> 32) & (kSign | (kSign - 1));  // any pattern
      default:
        if ((h >> 36) % 16 == 0) return Sign(h);
        if ((h >> 36) % 16 == 1) return Tiny(h);
        return Random(h);
    }
  }
};

template <typename Word, typename Function>
void Fill(uint32_t count, void* out, Function value) {
  char* to = static_cast<char*>(out);
  for (uint32_t i = 0; i < count; ++i, to += sizeof(Word)) {
    const Word word = static_cast<Word>(value(i));
    std::memcpy(to, &word, sizeof word);
  }
}

// An integer of -range .. range.
float Entry(uint64_t hash, uint32_t range) {
  return static_cast<float>(static_cast<int>(hash % (2 * range + 1)) - static_cast<int>(range));
}

}  // namespace

Payload::Payload(const PayloadSpec& spec) : spec_(spec) {
  if (spec.kind != DataKind::kGemm) return;
  // range^2 * k <= 2^24: every partial sum, in any order, is an integer that fp32 holds.
  const double k = std::max(spec.k, 1u);
  range_ = std::clamp(static_cast<uint32_t>(std::sqrt(0x1p24 / k)), 1u, 31u);
  table_.resize(size_t{kWindows} + spec.n);
  const uint64_t key = RowKey(spec.seed, Stream::kTable, 0, 0, 0);
  for (size_t i = 0; i < table_.size(); ++i) table_[i] = Entry(Mix(key + i), range_);
}

void Payload::Row(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
                  void* out) const {
  switch (spec_.format) {
    case Format::kFp16:
      return RowAs<Format::kFp16>(device, kernel, row, col, count, out);
    case Format::kBf16:
      return RowAs<Format::kBf16>(device, kernel, row, col, count, out);
    case Format::kFp32:
      return RowAs<Format::kFp32>(device, kernel, row, col, count, out);
  }
}

template <Format kFormat>
void Payload::RowAs(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
                    void* out) const {
  using V = Values<kFormat>;
  using Word = typename V::Word;
  const uint64_t key = RowKey(spec_.seed, Stream::kElement, device, kernel, row) + col;
  switch (spec_.kind) {
    case DataKind::kRandom:
      return Fill<Word>(count, out, [&](uint32_t i) { return V::Random(Mix(key + i)); });
    case DataKind::kSpecials: {
      const uint64_t shared = RowKey(spec_.seed, Stream::kShared, 0, kernel, row) + col;
      return Fill<Word>(count, out,
                        [&](uint32_t i) { return V::Special(Mix(key + i), Mix(shared + i)); });
    }
    case DataKind::kGemm:
      for (uint32_t done = 0; done < count; done += kBlock) {
        float sum[kBlock];
        const uint32_t block = std::min(kBlock, count - done);
        Products(device, kernel, row, col + done, block, sum);
        Fill<Word>(block, static_cast<char*>(out) + size_t{done} * sizeof(Word), [&](uint32_t i) {
          return FromFloat(kFormat, sum[i] * 0x1p-8f);  // entries are sixteenths
        });
      }
      return;
  }
}

void Payload::Products(uint32_t device, uint32_t kernel, uint32_t row, uint32_t col, uint32_t count,
                       float* __restrict sum) const {
  const uint64_t key_a = RowKey(spec_.seed, Stream::kA, device, kernel, row);
  const uint64_t key_b = RowKey(spec_.seed, Stream::kB, device, kernel, 0);
  std::fill_n(sum, count, 0.0f);
  for (uint32_t first = 0; first < spec_.k; first += 4) {
    float a[4] = {0, 0, 0, 0};
    const float* b[4] = {table_.data(), table_.data(), table_.data(), table_.data()};
    for (uint32_t j = 0; j < std::min(4u, spec_.k - first); ++j) {
      a[j] = Entry(Mix(key_a + first + j), range_);
      b[j] += Mix(key_b + first + j) % kWindows + col;
    }
    for (uint32_t i = 0; i < count; ++i) {
      sum[i] += (a[0] * b[0][i] + a[1] * b[1][i]) + (a[2] * b[2][i] + a[3] * b[3][i]);
    }
  }
}

}  // namespace t3::golden
