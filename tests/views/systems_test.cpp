// Two systems in the overhead paper's table.

#include "views/systems.hpp"

#include <gtest/gtest.h>

#include "views/cells.hpp"

namespace synchro::views {
namespace {

using results::document;

results::cell call(const std::string& name, const std::string& primitive, double us) {
  return made("overhead.calls", {{"call", name}, {"primitive", primitive}}, "delay", "ns", around(us * 1e3));
}

document linux_document() {
  document d = on_two({call("ReleaseMutex", "pthread/mutex", 14), call("ReleaseMutex", "mutex", 3),
                       call("SetEvent", "pthread/cond_event", 51), call("SetEvent", "linux/eventfd", 9)});
  d.os = {{"name", "Debian GNU/Linux 12"}};
  return d;
}

document windows_document() {
  document d = on_two({call("ReleaseMutex", "win32/mutex", 21), call("SetEvent", "win32/event", 32)});
  d.os = {{"name", "Windows 11 Pro"}};
  return d;
}

document wine_document() {
  document d = windows_document();
  d.os = {{"name", "Wine 8.0 (its Windows is Windows 10)"}, {"wine", "8.0"}};
  return d;
}

std::string text_of(const std::optional<laid_out>& t) { return t ? render(*t, style{false, 200, false}) : ""; }

std::string line_with(const std::string& text, const std::string& word) {
  const auto at = text.find(word);
  if (at == std::string::npos) return "";
  const auto begin = text.rfind('\n', at) + 1;
  return text.substr(begin, text.find('\n', at) - begin);
}

TEST(Systems, StandInThePapersRowsByTheirOwnPrimitives) {
  const auto table = systems_table(linux_document(), windows_document(), {});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->values.size(), 6U);
  EXPECT_EQ(table->labels.front().entries.size(), 13U) << "all of the paper's rows, measured or not";
  const std::string text = text_of(table);
  const std::string mutex = line_with(text, "ReleaseMutex"), event = line_with(text, "SetEvent");
  for (const char* number : {"14.0", "21.0", "1.5", "59"}) EXPECT_NE(mutex.find(number), std::string::npos) << mutex;
  for (const char* number : {"51.0", "32.0", "0.627", "20"}) EXPECT_NE(event.find(number), std::string::npos) << event;
  EXPECT_EQ(mutex.find("3.00"), std::string::npos) << "the library's own mutex is no system's";
  EXPECT_NE(text.find("A: Debian GNU/Linux 12"), std::string::npos) << text;
  EXPECT_NE(text.find("B: Windows 11 Pro"), std::string::npos) << text;
  EXPECT_EQ(text.find("Wine"), std::string::npos) << text;
}

TEST(Systems, WineIsNamedAboveItsNumbersAndBelow) {
  const std::string text = text_of(systems_table(linux_document(), wine_document(), {}));
  EXPECT_NE(text.find("B: Wine 8.0"), std::string::npos) << text;
  EXPECT_NE(text.find("its figures say nothing about Windows"), std::string::npos) << text;
  EXPECT_NE(text_of(systems_table(wine_document(), windows_document(), {})).find("A: Wine 8.0"), std::string::npos);
}

TEST(Systems, OfOneKindOrWithoutCallsHaveNoSuchTable) {
  EXPECT_FALSE(systems_table(linux_document(), linux_document(), {}));
  document none = windows_document();
  none.cells = {local("l1", 1.3)};
  EXPECT_FALSE(systems_table(linux_document(), none, {}));
}

}  // namespace
}  // namespace synchro::views
