// Rings of every size, both directions, shapes that no tile divides, all formats.
#include "tb/top/systems.h"

namespace t3::tb {
namespace {

class Ring : public ::testing::TestWithParam<uint32_t> {};

TEST_P(Ring, ReducesAndGathersUp) { ExpectPass(System(GetParam(), 200, 260)); }

TEST_P(Ring, ReducesAndGathersDown) {
  sim::RunRequest r = System(GetParam(), 200, 260);
  r.direction = sim::Direction::kDown;
  ExpectPass(r);
}

TEST_P(Ring, ReducesAlone) {
  sim::RunRequest r = System(GetParam(), 150, 140);
  r.collective = sim::Collective::kReduceScatter;
  ExpectPass(r);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Ring, ::testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 32));

struct Shape {
  uint32_t m, n;
};

class Edge : public ::testing::TestWithParam<Shape> {};

TEST_P(Edge, OddShapesAreExact) { ExpectPass(System(3, GetParam().m, GetParam().n)); }

TEST_P(Edge, OddShapesInColumnOrderWithPadding) {
  sim::RunRequest r = System(4, GetParam().m, GetParam().n);
  r.system.column_major = true;
  r.system.pitch_padding = 5;
  ExpectPass(r);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Edge,
                         ::testing::Values(Shape{1, 1}, Shape{1, 300}, Shape{300, 1}, Shape{33, 31},
                                           Shape{73, 128}, Shape{129, 128}, Shape{96, 33},
                                           Shape{130, 130}, Shape{31, 257}));

struct Numbers {
  golden::Format format;
  golden::DataKind data;
};

class Format : public ::testing::TestWithParam<Numbers> {};

TEST_P(Format, SumsAreBitExact) {
  sim::RunRequest r = System(5, 140, 150);
  r.format = GetParam().format;
  r.data = GetParam().data;
  ExpectPass(r);
}

INSTANTIATE_TEST_SUITE_P(
    All, Format,
    ::testing::Values(Numbers{golden::Format::kFp16, golden::DataKind::kRandom},
                      Numbers{golden::Format::kFp16, golden::DataKind::kSpecials},
                      Numbers{golden::Format::kFp16, golden::DataKind::kGemm},
                      Numbers{golden::Format::kBf16, golden::DataKind::kRandom},
                      Numbers{golden::Format::kBf16, golden::DataKind::kSpecials},
                      Numbers{golden::Format::kFp32, golden::DataKind::kRandom},
                      Numbers{golden::Format::kFp32, golden::DataKind::kSpecials},
                      Numbers{golden::Format::kFp32, golden::DataKind::kGemm}));

TEST(Ring, OneTileAmongManyDevices) { ExpectPass(System(8, 64, 64)); }

TEST(Ring, DefaultHardware) {
  sim::RunRequest r = System(4, 384, 520);
  r.rtl_config = "default";
  r.system = sim::SystemConfig();
  ExpectPass(r);
}

TEST(Ring, WideLines) {
  sim::RunRequest r = System(3, 150, 333);
  r.rtl_config = "wide";
  r.system = sim::SystemConfig();
  ExpectPass(r);
}

}  // namespace
}  // namespace t3::tb
