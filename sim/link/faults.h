// Faults that tests plant at the sending end of a device's links.
#pragma once

#include <cstdint>
#include <string>

#include "sim/link/mailbox.h"

namespace t3::sim {

class LinkFaults {
 public:
  // `fault` as in TestHooks; empty: none. It strikes after `after` packets (or
  // credits) of this device: lost credits from then on, any other fault once.
  LinkFaults(const std::string& fault, uint64_t after, uint32_t line_bytes);

  bool active() const { return fault_ != Fault::kNone; }
  // Changes a packet that leaves; false: it is lost.
  bool Pass(DataPacket* packet);
  bool Pass(const ControlPacket& packet);

 private:
  enum class Fault {
    kNone,
    kLoseCredits,
    kSwallow,
    kCorrupt,
    kWrongContext,
    kStaleEpoch,
    kOutsideGrid,
    kCutElement
  };
  Fault fault_;
  uint64_t after_, passed_ = 0;
  uint32_t line_bytes_;
};

}  // namespace t3::sim
