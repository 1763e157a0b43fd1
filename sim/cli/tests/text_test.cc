#include "sim/cli/text.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::HasSubstr;

TEST(ParseInteger, TakesDigitsWithinTheRange) {
  EXPECT_EQ(ParseInteger("--m", "1", 1, 9), 1u);
  EXPECT_EQ(ParseInteger("--m", "9", 1, 9), 9u);
  EXPECT_EQ(ParseInteger("--m", "007", 1, 9), 7u);
  EXPECT_EQ(ParseInteger("--seed", "18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
}

TEST(ParseInteger, RefusesEverythingElseAndSaysWhatAndWhy) {
  for (const char* text : {"", "-1", "+1", "8foo", "1e3", " 12", "12 ", "0x10", "1.0", "10", "0",
                           "99999999999999999999", "18446744073709551616", "\xd9\xa3"}) {
    const std::string error = ErrorOf([&] { ParseInteger("--m", text, 1, 9); });
    EXPECT_THAT(error, HasSubstr("--m is '" + std::string(text) + "'")) << text;
    EXPECT_THAT(error, HasSubstr("from 1 to 9")) << text;
  }
}

TEST(ParseReal, TakesDecimalNumbers) {
  EXPECT_EQ(ParseReal("k", "75", 0, 100), 75.0);
  EXPECT_EQ(ParseReal("k", "37.5", 0, 100), 37.5);
  EXPECT_EQ(ParseReal("k", "+.5", 0, 100), 0.5);
  EXPECT_EQ(ParseReal("k", "5.", 0, 100), 5.0);
  EXPECT_EQ(ParseReal("k", "2.5e1", 0, 100), 25.0);
  EXPECT_FALSE(std::signbit(ParseReal("k", "-0", 0, 100)));
}

TEST(ParseReal, RefusesEverythingElse) {
  for (const char* text : {"", "fast", "nan", "inf", "-1", "101", "0x10", "1,5", "1e", "e5", ".",
                           "1 ", " 1", "1e999", "--1", "1.2.3"}) {
    const std::string error = ErrorOf([&] { ParseReal("link.x", text, 0, 100); });
    EXPECT_THAT(error, HasSubstr("link.x is '" + std::string(text) + "'")) << text;
    EXPECT_THAT(error, HasSubstr("from 0 to 100")) << text;
  }
}

TEST(ParseChoice, NamesTheNearest) {
  EXPECT_EQ(ParseChoice("--mode", "t3-mca", {"t3", "t3-mca"}), 1u);
  EXPECT_THAT(ErrorOf([] {
                ParseChoice("--mode", "t3-mac", {"t3", "t3-mca"});
              }),
              HasSubstr("nearest value is 't3-mca'"));
  ErrorOf([] { ParseChoice("--mode", "T3", {"t3"}); });
}

TEST(EditDistance, CountsInsertionsDeletionsSubstitutionsAndSwaps) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("abc", ""), 3u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("lnik", "link"), 1u);
  EXPECT_EQ(EditDistance("tnlg", "t-nlg"), 1u);
  EXPECT_EQ(EditDistance("T-NLG", "t-nlg"), 0u);
}

TEST(Text, SplitsAndTrims) {
  EXPECT_EQ(SplitList("a,,b"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(SplitList(""), (std::vector<std::string>{""}));
  EXPECT_EQ(Trim(" \ta b\r"), "a b");
  EXPECT_EQ(Trim("  "), "");
}

}  // namespace
}  // namespace t3::sim
