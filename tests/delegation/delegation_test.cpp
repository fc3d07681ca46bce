// Delegation between real threads: every request is run once and alone, and its caller has the result or the exception.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/dsm_synch.hpp"
#include "synchro/delegation/flat_combining.hpp"
#include "synchro/delegation/locked.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro {
namespace {

/// A server with its thread.
template <std::size_t Slots>
class served {
 public:
  ~served() {
    server_.stop();
    thread_.join();
  }
  template <class F>
  auto execute(F&& fn) {
    return server_.execute(fn);
  }

 private:
  basic_delegation_server<hardware, spin_yield, Slots> server_;
  std::thread thread_{[this] { server_.serve(); }};
};

template <class Delegate>
class Delegates : public ::testing::Test {};
using delegates =
    ::testing::Types<locked<basic_mcs_lock<hardware, spin_park>>, locked<mutex>, basic_cc_synch<hardware, spin_yield>,
                     sleeping_cc_synch, basic_cc_synch<hardware, spin_park, 1>, basic_dsm_synch<hardware, spin_yield>,
                     sleeping_dsm_synch, basic_dsm_synch<hardware, spin_park, 1>,
                     basic_flat_combining<hardware, spin_yield>, basic_flat_combining<hardware, spin_yield, 1>>;
TYPED_TEST_SUITE(Delegates, delegates);

template <class F>
void in_threads(unsigned n, F f) {
  std::vector<std::thread> team;
  for (unsigned t = 0; t < n; ++t) team.emplace_back([&f, t] { f(t); });
  for (std::thread& t : team) t.join();
}

TYPED_TEST(Delegates, HaveTheOneInterface) { EXPECT_TRUE(delegate<TypeParam>); }

/// The counter is plain: the sanitizer sees whether its changes are ordered.
TYPED_TEST(Delegates, RunEachWishOnceAndAlone) {
  constexpr std::uint64_t each = 400;
  constexpr unsigned threads = 6;
  TypeParam shared;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> had(threads), unordered(threads);
  in_threads(threads, [&](unsigned t) {
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; i < each; ++i) {
      const std::uint64_t before = shared.execute([&] { return count++; });
      if (i != 0 && before <= last) ++unordered[t];
      last = before;
      had[t] += before;
    }
  });
  constexpr std::uint64_t all = each * threads;
  EXPECT_EQ(count, all);
  std::uint64_t sum = 0;
  for (unsigned t = 0; t < threads; ++t) {
    sum += had[t];
    EXPECT_EQ(unordered[t], 0U);
  }
  EXPECT_EQ(sum, all * (all - 1) / 2);
}

/// Those who wait behind a request that throws are served as ever.
TYPED_TEST(Delegates, ThrowWhereTheWishCameFrom) {
  constexpr unsigned each = 200, threads = 4;
  TypeParam shared;
  std::uint64_t run = 0;
  std::vector<unsigned> caught(threads), wrong(threads);
  in_threads(threads, [&](unsigned t) {
    for (unsigned i = 0; i < each; ++i) {
      const std::string mine = std::to_string(t) + "/" + std::to_string(i);
      try {
        shared.execute([&] {
          ++run;
          if (t % 2 == 0) throw std::runtime_error(mine);
        });
        wrong[t] += t % 2 == 0 ? 1U : 0U;
      } catch (const std::runtime_error& e) {
        ++caught[t];
        wrong[t] += e.what() == mine ? 0U : 1U;
      }
    }
  });
  EXPECT_EQ(run, each * threads);
  EXPECT_EQ(caught, (std::vector<unsigned>{each, 0, each, 0}));
  EXPECT_EQ(wrong, (std::vector<unsigned>(threads)));
}

TYPED_TEST(Delegates, HandBackWhatCanOnlyBeMoved) {
  TypeParam shared;
  const std::unique_ptr<int> got = shared.execute([] { return std::make_unique<int>(7); });
  EXPECT_EQ(*got, 7);
}

TYPED_TEST(Delegates, MayUseAnotherInsideAWish) {
  TypeParam outer, inner;
  EXPECT_EQ(outer.execute([&] { return 1 + inner.execute([] { return 2; }); }), 3);
}

TYPED_TEST(Delegates, CallWhatCanBeCalledOnceMore) {
  TypeParam shared;
  int calls = 0;
  const auto count = [&] { ++calls; };
  shared.execute(count);
  shared.execute(count);
  EXPECT_EQ(calls, 2);
}

TEST(DelegationServer, RunsOnItsOwnThreadAndServesAgain) {
  basic_delegation_server<hardware, spin_yield> shared;
  for (int round = 0; round < 3; ++round) {
    std::thread server{[&] { shared.serve(); }};
    const std::thread::id who = server.get_id();
    EXPECT_EQ(shared.execute([] { return std::this_thread::get_id(); }), who);
    shared.stop();
    server.join();
  }
}

}  // namespace
}  // namespace synchro
