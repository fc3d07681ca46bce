// How those look who sleep in the end: for a while as long as that helps them, and without a call for who has not slept yet.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "synchro/hardware.hpp"
#include "synchro/sync/event_count.hpp"
#include "synchro/wakes/auto_event.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
namespace {

using namespace std::chrono_literals;

/// Counts calls that wake somebody. Its waiters look for so long that none sleeps.
struct counting : hardware {
  static inline std::atomic<int> unparks{0};

  static void unpark(const void* word, std::uint32_t n) noexcept {
    ++unparks;
    hardware::unpark(static_cast<const atomic<std::uint32_t>*>(word), n);
  }
  static looks spin_looks() noexcept { return looks{2'000'000'000}; }
};

/// What a thread does in these waits, of which each finds, or not, what it waits for.
class waits {
 public:
  /// Whether it looked with pauses before it gave way.
  bool looks(bool finds_at_once, bool finds_by_giving_way, const void* word = &somewhere) {
    bool looked = false;
    const auto look_for = [&]<class Rest>(Rest rest, synchro::looks many) {
      if (rest().yields()) {
        EXPECT_LT(many.count, 10U);
        return finds_by_giving_way;
      }
      EXPECT_EQ(many.count, hardware::spin_looks().count);
      looked = true;
      return finds_at_once;
    };
    const bool found = yield_then_park::look_first<hardware>(word, look_for);
    EXPECT_EQ(found, (looked && finds_at_once) || finds_by_giving_way);
    return looked;
  }
  int looks_of(int times, bool finds_at_once, bool finds_by_giving_way = false) {
    int n = 0;
    for (int i = 0; i != times; ++i) n += static_cast<int>(looks(finds_at_once, finds_by_giving_way));
    return n;
  }

 private:
  static inline const char somewhere = 0;
};

/// Experience is a thread's own: each test begins with none.
template <class F>
void in_a_new_thread(F f) {
  std::thread{[&] {
    waits mine;
    f(mine);
  }}.join();
}

TEST(Looking, GoesOnWhileItHelps) {
  in_a_new_thread([](waits& w) { EXPECT_EQ(w.looks_of(100, true), 100); });
}

TEST(Looking, StopsWhenItIsInVainAndIsTriedEverMoreSeldom) {
  in_a_new_thread([](waits& w) {
    EXPECT_EQ(w.looks_of(1, false), 1);
    EXPECT_EQ(w.looks_of(4, false), 0);
    const int early = w.looks_of(1000, false);
    const int late = w.looks_of(1000, false);
    EXPECT_GT(early, 0);
    EXPECT_LT(late, early);
  });
}

TEST(Looking, OnceInVainIsForgivenToWhoHasMostlyFound) {
  in_a_new_thread([](waits& w) {
    w.looks_of(10, true);
    EXPECT_EQ(w.looks_of(1, false), 1);
    EXPECT_EQ(w.looks_of(10, true), 10);
    EXPECT_LT(w.looks_of(100, false), 10);
  });
}

TEST(Looking, StopsForLongWhereTheProcessorWasNeeded) {
  in_a_new_thread([](waits& w) {
    EXPECT_EQ(w.looks_of(1, false, true), 1);
    EXPECT_EQ(w.looks_of(500, false, true), 0);
  });
}

TEST(Looking, BeginsAgainWhenATrialFinds) {
  in_a_new_thread([](waits& w) {
    w.looks_of(1, false);
    EXPECT_EQ(w.looks_of(4, true), 0);
    EXPECT_EQ(w.looks_of(10, true), 10);
  });
}

TEST(Looking, LearnsWordByWord) {
  in_a_new_thread([](waits& w) {
    std::vector<std::uint32_t> words(64);
    for (int i = 0; i != 10; ++i) EXPECT_TRUE(w.looks(true, false, words.data()));
    unsigned others = 0;
    for (const std::uint32_t& word : words) {
      bool looks_on = true;
      for (int i = 0; i != 20; ++i) looks_on = w.looks(false, false, &word);
      others += static_cast<unsigned>(!looks_on);
    }
    EXPECT_GT(others, 60U);
  });
}

TEST(EventCount, ANotificationBeforeAnybodySleepsMakesNoCall) {
  basic_event_count<counting> e;
  const auto key = e.prepare();
  counting::unparks = 0;
  e.notify();
  EXPECT_EQ(counting::unparks, 0);
  e.wait(key);
}

TEST(AutoEvent, ASetBeforeAnybodySleepsMakesNoCall) {
  basic_auto_event<counting, spin_park> asked;
  basic_auto_event<counting, spin_park> answered;
  counting::unparks = 0;
  std::thread waiter{[&] {
    for (int i = 0; i != 100; ++i) {
      asked.wait();
      answered.set();
    }
  }};
  for (int i = 0; i != 100; ++i) {
    std::this_thread::sleep_for(50us);  // it waits, mostly
    asked.set();
    answered.wait();
  }
  waiter.join();
  EXPECT_EQ(counting::unparks, 0);
}

}  // namespace
}  // namespace synchro
