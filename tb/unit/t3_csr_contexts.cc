// Contexts of t3_csr: life cycle, accounting, failures, abort.
#include <gtest/gtest.h>

#include "tb/unit/t3_csr_bench.h"

namespace t3::tb {
namespace {

TEST(T3CsrContext, LifeCycle) {
  CsrBench b(1);
  b.clear_cycles = 50;
  b.Prepare(1, 0xab'0000'0007, 2, 100, 60);
  EXPECT_FALSE(b.Live(1));
  EXPECT_EQ(b.Write(Ctx(1, kControl), kRelease), kSlvErr);
  EXPECT_EQ(b.Write(Ctx(1, kControl), kAbort), kSlvErr);
  EXPECT_EQ(b.Write(Ctx(1, kControl), kConfigure | kAbort), kSlvErr);
  EXPECT_EQ(b.Write(kLaunch, 2), kSlvErr);
  EXPECT_EQ(b.Write(kLaunch, 0), kSlvErr);
  b.Set(kIrqStatus, 0x1fff);

  b.Set(Ctx(1, kControl), kConfigure);
  EXPECT_EQ(b.StateOf(1), kClearing);
  EXPECT_FALSE(b.Live(1));
  EXPECT_EQ(b.Write(kLaunch, 2), kSlvErr);
  EXPECT_EQ(b.invalidations, 0u);
  b.WaitState(1, kLive);
  EXPECT_EQ(b.clears, std::vector<uint32_t>{1});
  EXPECT_EQ(b.flushes, std::vector<uint32_t>{1});
  EXPECT_EQ(b.invalidations, 1u);
  EXPECT_TRUE(b.Live(1));
  EXPECT_FALSE(b.Launched(1));
  EXPECT_EQ(b.Cfg(1, kCfgBits - 42, 40), 0xab'0000'0007u);

  // Arrivals may come before the launch; done comes after it.
  b.Account(0, 1, 100, false);
  b.Tick();
  EXPECT_EQ(b.Write(Ctx(1, kControl), kConfigure), kSlvErr);
  EXPECT_EQ(b.Write(Ctx(1, kControl), kRelease), kSlvErr);
  b.Set(kLaunch, 2);
  EXPECT_TRUE(b.Launched(1));
  EXPECT_EQ(b.StateOf(1), kLaunched);
  EXPECT_EQ(b.Write(kLaunch, 2), kSlvErr);
  b.Account(3, 1, 0, true, true);
  b.Tick();
  b.Sent(0, 1, 64), b.Sent(1, 1, 56);  // fp16: 60 elements
  b.Tick();
  b.Ticks(5);
  EXPECT_EQ(b.StateOf(1), kLaunched);
  EXPECT_EQ(b.Get(kIrqStatus) & IrqDone(1), 0u);
  EXPECT_EQ(b.Get(Ctx(1, kNotified)), 1u);
  b.Account(7, 1, 0, true, false);
  b.Tick();
  b.Ticks(3);
  EXPECT_EQ(b.StateOf(1), kDone);
  EXPECT_EQ(b.Get(kIrqStatus) & 0xff, IrqDone(1));
  EXPECT_EQ(b.Get(Ctx(1, kNotified)), 1u);
  EXPECT_TRUE(b.Live(1) && b.Launched(1));
  b.Set(Ctx(1, kControl), kRelease);
  EXPECT_FALSE(b.Live(1) || b.Launched(1));
  EXPECT_EQ(b.StateOf(1), kFree);
  b.Prepare(1, 8, 0, 0, 0);  // may be written again
}

TEST(T3CsrContext, DoneNeedsAllThreeTotals) {
  for (int missing = 0; missing < 3; missing++) {
    CsrBench b(static_cast<uint64_t>(10 + missing));
    b.GoLive(0, 1, missing == 0, missing == 1, missing == 2);
    b.Set(kLaunch, 1);
    b.Ticks(10);
    EXPECT_EQ(b.StateOf(0), kLaunched) << missing;
    if (missing == 2) {
      b.Sent(0, 0, 2);
    } else {
      b.Account(0, 0, missing == 1, missing == 0);
    }
    b.Ticks(5);
    EXPECT_EQ(b.StateOf(0), kDone) << missing;
  }
}

TEST(T3CsrContext, NothingExpectedIsDoneAtTheLaunch) {
  CsrBench b(20);
  b.GoLive(2, 1, 0, 0, 0);
  b.Ticks(20);
  EXPECT_EQ(b.StateOf(2), kLive);
  b.Set(kLaunch, 4);
  b.Ticks(3);
  EXPECT_EQ(b.StateOf(2), kDone);
}

TEST(T3CsrContext, LaunchIsForAllOfTheMaskOrNone) {
  CsrBench b(21);
  for (uint32_t c = 0; c < 3; c++) b.GoLive(c, 1, 1, 1, 1);
  EXPECT_EQ(b.Write(kLaunch, 0xf), kSlvErr);
  for (uint32_t c = 0; c < 3; c++) EXPECT_FALSE(b.Launched(c));
  uint64_t at[3] = {};
  b.on_sample = [&] {
    for (uint32_t c = 0; c < 3; c++) at[c] += b.Launched(c);
  };
  b.Set(kLaunch, 0x7);
  b.Ticks(3);
  EXPECT_GT(at[0], 0u);
  EXPECT_EQ(at[0], at[1]);
  EXPECT_EQ(at[0], at[2]);
}

TEST(T3CsrContext, ConfigurationOfALiveContextIsRefused) {
  CsrBench b(22);
  for (uint32_t offset = 0x08; offset < 0x6c; offset += 4) b.Set(Ctx(0, offset), 0x01010101);
  b.Set(Ctx(0, 0x48), 0);
  uint32_t before[0x6c] = {};
  for (uint32_t offset = 0x08; offset < 0x6c; offset += 4) before[offset] = b.Get(Ctx(0, offset));
  b.Set(0x40, 5);  // chunk 5 of context 0
  uint32_t chunk_writes = 0;
  b.on_sample = [&] { chunk_writes += b.top->chunk_we_o; };
  b.Set(Ctx(0, kControl), kConfigure);
  for (const uint32_t state : {kClearing, kLive, kLaunched}) {
    if (state == kLive) b.WaitState(0, kLive);
    if (state == kLaunched) b.Set(kLaunch, 1);
    b.Set(kIrqStatus, 0x1fff);
    for (uint32_t offset = 0x08; offset < 0x6c; offset += 4) {
      EXPECT_EQ(b.Write(Ctx(0, offset), 0), kSlvErr) << std::hex << offset;
      EXPECT_EQ(b.Get(Ctx(0, offset)), before[offset]) << std::hex << offset;
    }
    EXPECT_EQ(b.Get(kIrqStatus) & kIrqRefused, kIrqRefused);
    EXPECT_EQ(b.Write(0x50, 0), kSlvErr);
    EXPECT_EQ(b.Write(0x10, 1), kSlvErr);  // the device's number
  }
  EXPECT_EQ(chunk_writes, 0u);
  b.Set(0x40, 5 | 1u << 16);  // another context's table is open
  b.Set(0x50, 0);
  EXPECT_EQ(chunk_writes, 1u);
  EXPECT_EQ(b.Write(Ctx(1, 0x20), 7), kOkay);
}

TEST(T3CsrContext, GeometryComesOutInThePlacesOfTheStruct) {
  CsrBench b(23);
  const uint32_t c = 3;
  b.Set(Ctx(c, 0x10), 2u | 1u << 8 | 32u << 16);
  b.Set(Ctx(c, 0x14), 0x11223344), b.Set(Ctx(c, 0x18), 0x55);
  b.Set(Ctx(c, 0x1c), 0xdeadbeef);
  b.Set(Ctx(c, 0x20), 0x123456), b.Set(Ctx(c, 0x24), 0x654321);
  b.Set(Ctx(c, 0x28), 0xabcu | 0xdefu << 16), b.Set(Ctx(c, 0x2c), 0x123);
  b.Set(Ctx(c, 0x30), 0x1111u | 0x2222u << 16);
  b.Set(Ctx(c, 0x34), 0x89abcdef), b.Set(Ctx(c, 0x38), 0x67);
  b.Set(Ctx(c, 0x3c), 0x02468ace), b.Set(Ctx(c, 0x40), 0x13);
  b.Set(Ctx(c, 0x44), 513);
  uint32_t lsb = 0;
  auto next = [&](uint32_t width) {
    lsb += width;
    return b.Cfg(c, lsb - width, width);
  };
  EXPECT_EQ(next(40), 0x13'0246'8aceu);  // ring_base
  EXPECT_EQ(next(40), 0x67'89ab'cdefu);  // count_base
  EXPECT_EQ(next(16), 0x2222u);          // grid_y
  EXPECT_EQ(next(16), 0x1111u);          // grid_x
  EXPECT_EQ(next(6), 32u);               // wavefronts
  EXPECT_EQ(next(12), 0x123u);           // wf_rows
  EXPECT_EQ(next(12), 0xdefu);           // tile_n
  EXPECT_EQ(next(12), 0xabcu);           // tile_m
  EXPECT_EQ(next(24), 0x654321u);        // cols
  EXPECT_EQ(next(24), 0x123456u);        // rows
  EXPECT_EQ(next(32), 0xdeadbeefu);      // pitch
  EXPECT_EQ(next(40), 0x55'1122'3344u);  // base
  EXPECT_EQ(next(1), 1u);                // col_major
  EXPECT_EQ(next(2), 2u);                // fmt
  lsb += 40;
  EXPECT_EQ(lsb + 2, kCfgBits);
  EXPECT_EQ(b.top->num_chunks_o >> 30, 513u);
}

TEST(T3CsrContext, RandomAccountingMatchesAReference) {
  for (uint64_t seed = 0; seed < 8; seed++) {
    SCOPED_TRACE(seed);
    CsrBench b(1000 + seed);
    struct {
      uint64_t subtiles, elements, sends, notified = 0;
    } left[4];
    for (uint32_t c = 0; c < 4; c++) {
      left[c] = {b.Draw(0, 300), (uint64_t{1} << b.Draw(10, 33)) + b.Draw(0, 999),
                 b.Draw(0, 20000)};
      const uint32_t fmt = c % 3;
      b.GoLive(c, 1 + c, static_cast<uint32_t>(left[c].subtiles), left[c].elements, left[c].sends,
               fmt);
    }
    b.Set(kLaunch, 0xf);
    auto finished = [&](uint32_t c) {
      return !left[c].subtiles && !left[c].elements && !left[c].sends;
    };
    bool done[4] = {};
    for (int i = 0; i < 30000 && !(done[0] && done[1] && done[2] && done[3]); i++) {
      for (uint32_t bank = 0; bank < kBanks; bank++) {
        const uint32_t c = b.Draw(0, 3);
        auto& l = left[c];
        const uint32_t elems =
            static_cast<uint32_t>(std::min<uint64_t>(l.elements, b.Draw(0, 0xffff)));
        const bool complete = l.subtiles && b.Draw(0, 9) == 0, notify = b.Draw(0, 1);
        if ((!elems && !complete) || b.Draw(0, 3) == 0) continue;
        l.elements -= elems, l.subtiles -= complete, l.notified += complete && notify;
        b.Account(bank, c, elems, complete, notify);
      }
      for (uint32_t lane = 0; lane < 2; lane++) {
        const uint32_t c = b.Draw(0, 3), shift = c % 3 == 2 ? 2 : 1;
        const uint32_t n =
            static_cast<uint32_t>(std::min<uint64_t>(left[c].sends, b.Draw(1, 64 >> shift)));
        if (n == 0 || b.Draw(0, 1)) continue;
        left[c].sends -= n;
        b.Sent(lane, c, n << shift);
      }
      b.Tick();
      if (i % 500 == 499) {
        b.Ticks(3);
        for (uint32_t c = 0; c < 4; c++) {
          EXPECT_EQ(b.Get(Ctx(c, kSubtiles)), left[c].subtiles);
          EXPECT_EQ(b.Get64(Ctx(c, kElements)), left[c].elements);
          EXPECT_EQ(b.Get64(Ctx(c, kSends)), left[c].sends);
          EXPECT_EQ(b.Get(Ctx(c, kNotified)), left[c].notified);
          done[c] = b.StateOf(c) == kDone;
          EXPECT_EQ(done[c], finished(c));
          EXPECT_EQ((b.Get(kIrqStatus) & IrqDone(c)) != 0, finished(c));
          EXPECT_FALSE(b.Failed(c));
        }
        // The largest totals would take too long.
        for (uint32_t c = 0; c < 4; c++) {
          while (i > 3000 && left[c].elements) {
            const uint32_t n =
                static_cast<uint32_t>(std::min<uint64_t>(left[c].elements, 8 * 0xffff));
            for (uint32_t bank = 0; bank < kBanks; bank++) {
              b.Account(bank, c, n / kBanks + (bank < n % kBanks), false);
            }
            left[c].elements -= n;
            b.Tick();
          }
        }
      }
    }
    for (uint32_t c = 0; c < 4; c++) EXPECT_TRUE(done[c]) << c;
    EXPECT_EQ(b.Get(kErrorInfo), 0u);
  }
}

TEST(T3CsrContext, TheHighWordIsLatchedWithTheLowWord) {
  CsrBench b(30);
  b.GoLive(0, 1, 1, 0x5'0000'0001, 0x7'0000'0001);
  EXPECT_EQ(b.Get(Ctx(0, kElements)), 1u);
  b.Account(0, 0, 2, false);
  b.Ticks(4);
  EXPECT_EQ(b.Get(Ctx(0, kElements + 4)), 5u);
  EXPECT_EQ(b.Get64(Ctx(0, kElements)), 0x4'ffff'ffffu);
  EXPECT_EQ(b.Get64(Ctx(0, kSends)), 0x7'0000'0001u);
}

class T3CsrUnderflow : public testing::TestWithParam<int> {};

TEST_P(T3CsrUnderflow, MoreThanExpectedFailsTheContext) {
  CsrBench b(31);
  b.GoLive(0, 1, 5, 5, 5), b.GoLive(2, 1, 5, 5, 5);
  b.Set(kLaunch, 5);
  switch (GetParam()) {
    case 0:
      b.Account(0, 2, 3, false), b.Account(4, 2, 3, false);
      break;
    case 1:
      for (uint32_t bank = 0; bank < 6; bank++) b.Account(bank, 2, 0, true);
      break;
    case 2:
      b.Sent(0, 2, 6), b.Sent(1, 2, 6);
      break;
  }
  b.Ticks(4);
  EXPECT_TRUE(b.Failed(2));
  EXPECT_FALSE(b.Failed(0));
  EXPECT_EQ(b.Get(Ctx(2, kSubtiles)), GetParam() == 1 ? 0u : 5u);
  EXPECT_EQ(b.Get64(Ctx(2, kElements)), GetParam() == 0 ? 0u : 5u);
  EXPECT_EQ(b.Get64(Ctx(2, kSends)), GetParam() == 2 ? 0u : 5u);
  EXPECT_EQ(b.Get(kIrqStatus) & ~0xfu, IrqFailed(2) | kIrqError);
  EXPECT_EQ(b.Get(kErrorInfo), 1u | 10u << 4 | 1u << 8);
  EXPECT_EQ(b.Get(0xa8) >> 20, 2u);
  EXPECT_TRUE(b.Live(2) && b.Launched(2));  // until it is aborted
  // Released it cannot be, even when everything else has come.
  b.Account(0, 2, 5, false);
  for (uint32_t bank = 0; bank < 5; bank++) b.Account(bank, 2, bank == 0 ? 5 : 0, true);
  b.Sent(0, 2, 10);
  b.Ticks(5);
  EXPECT_EQ(b.Write(Ctx(2, kControl), kRelease), kSlvErr);
}

INSTANTIATE_TEST_SUITE_P(Total, T3CsrUnderflow, testing::Values(0, 1, 2));

TEST(T3CsrContext, ExcessOfASubtileIsCapturedAndFailsEveryContextThatHasOne) {
  CsrBench b(32);
  for (uint32_t c = 0; c < 4; c++) b.GoLive(c, 1, 9, 999, 9);
  b.Account(2, 3, 1, false, false, true, Subtile(3, 17, 1000, 2000, 31));
  b.Account(6, 1, 1, false, false, true, Subtile(1, 2, 3, 4, 5));
  b.Account(7, 0, 1, false);
  b.Ticks(4);
  for (uint32_t c = 0; c < 4; c++) EXPECT_EQ(b.Failed(c), c == 3 || c == 1) << c;
  EXPECT_EQ(b.Get(kErrorInfo), 1u | 10u << 4 | 1u << 8);
  EXPECT_EQ(b.Get(0xa4), 1000u | 2000u << 16);
  EXPECT_EQ(b.Get(0xa8), 31u | 17u << 8 | 3u << 20);
}

TEST(T3CsrContext, ErrorsAreCapturedOldestFirstAndAllTakeEffect) {
  CsrBench b(33);
  for (uint32_t c = 0; c < 4; c++) {
    b.Set(Ctx(c, 0x48), c == 0 ? 0 : 0x100 | (c == 3 ? 20 : 21));  // fed by nobody, 21, 21, 20
    b.GoLive(c, 1, 9, 9, 9);
  }
  Error stale;
  stale.cause = 2, stale.remote = true, stale.src = 44, stale.sub = Subtile(2, 1, 2, 3, 4);
  stale.addr = 0xfe'dcba'9876, stale.epoch = 0x12'3456'789a;
  b.Report(1, stale);
  b.Ticks(4);
  for (uint32_t c = 0; c < 4; c++) EXPECT_FALSE(b.Failed(c));  // logged only
  EXPECT_EQ(b.Get(kErrorInfo), 1u | 2u << 4 | 1u << 10 | 44u << 16);
  EXPECT_EQ(b.Get64(0x94), stale.addr);
  EXPECT_EQ(b.Get64(0x9c), stale.epoch);
  EXPECT_EQ(b.Get(0xa4), 2u | 3u << 16);
  EXPECT_EQ(b.Get(0xa8), 4u | 1u << 8 | 2u << 20);
  EXPECT_EQ(b.Get(0xac), 1u);
  EXPECT_EQ(b.Get(kIrqStatus) & 0xff0, kIrqError & 0xff0);

  Error crc;
  crc.cause = 8, crc.peer_fails = true, crc.remote = true, crc.src = 21;
  Error address;
  address.cause = 5, address.fails = true, address.sub = Subtile(3, 0, 0, 0, 0), address.addr = 77;
  b.Report(2, crc);
  b.Report(0, address);
  b.Ticks(4);
  EXPECT_EQ(b.Get(kErrorInfo) >> 4 & 15, 2u);  // still the first
  EXPECT_EQ(b.Get(0xac), 2u);
  EXPECT_FALSE(b.Failed(0));
  EXPECT_TRUE(b.Failed(1) && b.Failed(2) && b.Failed(3));

  b.Set(kErrorInfo, 0);  // clears nothing
  EXPECT_EQ(b.Get(kErrorInfo) & 1, 1u);
  b.Set(kErrorInfo, 1);
  EXPECT_EQ(b.Get(kErrorInfo), 0u);
  b.Report(2, crc);
  b.Report(1, address);
  b.Ticks(4);
  EXPECT_EQ(b.Get(kErrorInfo) >> 4 & 15, 5u);  // the lowest source
  EXPECT_EQ(b.Get64(0x94), 77u);

  // A damaged packet of device 0 is no matter of a context that nobody feeds.
  crc.src = 0;
  b.Report(2, crc);
  b.Ticks(4);
  EXPECT_FALSE(b.Failed(0));

  // A failed context cannot be launched.
  EXPECT_EQ(b.Write(kLaunch, 2), kSlvErr);
  EXPECT_EQ(b.Write(kLaunch, 1), kOkay);
}

TEST(T3CsrContext, AnErrorInTheCycleOfTheClearingIsCaptured) {
  for (int delay = 0; delay < 8; delay++) {
    CsrBench b(34);
    Error first, second;
    first.cause = 1, second.cause = 6;
    b.Report(0, first);
    b.Ticks(3);
    b.Queue({true, kErrorInfo, 1, 0xf});
    b.Ticks(static_cast<uint32_t>(delay));
    b.Report(0, second);
    b.Ticks(10);
    const uint32_t info = b.Get(kErrorInfo);
    // Before the clearing it is lost to it; from then on it is there, whole.
    if (delay >= 1) {
      EXPECT_EQ(info, 1u | 6u << 4) << delay;
    }
    EXPECT_EQ(b.Get(0xac), 2u);
  }
}

TEST(T3CsrContext, ErrorsOfAFreeContextFailNothing) {
  CsrBench b(35);
  Error e;
  e.cause = 1, e.fails = true, e.sub = Subtile(1, 0, 0, 0, 0);
  b.Report(0, e);
  b.Account(0, 1, 5, true);
  b.Sent(0, 1, 5);
  b.Ticks(4);
  EXPECT_FALSE(b.Failed(1));
  EXPECT_EQ(b.Get(kIrqStatus), kIrqError);
  b.GoLive(1, 1, 0, 0, 0);
  b.Set(kLaunch, 2);
  b.Ticks(3);
  EXPECT_EQ(b.StateOf(1), kDone);
}

TEST(T3CsrContext, AbortDrainsThenForgetsThenFrees) {
  CsrBench b(36);
  b.GoLive(1, 1, 9, 99, 9), b.GoLive(2, 1, 9, 99, 9);
  b.Set(kLaunch, 6);
  b.top->cmd_ready_i = 0;
  b.Set(kSendTiles, 1);
  b.Set(kSendChunk, 1u << 16);
  Error e;
  e.cause = 5, e.fails = true, e.sub = Subtile(1, 0, 0, 0, 0);
  b.Report(0, e);
  b.Ticks(4);
  ASSERT_TRUE(b.Failed(1));
  b.top->ctx_busy_i = 2;
  b.flushes.clear(), b.clears.clear();
  b.Set(Ctx(1, kControl), kAbort);
  EXPECT_FALSE(b.Live(1) || b.Launched(1));
  EXPECT_TRUE(b.Live(2) && b.Launched(2));
  EXPECT_EQ(b.StateOf(1), kDraining);
  EXPECT_EQ(b.Get(kStatus) & 1, 0u);  // its command is dropped
  EXPECT_EQ(b.Get(kStatus), 1u << 5 | 2u << 8);
  b.Ticks(300);
  EXPECT_EQ(b.StateOf(1), kDraining);
  EXPECT_GE(b.flushes.size(), 3u);  // what triggers meanwhile is dropped again and again
  for (uint32_t ctx : b.flushes) EXPECT_EQ(ctx, 1u);
  // Quiet for fewer than 64 cycles is not enough.
  for (int i = 0; i < 10; i++) {
    b.top->ctx_busy_i = 0;
    b.Ticks(60);
    b.top->ctx_busy_i = 2;
    b.Tick();
  }
  EXPECT_TRUE(b.clears.empty());
  b.top->ctx_busy_i = 4;  // another context's business
  const uint64_t quiet = b.cycle;
  while (b.clears.empty() && b.cycle < quiet + 1000) b.Tick();
  EXPECT_GE(b.cycle - quiet, 64u + b.clear_cycles);
  EXPECT_EQ(b.clears, std::vector<uint32_t>{1});
  b.WaitState(1, kFree);
  EXPECT_FALSE(b.Failed(1));
  EXPECT_EQ(b.Get(kIrqStatus) & kIrqAbort, kIrqAbort);
  EXPECT_EQ(b.StateOf(2), kLaunched);
  b.GoLive(1, 2, 0, 0, 0);
}

TEST(T3CsrContext, SeveralContextsAreClearedOneByOne) {
  CsrBench b(37);
  for (uint32_t c = 0; c < 4; c++) b.Prepare(c, 1, 1, 1, 1);
  bool low = true;
  uint32_t rises = 0;
  b.on_sample = [&] {
    rises += low && b.top->clear_valid_o;
    low = !b.top->clear_valid_o;
  };
  for (uint32_t c = 0; c < 4; c++) b.Set(Ctx(3 - c, kControl), kConfigure);
  for (uint32_t c = 0; c < 4; c++) b.WaitState(c, kLive);
  EXPECT_EQ(rises, 4u);
  EXPECT_EQ(b.clears.size(), 4u);
  for (uint32_t c = 0; c < 4; c++) b.Set(Ctx(c, kControl), kAbort);
  for (uint32_t c = 0; c < 4; c++) b.WaitState(c, kFree);
  EXPECT_EQ(rises, 8u);
  EXPECT_TRUE(b.top->idle_o);
}

}  // namespace
}  // namespace t3::tb
