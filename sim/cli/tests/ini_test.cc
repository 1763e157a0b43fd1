// INI files of system keys (sim/cli/ini.cc).
#include <gtest/gtest.h>

#include "sim/cli/keys.h"
#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

double LatencyOf(const std::string& text) {
  Settings settings;
  ReadIni("s.ini", text, &settings);
  return settings.config.link_latency_ns;
}

std::string IniError(const std::string& text) {
  return ErrorOf([&] {
    Settings settings;
    ReadIni("s.ini", text, &settings);
  });
}

TEST(Ini, ToleratesLineEndsCommentsBlanksAndAByteOrderMark) {
  EXPECT_EQ(LatencyOf("[link]\nlatency_ns = 250\n"), 250);
  EXPECT_EQ(LatencyOf("[link]\r\nlatency_ns = 250\r\n"), 250);
  EXPECT_EQ(LatencyOf("\xEF\xBB\xBF[link]\nlatency_ns=250"), 250);
  EXPECT_EQ(LatencyOf("# x\n; y\n\n  [ link ]  # z\n\tlatency_ns\t=\t250 ; ns\n"), 250);
  EXPECT_EQ(LatencyOf(""), 500);
  EXPECT_EQ(LatencyOf("\xEF\xBB\xBF"), 500);
  EXPECT_EQ(LatencyOf("[link]\n[gpu]\n[link]\nlatency_ns=1\n"), 1);
}

TEST(Ini, TakesACommentSignWithinAWordForText) {
  EXPECT_THAT(IniError("[link]\nlatency_ns = 250#\n"), HasSubstr("'250#'"));
}

TEST(Ini, NamesTheLineAndTheNearest) {
  EXPECT_THAT(IniError("[lnik]\n"), StartsWith("s.ini:1: there is no section [lnik]"));
  EXPECT_THAT(IniError("[lnik]\n"), HasSubstr("[link]"));
  EXPECT_THAT(IniError("\n[link]\nlatency = 1\n"), StartsWith("s.ini:3: "));
  EXPECT_THAT(IniError("\n[link]\nlatency = 1\n"), HasSubstr("link.latency_ns"));
  EXPECT_THAT(IniError("latency_ns = 1\n"), StartsWith("s.ini:1: "));
  EXPECT_THAT(IniError("[link]\nwords\n"), StartsWith("s.ini:2: "));
  EXPECT_THAT(IniError("[link\n"), StartsWith("s.ini:1: "));
  EXPECT_THAT(IniError("[link]\nlatency_ns =\n"), StartsWith("s.ini:2: link.latency_ns is ''"));
  EXPECT_THAT(IniError("[link]\nlatency_ns = 1 2\n"), StartsWith("s.ini:2: "));
}

TEST(Ini, RefusesAKeyGivenTwice) {
  EXPECT_THAT(IniError("[link]\nlatency_ns = 1\n[gpu]\n[link]\nlatency_ns = 1\n"),
              StartsWith("s.ini:5: link.latency_ns is given twice, first in line 2"));
}

TEST(Ini, NamesAFileThatCannotBeRead) {
  Settings settings;
  EXPECT_THAT(ErrorOf([&] { ReadIniFile("/no/such.ini", &settings); }),
              HasSubstr("/no/such.ini cannot be read: No such file"));
  EXPECT_THAT(ErrorOf([&] { ReadIniFile("/", &settings); }), HasSubstr("is a directory"));
  ReadIniFile("/dev/null", &settings);
  EXPECT_TRUE(settings.origins.empty());
}

}  // namespace
}  // namespace t3::sim
