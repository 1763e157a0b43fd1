#include "sim/link/faults.h"

#include <stdexcept>

namespace t3::sim {

LinkFaults::LinkFaults(const std::string& fault, uint64_t after, uint32_t line_bytes)
    : after_(after), line_bytes_(line_bytes) {
  if (fault.empty()) {
    fault_ = Fault::kNone;
  } else if (fault == "lose-credits") {
    fault_ = Fault::kLoseCredits;
  } else if (fault == "swallow-packet") {
    fault_ = Fault::kSwallow;
  } else if (fault == "corrupt-packet") {
    fault_ = Fault::kCorrupt;
  } else if (fault == "wrong-context") {
    fault_ = Fault::kWrongContext;
  } else if (fault == "stale-epoch") {
    fault_ = Fault::kStaleEpoch;
  } else if (fault == "outside-grid") {
    fault_ = Fault::kOutsideGrid;
  } else if (fault == "cut-element") {
    fault_ = Fault::kCutElement;
  } else {
    throw std::invalid_argument("there is no test hook '" + fault + "'");
  }
}

bool LinkFaults::Pass(DataPacket* packet) {
  if (fault_ == Fault::kNone || fault_ == Fault::kLoseCredits || passed_++ != after_) return true;
  tb::Packet header = tb::Packet::Load(packet->header, 0);
  switch (fault_) {
    case Fault::kSwallow:
      return false;
    case Fault::kCorrupt:  // one bit of the line; the CRC stays
      packet->line[line_bytes_ / 2] ^= 0x10;
      return true;
    case Fault::kWrongContext:
      header.sub.ctx ^= 2;
      break;
    case Fault::kStaleEpoch:
      header.epoch -= 1;
      break;
    case Fault::kOutsideGrid:
      header.sub.wgx = 0xffff;
      break;
    default:  // kCutElement: the first byte of the first element
      for (uint32_t i = 0; i < line_bytes_ / 8; ++i) {
        if (packet->strobes[i] == 0) continue;
        packet->strobes[i] &= static_cast<uint8_t>(packet->strobes[i] - 1);
        break;
      }
  }
  header.Store(packet->header, 0);
  header.crc = tb::PacketCrc(packet->header, tb::Packet::kCrcLsb, packet->strobes, packet->line,
                             line_bytes_);
  header.Store(packet->header, 0);
  return true;
}

bool LinkFaults::Pass(const ControlPacket& packet) {
  if (fault_ != Fault::kLoseCredits) return true;
  const tb::Control control = tb::Control::Load(packet.bits, 0);
  if (control.grant) return true;
  passed_ += control.count;
  return passed_ <= after_;
}

}  // namespace t3::sim
