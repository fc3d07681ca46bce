// Running what may never come to an end: threads that wait for each other, by means that may lose a wake-up.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_FINISH_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_FINISH_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "platform/detached_thread.hpp"
#include "platform/thread_watch.hpp"

namespace synchro::experiments {

/// By which something that takes long shows that it goes on.
class pulse {
 public:
  void beat() noexcept { beats_.fetch_add(1, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t beats() const noexcept { return beats_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> beats_{0};
};

/// How something that runs in threads of its own came to its end: the first news counts.
class ending {
 public:
  void reached(std::exception_ptr thrown = nullptr) {
    const std::lock_guard hold{mutex_};
    if (ended_) return;
    ended_ = true;
    thrown_ = std::move(thrown);
    changed_.notify_all();
  }
  /// False if nothing is known by then. Throws what was thrown.
  bool await(std::chrono::nanoseconds patience) {
    std::unique_lock hold{mutex_};
    if (!changed_.wait_for(hold, patience, [this] { return ended_; })) return false;
    if (thrown_) std::rethrow_exception(thrown_);
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::exception_ptr thrown_;
};

/// Calls body() in a thread of its own that is never joined, and gives the news to `end`. `Run` is all that it touches,
/// with an `end`, and lives as long.
template <class Run, class Body>
void start_detached(const std::shared_ptr<Run>& run, Body body) {
  platform::run_detached([run, body = std::move(body)] {
    try {
      body();
      run->end.reached();
    } catch (...) {
      run->end.reached(std::current_exception());
    }
  });
}

/// Runs the body in a thread of its own; returns what it returns, throws what it throws. Nothing if it goes without a
/// beat for so long: then its threads are left behind, at the lowest priority, with all that they still touch. So the
/// body must own that, or share it.
template <class Result>
std::optional<Result> finish_unless_stuck(std::chrono::nanoseconds patience, std::function<Result(pulse&)> body) {
  struct run {
    pulse heart;
    std::optional<Result> result;
    ending end;
  };
  const auto shared = std::make_shared<run>();
  const std::vector<long> before = platform::thread_numbers();
  start_detached(shared, [shared, body = std::move(body)] { shared->result = body(shared->heart); });
  for (std::uint64_t seen = 0;;) {
    if (shared->end.await(patience)) return std::move(shared->result);
    const std::uint64_t now = shared->heart.beats();
    if (now == seen) break;
    seen = now;
  }
  for (const long thread : platform::thread_numbers())
    if (std::find(before.begin(), before.end(), thread) == before.end()) platform::thread_watch::put_aside(thread);
  return std::nullopt;
}

}  // namespace synchro::experiments

#endif
