// Locks that live in one shared library and are used in another: one locks, the other unlocks.

#include <gtest/gtest.h>

#include <cstddef>

#include "locks/lock_operations.hpp"
#include "locks/teams.hpp"

namespace synchro::tests {
namespace {

TEST(shared_libraries, have_code_of_their_own) {
  ASSERT_FALSE(operations_here().empty());
  ASSERT_EQ(operations_here().size(), operations_there().size());
  for (std::size_t i = 0; i != operations_here().size(); ++i) {
    EXPECT_EQ(operations_here()[i].name, operations_there()[i].name);
    EXPECT_NE(operations_here()[i].lock, operations_there()[i].lock) << "the linker has merged what must be two";
  }
}

TEST(shared_libraries, one_locks_and_the_other_unlocks) {
  for (std::size_t i = 0; i != operations_here().size(); ++i) {
    const lock_operations* const sides[] = {&operations_here()[i], &operations_there()[i]};
    void* const lock = sides[0]->make();
    guarded data;
    contest(
        2,
        [&](unsigned thread) {
          sides[thread]->lock(lock);
          data.visit();
          sides[1 - thread]->unlock(lock);
        },
        std::chrono::milliseconds{10});
    sides[1]->destroy(lock);
    EXPECT_TRUE(data.intact()) << sides[0]->name;
    EXPECT_GE(data.visits(), 2) << sides[0]->name;
  }
}

}  // namespace
}  // namespace synchro::tests
