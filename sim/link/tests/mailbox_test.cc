#include "sim/link/mailbox.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sim/link/faults.h"

namespace t3::sim {
namespace {

ControlPacket At(uint64_t arrival, uint8_t mark) {
  ControlPacket packet;
  packet.arrival = arrival;
  packet.bits[0] = mark;
  return packet;
}

TEST(Inbox, GivesPacketsWhenTheyArriveAndNotBefore) {
  Inbox<ControlPacket> inbox;
  EXPECT_EQ(inbox.NextArrival(), UINT64_MAX);
  inbox.Deliver(At(10, 1));
  inbox.Deliver(At(12, 2));
  EXPECT_EQ(inbox.NextArrival(), 10u);
  EXPECT_EQ(inbox.Arrived(9), nullptr);
  ASSERT_NE(inbox.Arrived(10), nullptr);
  EXPECT_EQ(inbox.Arrived(10)->bits[0], 1);
  inbox.Pop();
  EXPECT_EQ(inbox.Arrived(11), nullptr);
  ASSERT_NE(inbox.Arrived(13), nullptr);
  inbox.Pop();
  EXPECT_TRUE(inbox.Empty());
}

TEST(Inbox, OrdersPacketsOfSeveralSenders) {
  Inbox<ControlPacket> inbox;
  inbox.Deliver(At(10, 1));
  inbox.Deliver(At(20, 2));
  inbox.Deliver(At(10, 3));  // meets the first and comes after it
  inbox.Deliver(At(15, 4));
  std::string marks;
  while (const ControlPacket* packet = inbox.Arrived(100)) {
    marks += static_cast<char>('0' + packet->bits[0]);
    inbox.Pop();
  }
  EXPECT_EQ(marks, "1342");
}

TEST(Inbox, KeepsItsOrderOverManyPackets) {
  Inbox<ControlPacket> inbox;
  uint64_t sent = 0, taken = 0;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 1000; ++i, ++sent) inbox.Deliver(At(sent, static_cast<uint8_t>(sent)));
    for (int i = 0; i < 990; ++i, ++taken) {
      const ControlPacket* packet = inbox.Arrived(UINT64_MAX);
      ASSERT_NE(packet, nullptr);
      ASSERT_EQ(packet->arrival, taken);
      inbox.Pop();
    }
  }
}

DataPacket SomePacket() {
  DataPacket packet;
  tb::Packet header;
  header.sub = {1, 7, 3, 4, 2};
  header.epoch = 9;
  header.crc = 0x1234;
  header.Store(packet.header, 0);
  std::memset(packet.strobes, 0xff, 8);
  return packet;
}

TEST(LinkFaults, StrikeOnceAfterTheGivenNumber) {
  LinkFaults faults("swallow-packet", 2, 64);
  DataPacket packet = SomePacket();
  std::string passed;
  for (int i = 0; i < 5; ++i) passed += faults.Pass(&packet) ? 'p' : '-';
  EXPECT_EQ(passed, "pp-pp");
}

TEST(LinkFaults, ChangedHeadersHaveAValidCrcAndCorruptedLinesDoNot) {
  const DataPacket original = SomePacket();
  for (const char* fault : {"wrong-context", "stale-epoch", "outside-grid", "cut-element"}) {
    LinkFaults faults(fault, 0, 64);
    DataPacket packet = original;
    ASSERT_TRUE(faults.Pass(&packet));
    EXPECT_EQ(tb::Packet::Load(packet.header, 0).crc,
              tb::PacketCrc(packet.header, tb::Packet::kCrcLsb, packet.strobes, packet.line, 64))
        << fault;
    const bool changed = std::memcmp(packet.header, original.header, 20) != 0 ||
                         std::memcmp(packet.strobes, original.strobes, 16) != 0;
    EXPECT_TRUE(changed) << fault;
  }
  LinkFaults faults("corrupt-packet", 0, 64);
  DataPacket packet = original;
  ASSERT_TRUE(faults.Pass(&packet));
  EXPECT_EQ(std::memcmp(packet.header, original.header, sizeof packet.header), 0);
  EXPECT_NE(std::memcmp(packet.line, original.line, sizeof packet.line), 0);
}

TEST(LinkFaults, LosesCreditsButNoGrants) {
  LinkFaults faults("lose-credits", 10, 64);
  const auto control = [](bool grant, uint16_t count) {
    tb::Control fields;
    fields.grant = grant;
    fields.count = count;
    ControlPacket packet;
    fields.Store(packet.bits, 0);
    return packet;
  };
  EXPECT_TRUE(faults.Pass(control(false, 10)));
  EXPECT_FALSE(faults.Pass(control(false, 1)));
  EXPECT_TRUE(faults.Pass(control(true, 0)));
  EXPECT_FALSE(faults.Pass(control(false, 5)));
  DataPacket packet = SomePacket();
  EXPECT_TRUE(faults.Pass(&packet));
}

}  // namespace
}  // namespace t3::sim
