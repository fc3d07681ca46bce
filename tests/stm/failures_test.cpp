// There is no memory for what a transaction notes: nothing has changed then, and the function may go on.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <thread>

#include "library/failing_new.hpp"
#include "synchro/stm/stm.hpp"

namespace synchro {
namespace {

template <class F>
void fails(F fn) {
  tests::allocations_left = 0;
  EXPECT_THROW(fn(), std::bad_alloc);
  tests::allocations_left = -1;
}

struct alignas(64) own_stripe : tvar<long> {};

/// A variable that was not noted is read again, and then another transaction changes it.
TEST(TransactionWithoutMemory, NotesWhatItReadsAgain) {
  stm memory{{.alone = false}};
  std::array<own_stripe, 4> x;
  int attempts = 0;
  memory.atomically([&](auto& tx) {
    for (std::size_t i = 0; i != 128; ++i) EXPECT_EQ(tx.read(x[i % 2]), 0);
    if (++attempts == 1) fails([&] { static_cast<void>(tx.read(x[2])); });
    const long seen = tx.read(x[2]);
    if (attempts == 1) std::thread{[&] { memory.atomically([&](auto& other) { other.write(x[2], 5); }); }}.join();
    tx.write(x[3], seen + 1);
  });
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(x[3].alone(), 6);
}

TEST(TransactionWithoutMemory, WritesAgain) {
  stm memory{{.alone = false}};
  std::array<tvar<long>, 33> x;
  memory.atomically([&](auto& tx) {
    for (std::size_t i = 0; i != 32; ++i) tx.write(x[i], 1);
    fails([&] { tx.write(x[32], 1); });
    EXPECT_EQ(tx.read(x[32]), 0);
    tx.write(x[32], tx.read(x[32]) + 2);
    EXPECT_EQ(tx.read(x[32]), 2);
  });
  for (std::size_t i = 0; i != 33; ++i) EXPECT_EQ(x[i].alone(), i == 32 ? 2 : 1);
}

}  // namespace
}  // namespace synchro
