// Opening, commands, states, events.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "sw/driver/tests/register_mock.h"

namespace t3::driver_test {
namespace {

class RunTest : public testing::Test {
 protected:
  RunTest() {
    const t3_bus bus = mock_.Bus();
    EXPECT_EQ(t3_open(dev_.get(), &bus), T3_OK);
    EXPECT_EQ(t3_set_device(dev_.get(), 2), T3_OK);
    t3_buffer b{};
    b.rows = b.cols = 256, b.pitch_bytes = 512, b.tile_m = b.tile_n = 64, b.wavefronts = 2;
    b.count_base = 1 << 20, b.ring_base = 2 << 20;
    t3_ring ring{4, 2, 1, {0, 0, 1, 0, 512}};
    EXPECT_EQ(t3_ring_reduce_scatter(dev_.get(), &ring, 0, &b, 10), T3_OK);
    ring.next.ctx = 1;
    b.count_base = 3 << 20, b.ring_base = 4 << 20;
    EXPECT_EQ(t3_ring_all_gather(dev_.get(), &ring, 1, &b, 10), T3_OK);
    mock_.writes.clear();
  }

  void Refused(int code, const std::function<int()>& call) {
    const size_t before = mock_.writes.size();
    EXPECT_EQ(call(), code);
    EXPECT_EQ(mock_.writes.size(), before);
  }

  RegisterMock mock_;
  std::unique_ptr<t3_device> dev_ = std::make_unique<t3_device>();
};

TEST_F(RunTest, OpenReadsTheParametersAndRefusesStrangers) {
  EXPECT_EQ(dev_->caps.channels, 16u);
  EXPECT_EQ(dev_->caps.line_bytes, 64u);
  EXPECT_EQ(dev_->caps.banks, 8u);
  EXPECT_EQ(dev_->caps.contexts, 4u);
  EXPECT_EQ(dev_->caps.chunks, 512u);
  EXPECT_EQ(dev_->caps.devices, 64u);
  EXPECT_EQ(dev_->caps.credits, 2048u);
  EXPECT_EQ(dev_->caps.lanes, 2u);
  EXPECT_EQ(dev_->caps.links, 2u);
  auto other = std::make_unique<t3_device>();
  const t3_bus bus = mock_.Bus();
  for (uint32_t version : {0u, 0x54330200u, 0x12340100u}) {
    mock_.Word(0) = version;
    Refused(T3_ERR_VERSION, [&] { return t3_open(other.get(), &bus); });
  }
  mock_.Word(0) = 0x54330107;  // a newer minor version
  EXPECT_EQ(t3_open(other.get(), &bus), T3_OK);
  mock_.FailRead(mock_.reads());
  Refused(T3_ERR_BUS, [&] { return t3_open(other.get(), &bus); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_open(nullptr, &bus); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_open(other.get(), nullptr); });
}

TEST_F(RunTest, SettingsAreCheckedAndWritten) {
  Refused(T3_ERR_STATE, [&] { return t3_set_device(dev_.get(), 3); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_set_device(dev_.get(), 64); });
  t3_policy policy{T3_MCA, 30, 64, 500, 400, 4000};
  EXPECT_EQ(t3_set_policy(dev_.get(), &policy), T3_OK);
  EXPECT_EQ(mock_.Word(0x14), 2u | 30u << 8 | 64u << 16);
  EXPECT_EQ(mock_.Word(0x18), 500u);
  EXPECT_EQ(mock_.Word(0x1c), 400u);
  EXPECT_EQ(mock_.Word(0x20), 4000u);
  for (int i = 0; i < 5; i++) {
    t3_policy bad = policy;
    if (i == 0) bad.policy = 3;
    if (i == 1) bad.queue_entries = 0;
    if (i == 2) bad.limit_incoming = 0;
    if (i == 3) bad.limit_dma = 0;
    if (i == 4) bad.limit_fill = 0;
    Refused(T3_ERR_ARGUMENT, [&] { return t3_set_policy(dev_.get(), &bad); });
  }
  EXPECT_EQ(t3_set_credits(dev_.get(), 3, 2048), T3_OK);
  EXPECT_EQ(mock_.Word(0x24), 2048u | 3u << 16);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_set_credits(dev_.get(), 3, 2049); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_set_credits(dev_.get(), 2, 1); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_set_credits(dev_.get(), 64, 1); });
}

TEST_F(RunTest, FillAndGrantWriteTheirCommands) {
  EXPECT_EQ(t3_fill(dev_.get(), 0, 3, 1, 1), T3_OK);
  EXPECT_EQ(mock_.Word(0x70), 0u | 3u << 4 | 1u << 8 | 1u << 16);
  EXPECT_EQ(t3_fill(dev_.get(), 1, 0, 99, 99),
            T3_OK);  // without grants, peer and link do not matter
  EXPECT_EQ(mock_.Word(0x70), 1u);
  EXPECT_EQ(t3_grant(dev_.get(), 1, 63, 0), T3_OK);
  EXPECT_EQ(mock_.Word(0x74), 1u | 63u << 8);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_fill(dev_.get(), 4, 0, 1, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_fill(dev_.get(), 0, 16, 1, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_fill(dev_.get(), 0, 1, 2, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_fill(dev_.get(), 0, 1, 1, 2); });
  Refused(T3_ERR_STATE, [&] { return t3_fill(dev_.get(), 2, 0, 1, 0); });
  Refused(T3_ERR_STATE, [&] { return t3_fill(dev_.get(), 0, 5, 1, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_grant(dev_.get(), 0, 2, 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_grant(dev_.get(), 0, 1, 2); });
  Refused(T3_ERR_STATE, [&] { return t3_grant(dev_.get(), 3, 1, 0); });
  mock_.Word(0x28) = 1u << 2 | 1u << 4;  // both queues full
  Refused(T3_ERR_BUSY, [&] { return t3_fill(dev_.get(), 0, 0, 1, 0); });
  Refused(T3_ERR_BUSY, [&] { return t3_grant(dev_.get(), 0, 1, 0); });
}

TEST_F(RunTest, LaunchWaitsForTheGrantsOfEveryContextThatTheTablesName) {
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 0);
  mock_.grants[{3, 0}] = 10;
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 1), 1);
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 0);
  mock_.grants[{3, 1}] = 9;  // stale
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 0);
  mock_.grants[{3, 1}] = (uint64_t{1} << 35) + 2;  // a later one stands for it; high word counts
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 1);
  mock_.grants[{1, 0}] = 0;  // the predecessor is not asked
  EXPECT_EQ(t3_ready_to_launch(dev_.get(), 3), 1);
  uint64_t epoch = 0;
  EXPECT_EQ(t3_granted(dev_.get(), 3, 1, &epoch), T3_OK);
  EXPECT_EQ(epoch, (uint64_t{1} << 35) + 2);

  Refused(T3_ERR_ARGUMENT, [&] { return t3_launch(dev_.get(), 0); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_launch(dev_.get(), 16); });
  Refused(T3_ERR_STATE, [&] { return t3_launch(dev_.get(), 5); });
  EXPECT_EQ(t3_launch(dev_.get(), 1), T3_OK);
  EXPECT_EQ(mock_.contexts[0].state, RegisterMock::kLaunched);
  EXPECT_EQ(mock_.contexts[1].state, RegisterMock::kLive);
  Refused(T3_ERR_STATE, [&] { return t3_launch(dev_.get(), 1); });
  mock_.contexts[1].failed = true;
  Refused(T3_ERR_FAILED, [&] { return t3_launch(dev_.get(), 2); });
  Refused(T3_ERR_FAILED, [&] { return t3_ready_to_launch(dev_.get(), 2); });
}

TEST_F(RunTest, SendChunkIsForChunksSentOnCommandOnly) {
  Refused(T3_ERR_ARGUMENT, [&] { return t3_send_chunk(dev_.get(), 1, 1); });  // triggered
  Refused(T3_ERR_ARGUMENT, [&] { return t3_send_chunk(dev_.get(), 0, 1); });  // remote-mapped
  Refused(T3_ERR_ARGUMENT, [&] { return t3_send_chunk(dev_.get(), 1, 4); });
  Refused(T3_ERR_STATE, [&] { return t3_send_chunk(dev_.get(), 2, 0); });
  mock_.Word(0x28) = 1;
  Refused(T3_ERR_BUSY, [&] { return t3_send_chunk(dev_.get(), 1, 2); });
  mock_.Word(0x28) = 0;
  EXPECT_EQ(t3_send_chunk(dev_.get(), 1, 2), T3_OK);
  EXPECT_EQ(mock_.Word(0x60), 0u | 2u << 16);  // tile 8 of a 4 x 4 grid
  EXPECT_EQ(mock_.Word(0x64), 4u);
  Refused(T3_ERR_STATE, [&] { return t3_send_chunk(dev_.get(), 1, 2); });
}

TEST_F(RunTest, WaitReleaseAndAbortFollowTheState) {
  EXPECT_EQ(t3_wait(dev_.get(), 0, 3), T3_ERR_TIMEOUT);
  EXPECT_EQ(t3_wait(dev_.get(), 0, 0), T3_ERR_TIMEOUT);
  EXPECT_EQ(t3_wait(dev_.get(), 3, 3), T3_ERR_STATE);
  Refused(T3_ERR_STATE, [&] { return t3_release(dev_.get(), 0); });
  mock_.contexts[0].state = RegisterMock::kDone;
  EXPECT_EQ(t3_wait(dev_.get(), 0, 1), T3_OK);
  mock_.contexts[0].failed = true;
  EXPECT_EQ(t3_wait(dev_.get(), 0, 1), T3_ERR_FAILED);
  Refused(T3_ERR_FAILED, [&] { return t3_release(dev_.get(), 0); });
  mock_.contexts[0].failed = false;
  EXPECT_EQ(t3_release(dev_.get(), 0), T3_OK);
  EXPECT_EQ(mock_.contexts[0].state, RegisterMock::kFree);

  mock_.contexts[1].failed = true;
  EXPECT_EQ(t3_abort(dev_.get(), 1, 1), T3_ERR_TIMEOUT);
  EXPECT_EQ(t3_abort(dev_.get(), 1, 10), T3_OK);
  EXPECT_EQ(mock_.contexts[1].state, RegisterMock::kFree);
  Refused(T3_OK, [&] { return t3_abort(dev_.get(), 1, 1); });  // free already
  Refused(T3_ERR_STATE, [&] { return t3_launch(dev_.get(), 2); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_abort(dev_.get(), 4, 1); });

  mock_.Word(0x28) = 1u << 9;
  EXPECT_EQ(t3_quiesce(dev_.get(), 5), T3_ERR_TIMEOUT);
  mock_.Word(0x28) = 1u << 2;  // a full fill queue alone cannot be, and is not asked for
  EXPECT_EQ(t3_quiesce(dev_.get(), 5), T3_OK);
}

TEST_F(RunTest, StatusErrorsCountersAndEventsAreTakenApart) {
  RegisterMock::Context& c = mock_.contexts[0];
  c.words[0x58] = 17, c.words[0x5c] = 5, c.words[0x60] = 0xab, c.words[0x64] = 6,
  c.words[0x68] = 0xcd;
  c.words[0x6c] = 3;
  struct t3_status status;
  ASSERT_EQ(t3_status(dev_.get(), 0, &status), T3_OK);
  EXPECT_EQ(status.state, T3_LIVE);
  EXPECT_FALSE(status.failed);
  EXPECT_EQ(status.subtiles_left, 17u);
  EXPECT_EQ(status.elements_left, 0xab'0000'0005u);
  EXPECT_EQ(status.sends_left, 0xcd'0000'0006u);
  EXPECT_EQ(status.notified, 3u);

  mock_.Word(0x90) = 1u | 9u << 4 | 1u << 8 | 1u << 10 | 33u << 16;
  mock_.Word(0x94) = 0x89abcdef, mock_.Word(0x98) = 0x12, mock_.Word(0x9c) = 4,
  mock_.Word(0xa0) = 1;
  mock_.Word(0xa4) = 7u | 8u << 16, mock_.Word(0xa8) = 31u | 511u << 8 | 2u << 20,
  mock_.Word(0xac) = 12;
  struct t3_error error;
  ASSERT_EQ(t3_error(dev_.get(), &error), T3_OK);
  EXPECT_TRUE(error.valid && error.fails && error.remote && !error.peer_fails);
  EXPECT_EQ(error.cause, 9);
  EXPECT_STREQ(t3_error_text(error.cause), "sequence number");
  EXPECT_STREQ(t3_error_text(200), "unknown");
  EXPECT_EQ(error.src, 33);
  EXPECT_EQ(error.addr, 0x12'89ab'cdefu);
  EXPECT_EQ(error.epoch, 0x1'0000'0004u);
  EXPECT_EQ(error.wgx, 7);
  EXPECT_EQ(error.wgy, 8);
  EXPECT_EQ(error.wf, 31);
  EXPECT_EQ(error.chunk, 511);
  EXPECT_EQ(error.ctx, 2);
  EXPECT_EQ(error.count, 12u);
  EXPECT_EQ(t3_clear_error(dev_.get()), T3_OK);
  EXPECT_EQ(mock_.Word(0x90), 1u);

  mock_.Word(0x118) = 44, mock_.Word(0x11c) = 1;
  uint64_t value = 0;
  EXPECT_EQ(t3_counter(dev_.get(), T3_COUNTER_DMA_LINES, &value), T3_OK);
  EXPECT_EQ(value, 0x1'0000'002cu);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_counter(dev_.get(), T3_NUM_COUNTERS, &value); });
  mock_.Word(0xc0) = 5u | 9u << 16;
  uint32_t entries = 0, peak = 0;
  EXPECT_EQ(t3_tracker(dev_.get(), &entries, &peak), T3_OK);
  EXPECT_EQ(entries, 5u);
  EXPECT_EQ(peak, 9u);
  EXPECT_EQ(t3_tracker(dev_.get(), nullptr, nullptr), T3_OK);
  EXPECT_EQ(t3_clear_counters(dev_.get()), T3_OK);
  EXPECT_EQ(mock_.Word(0xc4), 1u);

  mock_.Word(0xb4) = 1u << 31 | 2u << 24 | 0x123456, mock_.Word(0xb8) = 99;
  struct t3_peek peek;
  EXPECT_EQ(t3_peek(dev_.get(), 7, 255, &peek), T3_OK);
  EXPECT_EQ(mock_.Word(0xb0), 255u | 7u << 16);
  EXPECT_TRUE(peek.valid);
  EXPECT_EQ(peek.ctx, 2);
  EXPECT_EQ(peek.sub, 0x123456u);
  EXPECT_EQ(peek.count, 99u);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_peek(dev_.get(), 8, 0, &peek); });

  uint32_t events = 0;
  EXPECT_EQ(t3_irq_enable(dev_.get(), 0x1fff), T3_OK);
  EXPECT_EQ(mock_.Word(0x34), 0x1fffu);
  EXPECT_EQ(t3_irq_clear(dev_.get(), 0x10), T3_OK);
  EXPECT_EQ(t3_irq_status(dev_.get(), &events), T3_OK);
  EXPECT_EQ(events, 0x10u);
  Refused(T3_ERR_ARGUMENT, [&] { return t3_irq_enable(dev_.get(), 0x2000); });
  Refused(T3_ERR_ARGUMENT, [&] { return t3_irq_clear(dev_.get(), 0x2000); });
}

}  // namespace
}  // namespace t3::driver_test
