// What ./dev cross runs is emulated, and knows it.

#include <gtest/gtest.h>

#include "platform/emulator.hpp"

namespace {

TEST(AnEmulatedProgram, KnowsByWhat) {
  const auto by = synchro::platform::emulator();
  ASSERT_TRUE(by.has_value());
  EXPECT_TRUE(by->starts_with(SYNCHRO_EMULATOR)) << *by;
}

}  // namespace
