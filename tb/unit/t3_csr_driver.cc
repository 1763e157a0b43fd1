// The driver on the registers of the RTL: one life of a ring all-reduce's two
// contexts, an abort, an error.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "sw/driver/t3.h"
#include "tb/unit/t3_csr_bench.h"

namespace t3::tb {
namespace {

class T3CsrDriver : public testing::Test {
 protected:
  T3CsrDriver() {
    bench_.stall_percent = 20;
    const t3_bus bus = {
        [](void* self, uint32_t offset, uint32_t* value) {
          const Response r = static_cast<CsrBench*>(self)->Read(offset);
          if (r.resp == kOkay) *value = r.data;
          return static_cast<int>(r.resp);
        },
        [](void* self, uint32_t offset, uint32_t value) {
          return static_cast<int>(static_cast<CsrBench*>(self)->Write(offset, value));
        },
        &bench_};
    EXPECT_EQ(t3_open(dev_.get(), &bus), T3_OK);
    EXPECT_EQ(t3_set_device(dev_.get(), 2), T3_OK);
    bench_.on_sample = [this] {
      if (!bench_.top->chunk_we_o) return;
      const uint8_t* entry = CsrBench::Bytes(bench_.top->chunk_wdata_o);
      auto& words = chunks_[bench_.top->chunk_wctx_o * 512 + bench_.top->chunk_wchunk_o];
      words = {LoadBits(entry, 0, 64), LoadBits(entry, 64, 47)};
    };
    // 8 x 8 tiles of 16 x 16; the last row of tiles is 4 rows high: one of four bands.
    buffer_.base = 0x10'0000'0040;
    buffer_.rows = 116, buffer_.cols = 128, buffer_.pitch_bytes = 320;
    buffer_.tile_m = buffer_.tile_n = 16, buffer_.wavefronts = 4;
    buffer_.count_base = 0x20'0000'0000, buffer_.ring_base = 0x21'0000'0000;
    ring_ = {4, 2, -1, {0, 0, 1, 0x30'0000'0040, 320}};
  }

  // A field of the chunk table's entry as it left the registers.
  uint64_t Field(uint32_t ctx, uint32_t chunk, uint32_t lsb, uint32_t width) {
    const auto& words = chunks_.at(ctx * 512 + chunk);
    uint8_t bytes[16];
    std::memcpy(bytes, words.data(), 16);
    return LoadBits(bytes, lsb, width);
  }

  void Configure() {
    ASSERT_EQ(t3_ring_reduce_scatter(dev_.get(), &ring_, 0, &buffer_, 0x12'0000'0001), T3_OK);
    ring_.next.ctx = 1;
    buffer_.count_base += 0x1000, buffer_.ring_base += 0x1000;
    ASSERT_EQ(t3_ring_all_gather(dev_.get(), &ring_, 1, &buffer_, 0x12'0000'0001), T3_OK);
  }

  // All that a context waits for, in one go per bank.
  void Complete(uint32_t ctx) {
    struct t3_status s;
    ASSERT_EQ(t3_status(dev_.get(), static_cast<uint8_t>(ctx), &s), T3_OK);
    for (; s.elements_left; s.elements_left -= std::min<uint64_t>(s.elements_left, 1000)) {
      bench_.Account(0, ctx, static_cast<uint32_t>(std::min<uint64_t>(s.elements_left, 1000)),
                     false);
      bench_.Tick();
    }
    for (; s.subtiles_left; s.subtiles_left--) {
      bench_.Account(1, ctx, 0, true, true);
      bench_.Tick();
    }
    for (; s.sends_left; s.sends_left -= std::min<uint64_t>(s.sends_left, 32)) {
      bench_.Sent(0, ctx, static_cast<uint32_t>(std::min<uint64_t>(s.sends_left, 32)) * 2);
      bench_.Tick();
    }
  }

  CsrBench bench_{50};
  std::unique_ptr<t3_device> dev_ = std::make_unique<t3_device>();
  std::map<uint32_t, std::array<uint64_t, 2>> chunks_;
  t3_buffer buffer_{};
  t3_ring ring_{};
};

TEST_F(T3CsrDriver, RunsAKernel) {
  EXPECT_EQ(dev_->caps.chunks, 64u);
  EXPECT_EQ(dev_->caps.links, 2u);
  const t3_policy policy{T3_COMPUTE_FIRST, 10, 32, 111, 222, 333};
  EXPECT_EQ(t3_set_policy(dev_.get(), &policy), T3_OK);
  EXPECT_EQ(bench_.top->threshold_o, 10);
  EXPECT_EQ(bench_.top->limit_fill_o, 333);
  EXPECT_EQ(t3_set_credits(dev_.get(), 1, 2048), T3_OK);
  EXPECT_EQ(bench_.top->credit_init_count_o, 2048);

  Configure();
  // Downwards, device 2 first produces chunk 3, for device 1; its own is 2.
  EXPECT_EQ(Field(0, 3, 109, 1), 1u);  // remote
  EXPECT_EQ(Field(0, 3, 90, 6), 1u);   // to device 1
  EXPECT_EQ(Field(0, 3, 107, 1), 1u);  // link 1
  EXPECT_EQ(Field(0, 3, 48, 40), 0x30'0000'0040u);
  EXPECT_EQ(Field(0, 3, 24, 24), 48u);  // first tile
  EXPECT_EQ(Field(0, 3, 0, 24), 16u);   // tiles
  EXPECT_EQ(Field(0, 2, 96, 8), 2u);    // own chunk: two updates
  EXPECT_EQ(Field(0, 2, 104, 2), 0u);   // stays
  EXPECT_EQ(Field(0, 2, 106, 1), 1u);   // notifies
  EXPECT_EQ(Field(0, 1, 104, 2), 1u);   // DMA update
  EXPECT_EQ(Field(1, 1, 104, 2), 0u);   // chunk 1 has come all the way round
  EXPECT_EQ(Field(1, 3, 104, 2), 2u);   // DMA store
  EXPECT_EQ(Field(1, 3, 88, 2), 1u);    // to context 1

  // The matrix has padding: a row each; then both grants go to device 3.
  ASSERT_EQ(t3_fill(dev_.get(), 0, 3, t3_ring_predecessor(&ring_), 0), T3_OK);
  bench_.Ticks(40);
  EXPECT_EQ(bench_.top->fill_rows_o, 116u);
  EXPECT_EQ(bench_.top->fill_row_bytes_o, 256u);
  ASSERT_EQ(bench_.grants.size(), 2u);
  for (uint32_t c = 0; c < 2; c++) {
    EXPECT_EQ(bench_.grants[c].ctx, c);
    EXPECT_EQ(bench_.grants[c].dst, 3u);
    EXPECT_EQ(bench_.grants[c].epoch, 0x12'0000'0001u);
  }
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 0);
  bench_.Granted(1, 1, 0, 0x12'0000'0001), bench_.Ticks(5);
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 0);
  bench_.Granted(1, 1, 1, 0x12'0000'0002), bench_.Ticks(5);
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 1);

  ASSERT_EQ(t3_launch(dev_.get(), 1), T3_OK);
  EXPECT_EQ(t3_wait(dev_.get(), 0, 3), T3_ERR_TIMEOUT);
  struct t3_status s;
  ASSERT_EQ(t3_status(dev_.get(), 0, &s), T3_OK);
  // Chunks 0 and 1 are 32 whole tiles, chunk 2 sixteen; the last row of tiles is in chunk 3.
  EXPECT_EQ(s.subtiles_left, 48u * 4);
  EXPECT_EQ(s.elements_left, 2u * 48 * 256);
  EXPECT_EQ(s.sends_left, 32u * 256 + 16u * 256 - 8 * 12 * 16);
  Complete(0);
  EXPECT_EQ(t3_wait(dev_.get(), 0, 3), T3_OK);

  bench_.top->cmd_ready_i = 0;
  ASSERT_EQ(t3_launch(dev_.get(), 2), T3_OK);
  ASSERT_EQ(t3_send_chunk(dev_.get(), 1, 2), T3_OK);
  EXPECT_TRUE(bench_.top->cmd_valid_o);
  EXPECT_EQ(bench_.top->cmd_wgx_o, 0);
  EXPECT_EQ(bench_.top->cmd_wgy_o, 4);
  EXPECT_EQ(bench_.top->cmd_tiles_o, 16u);
  EXPECT_EQ(bench_.top->cmd_op_o, 0);
  EXPECT_EQ(t3_quiesce(dev_.get(), 3), T3_ERR_TIMEOUT);
  bench_.top->cmd_ready_i = 1;
  EXPECT_EQ(t3_quiesce(dev_.get(), 3), T3_OK);
  Complete(1);
  EXPECT_EQ(t3_wait(dev_.get(), 1, 3), T3_OK);
  uint32_t events = 0;
  EXPECT_EQ(t3_irq_status(dev_.get(), &events), T3_OK);
  EXPECT_EQ(events, IrqDone(0) | IrqDone(1) | kIrqFill | kIrqGranted);
  uint64_t value = 0;
  EXPECT_EQ(t3_counter(dev_.get(), T3_COUNTER_ELEMENTS, &value), T3_OK);
  EXPECT_EQ(value, 2u * 48 * 256 + 48u * 256 - 8 * 12 * 16);
  EXPECT_EQ(t3_release(dev_.get(), 0), T3_OK);
  EXPECT_EQ(t3_release(dev_.get(), 1), T3_OK);
  EXPECT_EQ(t3_release(dev_.get(), 1), T3_ERR_STATE);
  EXPECT_TRUE(bench_.top->idle_o);
}

TEST_F(T3CsrDriver, AFailedContextIsReportedAndAborted) {
  Configure();
  ASSERT_EQ(t3_launch(dev_.get(), 1), T3_OK);
  Error e;
  e.cause = 5, e.fails = e.remote = true, e.src = 3, e.sub = Subtile(0, 2, 7, 4, 3);
  e.addr = 0xab'cdef'0123, e.epoch = 0x12'0000'0001;
  bench_.Report(2, e);
  bench_.Ticks(3);
  EXPECT_EQ(t3_wait(dev_.get(), 0, 3), T3_ERR_FAILED);
  struct t3_error error;
  ASSERT_EQ(t3_error(dev_.get(), &error), T3_OK);
  EXPECT_TRUE(error.valid && error.fails && error.remote && !error.peer_fails);
  EXPECT_STREQ(t3_error_text(error.cause), "address outside the subtile");
  EXPECT_EQ(error.src, 3);
  EXPECT_EQ(error.addr, e.addr);
  EXPECT_EQ(error.epoch, e.epoch);
  EXPECT_EQ(error.chunk, 2);
  EXPECT_EQ(error.wgx, 7);
  EXPECT_EQ(error.wgy, 4);
  EXPECT_EQ(error.wf, 3);
  EXPECT_EQ(t3_clear_error(dev_.get()), T3_OK);
  ASSERT_EQ(t3_error(dev_.get(), &error), T3_OK);
  EXPECT_FALSE(error.valid);
  EXPECT_EQ(t3_release(dev_.get(), 0), T3_ERR_FAILED);
  EXPECT_EQ(t3_abort(dev_.get(), 0, 1), T3_ERR_TIMEOUT);
  EXPECT_EQ(t3_abort(dev_.get(), 0, 100), T3_OK);
  EXPECT_EQ(t3_wait(dev_.get(), 1, 1), T3_ERR_TIMEOUT);  // the other one lives on
  ring_.next.ctx = 0;
  buffer_.count_base += 0x1000, buffer_.ring_base += 0x1000;
  EXPECT_EQ(t3_ring_reduce_scatter(dev_.get(), &ring_, 0, &buffer_, 0x12'0000'0002), T3_OK);
}

}  // namespace
}  // namespace t3::tb
