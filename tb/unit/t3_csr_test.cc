// Registers: the bus, plain registers, the chunk window, commands, fills, grants,
// interrupts, counters. Contexts are in t3_csr_contexts.cc.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tb/unit/t3_csr_bench.h"

namespace t3::tb {
namespace {

// Registers that keep what is written: address, bits, reset value.
std::map<uint32_t, std::pair<uint32_t, uint32_t>> PlainRegisters() {
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> regs = {
      {0x10, {0x3f, 0}},       {0x14, {0x00ffff03, 0x00401e02}}, {0x18, {0xffff, 500}},
      {0x1c, {0xffff, 500}},   {0x20, {0xffff, 4000}},           {0x34, {0x1fff, 0}},
      {0x40, {0x000301ff, 0}}, {0x44, {0xffffffff, 0}},          {0x48, {0xffffffff, 0}},
      {0x4c, {0xffffffff, 0}}, {0x60, {0xffffffff, 0}},          {0x64, {0x00ffffff, 0}},
      {0x80, {0x3f03, 0}},     {0xb0, {0x000fffff, 0}}};
  const std::map<uint32_t, uint32_t> ctx = {
      {0x08, 0xffffffff}, {0x0c, 0xff},       {0x10, 0x003f0103}, {0x14, 0xffffffff}, {0x18, 0xff},
      {0x1c, 0xffffffff}, {0x20, 0xffffff},   {0x24, 0xffffff},   {0x28, 0x0fff0fff}, {0x2c, 0xfff},
      {0x30, 0xffffffff}, {0x34, 0xffffffff}, {0x38, 0xff},       {0x3c, 0xffffffff}, {0x40, 0xff},
      {0x44, 0x3ff},      {0x48, 0x13f},      {0x4c, 0xffffff},   {0x50, 0xffffffff}, {0x54, 0xff},
      {0x58, 0xffffff}};
  for (uint32_t c = 0; c < 4; c++) {
    for (const auto& [offset, mask] : ctx) regs[Ctx(c, offset)] = {mask, 0};
  }
  return regs;
}

TEST(T3Csr, VersionAndParametersReadBack) {
  CsrBench b(1);
  EXPECT_EQ(b.Get(0x00), 0x54330100u);
  EXPECT_EQ(b.Get(0x04), 4u << 24 | 8u << 16 | 64u << 8 | 16u);
  EXPECT_EQ(b.Get(0x08), 64u << 16 | 64u);
  EXPECT_EQ(b.Get(0x0c), 2u << 24 | 2u << 16 | 2048u);
}

TEST(T3Csr, BusKeepsItsLatency) {
  CsrBench b(1);
  b.Ticks(3);
  uint64_t start = b.cycle;
  b.Set(0x10, 1);
  EXPECT_EQ(b.cycle - start, 3u);  // address and data in cycle 0, answer in cycle 2
  start = b.cycle;
  b.Get(0x10);
  EXPECT_EQ(b.cycle - start, 4u);
}

TEST(T3Csr, ReadiesDoNotDependOnValids) {
  CsrBench b(2);
  b.stall_percent = 50;
  b.on_sample = [&] {
    if (!b.top->rst_ni) return;
    const uint8_t aw = b.top->awvalid_i, w = b.top->wvalid_i, ar = b.top->arvalid_i;
    const uint32_t readies = b.top->awready_o | b.top->wready_o << 1 | b.top->arready_o << 2;
    b.top->awvalid_i = !aw, b.top->wvalid_i = !w, b.top->arvalid_i = !ar;
    b.top->eval();
    EXPECT_EQ(readies, uint32_t(b.top->awready_o | b.top->wready_o << 1 | b.top->arready_o << 2));
    b.top->awvalid_i = aw, b.top->wvalid_i = w, b.top->arvalid_i = ar;
    b.top->eval();
  };
  for (int i = 0; i < 50; i++) {
    b.Queue({true, 0x44, b.Draw(0, 999), 0xf});
    b.Queue({false, 0x44, 0, 0});
    while (!b.BusIdle()) b.Tick();
  }
}

class T3CsrStalls : public testing::TestWithParam<int> {};

TEST_P(T3CsrStalls, RandomAccessesMatchAMirror) {
  CsrBench b(100 + GetParam());
  b.stall_percent = GetParam();
  const auto regs = PlainRegisters();
  std::map<uint32_t, uint32_t> mirror;
  std::set<uint32_t> touched;  // context registers have no value before their first write
  std::vector<uint32_t> addresses;
  for (const auto& [addr, reg] : regs) {
    mirror[addr] = reg.second;
    addresses.push_back(addr);
    if (addr < 0x400) touched.insert(addr);
  }
  for (int i = 0; i < 3000; i++) {
    const uint32_t addr = addresses[b.Draw(0, static_cast<uint32_t>(addresses.size()) - 1)];
    // A write and, at the same time, a read of another register.
    const uint32_t other = addresses[b.Draw(0, static_cast<uint32_t>(addresses.size()) - 1)];
    Access w{true, addr, static_cast<uint32_t>(b.rnd()), 0xf};
    const uint32_t kind = b.Draw(0, 9);
    if (kind == 0) w.strb = b.Draw(0, 14);
    if (kind == 1) w.addr += b.Draw(1, 3);
    if (kind == 2) w.addr = 0x800 + (w.addr & ~3u);
    const bool good = kind > 2;
    b.write_answers.clear();
    b.read_answers.clear();
    b.Queue(w);
    const bool also_read = other != addr && touched.count(other);
    if (also_read) b.Queue({false, other, 0, 0});
    while (!b.BusIdle()) b.Tick();
    ASSERT_EQ(b.write_answers.size(), 1u);
    EXPECT_EQ(b.write_answers[0].resp, good ? kOkay : kSlvErr) << std::hex << w.addr;
    if (also_read) {
      ASSERT_EQ(b.read_answers.size(), 1u);
      EXPECT_EQ(b.read_answers[0].resp, kOkay);
      EXPECT_EQ(b.read_answers[0].data, mirror[other]) << std::hex << other;
    }
    if (good) {
      mirror[addr] = w.data & regs.at(addr).first;
      touched.insert(addr);
    }
    if (touched.count(addr)) {
      EXPECT_EQ(b.Get(addr), mirror[addr]) << std::hex << addr;
    }
  }
  EXPECT_EQ(b.Get(kIrqStatus), 0u);
}

INSTANTIATE_TEST_SUITE_P(Percent, T3CsrStalls, testing::Values(0, 30, 80));

TEST_P(T3CsrStalls, TransactionsInARowAreAnsweredInOrder) {
  CsrBench b(200 + GetParam());
  b.stall_percent = GetParam();
  const std::map<uint32_t, uint32_t> constants = {{0x00, 0x54330100},
                                                  {0x04, 4u << 24 | 8u << 16 | 64u << 8 | 16u},
                                                  {0x0c, 2u << 24 | 2u << 16 | 2048u}};
  const uint32_t offsets[] = {0x00, 0x04, 0x0c, 0x3c};  // the last one does not exist
  std::vector<uint32_t> reads, writes;
  uint32_t last = 0;
  for (int i = 0; i < 500; i++) {
    reads.push_back(offsets[b.Draw(0, 3)]);
    writes.push_back(b.Draw(0, 1) ? 0x44 : 0x3c);
    b.Queue({false, reads.back(), 0, 0});
    b.Queue({true, writes.back(), b.Draw(0, 1u << 30), 0xf});
    if (b.Draw(0, 3) == 0) {
      while (!b.BusIdle()) b.Tick();
    }
  }
  b.Queue({true, 0x44, last = 77, 0xf});
  while (!b.BusIdle()) b.Tick();
  ASSERT_EQ(b.read_answers.size(), 500u);
  ASSERT_EQ(b.write_answers.size(), 501u);
  for (size_t i = 0; i < 500; i++) {
    EXPECT_EQ(b.read_answers[i].resp, constants.count(reads[i]) ? kOkay : kSlvErr);
    EXPECT_EQ(b.read_answers[i].data, constants.count(reads[i]) ? constants.at(reads[i]) : 0);
    EXPECT_EQ(b.write_answers[i].resp, writes[i] == 0x44 ? kOkay : kSlvErr);
  }
  EXPECT_EQ(b.Get(0x44), last);
}

TEST(T3Csr, EveryUnmappedAddressAnswersSlvErr) {
  CsrBench b(3);
  std::set<uint32_t> known;
  for (const auto& [addr, reg] : PlainRegisters()) known.insert(addr);
  for (uint32_t addr :
       {0x00, 0x04, 0x08, 0x0c, 0x24, 0x28, 0x2c, 0x30, 0x50, 0x68, 0x70, 0x74, 0x84,
        0x88, 0x90, 0x94, 0x98, 0x9c, 0xa0, 0xa4, 0xa8, 0xac, 0xb4, 0xb8, 0xc0, 0xc4}) {
    known.insert(addr);
  }
  for (uint32_t i = 0; i < 13 * 8; i += 4) known.insert(kCounters + i);
  for (uint32_t c = 0; c < 4; c++) {
    for (uint32_t offset : {0x00, 0x04, 0x5c, 0x60, 0x64, 0x68, 0x6c}) known.insert(Ctx(c, offset));
  }
  for (uint32_t addr = 0; addr < 0x1000; addr += 4) {
    const Response r = b.Read(addr);
    EXPECT_EQ(r.resp, known.count(addr) ? kOkay : kSlvErr) << std::hex << addr;
    if (!known.count(addr)) {
      EXPECT_EQ(r.data, 0u);
      EXPECT_EQ(b.Write(addr, 0xffffffff), kSlvErr) << std::hex << addr;
    }
    EXPECT_EQ(b.Read(addr + 2).resp, kSlvErr);
  }
  for (int i = 0; i < 200; i++) EXPECT_EQ(b.Read(b.Draw(0x400, 0x3fff) << 2).resp, kSlvErr);
  EXPECT_EQ(b.Get(kIrqStatus), 0u);
}

TEST(T3Csr, ReadOnlyRegistersRefuseWrites) {
  CsrBench b(4);
  for (uint32_t addr : {0x00, 0x04, 0x08, 0x0c, 0x28, 0x84, 0x88, 0x94, 0xac, 0xb4, 0xb8, 0xc0,
                        0x100, 0x104, 0x404, 0x46c}) {
    EXPECT_EQ(b.Write(addr, 1), kSlvErr) << std::hex << addr;
  }
}

TEST(T3Csr, SettingsReachTheirOutputs) {
  CsrBench b(5);
  EXPECT_EQ(b.top->policy_o, 2);
  EXPECT_EQ(b.top->threshold_o, 30);
  EXPECT_EQ(b.top->queue_entries_o, 64);
  b.Set(0x10, 37);
  b.Set(0x14, 1u | 77u << 8 | 99u << 16);
  b.Set(0x18, 11), b.Set(0x1c, 22), b.Set(0x20, 33);
  EXPECT_EQ(b.top->device_o, 37);
  EXPECT_EQ(b.top->policy_o, 1);
  EXPECT_EQ(b.top->threshold_o, 77);
  EXPECT_EQ(b.top->queue_entries_o, 99);
  EXPECT_EQ(b.top->limit_incoming_o, 11);
  EXPECT_EQ(b.top->limit_dma_o, 22);
  EXPECT_EQ(b.top->limit_fill_o, 33);
  uint32_t pulses = 0;
  b.on_sample = [&] { pulses += b.top->credit_init_o; };
  b.Set(0x24, 2048u | 45u << 16);
  b.Ticks(5);
  EXPECT_EQ(pulses, 1u);
  EXPECT_EQ(b.top->credit_init_peer_o, 45);
  EXPECT_EQ(b.top->credit_init_count_o, 2048);
}

TEST(T3Csr, ChunkWindowCommitsWithItsLastWord) {
  CsrBench b(6);
  uint32_t writes = 0;
  b.on_sample = [&] { writes += b.top->chunk_we_o; };
  b.Set(0x40, 63u | 2u << 16);
  b.Set(0x44, 0x12345678), b.Set(0x48, 0x9abcdef0), b.Set(0x4c, 0x0fedcba9);
  b.Ticks(5);
  EXPECT_EQ(writes, 0u);
  b.Set(0x50, 0xffff5a5a);
  b.Ticks(5);
  EXPECT_EQ(writes, 1u);
  EXPECT_EQ(b.top->chunk_wctx_o, 2);
  EXPECT_EQ(b.top->chunk_wchunk_o, 63);
  const uint8_t* entry = CsrBench::Bytes(b.top->chunk_wdata_o);
  EXPECT_EQ(LoadBits(entry, 0, 64), 0x9abcdef012345678u);
  EXPECT_EQ(LoadBits(entry, 64, 47), 0x5a5a0fedcba9u);
  // A chunk that does not exist.
  b.Set(0x40, 64u);
  EXPECT_EQ(b.Write(0x50, 0), kSlvErr);
  EXPECT_EQ(b.Get(kIrqStatus), kIrqRefused);
  EXPECT_EQ(writes, 1u);
}

TEST(T3Csr, SendChunkWaitsForTheTriggerAndRefusesASecondCommand) {
  CsrBench b(7);
  b.Set(kSendTile, 5u | 9u << 16);
  b.Set(kSendTiles, 77);
  EXPECT_EQ(b.Write(kSendChunk, 3u), kSlvErr);  // not live
  b.GoLive(2, 1, 1, 1, 1);
  b.Set(kSendTiles, 0);
  EXPECT_EQ(b.Write(kSendChunk, 3u | 2u << 16), kSlvErr);  // no tiles
  b.Set(kSendTiles, 77);
  b.top->cmd_ready_i = 0;
  b.Set(kSendChunk, 3u | 2u << 16 | 1u << 20);
  b.Set(kSendTile, 0), b.Set(kSendTiles, 1);  // belongs to the next command
  EXPECT_EQ(b.Get(kStatus) & 1, 1u);
  EXPECT_FALSE(b.top->idle_o);
  EXPECT_EQ(b.Write(kSendChunk, 4u | 2u << 16), kSlvErr);
  b.Ticks(50);
  ASSERT_TRUE(b.top->cmd_valid_o);
  EXPECT_EQ(b.top->cmd_ctx_o, 2);
  EXPECT_EQ(b.top->cmd_chunk_o, 3);
  EXPECT_EQ(b.top->cmd_op_o, 1);
  EXPECT_EQ(b.top->cmd_wgx_o, 5);
  EXPECT_EQ(b.top->cmd_wgy_o, 9);
  EXPECT_EQ(b.top->cmd_tiles_o, 77u);
  b.top->cmd_ready_i = 1;
  b.Ticks(2);
  EXPECT_FALSE(b.top->cmd_valid_o);
  EXPECT_EQ(b.Get(kStatus) & 1, 0u);
  EXPECT_EQ(b.Write(kSendChunk, 4u | 2u << 16), kOkay);
}

TEST(T3Csr, FillsRunOneAfterAnotherAndGrantAtTheirEnd) {
  CsrBench b(8);
  for (uint32_t c = 0; c < 3; c++) {
    b.Set(Ctx(c, 0x14), 0x1000 * (c + 1));
    b.Set(Ctx(c, 0x18), c);
    b.Set(Ctx(c, 0x1c), 512);
    b.Set(Ctx(c, 0x4c), 10 + c);
    b.Set(Ctx(c, 0x50), 500), b.Set(Ctx(c, 0x54), 1);
    b.GoLive(c, (uint64_t{3} << 36) + 100 + c, 1, 1, 1, c);
  }
  EXPECT_EQ(b.Write(kFill, 3), kSlvErr);            // context not live
  EXPECT_EQ(b.Write(kFill, 0 | 8u << 4), kSlvErr);  // context of the mask not live
  b.top->fill_busy_i = 1;                           // some channel
  b.Set(kFill, 1u | 0x7u << 4 | 33u << 8 | 1u << 16);
  b.Set(kFill, 0u);
  b.Set(kFill, 2u | 0x4u << 4 | 12u << 8);
  b.Set(kFill, 1u);
  EXPECT_EQ(b.Get(kStatus) & 6, 6u);
  EXPECT_EQ(b.Write(kFill, 1u), kSlvErr);  // queue full
  b.Ticks(200);
  ASSERT_EQ(b.fills.size(), 1u);
  EXPECT_EQ(b.fills[0], 1u);
  EXPECT_EQ(b.top->fill_base_o, 0x100002000u);
  EXPECT_EQ(b.top->fill_pitch_o, 512u);
  EXPECT_EQ(b.top->fill_rows_o, 11u);
  EXPECT_EQ(b.top->fill_row_bytes_o, 0x1000001f4u);
  EXPECT_EQ(b.top->fill_fmt_o, 1);
  EXPECT_TRUE(b.grants.empty());
  EXPECT_EQ(b.Get(kIrqStatus) & kIrqFill, 0u);
  // The busy signal may drop for a few cycles between two lines.
  for (int i = 0; i < 20; i++) {
    b.top->fill_busy_i = 0;
    b.Ticks(5);
    b.top->fill_busy_i = 0x8000;
    b.Tick();
  }
  EXPECT_TRUE(b.grants.empty());
  EXPECT_FALSE(b.top->idle_o);
  b.top->fill_busy_i = 0;
  const uint64_t quiet = b.cycle;
  b.Ticks(100);
  ASSERT_EQ(b.fills, (std::vector<uint32_t>{1, 0, 2, 1}));
  ASSERT_EQ(b.grants.size(), 4u);
  for (uint32_t i = 0; i < 3; i++) {
    EXPECT_EQ(b.grants[i].ctx, i);
    EXPECT_EQ(b.grants[i].epoch, (uint64_t{3} << 36) + 100 + i);
    EXPECT_EQ(b.grants[i].dst, 33u);
    EXPECT_EQ(b.grants[i].link, 1u);
    EXPECT_GE(b.grants[i].cycle, quiet);
  }
  EXPECT_EQ(b.grants[3].ctx, 2u);
  EXPECT_EQ(b.grants[3].dst, 12u);
  EXPECT_EQ(b.grants[3].link, 0u);
  EXPECT_NE(b.Get(kIrqStatus) & kIrqFill, 0u);
  EXPECT_TRUE(b.top->idle_o);
}

TEST(T3Csr, AFillOfAnAbortedContextGrantsNothingForIt) {
  CsrBench b(9);
  b.GoLive(0, 5, 1, 1, 1), b.GoLive(1, 6, 1, 1, 1);
  b.top->fill_busy_i = 1;
  b.Set(kFill, 0u | 3u << 4 | 9u << 8);
  b.Set(kFill, 0u | 3u << 4 | 9u << 8);
  b.Set(Ctx(0, kControl), kAbort);
  b.Ticks(500);
  EXPECT_EQ(b.StateOf(0), kDraining);  // the fill still writes
  b.top->fill_busy_i = 0;
  b.WaitState(0, kFree);
  ASSERT_EQ(b.fills.size(), 1u);  // the second one never starts
  ASSERT_EQ(b.grants.size(), 1u);
  EXPECT_EQ(b.grants[0].ctx, 1u);
}

TEST(T3Csr, GrantsOnCommandWaitForTheirLink) {
  CsrBench b(10);
  b.GoLive(3, 1234, 1, 1, 1);
  EXPECT_EQ(b.Write(kGrant, 2), kSlvErr);
  b.top->grant_ready_i = 0;
  for (uint32_t i = 0; i < 4; i++) b.Set(kGrant, 3u | (10 + i) << 8 | (i & 1) << 16);
  EXPECT_EQ(b.Get(kStatus) & 0x18, 0x18u);
  EXPECT_EQ(b.Write(kGrant, 3u), kSlvErr);
  b.Ticks(20);
  EXPECT_TRUE(b.grants.empty());
  EXPECT_EQ(b.top->grant_valid_o, 1);
  b.top->grant_ready_i = 2;  // the other link does not help
  b.Ticks(20);
  EXPECT_TRUE(b.grants.empty());
  for (int i = 0; i < 200; i++) {
    b.top->grant_ready_i = static_cast<uint8_t>(b.Draw(0, 3));
    b.Tick();
  }
  ASSERT_EQ(b.grants.size(), 4u);
  for (uint32_t i = 0; i < 4; i++) {
    EXPECT_EQ(b.grants[i].dst, 10 + i);
    EXPECT_EQ(b.grants[i].link, i & 1);
    EXPECT_EQ(b.grants[i].epoch, 1234u);
  }
}

TEST(T3Csr, GrantsOfFillsAndCommandsMixWithoutLoss) {
  CsrBench b(101);
  for (uint32_t c = 0; c < 4; c++) b.GoLive(c, 100 + c, 1, 1, 1);
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> want, got;  // (device, context)
  b.on_drive = [&] {
    b.top->grant_ready_i = static_cast<uint8_t>(b.Draw(0, 9) ? 0 : b.Draw(0, 3));
  };
  for (int i = 0; i < 600; i++) {
    const uint32_t ctx = b.Draw(0, 3), peer = b.Draw(0, 63), mask = b.Draw(0, 15),
                   link = b.Draw(0, 1);
    if (b.Draw(0, 2)) {
      if (b.Write(kGrant, ctx | peer << 8 | link << 16) == kOkay) want[{peer, ctx}]++;
    } else if (b.Write(kFill, ctx | mask << 4 | peer << 8 | link << 16) == kOkay) {
      for (uint32_t c = 0; c < 4; c++) want[{peer, c}] += mask >> c & 1;
    }
    b.Ticks(b.Draw(0, 60));
  }
  b.Ticks(3000);
  EXPECT_TRUE(b.top->idle_o);
  for (const GrantOut& g : b.grants) {
    got[{g.dst, g.ctx}]++;
    EXPECT_EQ(g.epoch, 100 + g.ctx);
  }
  for (const auto& [key, count] : want) {
    EXPECT_EQ(got[key], count) << "device " << key.first << " context " << key.second;
  }
  EXPECT_GT(b.grants.size(), 500u);
}

TEST(T3Csr, ACommandInTheCycleOfAFillsGrantTakesNothingFromIt) {
  for (uint32_t delay = 0; delay < 24; delay++) {
    CsrBench b(103);
    for (uint32_t c = 0; c < 4; c++) b.GoLive(c, 100 + c, 1, 1, 1);
    b.Set(kFill, 0u | 15u << 4 | 7u << 8);
    b.Ticks(delay);
    b.Set(kGrant, 2u | 9u << 8);
    b.Ticks(40);
    uint32_t contexts = 0;
    for (const GrantOut& g : b.grants) contexts |= g.dst == 7 ? 1u << g.ctx : 0x100u << g.ctx;
    EXPECT_EQ(contexts, 0x40fu) << delay;
    EXPECT_EQ(b.grants.size(), 5u) << delay;
  }
}

TEST(T3Csr, ResetForgetsReceivedGrants) {
  CsrBench b(102);
  b.Granted(1, 3, 2, 99);
  b.Ticks(6);
  b.Set(kGrantSelect, 3u << 8 | 2);
  EXPECT_EQ(b.Get64(kGrantSelect + 4), 99u);
  b.top->rst_ni = 0;
  b.Ticks(3);
  b.top->rst_ni = 1;
  b.Set(kGrantSelect, 3u << 8 | 2);
  EXPECT_EQ(b.Get64(kGrantSelect + 4), 0u);
  EXPECT_EQ(b.Get(kIrqStatus), 0u);
}

TEST(T3Csr, ReceivedGrantsAreKeptPerPeerAndContext) {
  CsrBench b(11);
  std::map<uint32_t, uint64_t> table;
  for (int round = 0; round < 40; round++) {
    const uint32_t burst = b.Draw(1, 6);
    std::map<uint32_t, uint64_t> now;
    for (uint32_t i = 0; i < burst; i++) {
      for (uint32_t lane = 0; lane < 2; lane++) {
        // Lanes carry different peers: nothing orders grants of two lanes.
        const uint32_t src = b.Draw(0, 31) * 2 + lane, ctx = b.Draw(0, 3);
        const uint64_t epoch = b.rnd() & 0xff'ffff'ffff;
        b.Granted(lane, src, ctx, epoch);
        table[src << 8 | ctx] = epoch;
      }
      b.Tick();
    }
    b.Ticks(2 * burst + 4);
    for (int probe = 0; probe < 8; probe++) {
      const uint32_t key = b.Draw(0, 63) << 8 | b.Draw(0, 3);
      b.Set(kGrantSelect, key);
      EXPECT_EQ(b.Get64(kGrantSelect + 4), table.count(key) ? table[key] : 0) << std::hex << key;
    }
  }
  for (const auto& [key, epoch] : table) {
    b.Set(kGrantSelect, key);
    EXPECT_EQ(b.Get64(kGrantSelect + 4), epoch);
  }
  EXPECT_EQ(b.Get(kIrqStatus), kIrqGranted);
  // The high word belongs to the low word that was read.
  b.Granted(0, 2, 1, 0x11'0000'0022);
  b.Ticks(6);
  b.Set(kGrantSelect, 2u << 8 | 1);
  EXPECT_EQ(b.Get(kGrantSelect + 4), 0x22u);
  b.Granted(0, 2, 1, 0x33'0000'0044);
  b.Ticks(6);
  EXPECT_EQ(b.Get(kGrantSelect + 8), 0x11u);
  EXPECT_EQ(b.Get64(kGrantSelect + 4), 0x33'0000'0044u);
}

TEST(T3Csr, InterruptsAreStickyAndEnabledOneByOne) {
  CsrBench b(12);
  b.Granted(0, 1, 0, 5);
  b.Ticks(10);
  EXPECT_FALSE(b.top->irq_o);
  EXPECT_EQ(b.Get(kIrqStatus), kIrqGranted);
  b.Set(kIrqEnable, 0x1fff & ~kIrqGranted);
  b.Ticks(3);
  EXPECT_FALSE(b.top->irq_o);
  b.Set(kIrqEnable, kIrqGranted);
  b.Ticks(3);
  EXPECT_TRUE(b.top->irq_o);
  b.Set(kIrqStatus, 0x1fff & ~kIrqGranted);  // clears other bits only
  b.Ticks(3);
  EXPECT_TRUE(b.top->irq_o);
  b.Set(kIrqStatus, kIrqGranted);
  b.Ticks(3);
  EXPECT_FALSE(b.top->irq_o);
  EXPECT_EQ(b.Get(kIrqStatus), 0u);
  // Events in every cycle around a clearing: none is lost.
  b.on_sample = nullptr;
  b.Queue({true, kIrqStatus, kIrqGranted, 0xf});
  for (int i = 0; i < 8; i++) {
    b.Granted(0, 1, 0, 6);
    b.Tick();
  }
  b.Ticks(10);
  EXPECT_EQ(b.Get(kIrqStatus), kIrqGranted);
}

TEST(T3Csr, AnEventInTheCycleOfItsClearingStays) {
  for (const bool together : {false, true}) {
    CsrBench b(121);
    b.Report(0, {});
    if (!together) b.Tick();
    b.Queue({true, kIrqStatus, kIrqError, 0xf});
    b.Ticks(10);
    EXPECT_EQ(b.Get(kIrqStatus), together ? kIrqError : 0u);
  }
}

TEST(T3Csr, CountersCountAndLatch) {
  CsrBench b(13);
  uint64_t want[13] = {};
  for (int i = 0; i < 2000; i++) {
    if (b.Draw(0, 3) == 0) {
      // Order of the map: elements, subtiles, triggers, DMA lines, NMC lines, sent
      // bytes, spills, refills, ring writes, MCA holds, stalls by credit, room, store.
      auto pulse = [&](SData& port, int counter) {
        port = static_cast<uint16_t>(b.Draw(0, 1) ? b.Draw(0, 0xffff) : 0);
        want[counter] += port;
      };
      pulse(b.top->pf_triggers_i, 2), pulse(b.top->pf_dma_lines_i, 3);
      pulse(b.top->pf_nmc_lines_i, 4), pulse(b.top->pf_spills_i, 6);
      pulse(b.top->pf_refills_i, 7), pulse(b.top->pf_ring_writes_i, 8);
      pulse(b.top->pf_mca_holds_i, 9), pulse(b.top->pf_stall_credit_i, 10);
      pulse(b.top->pf_stall_dma_room_i, 11), pulse(b.top->pf_stall_store_i, 12);
      for (uint32_t bank = 0; bank < kBanks; bank++) {
        if (b.Draw(0, 1)) continue;
        const uint32_t elems = b.Draw(0, 0xffff), complete = b.Draw(0, 1);
        b.Account(bank, b.Draw(0, 3), elems, complete);
        want[0] += elems, want[1] += complete;
      }
      for (uint32_t lane = 0; lane < 2; lane++) {
        const uint32_t bytes = b.Draw(1, 128);
        b.Sent(lane, b.Draw(0, 3), bytes);
        want[5] += bytes;
      }
    }
    b.Tick();
    b.top->pf_triggers_i = b.top->pf_dma_lines_i = b.top->pf_nmc_lines_i = b.top->pf_spills_i = 0;
    b.top->pf_refills_i = b.top->pf_ring_writes_i = b.top->pf_mca_holds_i = 0;
    b.top->pf_stall_credit_i = b.top->pf_stall_dma_room_i = b.top->pf_stall_store_i = 0;
  }
  b.Ticks(3);
  for (uint32_t i = 0; i < 13; i++) EXPECT_EQ(b.Get64(kCounters + 8 * i), want[i]) << i;

  // Past 2^32 between the reads of the two words.
  while (want[4] + 0xffff < uint64_t{1} << 32) {
    b.top->pf_nmc_lines_i = 0xffff;
    want[4] += 0xffff;
    b.Tick();
  }
  b.top->pf_nmc_lines_i = 0;
  b.Tick();
  EXPECT_EQ(b.Get(kCounters + 32), static_cast<uint32_t>(want[4]));
  b.top->pf_nmc_lines_i = 0xffff;
  want[4] += 0xffff;
  b.Tick();
  b.top->pf_nmc_lines_i = 0;
  EXPECT_EQ(b.Get(kCounters + 36), 0u);  // latched
  EXPECT_EQ(b.Get64(kCounters + 32), want[4]);
  EXPECT_GE(want[4], uint64_t{1} << 32);

  b.top->tracker_entries_i = 700;
  b.Tick();
  b.top->tracker_entries_i = 300;
  b.Ticks(2);
  EXPECT_EQ(b.Get(0xc0), 700u << 16 | 300u);
  b.Set(0xc4, 0);
  EXPECT_EQ(b.Get(0xc0), 700u << 16 | 300u);
  b.Set(0xc4, 1);
  EXPECT_EQ(b.Get(0xc0), 300u << 16 | 300u);
  for (uint32_t i = 0; i < 13; i++) EXPECT_EQ(b.Get64(kCounters + 8 * i), 0u) << i;
}

TEST(T3Csr, PeekShowsTheTracker) {
  CsrBench b(14);
  b.Set(0xb0, 0x1234u | 6u << 16);
  EXPECT_EQ(b.top->peek_bank_o, 6);
  EXPECT_EQ(b.top->peek_index_o, 0x1234);
  b.top->peek_valid_i = 1, b.top->peek_ctx_i = 3, b.top->peek_sub_i = 0xabcdef;
  b.top->peek_count_i = 0x123456;
  EXPECT_EQ(b.Get(0xb4), 1u << 31 | 3u << 24 | 0xabcdefu);
  EXPECT_EQ(b.Get(0xb8), 0x123456u);
}

TEST(T3Csr, IdleOnlyWithoutTransactions) {
  CsrBench b(15);
  b.Ticks(5);
  EXPECT_TRUE(b.top->idle_o);
  b.stall_percent = 60;
  b.Queue({true, 0x44, 1, 0xf});
  bool seen = false;
  while (!b.BusIdle()) {
    b.Tick();
    seen |= !b.top->idle_o;
  }
  EXPECT_TRUE(seen);
  b.Ticks(2);
  EXPECT_TRUE(b.top->idle_o);
}

}  // namespace
}  // namespace t3::tb
