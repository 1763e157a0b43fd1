// A T3 device at the level of its registers, for tests of the driver: stores what
// is written, keeps a chunk table and the states of the contexts, logs all writes.
// Offsets are spelled out here, not taken from the driver's header.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sw/driver/t3.h"

namespace t3::driver_test {

// A chunk-table entry, taken apart by bit positions of the register map.
struct ChunkEntry {
  bool valid = false, remote = false, notify = false;
  uint32_t op = 0, link = 0, action = 0, expected = 0, dst = 0, dst_ctx = 0;
  uint64_t remote_base = 0;
  uint32_t first_tile = 0, num_tiles = 0;
};

class RegisterMock {
 public:
  enum State : uint32_t { kFree, kClearing, kLive, kLaunched, kDone, kDraining, kScrub };

  struct Context {
    uint32_t state = kFree;
    bool failed = false;
    std::map<uint32_t, uint32_t> words;  // by offset within the context's window
    std::map<uint32_t, ChunkEntry> chunks;
    uint64_t Wide(uint32_t offset) { return uint64_t{words[offset + 4]} << 32 | words[offset]; }
  };

  RegisterMock() {
    words_[0x00] = 0x54330100;
    words_[0x04] = 4u << 24 | 8u << 16 | 64u << 8 | 16u;
    words_[0x08] = 64u << 16 | 512u;
    words_[0x0c] = 2u << 24 | 2u << 16 | 2048u;
  }

  t3_bus Bus() {
    return {[](void* self, uint32_t offset, uint32_t* value) {
              return static_cast<RegisterMock*>(self)->Read(offset, value);
            },
            [](void* self, uint32_t offset, uint32_t value) {
              return static_cast<RegisterMock*>(self)->Write(offset, value);
            },
            this};
  }

  int Read(uint32_t offset, uint32_t* value) {
    if (bus_error_at_read_ == reads_++) return 1;
    if (offset >= 0x400 && offset < 0x800) {
      Context& c = contexts[(offset - 0x400) >> 8];
      const uint32_t at = offset & 0xff;
      *value = at == 0x04 ? c.state | uint32_t{c.failed} << 8 : c.words[at];
      // Clearing and draining take a poll or two.
      if (at == 0x04 && c.state == kClearing) c.state = kLive;
      if (at == 0x04 && (c.state == kDraining || c.state == kScrub)) {
        c.state =
            c.state == kDraining ? static_cast<uint32_t>(kScrub) : static_cast<uint32_t>(kFree);
        c.failed = false;
      }
      return 0;
    }
    if (offset == 0x84 || offset == 0x88) {
      const uint32_t select = words_[0x80];
      const uint64_t epoch = grants[{select >> 8 & 0x3f, select & 3}];
      *value = static_cast<uint32_t>(offset == 0x84 ? epoch : epoch >> 32);
      return 0;
    }
    *value = words_[offset];
    return 0;
  }

  int Write(uint32_t offset, uint32_t value) {
    writes.push_back({offset, value});
    if (writes.size() - 1 == bus_error_at_write_) return 1;
    if (offset >= 0x400 && offset < 0x800)
      return WriteContext(contexts[(offset - 0x400) >> 8], offset & 0xff, value);
    if (offset == 0x50) return CommitChunk(value);
    if (offset == 0x2c) {
      for (uint32_t i = 0; i < 4; i++) {
        if (value >> i & 1) {
          if (contexts[i].state != kLive) return 1;
          contexts[i].state = kLaunched;
        }
      }
    }
    words_[offset] = value;
    return 0;
  }

  uint32_t& Word(uint32_t offset) { return words_[offset]; }
  void FailWrite(size_t index) { bus_error_at_write_ = index; }
  void FailRead(uint64_t index) { bus_error_at_read_ = index; }
  uint64_t reads() const { return reads_; }

  std::array<Context, 4> contexts;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> grants;  // (peer, its context)
  std::vector<std::pair<uint32_t, uint32_t>> writes;

 private:
  int WriteContext(Context& c, uint32_t at, uint32_t value) {
    if (at != 0x00) {
      if (c.state != kFree) return 1;
      c.words[at] = value;
      return 0;
    }
    if (value == 1 && c.state == kFree) {
      c.state = kClearing;
    } else if (value == 2 && c.state == kDone && !c.failed) {
      c.state = kFree;
    } else if (value == 4 && c.state >= kLive && c.state <= kDone) {
      c.state = kDraining;
    } else {
      return 1;
    }
    return 0;
  }

  int CommitChunk(uint32_t last) {
    const uint32_t select = words_[0x40], w0 = words_[0x44], w1 = words_[0x48], w2 = words_[0x4c];
    Context& c = contexts[select >> 16 & 3];
    if (c.state != kFree) return 1;
    ChunkEntry e;
    e.num_tiles = w0 & 0xffffff;
    e.first_tile = w0 >> 24 | (w1 & 0xffff) << 8;
    e.remote_base = uint64_t{w1 >> 16} | uint64_t{w2 & 0xffffff} << 16;
    e.dst_ctx = w2 >> 24 & 3;
    e.dst = w2 >> 26;
    e.expected = last & 0xff;
    e.action = last >> 8 & 3;
    e.notify = last >> 10 & 1;
    e.link = last >> 11 & 1;
    e.op = last >> 12 & 1;
    e.remote = last >> 13 & 1;
    e.valid = last >> 14 & 1;
    c.chunks[select & 0x1ff] = e;
    return 0;
  }

  std::map<uint32_t, uint32_t> words_;
  size_t bus_error_at_write_ = SIZE_MAX;
  uint64_t bus_error_at_read_ = UINT64_MAX, reads_ = 0;
};

}  // namespace t3::driver_test
