#include "sim/cli/workloads.h"

#include <gtest/gtest.h>

#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::HasSubstr;

TEST(Workloads, AreTheTwentyEightSubLayersOfThePaper) {
  size_t rows = 0;
  for (const Workload& row : AllWorkloads()) rows += row.tp.size();
  EXPECT_EQ(AllWorkloads().size(), 20u);
  EXPECT_EQ(rows, 28u);
}

TEST(Workloads, SliceTheFullK) {
  const Workload& fc2 = FindWorkload("t-nlg", "fc2");
  EXPECT_EQ(fc2.m, 8192u);
  EXPECT_EQ(fc2.n, 4256u);
  EXPECT_EQ(LocalK(fc2, 8), 2128u);
  EXPECT_EQ(LocalK(FindWorkload("t-nlg", "op"), 8), 532u);
  EXPECT_EQ(LocalK(FindWorkload("mt-nlg", "ip"), 32), 1920u);
  EXPECT_THAT(ErrorOf([&] { LocalK(fc2, 9); }),
              HasSubstr("--tp 9 does not divide the full K 17024"));
}

TEST(Workloads, NameTheNearest) {
  EXPECT_THAT(ErrorOf([] { FindWorkload("tnlg", "fc2"); }), HasSubstr("'t-nlg'"));
  EXPECT_THAT(ErrorOf([] { FindWorkload("t-nlg", "fc3"); }), HasSubstr("'fc2'"));
}

TEST(Workloads, FilesAreCheckedByLine) {
  const std::string header = "# c\nmodel,layer,m,n,full_k,tp\n";
  EXPECT_EQ(ParseWorkloads("w", header + "a,b,1,2,3,4 8\n").at(0).tp.size(), 2u);
  EXPECT_THAT(ErrorOf([&] { ParseWorkloads("w", header + "a,b,1,2,3\n"); }), HasSubstr("w:3"));
  EXPECT_THAT(ErrorOf([&] { ParseWorkloads("w", header + "a,b,0,2,3,4\n"); }), HasSubstr("w:3"));
  EXPECT_THAT(ErrorOf([&] { ParseWorkloads("w", "model\n"); }), HasSubstr("w:1"));
}

}  // namespace
}  // namespace t3::sim
