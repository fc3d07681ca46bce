// Running what may never come to an end: threads that wait for each other, by means that may lose a wake-up.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_FINISH_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_FINISH_HPP

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

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

/// Runs the body in a thread of its own; returns what it returns, throws what it throws. Nothing if it goes without a
/// beat for so long: then its threads are left behind, at the lowest priority, with all that they still touch. So the
/// body must own that, or share it.
template <class Result>
std::optional<Result> finish_unless_stuck(std::chrono::nanoseconds patience, std::function<Result(pulse&)> body) {
  struct run {
    pulse heart;
    std::packaged_task<Result(pulse&)> task;
  };
  const auto shared = std::make_shared<run>();
  shared->task = std::packaged_task<Result(pulse&)>{std::move(body)};
  std::future<Result> result = shared->task.get_future();
  const std::vector<long> before = platform::thread_numbers();
  std::thread{[shared] { shared->task(shared->heart); }}.detach();
  for (std::uint64_t seen = 0;;) {
    if (result.wait_for(patience) == std::future_status::ready) return result.get();
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
