#include "sim/cli/keys.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/cli/tests/fake_simulator.h"

namespace t3::sim {
namespace {

using ::testing::HasSubstr;

// A value of the key that is not its default.
std::string OtherValue(const Key& key) {
  const std::string usual = FormatConfigValue(GetKey(key, SystemConfig()));
  if (!key.choices.empty()) return key.choices[usual == key.choices[0] ? 1 : 0];
  const std::string low = std::to_string(static_cast<uint64_t>(key.min + 1));
  return low == usual ? std::to_string(static_cast<uint64_t>(key.min + 2)) : low;
}

TEST(Keys, HaveTheDefaultsOfThePapersSystem) {
  Settings settings;
  ReadIniFile(T3_SOURCE_DIR "/sim/systems/paper.ini", &settings);
  for (const Key& key : AllKeys()) {
    EXPECT_TRUE(settings.IsSet(key.name)) << key.name;
    EXPECT_EQ(GetKey(key, settings.config), GetKey(key, SystemConfig())) << key.name;
  }
}

TEST(Keys, HaveUniqueNamesAndDefaultsWithinTheirRanges) {
  std::set<std::string> names;
  for (const Key& key : AllKeys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_FALSE(key.help.empty()) << key.name;
    Settings settings;
    SetKey(key, FormatConfigValue(GetKey(key, SystemConfig())), key.name, &settings);
    EXPECT_EQ(GetKey(key, settings.config), GetKey(key, SystemConfig())) << key.name;
  }
}

TEST(Keys, SetTheirOwnFieldAlone) {
  for (const Key& key : AllKeys()) {
    Settings settings;
    SetKey(key, OtherValue(key), "here", &settings);
    for (const Key& other : AllKeys()) {
      const bool same = GetKey(other, settings.config) == GetKey(other, SystemConfig());
      EXPECT_EQ(same, other.name != key.name) << key.name << " and " << other.name;
    }
    EXPECT_EQ(settings.Where(key.name), "here");
  }
}

TEST(Keys, RefuseValuesBeyondBothEndsOfTheRange) {
  for (const Key& key : AllKeys()) {
    if (!key.choices.empty()) continue;
    Settings settings;
    ErrorOf([&] { SetKey(key, "-1", key.name, &settings); });
    ErrorOf([&] { SetKey(key, "1" + std::string(12, '0'), key.name, &settings); });
  }
}

TEST(ApplySets, OverridesAndRefuses) {
  Settings settings;
  ReadIni("s.ini", "[link]\nlatency_ns = 250\n", &settings);
  ApplySets({"link.latency_ns=300", "gpu.tile_order=column"}, &settings);
  EXPECT_EQ(settings.config.link_latency_ns, 300);
  EXPECT_TRUE(settings.config.column_major);

  EXPECT_THAT(ErrorOf([&] { ApplySets({"link.latancy_ns=5"}, &settings); }),
              HasSubstr("nearest is link.latency_ns"));
  EXPECT_THAT(ErrorOf([&] {
                ApplySets({"link.credits=5", "link.credits=6"}, &settings);
              }),
              HasSubstr("link.credits is given twice"));
  EXPECT_THAT(ErrorOf([&] { ApplySets({"link.credits"}, &settings); }),
              HasSubstr("section.key=value"));
  EXPECT_THAT(ErrorOf([&] { ApplySets({"link.credits="}, &settings); }),
              HasSubstr("link.credits is ''"));
  EXPECT_THAT(ErrorOf([&] { ApplySets({"gpu.tile_order=rows"}, &settings); }), HasSubstr("'row'"));
}

}  // namespace
}  // namespace t3::sim
