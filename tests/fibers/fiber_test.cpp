#include "fibers/fiber.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "switches.hpp"

namespace synchro::fibers {
namespace {

template <class Switch>
class FiberTest : public ::testing::Test {
 protected:
  using coroutine = basic_fiber<Switch>;
  stack_pool stacks_{64 * 1024};
};
struct names {
  template <class Switch>
  static std::string GetName(int) {
    return switch_name<Switch>();
  }
};
TYPED_TEST_SUITE(FiberTest, switches, names);

TYPED_TEST(FiberTest, RunsOnlyWhenResumedAndGoesOnWhereItWas) {
  std::string seen;
  std::optional<typename TestFixture::coroutine> one;
  one.emplace(this->stacks_, [&] {
    seen += 'b';
    one->suspend();
    seen += 'd';
  });
  seen += 'a';
  one->resume();
  EXPECT_FALSE(one->done());
  seen += 'c';
  one->resume();
  EXPECT_TRUE(one->done());
  EXPECT_EQ(seen, "abcd");
}

TYPED_TEST(FiberTest, ManyTakeTurnsEachWithItsOwnStack) {
  constexpr int count = 20;
  constexpr int rounds = 50;
  std::vector<std::unique_ptr<typename TestFixture::coroutine>> all;
  std::vector<int> sums(count, 0);
  for (int i = 0; i < count; ++i)
    all.push_back(std::make_unique<typename TestFixture::coroutine>(this->stacks_, [&, i] {
      int local = 0;
      for (int r = 0; r < rounds; ++r) {
        local += i;
        all[static_cast<std::size_t>(i)]->suspend();
      }
      sums[static_cast<std::size_t>(i)] = local;
    }));
  for (int r = 0; r <= rounds; ++r)
    for (auto& one : all) one->resume();
  for (int i = 0; i < count; ++i) {
    EXPECT_TRUE(all[static_cast<std::size_t>(i)]->done());
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], i * rounds);
  }
}

TYPED_TEST(FiberTest, OneMayResumeAnother) {
  std::string seen;
  std::optional<typename TestFixture::coroutine> inner;
  std::optional<typename TestFixture::coroutine> outer;
  inner.emplace(this->stacks_, [&] {
    seen += "inner ";
    inner->suspend();
    seen += "again ";
  });
  outer.emplace(this->stacks_, [&] {
    inner->resume();
    outer->suspend();
    inner->resume();
    seen += "outer";
  });
  outer->resume();
  seen += "main ";
  outer->resume();
  EXPECT_EQ(seen, "inner main again outer");
}

TYPED_TEST(FiberTest, AnExceptionComesOutOfResume) {
  typename TestFixture::coroutine one{this->stacks_, [] { throw std::runtime_error{"from inside"}; }};
  EXPECT_THROW(one.resume(), std::runtime_error);
  EXPECT_TRUE(one.done());
}

TYPED_TEST(FiberTest, ExceptionsInsideStayInside) {
  bool caught = false;
  std::optional<typename TestFixture::coroutine> one;
  one.emplace(this->stacks_, [&] {
    try {
      one->suspend();
      throw 1;
    } catch (int) {
      caught = true;
    }
    one->suspend();
  });
  one->resume();
  one->resume();
  EXPECT_TRUE(caught);
  EXPECT_FALSE(one->done());
}

struct counts_end {
  int& ends;
  ~counts_end() { ++ends; }
};

/// Suspends in its destructor: where unwinding would end the program.
template <class Fiber>
struct suspends_at_end {
  Fiber& mine;
  ~suspends_at_end() { mine.suspend(); }
};

TYPED_TEST(FiberTest, DroppedItIsNotUnwound) {
  using fiber = typename TestFixture::coroutine;
  int ends = 0;
  {
    std::optional<fiber> one;
    one.emplace(this->stacks_, [&] {
      const counts_end never{ends};
      const suspends_at_end<fiber> here{*one};
    });
    one->resume();
    EXPECT_FALSE(one->done());
  }
  EXPECT_EQ(ends, 0);
}

TYPED_TEST(FiberTest, TheBodyIsDestroyedWithTheFiber) {
  const auto token = std::make_shared<int>(1);
  {
    std::optional<typename TestFixture::coroutine> one;
    one.emplace(this->stacks_, [token, &one] { one->suspend(); });
    one->resume();
    EXPECT_EQ(token.use_count(), 2);
  }
  EXPECT_EQ(token.use_count(), 1);
}

TYPED_TEST(FiberTest, StacksComeBackCleanAlsoFromTheDropped) {
  using fiber = typename TestFixture::coroutine;
  for (int i = 0; i < 1000; ++i) {
    std::optional<fiber> one;
    one.emplace(this->stacks_, [&, i] {
      // Of another size each time: red zones of the last one's frames would be found here.
      volatile char room[4096];
      std::memset(const_cast<char*>(room), i, 1024 + static_cast<std::size_t>(i % 7) * 256);
      char more[64 + 64];
      std::memset(more, room[3], sizeof more);
      one->suspend();
      EXPECT_EQ(more[9], room[3]);
    });
    one->resume();
    if (i % 2 == 0) one->resume();
  }
  EXPECT_EQ(this->stacks_.made(), 1U);
}

TYPED_TEST(FiberTest, NeverStartedItCanBeDropped) {
  {
    const typename TestFixture::coroutine one{this->stacks_, [] {}};
  }
  EXPECT_EQ(this->stacks_.made(), 1U);
}

[[gnu::noinline]] int dig(int depth) {
  volatile char room[512];
  room[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : dig(depth - 1) + room[0] - static_cast<char>(depth) + 1;
}

template <class Fiber>
void overflow(stack_pool& stacks) {
  Fiber one{stacks, [] { dig(1'000'000); }};
  one.resume();
}

TYPED_TEST(FiberTest, AnOverflowIsAFaultAtOnce) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  constexpr int survived = 77;  // what a fault ends a process with is the system's affair
  const auto fault = [](int status) { return !::testing::ExitedWithCode(survived)(status); };
  EXPECT_EXIT(
      {
        overflow<typename TestFixture::coroutine>(this->stacks_);
        std::_Exit(survived);
      },
      fault, "");
}

TYPED_TEST(FiberTest, AStackIsAsLargeAsItSays) {
  constexpr std::size_t size = 256 * 1024;
  stack_pool large{size};
  int sum = -1;
  typename TestFixture::coroutine one{large,
                                      [&] { sum = dig(150); }};  // some 100 KiB, and less than 256 with red zones
  one.resume();
  EXPECT_EQ(sum, 150);
}

TEST(FiberTest, StackPoolRoundsUpToPagesAndReusesTheLastOne) {
  stack_pool pool{1};
  const stack a = pool.take();
  const stack b = pool.take();
  EXPECT_GE(a.size, 1U);
  EXPECT_EQ(a.size % 4096, 0U);
  EXPECT_NE(a.bottom, b.bottom);
  pool.give(a);
  pool.give(b);
  EXPECT_EQ(pool.take().bottom, b.bottom);
  EXPECT_EQ(pool.take().bottom, a.bottom);
  EXPECT_EQ(pool.made(), 2U);
  pool.give(a);
  pool.give(b);
}

}  // namespace
}  // namespace synchro::fibers
