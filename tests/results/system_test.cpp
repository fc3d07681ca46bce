// Which system a document's numbers are of; Wine's never pass for Windows's.

#include "results/system.hpp"

#include <gtest/gtest.h>

#include "results/samples.hpp"

namespace synchro::results {
namespace {

document on(const nlohmann::ordered_json& os, const nlohmann::ordered_json& target) {
  document d = samples::complete_document({});
  d.os = os;
  d.tool["target"] = target;
  return d;
}

TEST(System, IsTakenFromTheBuildAndFromWhatTheSystemSays) {
  EXPECT_EQ(system_of(on({{"name", "Debian GNU/Linux 12"}}, "x86_64-linux-gnu")), measured_on::linux_itself);
  EXPECT_EQ(system_of(on({{"name", nullptr}}, "aarch64-linux-gnu")), measured_on::linux_itself);
  EXPECT_EQ(system_of(on({{"name", "Windows 11 Pro"}, {"wine", nullptr}}, "x86_64-w64-mingw32")),
            measured_on::windows_itself);
  EXPECT_EQ(system_of(on({{"name", "Windows 11 Pro"}}, nullptr)), measured_on::windows_itself);
  EXPECT_EQ(system_of(on({{"name", "Another"}}, nullptr)), measured_on::unknown);
  EXPECT_EQ(system_of(document{}), measured_on::unknown);
}

TEST(System, WineIsNeverWindows) {
  EXPECT_EQ(system_of(on({{"name", "Windows 10"}, {"wine", "8.0"}}, "x86_64-w64-mingw32")), measured_on::wine);
  EXPECT_EQ(system_of(on({{"name", "Wine 8.0 (its Windows is Windows 7)"}}, "x86_64-w64-mingw32")), measured_on::wine);
  document d = on({{"name", "Windows 10"}}, "x86_64-w64-mingw32");
  d.machine["model_name"] = "A processor under Wine 9.0";
  EXPECT_EQ(system_of(d), measured_on::wine);
}

TEST(System, OfWhatWasNotMeasuredIsNone) {
  for (const char* kind : {"simulated", "published"}) {
    document d = on({{"name", "Debian GNU/Linux 12"}}, "x86_64-linux-gnu");
    d.machine["kind"] = kind;
    EXPECT_EQ(system_of(d), measured_on::unknown) << kind;
  }
}

TEST(System, HasAName) {
  EXPECT_EQ(name_of_system(on({{"name", "Debian GNU/Linux 12"}}, nullptr)), "Debian GNU/Linux 12");
  EXPECT_EQ(name_of_system(on({{"name", "Wine 8.0 (its Windows is 10)"}, {"wine", "8.0"}}, nullptr)), "Wine 8.0");
  EXPECT_EQ(name_of_system(document{}), "an unknown system");
}

TEST(System, TheTableOfCallsHasOnePrimitiveEach) {
  EXPECT_TRUE(as_in_the_table_of_calls("win32/mutex"));
  EXPECT_TRUE(as_in_the_table_of_calls("pthread/cond_event"));
  EXPECT_FALSE(as_in_the_table_of_calls("mutex")) << "the library's own";
  EXPECT_FALSE(as_in_the_table_of_calls("linux/eventfd"));
}

}  // namespace
}  // namespace synchro::results
