// The kinds of switch that fibers can have here.

#ifndef SYNCHRO_TESTS_FIBERS_SWITCHES_HPP
#define SYNCHRO_TESTS_FIBERS_SWITCHES_HPP

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "fibers/boost_switch.hpp"
#include "fibers/ucontext_switch.hpp"

namespace synchro::fibers {

using switches = ::testing::Types<boost_switch, ucontext_switch>;

template <class Switch>
std::string switch_name() {
  return std::is_same_v<Switch, boost_switch> ? "boost" : "ucontext";
}

}  // namespace synchro::fibers

#endif
