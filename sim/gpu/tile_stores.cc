#include "sim/gpu/tile_stores.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "sim/gpu/channel_of.h"

namespace t3::sim {
namespace {

constexpr size_t kQueueLines = 128;  // listed per channel: enough to even out the channels
constexpr uint32_t kStressGap = 8;

// Sets the strobes of bytes first .. last - 1.
void SetStrobes(uint32_t first, uint32_t last, uint8_t* strobes) {
  for (uint32_t byte = first; byte < last;) {
    if (byte % 8 == 0 && last - byte >= 8) {
      strobes[byte / 8] = 0xff;
      byte += 8;
    } else {
      strobes[byte / 8] |= static_cast<uint8_t>(1u << (byte % 8));
      ++byte;
    }
  }
}

}  // namespace

TileStores::TileStores(const TileStoresConfig& config, uint32_t users,
                       const golden::Payload* payload)
    : config_(config),
      payload_(payload),
      users_(users),
      waiting_(users),
      row_(size_t{config.tile_n} * config.element_bytes),
      channels_(config.channels, Channel{FixedQueue<Entry>(kQueueLines)}),
      random_(config.stress_seed) {}

void TileStores::Start(uint32_t user, const Tile& tile) {
  users_[user] = User{tile, 0, false};
  waiting_.Append() = user;
}

void TileStores::SetLine(uint64_t line) {
  listing_.line = line;
  listing_.channel = ChannelOf(line, config_.channels);
}

void TileStores::StartRow() {
  const Tile& tile = users_[listing_.user].tile;
  const uint32_t row = tile.y * config_.tile_m + listing_.row;
  const uint32_t col = tile.x * config_.tile_n;
  const uint32_t cols = std::min(config_.tile_n, config_.n - col);
  payload_->Row(config_.device, tile.kernel, row, col, cols, row_.data());
  listing_.start = tile.out_base + row * tile.pitch_bytes + uint64_t{col} * config_.element_bytes;
  listing_.end = listing_.start + uint64_t{cols} * config_.element_bytes;
  SetLine(listing_.start & ~uint64_t{config_.line_bytes - 1});
}

// Fills an entry with the line that is to be listed.
void TileStores::List(Entry* entry) {
  const Tile& tile = users_[listing_.user].tile;
  const uint64_t from = std::max(listing_.line, listing_.start);
  const uint64_t to = std::min(listing_.line + config_.line_bytes, listing_.end);
  const auto first = static_cast<uint32_t>(from - listing_.line);
  entry->user = listing_.user;
  StoreAccess& store = entry->store;
  store.ctx = tile.ctx;
  store.chunk = tile.chunk;
  store.wgx = tile.x;
  store.wgy = tile.y;
  store.wf = static_cast<uint8_t>(listing_.row / (config_.tile_m / config_.wavefronts));
  store.addr = listing_.line;
  std::memset(store.strobes, 0, sizeof store.strobes);
  SetStrobes(first, static_cast<uint32_t>(to - listing_.line), store.strobes);
  std::memcpy(store.data + first, row_.data() + (from - listing_.start), to - from);
}

void TileStores::Begin(uint64_t cycle) {
  cycle_ = cycle;
  for (;;) {
    if (!listing_.active) {
      if (waiting_.empty()) return;
      listing_.active = true;
      listing_.user = waiting_.front();
      listing_.row = 0;
      listing_.rows =
          std::min(config_.tile_m, config_.m - users_[listing_.user].tile.y * config_.tile_m);
      waiting_.Pop();
      StartRow();
    }
    User& user = users_[listing_.user];
    for (;;) {
      Channel& channel = channels_[listing_.channel];
      if (channel.queue.full()) return;
      List(&channel.queue.Append());
      ++user.lines;
      if (listing_.line + config_.line_bytes < listing_.end) {
        SetLine(listing_.line + config_.line_bytes);
      } else if (++listing_.row < listing_.rows) {
        StartRow();
      } else {
        break;
      }
    }
    user.listed = true;
    listing_.active = false;
  }
}

const StoreAccess* TileStores::Offered(uint32_t index) {
  Channel& channel = channels_[index];
  if (!channel.offered) {
    channel.offered = !channel.queue.empty() && channel.not_before <= cycle_;
  }
  return channel.offered ? &channel.queue.front().store : nullptr;
}

uint32_t TileStores::Taken(uint32_t index) {
  Channel& channel = channels_[index];
  assert(channel.offered);
  channel.offered = false;
  const uint32_t number = channel.queue.front().user;
  channel.queue.Pop();
  if (config_.stress) channel.not_before = cycle_ + 1 + random_() % kStressGap;
  User& user = users_[number];
  return --user.lines == 0 && user.listed ? number : kNone;
}

uint64_t TileStores::NextEvent() const {
  uint64_t next = UINT64_MAX;
  for (const Channel& channel : channels_) {
    if (!channel.queue.empty()) {
      next = std::min(next, std::max(cycle_ + 1, channel.not_before));
    }
  }
  return next == UINT64_MAX && (listing_.active || !waiting_.empty()) ? cycle_ + 1 : next;
}

}  // namespace t3::sim
