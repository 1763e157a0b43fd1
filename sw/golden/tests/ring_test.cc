// The check of a ring collective against a replay of the mechanism, message by
// message, and against faults planted in what it left behind.
#include "sw/golden/ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>

#include "sw/golden/tests/reference.h"

namespace t3::golden {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kKernel = 3;

RingSpec SpecOf(uint32_t devices, int direction = 1) {
  RingSpec spec;
  spec.payload.kind = DataKind::kSpecials;
  spec.payload.seed = 11;
  spec.payload.m = 13;
  spec.payload.n = 21;
  spec.payload.k = 5;
  spec.devices = devices;
  spec.direction = direction;
  spec.tile_m = spec.tile_n = 4;  // 4 x 6 tiles, smaller ones at both edges
  return spec;
}

// All devices' memories after one kernel, made by sending what the devices send:
// mapping and counts are those of the table in the mechanism's description, the
// arithmetic is that of reference.h.
class Replay {
 public:
  explicit Replay(const RingSpec& spec)
      : spec_(spec), element_(ElementBytes(spec.payload.format)), order_(spec.payload.seed) {
    const uint32_t m = spec.payload.m, n = spec.payload.n;
    memory_.assign(spec.devices, std::vector<uint8_t>(size_t{m} * n * element_));
    traffic_.assign(spec.devices, Oracle{});
    AssignTiles();
    const Payload payload(spec.payload);
    std::vector<uint8_t> produced(element_);
    for (uint32_t row = 0; row < m; ++row) {
      for (uint32_t col = 0; col < n; ++col) {
        std::vector<uint32_t> x(spec.devices);
        for (uint32_t d = 0; d < spec.devices; ++d) {
          payload.Row(d, kKernel, row, col, 1, produced.data());
          x[d] = ElementAt(spec.payload.format, produced.data(), 0);
        }
        RunElement(row, col, x);
      }
    }
  }

  uint8_t* At(uint32_t device, uint32_t row, uint32_t col) {
    return memory_[device].data() + (size_t{row} * spec_.payload.n + col) * element_;
  }
  uint32_t Owner(uint32_t row, uint32_t col) const {
    return chunk_[size_t{row / spec_.tile_m} * TilesAcross() + col / spec_.tile_n];
  }
  const Oracle& Traffic(uint32_t device) const { return traffic_[device]; }

  RowReader Reader() {
    return [this](uint32_t device, uint32_t row) { return At(device, row, 0); };
  }
  CheckResult CheckAll(uint32_t threads = 1) { return Check(spec_, kKernel, Reader(), threads); }

  uint32_t Crc() {
    uLong crc = crc32(0, nullptr, 0);
    for (uint32_t row = 0; row < spec_.payload.m; ++row) {
      for (uint32_t col = 0; col < spec_.payload.n; ++col) {
        crc = crc32(crc, At(Owner(row, col), row, col), element_);
      }
    }
    return static_cast<uint32_t>(crc);
  }

 private:
  uint32_t TilesAcross() const { return (spec_.payload.n + spec_.tile_n - 1) / spec_.tile_n; }
  uint32_t Next(uint32_t device) const {
    if (spec_.direction == 1) return device + 1 == spec_.devices ? 0 : device + 1;
    return device == 0 ? spec_.devices - 1 : device - 1;
  }

  void AssignTiles() {
    const uint32_t across = TilesAcross();
    const uint32_t down = (spec_.payload.m + spec_.tile_m - 1) / spec_.tile_m;
    std::vector<uint32_t> places;  // in the grid (row by row), in linear order
    for (uint32_t i = 0; i < across * down; ++i) {
      places.push_back(spec_.column_major ? i % down * across + i / down : i);
    }
    chunk_.resize(places.size());
    for (uint32_t c = 0; c < spec_.devices; ++c) {
      const size_t last = (c + 1) * places.size() / spec_.devices;
      for (size_t t = c * places.size() / spec_.devices; t < last; ++t) chunk_[places[t]] = c;
    }
  }

  void Update(uint32_t device, uint32_t row, uint32_t col, uint32_t value) {
    const uint32_t held = ElementAt(spec_.payload.format, At(device, row, col), 0);
    Store(device, row, col, ReferenceAdd(spec_.payload.format, held, value));
  }
  void Store(uint32_t device, uint32_t row, uint32_t col, uint32_t value) {
    std::memcpy(At(device, row, col), &value, element_);
  }

  void RunElement(uint32_t row, uint32_t col, const std::vector<uint32_t>& x) {
    if (spec_.devices == 1) {
      Store(0, row, col, x[0]);
      traffic_[0].gemm_write += element_;
      return;
    }
    const uint32_t minus_zero = element_ == 4 ? 0x80000000 : 0x8000;
    for (uint32_t d = 0; d < spec_.devices; ++d) Store(d, row, col, minus_zero);
    const uint32_t owner = Owner(row, col);
    // Phase 1: remote updates.
    uint32_t device = Next(owner), sent = x[device];
    traffic_[device].rs_link += element_;
    // Phases 2 to N: two updates, in either order, then a triggered read or the end.
    while (device != owner) {
      device = Next(device);
      const bool local_first = order_() % 2 == 0;
      Update(device, row, col, local_first ? x[device] : sent);
      Update(device, row, col, local_first ? sent : x[device]);
      traffic_[device].gemm_write += element_;
      traffic_[device].rs_write += element_;
      if (device == owner) break;
      sent = ElementAt(spec_.payload.format, At(device, row, col), 0);
      traffic_[device].rs_read += element_;
      traffic_[device].rs_link += element_;
    }
    if (!spec_.all_gather) return;
    const uint32_t final_value = ElementAt(spec_.payload.format, At(owner, row, col), 0);
    for (device = owner; Next(device) != owner; device = Next(device)) {
      traffic_[device].ag_read += element_;
      traffic_[device].ag_link += element_;
      Store(Next(device), row, col, final_value);
      traffic_[Next(device)].ag_write += element_;
    }
  }

  const RingSpec spec_;
  const uint32_t element_;
  std::mt19937_64 order_;
  std::vector<uint32_t> chunk_;  // of each tile, row by row
  std::vector<std::vector<uint8_t>> memory_;
  std::vector<Oracle> traffic_;
};

// Calls `body` for many shapes of the collective.
template <typename Body>
void ForEachSpec(Body body) {
  for (uint32_t devices : {1u, 2u, 3u, 4u, 5u, 8u, 32u}) {
    for (int direction : {1, -1}) {
      for (int choice = 0; choice < 12; ++choice) {
        RingSpec spec = SpecOf(devices, direction);
        spec.column_major = choice % 2 == 1;
        spec.all_gather = choice / 2 % 2 == 1;
        spec.payload.format = static_cast<Format>(choice / 4);
        spec.payload.kind = choice % 3 == 0 ? DataKind::kRandom : DataKind::kSpecials;
        if (choice % 5 == 4) spec.payload.kind = DataKind::kGemm;
        if (choice == 7) spec.payload.m = 70;  // several blocks of rows
        SCOPED_TRACE(testing::Message()
                     << devices << " devices, direction " << direction << ", choice " << choice);
        body(spec);
      }
    }
  }
}

void ExpectSameTraffic(const Oracle& a, const Oracle& b) {
  EXPECT_EQ(a.gemm_write, b.gemm_write);
  EXPECT_EQ(a.rs_write, b.rs_write);
  EXPECT_EQ(a.rs_read, b.rs_read);
  EXPECT_EQ(a.ag_read, b.ag_read);
  EXPECT_EQ(a.ag_write, b.ag_write);
  EXPECT_EQ(a.rs_link, b.rs_link);
  EXPECT_EQ(a.ag_link, b.ag_link);
}

TEST(Ring, CheckAcceptsWhatTheMechanismLeaves) {
  ForEachSpec([](const RingSpec& spec) {
    Replay replay(spec);
    for (uint32_t threads : {0u, 1u, 2u, 5u}) {
      const CheckResult result = replay.CheckAll(threads);
      EXPECT_EQ(result.checked, uint64_t{spec.payload.m} * spec.payload.n);
      EXPECT_EQ(result.wrong, 0u);
      EXPECT_EQ(result.first, "");
      EXPECT_EQ(result.crc32, replay.Crc());
    }
  });
}

TEST(Ring, OracleIsWhatTheMechanismMoves) {
  ForEachSpec([](const RingSpec& spec) {
    const Replay replay(spec);
    for (uint32_t d = 0; d < spec.devices; ++d) {
      SCOPED_TRACE(d);
      ExpectSameTraffic(TrafficOracle(spec, d), replay.Traffic(d));
    }
  });
}

// Every element of every device, one bit each: final values, partial sums and
// untouched elements alike.
TEST(Ring, CheckFindsEverySingleBitFault) {
  std::mt19937 random(5);
  for (uint32_t devices : {1u, 2u, 4u, 5u}) {
    for (bool all_gather : {false, true}) {
      for (Format format : {Format::kFp16, Format::kBf16, Format::kFp32}) {
        RingSpec spec = SpecOf(devices, devices % 2 == 0 ? 1 : -1);
        spec.all_gather = all_gather;
        spec.payload.format = format;
        Replay replay(spec);
        const uint32_t crc = replay.Crc();
        const uint32_t bits = 8 * ElementBytes(format);
        std::set<uint32_t> planted;
        for (uint32_t d = 0; d < devices; ++d) {
          for (uint32_t row = 0; row < spec.payload.m; ++row) {
            for (uint32_t col = 0; col < spec.payload.n; ++col) {
              const uint32_t bit = random() % bits;
              planted.insert(bit);
              uint8_t* byte = replay.At(d, row, col) + bit / 8;
              const uint32_t right = ElementAt(format, replay.At(d, row, col), 0);
              *byte ^= static_cast<uint8_t>(1 << bit % 8);
              const CheckResult result = replay.CheckAll();
              *byte ^= static_cast<uint8_t>(1 << bit % 8);
              ASSERT_EQ(result.wrong, 1u) << d << " " << row << " " << col << " bit " << bit;
              char text[100];
              std::snprintf(text, sizeof text,
                            "kernel 3, device %u, row %u, column %u: found %0*x, expected %0*x", d,
                            row, col, static_cast<int>(bits / 4), right ^ (1u << bit),
                            static_cast<int>(bits / 4), right);
              ASSERT_EQ(result.first, text);
              ASSERT_EQ(result.crc32 != crc, d == replay.Owner(row, col));
            }
          }
        }
        EXPECT_EQ(planted.size(), bits);
      }
    }
  }
}

TEST(Ring, CheckCountsWrongElementsNotCopies) {
  RingSpec spec = SpecOf(4);
  spec.payload.m = 100;
  Replay replay(spec);
  for (uint32_t d : {0u, 1u, 3u}) *replay.At(d, 71, 9) ^= 1;  // one element, three copies
  *replay.At(2, 71, 8) ^= 1;
  *replay.At(1, 12, 20) ^= 1;
  *replay.At(3, 12, 20) ^= 1;
  *replay.At(0, 99, 0) ^= 1;
  for (uint32_t threads : {1u, 2u, 3u, 8u}) {
    const CheckResult result = replay.CheckAll(threads);
    EXPECT_EQ(result.checked, 2100u);
    EXPECT_EQ(result.wrong, 4u);
    EXPECT_THAT(result.first, HasSubstr("device 1, row 12, column 20:"));
  }
  *replay.At(3, 12, 2) ^= 1;  // further left, on a later device
  EXPECT_THAT(replay.CheckAll(2).first, HasSubstr("device 3, row 12, column 2:"));
}

TEST(Ring, OrderKernelSeedAndPlacementMatter) {
  RingSpec spec = SpecOf(5);
  spec.payload.kind = DataKind::kRandom;
  Replay replay(spec);
  ASSERT_EQ(replay.CheckAll().wrong, 0u);
  const auto wrong = [&](RingSpec other, uint32_t kernel) {
    return Check(other, kernel, replay.Reader(), 1).wrong;
  };
  RingSpec other = spec;
  other.direction = -1;  // the same contributions in another order
  EXPECT_GT(wrong(other, kKernel), 0u);
  EXPECT_LT(wrong(other, kKernel), 273u);
  other = spec;
  other.column_major = true;
  EXPECT_GT(wrong(other, kKernel), 0u);
  other = spec;
  other.payload.seed = 12;
  EXPECT_GT(wrong(other, kKernel), 250u);
  EXPECT_GT(wrong(spec, kKernel + 1), 250u);
  other = spec;
  other.all_gather = false;
  EXPECT_EQ(wrong(other, kKernel), 273u);  // final values where partial sums should be
}

// A plain store keeps a NaN's bits; whatever passes an adder has the canonical one.
TEST(Ring, NanBitsAreKeptByStoresAndLostInAdders) {
  const Format f = Format::kFp32;
  RingSpec spec = SpecOf(1);
  spec.payload.format = f;
  Replay alone(spec);
  uint32_t odd = 0;
  for (uint32_t row = 0; row < spec.payload.m; ++row) {
    for (uint32_t col = 0; col < spec.payload.n; ++col) {
      uint8_t* element = alone.At(0, row, col);
      const uint32_t bits = ElementAt(f, element, 0);
      if (!IsNan(f, bits) || bits == 0x7fc00000) continue;
      ++odd;
      const uint32_t canonical = 0x7fc00000;
      std::memcpy(element, &canonical, sizeof canonical);
    }
  }
  ASSERT_GT(odd, 0u);
  EXPECT_EQ(alone.CheckAll().wrong, odd);

  // With two devices the owner adds; a NaN with other bits is wrong there.
  spec.devices = 2;
  Replay two(spec);
  uint32_t nans = 0;
  for (uint32_t row = 0; row < spec.payload.m; ++row) {
    for (uint32_t col = 0; col < spec.payload.n; ++col) {
      nans += ElementAt(f, two.At(0, row, col), 0) == 0x7fc00000;
    }
  }
  EXPECT_GT(nans, 0u);
  EXPECT_EQ(two.CheckAll().wrong, 0u);
}

TEST(Ring, CheckReadsInParallelAndPassesExceptionsOn) {
  RingSpec spec = SpecOf(3);
  spec.payload.m = 2000;
  Replay replay(spec);
  std::mutex mutex;
  std::set<std::thread::id> readers;
  const RowReader reader = [&](uint32_t device, uint32_t row) {
    // One scratch row per thread: a pointer is good until the thread's next call.
    thread_local std::vector<uint8_t> scratch;
    scratch.assign(replay.At(device, row, 0), replay.At(device, row, 0) + spec.payload.n * 2);
    const std::lock_guard<std::mutex> lock(mutex);
    readers.insert(std::this_thread::get_id());
    return static_cast<const uint8_t*>(scratch.data());
  };
  const CheckResult result = Check(spec, kKernel, reader, 3);
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_EQ(result.crc32, replay.Crc());
  EXPECT_LE(readers.size(), 3u);
  *replay.At(2, 1999, 20) ^= 1;
  EXPECT_EQ(Check(spec, kKernel, reader, 3).wrong, 1u);
  const RowReader broken = [&](uint32_t device, uint32_t row) -> const uint8_t* {
    if (row == 1000) throw std::runtime_error("no such row");
    return replay.At(device, row, 0);
  };
  EXPECT_THROW(Check(spec, kKernel, broken, 3), std::runtime_error);
}

TEST(Ring, ChunksPartitionTheTiles) {
  for (uint32_t tiles_down : {1u, 3u, 7u}) {
    for (uint32_t devices = 1; devices <= 40; ++devices) {
      RingSpec spec = SpecOf(devices);
      spec.payload.m = 4 * tiles_down;
      const uint32_t tiles = TileCount(spec);
      ASSERT_EQ(tiles, 6 * tiles_down);
      std::vector<uint32_t> chunk(tiles, devices);
      for (uint32_t c = 0; c < devices; ++c) {
        for (uint32_t t = c * tiles / devices; t < (c + 1) * tiles / devices; ++t) chunk[t] = c;
      }
      for (uint32_t t = 0; t < tiles; ++t) ASSERT_EQ(ChunkOfTile(spec, t), chunk[t]) << devices;
    }
  }
}

// A matrix of one tile row: tiles of 4, 4 and 2 elements, that is 8, 8 and 4 bytes.
RingSpec ThreeTiles(uint32_t devices, int direction) {
  RingSpec spec;
  spec.payload.m = 2;
  spec.payload.n = 5;
  spec.tile_m = spec.tile_n = 2;
  spec.devices = devices;
  spec.direction = direction;
  return spec;
}

Oracle Bytes(uint64_t gemm_write, uint64_t rs_write, uint64_t rs_read, uint64_t ag_read,
             uint64_t ag_write, uint64_t rs_link, uint64_t ag_link) {
  return {gemm_write, rs_write, rs_read, ag_read, ag_write, rs_link, ag_link};
}

TEST(Oracle, WorkedOutByHand) {
  // One device: chunk of 20 bytes.
  ExpectSameTraffic(TrafficOracle(ThreeTiles(1, 1), 0), Bytes(20, 0, 0, 0, 0, 0, 0));
  // Two devices: chunks of 8 and 12 bytes.
  ExpectSameTraffic(TrafficOracle(ThreeTiles(2, 1), 0), Bytes(8, 8, 0, 8, 12, 12, 8));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(2, 1), 1), Bytes(12, 12, 0, 12, 8, 8, 12));
  // Three devices: chunks of 8, 8 and 4 bytes. Device 0 sends to 1, to 2 downwards.
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, 1), 0), Bytes(16, 16, 8, 12, 12, 12, 12));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, 1), 1), Bytes(12, 12, 4, 16, 12, 12, 16));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, 1), 2), Bytes(12, 12, 8, 12, 16, 16, 12));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, -1), 0), Bytes(12, 12, 4, 16, 12, 12, 16));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, -1), 1), Bytes(16, 16, 8, 12, 12, 12, 12));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(3, -1), 2), Bytes(12, 12, 8, 12, 16, 16, 12));
  // Four devices: chunks of 0, 8, 8 and 4 bytes.
  ExpectSameTraffic(TrafficOracle(ThreeTiles(4, 1), 0), Bytes(16, 16, 16, 12, 20, 20, 12));
  ExpectSameTraffic(TrafficOracle(ThreeTiles(4, 1), 1), Bytes(20, 20, 12, 12, 12, 12, 12));
  // Reduce-scatter alone.
  RingSpec spec = ThreeTiles(3, 1);
  spec.all_gather = false;
  ExpectSameTraffic(TrafficOracle(spec, 0), Bytes(16, 16, 8, 0, 0, 12, 0));
}

TEST(Oracle, SumsAreThoseOfThePaper) {
  for (uint32_t devices : {2u, 8u, 16u, 32u}) {
    RingSpec spec;
    spec.payload.m = 8192;  // T-NLG
    spec.payload.n = 4256;
    spec.devices = devices;
    Oracle sum{};
    for (uint32_t d = 0; d < devices; ++d) {
      const Oracle o = TrafficOracle(spec, d);
      sum.gemm_write += o.gemm_write;
      sum.rs_write += o.rs_write;
      sum.rs_read += o.rs_read;
      sum.ag_read += o.ag_read;
      sum.ag_write += o.ag_write;
      sum.rs_link += o.rs_link;
      sum.ag_link += o.ag_link;
    }
    const uint64_t all = uint64_t{8192} * 4256 * 2;
    EXPECT_EQ(sum.rs_read, (devices - 2) * all);
    EXPECT_EQ(sum.gemm_write + sum.rs_write, 2 * (devices - 1) * all);
    EXPECT_EQ(sum.ag_read, (devices - 1) * all);
    EXPECT_EQ(sum.ag_write, (devices - 1) * all);
    EXPECT_EQ(sum.rs_link, (devices - 1) * all);
    EXPECT_EQ(sum.ag_link, (devices - 1) * all);
  }
}

}  // namespace
}  // namespace t3::golden
