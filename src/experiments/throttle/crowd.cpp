#include "experiments/throttle/crowd.hpp"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <system_error>
#include <thread>

#include "measure/host.hpp"
#include "measure/too_few_threads.hpp"
#include "platform/placement.hpp"
#include "platform/scheduling.hpp"

namespace synchro::experiments::throttle {

namespace {

using measure::host;

/// How many are inside just now, and how many were at most.
class headcount {
 public:
  void enter() {
    const unsigned now = inside_.fetch_add(1) + 1;
    unsigned most = most_.load();
    while (most < now && !most_.compare_exchange_weak(most, now)) {
    }
  }
  void leave() { inside_.fetch_sub(1); }
  [[nodiscard]] unsigned most() const { return most_; }

 private:
  std::atomic<unsigned> inside_{0}, most_{0};
};

class crowd {
 public:
  explicit crowd(const crowd_task& task) : task_{task}, admitted_{task.permits}, sums_(task.parts, 0) {
    for (unsigned i = 0; i < task.parts; ++i) parts_.push_back(make_part(task.kind, i * task.terms, task.terms));
  }

  crowd_result run() {
    const unsigned wanted = task_.pool ? task_.permits : task_.parts;
    std::vector<std::thread> threads;
    threads.reserve(wanted);
    crowd_result result;
    const std::uint64_t begin = host::now();
    const std::error_code refusal = start(threads, wanted);
    for (std::thread& t : threads) t.join();
    result.elapsed_ns = host::to_ns(host::now() - begin);
    if (refusal) throw measure::too_few_threads(threads.size(), wanted, refusal);
    if (counted_) result.switches = static_cast<double>(switches_.load());
    if (counted_) result.preemptions = static_cast<double>(preemptions_.load());
    result.run_delay_ns = static_cast<double>(run_delay_ns_.load());
    result.most_inside = inside_.most();
    result.broken = verdict();
    return result;
  }

 private:
  /// What the system said if it did not give them all.
  std::error_code start(std::vector<std::thread>& threads, unsigned wanted) {
    try {
      for (unsigned i = 0; i < wanted; ++i) threads.emplace_back([this, i] { live(i); });
    } catch (const std::system_error& e) {
      return e.code();
    }
    return {};
  }

  void live(unsigned index) {
    if (!task_.cpus.empty()) platform::unpin_this_thread(task_.cpus);
    if (task_.pool)
      for (unsigned i = next_++; i < task_.parts; i = next_++) work_on(i);
    else
      pass_the_semaphore(index);
    const platform::scheduler_counters seen = platform::thread_counters();
    if (!seen.involuntary_switches || !seen.voluntary_switches) counted_ = false;
    const std::uint64_t preempted = seen.involuntary_switches.value_or(0);
    preemptions_ += preempted;
    switches_ += preempted + seen.voluntary_switches.value_or(0);
    run_delay_ns_ += seen.run_delay_ns.value_or(0);
  }

  void pass_the_semaphore(unsigned index) {
    if (task_.permits != 0) admitted_.acquire();
    work_on(index);
    if (task_.permits != 0) admitted_.release();
  }

  void work_on(unsigned i) {
    inside_.enter();
    for (std::uint64_t pass = 0; pass != task_.passes; ++pass) sums_[i] += parts_[i]->sum();
    inside_.leave();
  }

  [[nodiscard]] std::optional<std::string> verdict() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t s : sums_) sum += s;
    const std::uint64_t due = task_.passes * progression(task_.parts * task_.terms);
    if (sum != due) return fmt::format("the sum is {}, but should be {} (modulo 2^64)", sum, due);
    if (task_.permits != 0 && inside_.most() > task_.permits)
      return fmt::format("{} threads added up at a time with {} permits", inside_.most(), task_.permits);
    return std::nullopt;
  }

  crowd_task task_;
  semaphore admitted_;
  headcount inside_;
  std::vector<std::unique_ptr<part>> parts_;
  std::vector<std::uint64_t> sums_;  // one for each part, written once for each of its passes
  std::atomic<unsigned> next_{0};
  std::atomic<std::uint64_t> switches_{0}, preemptions_{0}, run_delay_ns_{0};
  std::atomic<bool> counted_{true};
};

}  // namespace

crowd_result add_up(const crowd_task& task) { return crowd{task}.run(); }

}  // namespace synchro::experiments::throttle
