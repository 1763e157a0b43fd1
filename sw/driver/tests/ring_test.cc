// The rings of the driver against the definition: who sends what to whom, written
// down here once more, and totals counted element by element.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>

#include "sw/driver/tests/register_mock.h"

namespace t3::driver_test {
namespace {

struct Want {
  bool valid, remote, notify;
  uint32_t op, expected, action;
};

// The table of the mechanism. `phase` is when device d produces the chunk: chunk
// d - p (against the direction) in phase p, its own in phase N.
Want ReduceScatter(int n, int phase) {
  if (n == 1) return {true, false, true, T3_STORE, 1, 0};
  if (phase == 1) return {true, true, false, T3_UPDATE, 0, 0};
  if (phase == n) return {true, false, true, T3_UPDATE, 2, 0};
  return {true, false, false, T3_UPDATE, 2, 1};
}

// A chunk c reaches, from its owner on, one device after another. `hops` devices
// lie between: 0 owns it and sends on command, n - 1 is the last.
Want AllGather(int n, int hops) {
  if (n == 1) return {false, false, false, 0, 0, 0};
  if (hops == 0) return {true, false, false, T3_STORE, 0, 2};
  if (hops == n - 1) return {true, false, true, T3_STORE, 1, 0};
  return {true, false, false, T3_STORE, 1, 2};
}

struct Totals {
  uint64_t subtiles = 0, elements = 0, sends = 0;
};

// By visiting the elements of each subtile's corner.
void Add(const t3_buffer& b, uint32_t tile, const Want& w, Totals* totals) {
  const uint32_t gx = (b.cols + b.tile_n - 1) / b.tile_n, gy = (b.rows + b.tile_m - 1) / b.tile_m;
  const uint32_t x = b.column_major ? tile / gy : tile % gx;
  const uint32_t y = b.column_major ? tile % gy : tile / gx;
  const uint32_t band = b.tile_m / b.wavefronts;
  for (uint32_t wf = 0; wf < b.wavefronts; wf++) {
    uint64_t elements = 0;
    for (uint32_t r = 0; r < band; r++) {
      if (y * b.tile_m + wf * band + r >= b.rows) continue;
      for (uint32_t c = 0; c < b.tile_n; c++) elements += x * b.tile_n + c < b.cols;
    }
    if (w.valid && w.expected && elements) totals->subtiles++;
    totals->elements += w.expected * elements;
    if (w.remote || w.action) totals->sends += elements;
  }
}

t3_buffer SmallBuffer(std::mt19937_64& rnd, bool column_major) {
  auto draw = [&](uint32_t low, uint32_t high) {
    return std::uniform_int_distribution<uint32_t>(low, high)(rnd);
  };
  t3_buffer b{};
  b.wavefronts = static_cast<uint8_t>(draw(1, 4));
  b.tile_m = static_cast<uint16_t>(b.wavefronts * draw(1, 4));
  b.tile_n = static_cast<uint16_t>(draw(1, 12));
  b.rows = draw(1, 60);
  b.cols = draw(1, 60);
  b.format = static_cast<uint8_t>(draw(0, 2));
  const uint32_t element = b.format == T3_FP32 ? 4 : 2;
  b.pitch_bytes = (b.cols + draw(0, 3)) * element;
  b.base = 0x10'0000'0000 + draw(0, 100) * element;
  b.count_base = 0x20'0000'0000 + draw(0, 9) * 8;
  b.ring_base = 0x30'0000'0000 + draw(0, 9) * 8;
  b.column_major = column_major;
  return b;
}

void CheckRing(int n, int direction, int device, bool reduce, const t3_buffer& b) {
  SCOPED_TRACE(std::string(reduce ? "RS" : "AG") + " N " + std::to_string(n) + " direction " +
               std::to_string(direction) + " device " + std::to_string(device) + " rows " +
               std::to_string(b.rows) + " cols " + std::to_string(b.cols));
  RegisterMock mock;
  auto dev = std::make_unique<t3_device>();
  const t3_bus bus = mock.Bus();
  ASSERT_EQ(t3_open(dev.get(), &bus), T3_OK);
  ASSERT_EQ(t3_set_device(dev.get(), static_cast<uint8_t>(device)), T3_OK);
  t3_ring ring{};
  ring.devices = static_cast<uint8_t>(n);
  ring.device = static_cast<uint8_t>(device);
  ring.direction = static_cast<int8_t>(direction);
  ring.next = {0, 2, 1, b.base + (uint64_t{7} << 33), b.pitch_bytes};
  const uint8_t ctx = reduce ? 0 : 3;
  ASSERT_EQ((reduce ? t3_ring_reduce_scatter : t3_ring_all_gather)(dev.get(), &ring, ctx, &b, 77),
            T3_OK);

  RegisterMock::Context& c = mock.contexts[ctx];
  EXPECT_EQ(c.state, RegisterMock::kLive);
  EXPECT_EQ(c.words[0x44], static_cast<uint32_t>(n));
  const int successor = (device + direction + n) % n, predecessor = (device - direction + n) % n;
  EXPECT_EQ(t3_ring_successor(&ring), successor);
  EXPECT_EQ(t3_ring_predecessor(&ring), predecessor);
  EXPECT_EQ(c.words[0x48], n == 1 ? 0u : 0x100u | static_cast<uint32_t>(predecessor));

  const uint64_t gx = (b.cols + b.tile_n - 1) / b.tile_n, gy = (b.rows + b.tile_m - 1) / b.tile_m;
  const uint64_t tiles = gx * gy;
  Totals totals;
  std::set<int> seen;
  for (int phase = 1; phase <= n; phase++) {
    const int chunk = ((device - phase * direction) % n + n) % n;
    seen.insert(chunk);
    int hops = 0;
    for (int at = chunk; at != device; at = (at + direction + n) % n) hops++;
    const Want w = reduce ? ReduceScatter(n, phase) : AllGather(n, hops);
    ASSERT_TRUE(c.chunks.count(static_cast<uint32_t>(chunk)));
    const ChunkEntry& e = c.chunks[static_cast<uint32_t>(chunk)];
    EXPECT_EQ(e.valid, w.valid) << chunk;
    if (!w.valid) continue;
    const uint64_t first = static_cast<uint64_t>(chunk) * tiles / n;
    const uint64_t end = static_cast<uint64_t>(chunk + 1) * tiles / n;
    EXPECT_EQ(e.first_tile, first) << chunk;
    EXPECT_EQ(e.num_tiles, end - first) << chunk;
    EXPECT_EQ(e.remote, w.remote) << chunk;
    EXPECT_EQ(e.notify, w.notify) << chunk;
    EXPECT_EQ(e.expected, w.expected) << chunk;
    EXPECT_EQ(e.action, w.action) << chunk;
    if (w.expected || w.remote) {
      EXPECT_EQ(e.op, w.op) << chunk;
    }
    if (w.remote || w.action) {
      EXPECT_EQ(e.dst, static_cast<uint32_t>(successor)) << chunk;
      EXPECT_EQ(e.dst_ctx, 2u);
      EXPECT_EQ(e.link, 1u);
      EXPECT_EQ(e.remote_base, ring.next.base);
    }
    for (uint64_t tile = first; tile < end; tile++) Add(b, static_cast<uint32_t>(tile), w, &totals);
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(n));
  EXPECT_EQ(c.words[0x58], totals.subtiles);
  EXPECT_EQ(c.Wide(0x5c), totals.elements);
  EXPECT_EQ(c.Wide(0x64), totals.sends);

  // The own chunk of the all-gather leaves on command, once.
  if (!reduce && n > 1) {
    const ChunkEntry& own = c.chunks[static_cast<uint32_t>(device)];
    mock.writes.clear();
    EXPECT_EQ(t3_send_chunk(dev.get(), ctx, static_cast<uint32_t>(device)), T3_OK);
    EXPECT_EQ(t3_send_chunk(dev.get(), ctx, static_cast<uint32_t>(device)), T3_ERR_STATE);
    if (own.num_tiles == 0) {
      EXPECT_TRUE(mock.writes.empty());
    } else {
      const uint32_t x =
          static_cast<uint32_t>(b.column_major ? own.first_tile / gy : own.first_tile % gx);
      const uint32_t y =
          static_cast<uint32_t>(b.column_major ? own.first_tile % gy : own.first_tile / gx);
      EXPECT_EQ(mock.Word(0x60), x | y << 16);
      EXPECT_EQ(mock.Word(0x64), own.num_tiles);
      EXPECT_EQ(mock.Word(0x68), static_cast<uint32_t>(device) | 3u << 16);
    }
  }
}

class RingTest : public testing::TestWithParam<int> {};

TEST_P(RingTest, MapsAndTotalsFollowTheDefinitionInBothDirections) {
  const int n = GetParam();
  std::mt19937_64 rnd(static_cast<uint64_t>(n));
  RecordProperty("seed", n);
  for (int direction : {1, -1}) {
    for (int device = 0; device < n; device++) {
      for (bool column_major : {false, true}) {
        const t3_buffer b = SmallBuffer(rnd, column_major);
        CheckRing(n, direction, device, true, b);
        CheckRing(n, direction, device, false, b);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RingTest, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32, 64));

TEST(RingTest, TNlgHasTheTotalsOfItsShape) {
  // 8192 x 4256 in fp16 at N = 8: 64 x 34 tiles, chunks of 272 tiles.
  RegisterMock mock;
  auto dev = std::make_unique<t3_device>();
  const t3_bus bus = mock.Bus();
  ASSERT_EQ(t3_open(dev.get(), &bus), T3_OK);
  t3_buffer b{};
  b.rows = 8192, b.cols = 4256, b.pitch_bytes = 8512, b.tile_m = b.tile_n = 128, b.wavefronts = 4;
  b.count_base = uint64_t{1} << 36, b.ring_base = uint64_t{1} << 37;
  t3_ring ring{8, 0, 1, {0, 0, 0, 0, 8512}};
  ASSERT_EQ(t3_ring_reduce_scatter(dev.get(), &ring, 0, &b, 1), T3_OK);
  RegisterMock::Context& c = mock.contexts[0];
  // Each chunk is 8 whole tile rows: 1024 * 4256 elements, 272 * 4 subtiles.
  EXPECT_EQ(c.words[0x58], 7u * 1088);
  EXPECT_EQ(c.Wide(0x5c), 2u * 7 * 1024 * 4256);
  EXPECT_EQ(c.Wide(0x64), 7u * 1024 * 4256);
  // No padding: one row.
  EXPECT_EQ(c.words[0x4c], 1u);
  EXPECT_EQ(c.Wide(0x50), 8192u * 8512);
}

}  // namespace
}  // namespace t3::driver_test
