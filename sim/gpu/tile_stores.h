// The stores of finished tiles: cut into lines, never with bytes of two rows, filled
// with data, and spread over the memory channels.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "sim/dram/fixed_queue.h"
#include "sw/golden/payload.h"

namespace t3::sim {

// One tracked store of one line.
struct StoreAccess {
  uint8_t ctx = 0;
  uint16_t chunk = 0, wgx = 0, wgy = 0;
  uint8_t wf = 0;
  uint64_t addr = 0;         // line address
  uint8_t strobes[16] = {};  // bit per byte
  uint8_t data[128] = {};    // right where strobed
};

struct TileStoresConfig {
  uint32_t channels = 16, line_bytes = 64;
  uint32_t device = 0;
  uint32_t m = 0, n = 0;
  uint32_t tile_m = 128, tile_n = 128, wavefronts = 4;  // tile_m a multiple of wavefronts
  uint32_t element_bytes = 2;
  bool stress = false;  // random gaps between the stores of a channel
  uint64_t stress_seed = 1;
};

// A tile to be stored: place in the grid, and where the matrix lies.
struct Tile {
  uint32_t kernel = 0;  // for the payload
  uint8_t ctx = 0;
  uint16_t chunk = 0, x = 0, y = 0;
  uint64_t out_base = 0, pitch_bytes = 0;
};

// Tiles go out in the order of Start(), each row by row and so wavefront by
// wavefront; the channels drain independently.
class TileStores {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Stores for at most `users` tiles at a time, numbered from 0. The payload must
  // outlive this.
  TileStores(const TileStoresConfig& config, uint32_t users, const golden::Payload* payload);

  // Stores the user's tile; it must have none under way.
  void Start(uint32_t user, const Tile& tile);

  // Moves time and computes the lines for which the channels have room. Once per
  // cycle, before the calls below.
  void Begin(uint64_t cycle);

  // The store at the head of a channel, or null; it stays until Taken().
  const StoreAccess* Offered(uint32_t channel);
  // Returns the user whose last store that was, or kNone.
  uint32_t Taken(uint32_t channel);

  // The next cycle in which a store is offered, or an earlier one: the next cycle
  // while one is. UINT64_MAX: none.
  uint64_t NextEvent() const;

 private:
  struct Entry {
    StoreAccess store;
    uint32_t user = 0;
  };
  struct User {
    Tile tile;
    uint32_t lines = 0;   // listed and not taken
    bool listed = false;  // all lines are in the channels' queues
  };
  // The tile whose lines are being listed.
  struct Listing {
    bool active = false;
    uint32_t user = 0;
    uint32_t row = 0, rows = 0;   // of the tile
    uint64_t start = 0, end = 0;  // addresses of the row's bytes
    uint64_t line = 0;            // to be listed next
    uint32_t channel = 0;         // of `line`
  };
  struct Channel {
    FixedQueue<Entry> queue;
    uint64_t not_before = 0;  // stress
    bool offered = false;
  };

  void StartRow();
  void List(Entry* entry);
  void SetLine(uint64_t line);

  const TileStoresConfig config_;
  const golden::Payload* const payload_;
  std::vector<User> users_;
  FixedQueue<uint32_t> waiting_;  // users whose tile is not listed yet
  Listing listing_;
  std::vector<uint8_t> row_;  // data of the row being listed
  std::vector<Channel> channels_;
  std::mt19937_64 random_;
  uint64_t cycle_ = 0;
};

}  // namespace t3::sim
