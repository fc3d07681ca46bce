// The body of throttle.sum: many threads add up their parts of a sum, a semaphore admits only some of them at a time.

#ifndef SYNCHRO_EXPERIMENTS_THROTTLE_CROWD_HPP
#define SYNCHRO_EXPERIMENTS_THROTTLE_CROWD_HPP

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "experiments/throttle/parts.hpp"

namespace synchro::experiments::throttle {

/// A counting semaphore whose waiters sleep: mutex and condition variable, so that it is the same on every system.
class semaphore {
 public:
  explicit semaphore(std::uint64_t permits) : permits_{permits} {}

  void acquire() {
    std::unique_lock hold{mutex_};
    changed_.wait(hold, [this] { return permits_ != 0; });
    --permits_;
  }
  void release() {
    {
      const std::lock_guard hold{mutex_};
      ++permits_;
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t permits_;
};

struct crowd_task {
  work kind = work::integer;
  unsigned parts = 64;       ///< And threads, each of which adds up one part; but in a pool.
  unsigned permits = 0;      ///< How many threads may add up at a time; 0: all, and there is no semaphore.
  bool pool = false;         ///< In place of the semaphore: `permits` threads, each of which takes the next part.
  std::uint64_t terms = 0;   ///< Of one part.
  std::uint64_t passes = 1;  ///< How often each part is added up.
  std::vector<unsigned> cpus = {};  ///< Where the threads may run, all of them; empty: where the caller may.
};

struct crowd_result {
  double elapsed_ns = 0;           ///< From before the first thread is created until all have ended.
  std::optional<double> switches;  ///< Context switches of all threads; of these
  std::optional<double>
      preemptions;           ///< those that they did not ask for. Nothing where the system does not count them.
  double run_delay_ns = 0;   ///< What they waited for a processor, all together.
  unsigned most_inside = 0;  ///< The most threads that were seen adding up at a time.
  std::optional<std::string> broken;  ///< The sum is wrong, or more threads were inside than permitted: the sentence.
};

/// Throws std::runtime_error with one sentence if the system does not give so many threads.
[[nodiscard]] crowd_result add_up(const crowd_task& task);

}  // namespace synchro::experiments::throttle

#endif
