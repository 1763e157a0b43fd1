// Configuration of contexts: what is written, and what is refused unwritten.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sw/driver/tests/register_mock.h"

namespace t3::driver_test {
namespace {

class MapTest : public testing::Test {
 protected:
  MapTest() {
    const t3_bus bus = mock_.Bus();
    EXPECT_EQ(t3_open(dev_.get(), &bus), T3_OK);
    EXPECT_EQ(t3_set_device(dev_.get(), 5), T3_OK);
    buffer_.base = 0x12'3456'7880;
    buffer_.pitch_bytes = 2048;
    buffer_.rows = 300;
    buffer_.cols = 1000;
    buffer_.tile_m = 128;
    buffer_.tile_n = 64;
    buffer_.wavefronts = 4;
    buffer_.format = T3_BF16;
    buffer_.count_base = 0x40'0000'0008;
    buffer_.ring_base = 0x50'0000'0010;
    peer_ = {6, 1, 1, 0x77'0000'0080, 2048};
    mock_.writes.clear();
  }

  // The call fails with `code` and writes nothing, to registers or to *dev_.
  void Refused(int code, const std::function<int()>& call) {
    const size_t before = mock_.writes.size();
    const t3_device copy = *dev_;
    EXPECT_EQ(call(), code);
    EXPECT_EQ(mock_.writes.size(), before);
    for (int c = 0; c < 4; c++) {
      EXPECT_EQ(dev_->context[c].phase, copy.context[c].phase);
      EXPECT_EQ(dev_->context[c].elements, copy.context[c].elements);
      EXPECT_EQ(dev_->context[c].sends, copy.context[c].sends);
      EXPECT_EQ(dev_->context[c].subtiles, copy.context[c].subtiles);
    }
  }

  RegisterMock mock_;
  std::unique_ptr<t3_device> dev_ = std::make_unique<t3_device>();
  t3_buffer buffer_{};
  t3_peer peer_{};
};

TEST_F(MapTest, BeginWritesGeometry) {
  buffer_.column_major = true;
  ASSERT_EQ(t3_context_begin(dev_.get(), 2, &buffer_, 0xab'cdef'0123, 7), T3_OK);
  RegisterMock::Context& c = mock_.contexts[2];
  EXPECT_EQ(c.Wide(0x08), 0xab'cdef'0123u);
  EXPECT_EQ(c.words[0x10], 1u | 1u << 8 | 4u << 16);
  EXPECT_EQ(c.Wide(0x14), buffer_.base);
  EXPECT_EQ(c.words[0x1c], 2048u);
  EXPECT_EQ(c.words[0x20], 300u);
  EXPECT_EQ(c.words[0x24], 1000u);
  EXPECT_EQ(c.words[0x28], 128u | 64u << 16);
  EXPECT_EQ(c.words[0x2c], 32u);
  EXPECT_EQ(c.words[0x30], 16u | 3u << 16);
  EXPECT_EQ(c.Wide(0x34), buffer_.count_base);
  EXPECT_EQ(c.Wide(0x3c), buffer_.ring_base);
  EXPECT_EQ(c.words[0x44], 7u);
  EXPECT_EQ(c.words[0x4c], 300u);  // padding between the rows stays untouched
  EXPECT_EQ(c.Wide(0x50), 2000u);
}

TEST_F(MapTest, EachMapWritesItsEntry) {
  ASSERT_EQ(t3_context_begin(dev_.get(), 1, &buffer_, 9, 6), T3_OK);
  // Grid 16 x 3; the last row of tiles has 44 rows: 2 of 4 bands; the last column 40 columns.
  const t3_range range0{0, 16}, range1{16, 8}, range2{24, 8}, range3{32, 16}, range4{48, 0};
  ASSERT_EQ(t3_remote_map(dev_.get(), 1, 0, &range0, T3_UPDATE, &peer_), T3_OK);
  ASSERT_EQ(t3_dma_map(dev_.get(), 1, 1, &range1, T3_UPDATE, 2, T3_STORE, &peer_), T3_OK);
  ASSERT_EQ(t3_track_only(dev_.get(), 1, 3, &range3, T3_STORE, 3, true), T3_OK);
  ASSERT_EQ(t3_send_map(dev_.get(), 1, 2, &range2, T3_UPDATE, &peer_), T3_OK);
  ASSERT_EQ(t3_send_map(dev_.get(), 1, 5, &range4, T3_STORE, &peer_), T3_OK);
  ASSERT_EQ(t3_context_configure(dev_.get(), 1, 4), T3_OK);

  auto& chunks = mock_.contexts[1].chunks;
  const ChunkEntry& remote = chunks[0];
  EXPECT_TRUE(remote.valid && remote.remote && !remote.notify);
  EXPECT_EQ(remote.op, 1u);
  EXPECT_EQ(remote.expected, 0u);
  EXPECT_EQ(remote.action, 0u);
  EXPECT_EQ(remote.remote_base, peer_.base);
  EXPECT_EQ(remote.dst, 6u);
  EXPECT_EQ(remote.dst_ctx, 1u);
  EXPECT_EQ(remote.link, 1u);
  const ChunkEntry& dma = chunks[1];
  EXPECT_TRUE(dma.valid && !dma.remote && !dma.notify);
  EXPECT_EQ(dma.expected, 2u);
  EXPECT_EQ(dma.action, 2u);
  EXPECT_EQ(dma.first_tile, 16u);
  EXPECT_EQ(dma.num_tiles, 8u);
  const ChunkEntry& sent = chunks[2];
  EXPECT_TRUE(sent.valid && !sent.remote);
  EXPECT_EQ(sent.expected, 0u);
  EXPECT_EQ(sent.action, 1u);
  const ChunkEntry& kept = chunks[3];
  EXPECT_TRUE(kept.valid && kept.notify && !kept.remote);
  EXPECT_EQ(kept.op, 0u);
  EXPECT_EQ(kept.expected, 3u);
  EXPECT_EQ(kept.action, 0u);
  ASSERT_TRUE(chunks.count(4));  // not mapped: written as not configured
  EXPECT_FALSE(chunks[4].valid);
  EXPECT_TRUE(chunks[5].valid);
  EXPECT_EQ(chunks[5].num_tiles, 0u);

  RegisterMock::Context& c = mock_.contexts[1];
  EXPECT_EQ(c.words[0x48], 0x104u);
  EXPECT_EQ(c.words[0x58], 8u * 4 + 16 * 2);
  EXPECT_EQ(c.Wide(0x5c), 2u * 128 * 512 + 3u * 44 * 1000);
  EXPECT_EQ(c.Wide(0x64), 128u * 1000 + 128 * 512 + 128 * 488);
}

TEST_F(MapTest, BadBuffersAreRefusedUnwritten) {
  using Change = std::function<void(t3_buffer&)>;
  const std::vector<std::pair<const char*, Change>> changes = {
      {"base alignment", [](t3_buffer& b) { b.base += 1; }},
      {"base range", [](t3_buffer& b) { b.base = (uint64_t{1} << 40) - 1000; }},
      {"base beyond", [](t3_buffer& b) { b.base = uint64_t{1} << 63; }},
      {"pitch alignment", [](t3_buffer& b) { b.pitch_bytes = 2049; }},
      {"pitch below a row", [](t3_buffer& b) { b.pitch_bytes = 1998; }},
      {"rows 0", [](t3_buffer& b) { b.rows = 0; }},
      {"rows", [](t3_buffer& b) { b.rows = 1 << 24; }},
      {"cols 0", [](t3_buffer& b) { b.cols = 0; }},
      {"cols", [](t3_buffer& b) { b.cols = 1 << 24; }},
      {"tile_m 0", [](t3_buffer& b) { b.tile_m = 0; }},
      {"tile_m", [](t3_buffer& b) { b.tile_m = 4096; }},
      {"tile_m no multiple", [](t3_buffer& b) { b.tile_m = 126; }},
      {"tile_n 0", [](t3_buffer& b) { b.tile_n = 0; }},
      {"tile_n", [](t3_buffer& b) { b.tile_n = 4096; }},
      {"wavefronts 0", [](t3_buffer& b) { b.wavefronts = 0; }},
      {"wavefronts", [](t3_buffer& b) { b.wavefronts = 64, b.tile_m = 128; }},
      {"format", [](t3_buffer& b) { b.format = 3; }},
      {"count_base alignment", [](t3_buffer& b) { b.count_base += 4; }},
      {"ring_base alignment", [](t3_buffer& b) { b.ring_base += 2; }},
      {"counts in the matrix", [](t3_buffer& b) { b.count_base = b.base + 4096; }},
      {"ring in the matrix", [](t3_buffer& b) { b.ring_base = b.base - 8; }},
      {"ring in the counts", [](t3_buffer& b) { b.ring_base = b.count_base + 16; }},
      {"subtiles",
       [](t3_buffer& b) {
         b.tile_m = b.tile_n = b.wavefronts = 1, b.rows = 5000, b.cols = 5000,
         b.pitch_bytes = 10000;
       }},
      {"grid", [](t3_buffer& b) { b.tile_n = 1, b.cols = 70000, b.pitch_bytes = 140000; }},
  };
  for (const auto& [name, change] : changes) {
    SCOPED_TRACE(name);
    t3_buffer bad = buffer_;
    change(bad);
    Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 0, &bad, 1, 4); });
    t3_ring ring{8, 5, 1, {0, 0, 0, bad.base, bad.pitch_bytes}};
    Refused(T3_ERR_ARGUMENT, [&] { return t3_ring_reduce_scatter(dev_.get(), &ring, 0, &bad, 1); });
    Refused(T3_ERR_ARGUMENT, [&] { return t3_ring_all_gather(dev_.get(), &ring, 0, &bad, 1); });
  }
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(nullptr, 0, &buffer_, 1, 4); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 0, nullptr, 1, 4); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 4, &buffer_, 1, 4); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 0, &buffer_, 0, 4); });
  Refused(T3_ERR_ARGUMENT,
          [&] { return t3_context_begin(dev_.get(), 0, &buffer_, uint64_t{1} << 40, 4); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 0, &buffer_, 1, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_begin(dev_.get(), 0, &buffer_, 1, 513); });
  mock_.contexts[0].state = RegisterMock::kDone;
  Refused(T3_ERR_STATE, [&] { return t3_context_begin(dev_.get(), 0, &buffer_, 1, 4); });
}

TEST_F(MapTest, BadMapsAreRefusedUnwritten) {
  const t3_range tiles{0, 4};
  const auto remote = [&](const t3_range* r, uint32_t chunk, const t3_peer* p) {
    return [=] { return t3_remote_map(dev_.get(), 0, chunk, r, T3_UPDATE, p); };
  };
  Refused(T3_ERR_STATE, remote(&tiles, 0, &peer_));  // not begun
  ASSERT_EQ(t3_context_begin(dev_.get(), 0, &buffer_, 1, 4), T3_OK);
  Refused(T3_ERR_ARGUMENT, remote(&tiles, 4, &peer_));
  Refused(T3_ERR_ARGUMENT, remote(nullptr, 0, &peer_));
  Refused(T3_ERR_ARGUMENT, remote(&tiles, 0, nullptr));
  for (const t3_range bad :
       {t3_range{0, 49}, t3_range{48, 1}, t3_range{49, 0}, t3_range{5, 0xffffffff}}) {
    Refused(T3_ERR_ARGUMENT, remote(&bad, 0, &peer_));
  }
  for (const t3_peer bad : {t3_peer{5, 1, 1, peer_.base, 2048},         // this device
                            t3_peer{64, 1, 1, peer_.base, 2048},        // no such device
                            t3_peer{6, 4, 1, peer_.base, 2048},         // context
                            t3_peer{6, 1, 2, peer_.base, 2048},         // link
                            t3_peer{6, 1, 1, peer_.base + 32, 2048},    // base modulo line
                            t3_peer{6, 1, 1, peer_.base, 4096},         // pitch
                            t3_peer{6, 1, 1, 0xff'ffff'ff80, 2048}}) {  // end of the address space
    Refused(T3_ERR_ARGUMENT, remote(&tiles, 0, &bad));
    Refused(T3_ERR_ARGUMENT,
            [&] { return t3_dma_map(dev_.get(), 0, 0, &tiles, T3_STORE, 1, T3_STORE, &bad); });
    Refused(T3_ERR_ARGUMENT, [&] { return t3_send_map(dev_.get(), 0, 0, &tiles, T3_STORE, &bad); });
  }
  for (const uint32_t expected : {0u, 256u}) {
    Refused(T3_ERR_ARGUMENT,
            [&] { return t3_track_only(dev_.get(), 0, 0, &tiles, T3_STORE, expected, true); });
    Refused(T3_ERR_ARGUMENT, [&] {
      return t3_dma_map(dev_.get(), 0, 0, &tiles, T3_STORE, expected, T3_STORE, &peer_);
    });
  }
  const auto no_op = static_cast<t3_op>(2);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_track_only(dev_.get(), 0, 0, &tiles, no_op, 1, true); });
  Refused(T3_ERR_ARGUMENT,
          [&] { return t3_dma_map(dev_.get(), 0, 0, &tiles, T3_STORE, 1, no_op, &peer_); });
  ASSERT_EQ(t3_remote_map(dev_.get(), 0, 0, &tiles, T3_UPDATE, &peer_), T3_OK);
  Refused(T3_ERR_ARGUMENT, remote(&tiles, 0, &peer_));  // mapped twice
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_configure(dev_.get(), 0, 5); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_configure(dev_.get(), 0, 64); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_context_configure(dev_.get(), 4, 1); });
  Refused(T3_ERR_STATE, [&] { return t3_context_configure(dev_.get(), 1, 1); });
  ASSERT_EQ(t3_context_configure(dev_.get(), 0, T3_NO_PEER), T3_OK);
  EXPECT_EQ(mock_.contexts[0].words[0x48], 0u);
  Refused(T3_ERR_STATE, remote(&tiles, 1, &peer_));
  Refused(T3_ERR_STATE, [&] { return t3_context_configure(dev_.get(), 0, 1); });
}

TEST_F(MapTest, ASubtileWhoseCountDoesNotFitIsRefused) {
  buffer_.tile_m = 4092, buffer_.wavefronts = 1, buffer_.tile_n = 4095;
  const t3_range tiles{0, 1};
  ASSERT_EQ(t3_context_begin(dev_.get(), 0, &buffer_, 1, 1), T3_OK);
  Refused(T3_ERR_ARGUMENT,
          [&] { return t3_track_only(dev_.get(), 0, 0, &tiles, T3_UPDATE, 2, true); });
  EXPECT_EQ(t3_track_only(dev_.get(), 0, 0, &tiles, T3_UPDATE, 1, true), T3_OK);
}

TEST_F(MapTest, BadRingsAreRefusedUnwritten) {
  const t3_ring good{8, 5, 1, {0, 1, 1, peer_.base, 2048}};
  const std::vector<std::function<void(t3_ring&)>> changes = {
      [](t3_ring& r) { r.devices = 0; },    [](t3_ring& r) { r.devices = 65; },
      [](t3_ring& r) { r.devices = 5; },    [](t3_ring& r) { r.device = 4; },
      [](t3_ring& r) { r.direction = 0; },  [](t3_ring& r) { r.direction = 2; },
      [](t3_ring& r) { r.next.ctx = 4; },   [](t3_ring& r) { r.next.link = 2; },
      [](t3_ring& r) { r.next.base += 2; }, [](t3_ring& r) { r.next.pitch_bytes += 2; }};
  for (size_t i = 0; i < changes.size(); i++) {
    SCOPED_TRACE(i);
    t3_ring bad = good;
    changes[i](bad);
    Refused(T3_ERR_ARGUMENT,
            [&] { return t3_ring_reduce_scatter(dev_.get(), &bad, 0, &buffer_, 1); });
    Refused(T3_ERR_ARGUMENT, [&] { return t3_ring_all_gather(dev_.get(), &bad, 0, &buffer_, 1); });
  }
  EXPECT_EQ(t3_ring_reduce_scatter(dev_.get(), &good, 0, &buffer_, 1), T3_OK);
  Refused(T3_ERR_STATE, [&] { return t3_ring_reduce_scatter(dev_.get(), &good, 0, &buffer_, 2); });
}

TEST_F(MapTest, EveryBusErrorOnTheWayIsReported) {
  const t3_ring ring{8, 5, 1, {0, 1, 1, peer_.base, 2048}};
  ASSERT_EQ(t3_ring_reduce_scatter(dev_.get(), &ring, 0, &buffer_, 1), T3_OK);
  const size_t total = mock_.writes.size();
  for (size_t i = 0; i < total; i++) {
    RegisterMock mock;
    const t3_bus bus = mock.Bus();
    ASSERT_EQ(t3_open(dev_.get(), &bus), T3_OK);
    dev_->id = 5;
    mock.FailWrite(i);
    EXPECT_EQ(t3_ring_reduce_scatter(dev_.get(), &ring, 0, &buffer_, 1), T3_ERR_BUS) << i;
    EXPECT_EQ(mock.writes.size(), i + 1);
  }
}

}  // namespace
}  // namespace t3::driver_test
