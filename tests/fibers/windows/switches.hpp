// The kinds of switch that fibers can have here.

#ifndef SYNCHRO_TESTS_FIBERS_SWITCHES_HPP
#define SYNCHRO_TESTS_FIBERS_SWITCHES_HPP

#include <gtest/gtest.h>

#include <string>

#include "fibers/windows/own_switch.hpp"

namespace synchro::fibers {

using switches = ::testing::Types<own_switch>;

template <class Switch>
std::string switch_name() {
  return "own";
}

}  // namespace synchro::fibers

#endif
