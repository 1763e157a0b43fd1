// t3_geometry against an enumeration of all elements of small matrices, and
// against the definition for matrices up to the largest; pipeline and stalls.
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "Vt3_geometry.h"
#include "tb/harness/clock_bench.h"
#include "tb/unit/t3_map_types.h"

namespace t3::tb {
namespace {

class Bench : public ClockBench<Vt3_geometry> {
 public:
  explicit Bench(uint64_t seed) : ClockBench(seed) {
    (*this)->en_i = 1;
    (*this)->valid_i = 0;
    Reset();
  }

  void Cycle(bool en, const ContextCfg* cfg, const Subtile& sub) {
    (*this)->en_i = en;
    (*this)->valid_i = cfg != nullptr;
    if (cfg) {
      cfg->Store(Bytes((*this)->cfg_i), 0);
      (*this)->sub_i = sub.Pack();
    }
    Settle();
  }
  // One subtile through the empty pipeline.
  void Ask(const ContextCfg& cfg, const Subtile& sub) {
    Cycle(true, &cfg, sub);
    Edge();
    for (int i = 0; i < 2; ++i) {
      Cycle(true, nullptr, sub);
      EXPECT_FALSE((*this)->valid_o);
      Edge();
    }
    Cycle(true, nullptr, sub);
    EXPECT_TRUE((*this)->valid_o);
  }
  void Expect(const Place& p) {
    ASSERT_EQ((*this)->in_grid_o, p.in_grid);
    if (!p.in_grid) return;
    ASSERT_EQ((*this)->tile_o, p.tile);
    ASSERT_EQ((*this)->index_o, p.index);
    ASSERT_EQ((*this)->empty_o, p.empty);
    if (p.empty) return;
    ASSERT_EQ((*this)->first_o, p.first);
    ASSERT_EQ((*this)->last_o, p.last);
    ASSERT_EQ((*this)->rows_o, p.rows);
    ASSERT_EQ((*this)->row_bytes_o, p.row_bytes);
    ASSERT_EQ((*this)->elems_o, p.elems);
  }
};

// Any matrix whose subtiles have numbers of 24 bits and whose bytes have addresses.
ContextCfg RandomCfg(Bench* bench) {
  ContextCfg cfg;
  for (;;) {
    const auto draw = [&](uint32_t max_bits) {
      return bench->Draw(1, (uint64_t{1} << bench->Draw(1, max_bits)) - 1);
    };
    cfg.fmt = static_cast<uint32_t>(bench->Draw(0, 2));
    cfg.col_major = bench->Chance(50);
    cfg.rows = draw(24);
    cfg.cols = draw(24);
    cfg.wavefronts = bench->Draw(1, 32);
    cfg.tile_m = cfg.wavefronts * bench->Draw(1, 4095 / cfg.wavefronts);
    cfg.tile_n = draw(12);
    cfg.Derive();
    if (cfg.grid_x > 65535 || cfg.grid_y > 65535) continue;
    if (cfg.grid_x * cfg.grid_y * cfg.wavefronts > 0xffffff) continue;
    cfg.pitch = (cfg.cols + bench->Draw(0, 100)) * cfg.element_bytes();
    const uint64_t bytes = cfg.rows * cfg.pitch;
    if (bytes >= uint64_t{1} << 40) continue;
    cfg.base = bench->Draw(0, (uint64_t{1} << 40) - 1 - bytes) & ~uint64_t{3};
    return cfg;
  }
}

// A subtile of the grid, mostly at its edges.
Subtile RandomSubtile(Bench* bench, const ContextCfg& cfg) {
  const auto pick = [&](uint64_t count) {
    const uint64_t kind = bench->Draw(0, 3);
    return kind == 0 ? 0 : kind == 1 ? count - 1 : bench->Draw(0, count - 1);
  };
  Subtile s;
  s.ctx = static_cast<uint8_t>(bench->Draw(0, 3));
  s.chunk = static_cast<uint16_t>(bench->Draw(0, 511));
  s.wgx = static_cast<uint16_t>(pick(cfg.grid_x));
  s.wgy = static_cast<uint16_t>(pick(cfg.grid_y));
  s.wf = static_cast<uint8_t>(pick(cfg.wavefronts));
  return s;
}

TEST(Geometry, OfSmallMatricesIsWhatTheirElementsSay) {
  Bench bench(1);
  for (int round = 0; round < 150; ++round) {
    ContextCfg cfg;
    cfg.fmt = static_cast<uint32_t>(bench.Draw(0, 2));
    cfg.col_major = bench.Chance(50);
    cfg.rows = bench.Draw(1, 40);
    cfg.cols = bench.Draw(1, 40);
    cfg.wavefronts = bench.Draw(1, 5);
    cfg.tile_m = cfg.wavefronts * bench.Draw(1, 6);
    cfg.tile_n = bench.Draw(1, 16);
    cfg.Derive();
    cfg.pitch = (cfg.cols + bench.Draw(0, 9)) * cfg.element_bytes();
    cfg.base = bench.Draw(0, 1 << 20) * cfg.element_bytes();

    struct Seen {
      uint64_t first = ~uint64_t{0}, last = 0, elems = 0;
      std::set<uint64_t> rows, cols;
    };
    std::map<std::tuple<uint64_t, uint64_t, uint64_t>, Seen> seen;  // x, y, wavefront
    for (uint64_t r = 0; r < cfg.rows; ++r) {
      for (uint64_t c = 0; c < cfg.cols; ++c) {
        const uint64_t bands = cfg.tile_m / cfg.wavefronts;
        Seen& s = seen[{c / cfg.tile_n, r / cfg.tile_m, r % cfg.tile_m / bands}];
        const uint64_t at = cfg.base + r * cfg.pitch + c * cfg.element_bytes();
        s.first = std::min(s.first, at);
        s.last = std::max(s.last, at + cfg.element_bytes() - 1);
        s.rows.insert(r);
        s.cols.insert(c);
        ++s.elems;
      }
    }
    // All subtiles of the grid in the order of their numbers.
    uint64_t number = 0;
    const uint64_t outer = cfg.col_major ? cfg.grid_x : cfg.grid_y;
    const uint64_t inner = cfg.col_major ? cfg.grid_y : cfg.grid_x;
    for (uint64_t a = 0; a < outer; ++a) {
      for (uint64_t b = 0; b < inner; ++b) {
        for (uint64_t wf = 0; wf < cfg.wavefronts; ++wf, ++number) {
          Subtile sub;
          sub.wgx = static_cast<uint16_t>(cfg.col_major ? a : b);
          sub.wgy = static_cast<uint16_t>(cfg.col_major ? b : a);
          sub.wf = static_cast<uint8_t>(wf);
          const auto found = seen.find({sub.wgx, sub.wgy, wf});
          Place p;
          p.in_grid = true;
          p.tile = number / cfg.wavefronts;
          p.index = number;
          p.empty = found == seen.end();
          if (!p.empty) {
            const Seen& s = found->second;
            p.first = s.first;
            p.last = s.last;
            p.elems = s.elems;
            p.rows = s.rows.size();
            p.row_bytes = s.cols.size() * cfg.element_bytes();
          }
          bench.Ask(cfg, sub);
          bench.Expect(p);
          if (HasFatalFailure()) FAIL() << "round " << round << " subtile " << number;
          bench.Edge();
        }
      }
    }
  }
}

TEST(Geometry, IdsOutsideTheGridAreNamed) {
  Bench bench(2);
  ContextCfg cfg;
  cfg.rows = 100;
  cfg.cols = 90;
  cfg.tile_m = 32;
  cfg.tile_n = 16;
  cfg.wavefronts = 4;
  cfg.pitch = 180;
  cfg.Derive();
  const auto in_grid = [&](uint16_t x, uint16_t y, uint8_t wf) {
    bench.Ask(cfg, {0, 0, x, y, wf});
    const bool in = bench->in_grid_o;
    bench.Edge();
    return in;
  };
  EXPECT_TRUE(in_grid(5, 3, 3));
  EXPECT_FALSE(in_grid(6, 3, 3));
  EXPECT_FALSE(in_grid(5, 4, 3));
  EXPECT_FALSE(in_grid(5, 3, 4));
  EXPECT_FALSE(in_grid(65535, 0, 0));
  EXPECT_FALSE(in_grid(0, 65535, 0));
  EXPECT_FALSE(in_grid(0, 0, 31));
  cfg.wavefronts = 32;
  cfg.Derive();
  EXPECT_TRUE(in_grid(0, 0, 31));
}

TEST(Geometry, TheLastBandsOfTheTallestMatrixAreEmpty) {
  Bench bench(3);
  ContextCfg cfg;
  cfg.rows = 0xffffff;
  cfg.cols = 8;
  cfg.tile_m = 4064;
  cfg.tile_n = 8;
  cfg.wavefronts = 32;
  cfg.pitch = 16;
  cfg.Derive();
  for (uint8_t wf = 0; wf < 32; ++wf) {
    const Subtile sub{0, 0, 0, static_cast<uint16_t>(cfg.grid_y - 1), wf};
    bench.Ask(cfg, sub);
    bench.Expect(Locate(cfg, sub));
    if (HasFatalFailure()) FAIL() << "wavefront " << int{wf};
    bench.Edge();
  }
}

TEST(Geometry, OneSubtilePerCycle) {
  Bench bench(4);
  std::vector<Place> places;
  for (uint32_t i = 0; i < 1003; ++i) {
    const ContextCfg cfg = RandomCfg(&bench);
    const Subtile sub = RandomSubtile(&bench, cfg);
    bench.Cycle(true, &cfg, sub);
    ASSERT_EQ(bench->valid_o, i >= 3);
    if (i >= 3) bench.Expect(places[i - 3]);
    ASSERT_FALSE(HasFatalFailure()) << i;
    places.push_back(Locate(cfg, sub));
    bench.Edge();
  }
}

class Random : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Random, SubtilesWithGapsAndStalls) {
  SCOPED_TRACE(::testing::Message() << "seed " << GetParam());
  Bench bench(GetParam());
  std::deque<std::pair<bool, Place>> stages(3);  // valid, place; the oldest first
  uint32_t seen = 0, empty = 0, outside = 0;
  while (seen < 20000) {
    const bool en = bench.Chance(70), valid = bench.Chance(80);
    const ContextCfg cfg = RandomCfg(&bench);
    Subtile sub = RandomSubtile(&bench, cfg);
    if (bench.Chance(3)) sub.wgx = static_cast<uint16_t>(bench.Draw());
    if (bench.Chance(3)) sub.wgy = static_cast<uint16_t>(bench.Draw());
    if (bench.Chance(3)) sub.wf = bench.Draw() & 31;
    bench.Cycle(en, valid ? &cfg : nullptr, sub);
    ASSERT_EQ(bench->valid_o, stages.front().first);
    if (bench->valid_o) {
      bench.Expect(stages.front().second);
      ASSERT_FALSE(HasFatalFailure()) << "cycle " << bench.cycle();
    }
    if (en) {
      const Place& p = stages.front().second;
      seen += stages.front().first;
      empty += stages.front().first && p.in_grid && p.empty;
      outside += stages.front().first && !p.in_grid;
      stages.pop_front();
      stages.emplace_back(valid, valid ? Locate(cfg, sub) : Place());
    }
    bench.Edge();
  }
  EXPECT_GT(empty, 100u);
  EXPECT_GT(outside, 100u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Values(11, 12, 13));

}  // namespace
}  // namespace t3::tb
