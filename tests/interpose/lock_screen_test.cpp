// What `top` draws, without a terminal.

#include "interpose/lock_screen.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace {

using namespace synchro::interpose;

lock_update update_of(std::vector<synchro::recorded::lock_rates> rows) {
  lock_update u;
  u.processes = 1;
  u.rows = std::move(rows);
  return u;
}

synchro::recorded::lock_rates row(double acquisitions, double contended) {
  synchro::recorded::lock_rates r;
  r.name = "bank";
  r.locks = 1;
  r.acquisitions = acquisitions;
  r.contended = contended;
  r.waiting = 3.5;
  r.wait_ns = 999.4e6;
  r.held = 12.25;
  r.hold_ns = 123.4e3;
  r.waiting_now = 1234;
  return r;
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream text{line};
  return {std::istream_iterator<std::string>{text}, {}};
}

TEST(LockScreen, ColumnsDoNotTouch) {
  for (const double acquisitions : {0.0, 999.0, 9'994.0, 101'234.0, 999'400.0, 123'456'789.0})
    for (const double share : {0.0, 1e-5, 0.000'998, 0.006'98, 0.0994, 0.0996, 0.123, 0.999, 1.0}) {
      lock_screen screen{"server", {}};
      screen.add(update_of({row(acquisitions, share)}));
      const std::string line = screen.lines(80, 24).at(4).text;
      EXPECT_EQ(words(line).size(), 10U) << line;  // the name, seven numbers, two of them with a unit
    }
}

TEST(LockScreen, TellsSmallSharesFromNone) {
  lock_screen screen{"server", {}};
  screen.add(update_of({row(10, 1e-5)}));
  EXPECT_EQ(words(screen.lines(80, 24).at(4).text).at(2), "<0.1%");
  screen.add(update_of({row(10, 0)}));
  EXPECT_EQ(words(screen.lines(80, 24).at(4).text).at(2), "0%");
  screen.add(update_of({row(10, 0.0698)}));
  EXPECT_EQ(words(screen.lines(80, 24).at(4).text).at(2), "7.0%");
}

}  // namespace
