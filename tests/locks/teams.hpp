// Threads for the tests of locks.

#ifndef SYNCHRO_TESTS_LOCKS_TEAMS_HPP
#define SYNCHRO_TESTS_LOCKS_TEAMS_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace synchro::tests {

inline unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

/// Runs body() in a thread of its own, to its end.
inline void elsewhere(const std::function<void()>& body) { std::thread{body}.join(); }

/// Where so many threads wait for each other, once. A std::latch would do, were it not for libstdc++ on Windows: without a futex
/// its std::atomic::wait looks at the value before it takes the mutex to sleep under, and loses the wake-up that comes between.
class start_line {
 public:
  explicit start_line(unsigned threads) : missing_{threads} {}
  void arrive_and_wait() {
    std::unique_lock hold{mutex_};
    if (--missing_ == 0) all_here_.notify_all();
    all_here_.wait(hold, [this] { return missing_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  unsigned missing_;
};

/// Threads that begin together and call turn(i) again and again until the time is up, each at least once.
///
/// Bounded by time and not by turns: a hand-off to a thread that does not run takes as long as the system likes.
inline void contest(unsigned threads, const std::function<void(unsigned)>& turn,
                    std::chrono::milliseconds time = std::chrono::milliseconds{30}) {
  start_line begin{threads + 1};
  std::atomic<bool> over{false};
  std::vector<std::thread> team;
  for (unsigned i = 0; i != threads; ++i)
    team.emplace_back([&, i] {
      begin.arrive_and_wait();
      do turn(i);
      while (!over.load(std::memory_order_relaxed));
    });
  begin.arrive_and_wait();
  std::this_thread::sleep_for(time);
  over = true;
  for (std::thread& member : team) member.join();
}

/// What a lock guards in these tests. Two plain numbers that are equal whenever nobody is inside, and their sum at the
/// end must be the visits: a lock that lets two in at once breaks one or the other, and ThreadSanitizer sees it anyway.
class guarded {
 public:
  /// To be called by the holder only.
  void visit() {
    torn_ = torn_ || first_ != second_;
    ++first_;
    visits_.fetch_add(1, std::memory_order_relaxed);
    ++second_;
  }
  [[nodiscard]] bool intact() const {
    return !torn_ && first_ == second_ && first_ == visits_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] long visits() const { return visits_.load(std::memory_order_relaxed); }

 private:
  long first_ = 0;
  std::atomic<long> visits_{0};
  long second_ = 0;
  bool torn_ = false;
};

}  // namespace synchro::tests

#endif
