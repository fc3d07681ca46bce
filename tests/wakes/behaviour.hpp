// What every one of our wake primitives does, on hardware with threads and on the recorder in one.

#ifndef SYNCHRO_TESTS_WAKES_BEHAVIOUR_HPP
#define SYNCHRO_TESTS_WAKES_BEHAVIOUR_HPP

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

#include "catalog/wake_line.hpp"
#include "library/recorder.hpp"
#include "synchro/hardware.hpp"

namespace synchro::tests {

/// Each sleeper sees, after its k-th wait, what the waker wrote before its k-th trigger; and none is left asleep.
template <class Wake>
void rounds_with(Wake& wake, unsigned sleepers, unsigned rounds) {
  std::uint32_t written = 0;  // plain: the primitive alone orders it
  std::atomic<std::uint32_t> back{0};
  std::atomic<std::uint32_t> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != sleepers; ++i)
    threads.emplace_back([&, i] {
      for (std::uint32_t round = 1; round <= rounds; ++round) {
        wake.wait(i);
        if (written != round) wrong.fetch_add(1);
        back.fetch_add(1, std::memory_order_acq_rel);
      }
    });
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    if constexpr (requires { wake.arm(); }) wake.arm();
    written = round;
    wake.trigger();
    // Not by std::atomic's wait: on Windows that of GCC 12's library loses wake-ups.
    while (back.load(std::memory_order_acquire) != sleepers) std::this_thread::yield();
    back.store(0, std::memory_order_release);
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong.load(), 0U);
}

template <class Wake>
void rounds_of(unsigned sleepers, unsigned rounds) {
  Wake wake{sleepers};
  rounds_with(wake, sleepers, rounds);
}

/// A trigger that comes before its sleeper is not lost.
template <class Wake>
void comes_before_its_sleeper() {
  recorder::reset();
  {
    Wake wake{3};
    for (int round = 0; round != 5; ++round) {
      if constexpr (requires { wake.arm(); }) wake.arm();
      wake.trigger();
      recorder::forget();
      for (const unsigned i : {2U, 0U, 1U}) wake.wait(i);
      EXPECT_TRUE(std::any_of(recorder::accesses().begin(), recorder::accesses().end(), [](const access& a) {
        return a.how == memory_order::acquire || a.how == memory_order::acq_rel;
      }));
      EXPECT_TRUE(std::none_of(recorder::accesses().begin(), recorder::accesses().end(),
                               [](const access& a) { return a.what == operation::park; }));
    }
  }
  recorder::end_thread();
  recorder::reset();
}

/// What traits.hpp promises to a sleeper that comes late, even behind the moment at which a rendezvous starts: every way to
/// wait tells of the trigger, and of one that came before a stop.
template <class Wake>
void late_sleeper_gets_its_trigger() {
  using namespace std::chrono_literals;
  Wake wake{1};
  const auto comes_late = [&wake] {
    if constexpr (requires { wake.arm(); }) wake.arm();
    wake.trigger();
    std::this_thread::sleep_for(2ms);
  };
  comes_late();
  if constexpr (std::is_void_v<decltype(wake.wait(0))>)
    wake.wait(0);
  else
    EXPECT_TRUE(wake.wait(0));
  if constexpr (requires { wake.try_wait(0); }) {
    static_assert(std::is_convertible_v<decltype(wake.try_wait(0)), bool>);
    comes_late();
    EXPECT_TRUE(wake.try_wait(0));
    EXPECT_FALSE(wake.try_wait(0));
  }
  if constexpr (requires { wake.wait_for(0, 0s); }) {
    comes_late();
    EXPECT_TRUE(wake.wait_for(0, 0s));
    EXPECT_FALSE(wake.wait_for(0, 0s));
    comes_late();
    EXPECT_TRUE(wake.wait_until(0, std::chrono::steady_clock::now() - 1s));
    EXPECT_FALSE(wake.wait_until(0, std::chrono::steady_clock::now() - 1s));
  }
  if constexpr (requires { wake.stop(); }) {
    comes_late();
    wake.stop();
    unsigned rounds = 0;
    while (wake.wait(0)) ++rounds;
    EXPECT_EQ(rounds, 1U);
  }
}

template <class Wake>
void triggers_release_and_orders_stand_in_the_library() {
  recorder::reset();
  {
    Wake wake{3};
    recorder::forget();
    wake.trigger();
    const auto& all = recorder::accesses();
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const access& a) {
      return a.what != operation::load && (a.how == memory_order::release || a.how == memory_order::acq_rel);
    }));
    for (const access& a : all)
      if (a.what == operation::load || a.what == operation::store || a.what == operation::read_modify_write) {
        EXPECT_NE(std::string_view{a.file}.find("synchro/"), std::string_view::npos) << a.file << ':' << a.line;
      }
  }
  recorder::reset();
}

class wake_case : public testing::Test {
 public:
  explicit wake_case(std::function<void()> body) : body_{std::move(body)} {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

inline void add_case(const std::string& suite, const char* name, const std::function<void()>& body) {
  testing::RegisterTest(suite.c_str(), name, nullptr, nullptr, __FILE__, __LINE__,
                        [body]() -> testing::Test* { return new wake_case{body}; });
}

template <class Line>
void add_line() {
  Line::each([]<class Variant>(const Variant& variant) {
    using wake = typename Variant::template wake<hardware>;
    using recorded = typename Variant::template wake<recorder>;
    // Spinning threads that have no processor to themselves are served once a time slice.
    constexpr bool only_spins = std::string_view{Variant::waiting::name} == "spin";
    const unsigned rounds = only_spins ? 5 : 300;
    add_case(variant.name, "one_sleeper", [] { rounds_of<wake>(1, 500); });
    add_case(variant.name, "a_few_sleepers", [rounds] { rounds_of<wake>(3, rounds); });
    add_case(variant.name, "many_sleepers", [rounds] { rounds_of<wake>(17, rounds / 5); });
    add_case(variant.name, "late_sleeper_gets_its_trigger", late_sleeper_gets_its_trigger<wake>);
    add_case("recorded/" + variant.name, "comes_before_its_sleeper", comes_before_its_sleeper<recorded>);
    add_case("recorded/" + variant.name, "triggers_release_and_orders_stand_in_the_library",
             triggers_release_and_orders_stand_in_the_library<recorded>);
  });
}

/// As generated: the tests of all wake primitives of the catalog.
void add_wakes();

}  // namespace synchro::tests

#endif
