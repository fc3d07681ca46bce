// One waker and n sleepers: the body of all wake experiments.
//
// Protocol. Thread 0 of the team makes the primitive and triggers it; thread i + 1 is sleeper i. Before each wait a
// sleeper publishes that it is about to. The waker triggers when all have published and, if the primitive puts them to
// sleep, are seen asleep in the scheduler's record: twice in a row, without having been given a processor in between, so
// that there was a moment at which all of them slept, and from then on only the trigger can wake them. After its wait a
// sleeper takes the time at once, then counts itself back, and the last one wakes the waker, which sleeps meanwhile so
// that it keeps no sleeper from its processor.
//
// After the last trigger the waker asks everybody to leave and triggers once more. A sleeper that is not back by the
// deadline is lost. Then the waker leaves alone; what the others still touch belongs to this object, which therefore has
// to live on.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKE_TEAM_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKE_TEAM_HPP

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/wakes/tasks.hpp"
#include "synchro/hardware.hpp"
#include "synchro/machine.hpp"
#include "synchro/waiting.hpp"

namespace synchro::experiments::wakes {

/// `Watch` is what the machine can tell about its threads:
///   begin_sleeper(i)        called by each sleeper first
///   used()                  the calling thread's {processor time in ns, context switches of its own will, all switches}
///   all_asleep()            every sleeper is asleep, and has been since a moment ago
///   rest(round)             lets the sleepers run for a while
///   sleeps_in()             the system calls they sleep in, counted
template <class Laboratory, class Watch, class Primitive>
class wake_team {
  using machine = typename Laboratory::machine;
  using word = typename machine::template atomic<std::uint32_t>;

 public:
  using maker = std::function<std::unique_ptr<Primitive>()>;

  wake_team(wake_task task, bool sleeps, maker make)
      : task_{std::move(task)},
        sleeps_{sleeps},
        make_{std::move(make)},
        watch_{task_.sleepers},
        seats_(task_.sleepers) {}

  /// What thread `index` of the team does. The waker calls `abandon` when sleepers cannot be brought to an end.
  void run(unsigned index, const std::function<void()>& abandon) {
    if (index == 0)
      wake_all(abandon);
    else
      sleep_as(index - 1);
  }

  /// When all have ended, or after a loss.
  wake_result& result() { return result_; }
  [[nodiscard]] const Watch& watch() const { return watch_; }

 private:
  enum : std::uint32_t { building, ready, failed };

  struct alignas(2 * cpu::cache_line) seat {
    word waiting{0};  // waits begun
    std::uint64_t began = 0, woke = 0;
    double cpu_ns = 0, wall_ns = 0, switches = 0, slept = 0, waits = 0;
  };

  // The waker.

  void wake_all(const std::function<void()>& abandon) {
    try {
      primitive_ = make_();
    } catch (...) {
      built_.store(failed, memory_order::release);
      throw;
    }
    built_.store(ready, memory_order::release);
    try {
      trigger_all();
      if (!result_.lost) send_home();
    } catch (const std::exception& e) {
      result_.refused = e.what();
    }
    if (result_.lost || result_.refused)
      abandon();
    else
      primitive_.reset(), sum_up();  // a lock wants to be let go by the thread that holds it
  }

  void trigger_all() {
    const std::uint64_t began = Laboratory::now();
    for (std::uint32_t round = 0; round != task_.triggers; ++round) {
      if (round != 0 && Laboratory::to_ns(Laboratory::now() - began) > task_.budget_ns) return;
      if (!trigger_once(round)) return;
    }
  }

  void send_home() {
    stop_.store(1, memory_order::release);
    primitive_->arm();
    const std::uint32_t left = task_.sleepers - failures_before_back();
    trigger();
    await_back(left);
  }

  void trigger() {
    if (task_.each)
      primitive_->trigger_each();
    else
      primitive_->trigger();
  }

  /// Begins to count anew who is back. The failures it returns are not to be counted on; later ones count themselves.
  std::uint32_t failures_before_back() {
    back_.exchange(0, memory_order::acq_rel);
    return failures_.load(memory_order::acquire);
  }

  /// False if it is the last one: somebody has failed, or is lost.
  bool trigger_once(std::uint32_t round) {
    if (!await_waiting(round)) return false;
    primitive_->arm();
    if (failures_before_back() != 0) return false;
    const std::uint64_t all_wait_since = last_began();
    if (task_.idle_ns) watch_.idle([&] { return *task_.idle_ns - difference_ns(all_wait_since, Laboratory::now()); });
    const std::uint64_t begin = Laboratory::now();
    trigger();
    const std::uint64_t end = Laboratory::now();
    if (!await_back(task_.sleepers) || failures_.load(memory_order::acquire) != 0) return false;
    wake_round r{Laboratory::to_ns(end - begin), difference_ns(all_wait_since, begin), {}};
    for (const seat& s : seats_) r.wake_ns.push_back(difference_ns(begin, s.woke));
    result_.rounds.push_back(std::move(r));
    return true;
  }

  static double difference_ns(std::uint64_t from, std::uint64_t to) {
    return to >= from ? Laboratory::to_ns(to - from) : -Laboratory::to_ns(from - to);
  }

  bool await_waiting(std::uint32_t round) {
    const typename machine::deadline until = limit();
    for (std::uint32_t looked = 0;; ++looked) {
      const bool begun = std::all_of(seats_.begin(), seats_.end(),
                                     [round](const seat& s) { return s.waiting.load(memory_order::acquire) > round; });
      if (begun && (!sleeps_ || task_.idle_ns || watch_.all_asleep())) break;
      if (failures_.load(memory_order::acquire) != 0) return false;
      if (machine::expired(until)) {
        result_.unseen = begun ? "its sleepers were not seen asleep" : "its sleepers did not come to wait";
        return false;
      }
      watch_.rest(looked);
    }
    if (sleeps_ && !task_.idle_ns && round == 0)
      for (const auto& [call, sleepers] : watch_.sleeps_in()) result_.sleeps_in[call] += sleepers;
    return true;
  }

  /// When the last sleeper looked around before its wait.
  std::uint64_t last_began() const {
    std::uint64_t last = 0;
    for (const seat& s : seats_) last = std::max(last, s.began);
    return last;
  }

  bool await_back(std::uint32_t sleepers) {
    const typename machine::deadline until = limit();
    for (;;) {
      const std::uint32_t back = back_.load(memory_order::acquire);
      if (back >= sleepers) return true;
      if (!machine::park(back_, back, until)) continue;
      if (back_.load(memory_order::acquire) >= sleepers) return true;
      result_.lost = std::to_string(sleepers - back) + " of " + std::to_string(sleepers) + " sleepers did not wake";
      return false;
    }
  }

  typename machine::deadline limit() const {
    return machine::clock::now() + std::chrono::nanoseconds{static_cast<std::int64_t>(task_.deadline_ns)};
  }

  void sum_up() {
    for (const seat& s : seats_) {
      result_.cpu_ns += s.cpu_ns;
      result_.wall_ns += s.wall_ns;
      result_.switches += s.switches;
      result_.slept += s.slept;
      result_.waits += s.waits;
    }
  }

  // The sleepers.

  void sleep_as(unsigned i) {
    watch_.begin_sleeper(i);
    const std::uint32_t built = machine::await(built_, memory_order::acquire, [](std::uint32_t b, std::uint32_t round) {
      return b != building ? look::done() : spin_yield::retry(round);
    });
    if (built == failed) return;
    try {
      for (std::uint32_t wait = 1; wait_once(i, wait);) ++wait;
    } catch (...) {  // the waker goes on without this one, and the team tells why
      failures_.fetch_add(1, memory_order::release);
      count_back();
      throw;
    }
  }

  /// False after the last one.
  bool wait_once(unsigned i, std::uint32_t number) {
    seat& mine = seats_[i];
    const auto before = watch_.used();
    mine.began = Laboratory::now();
    mine.waiting.store(number, memory_order::release);
    primitive_->wait(i);
    const std::uint64_t woke = Laboratory::now();
    const bool last = stop_.load(memory_order::acquire) != 0;
    mine.woke = woke;
    if (!last) {
      const auto after = watch_.used();
      const std::uint64_t ended = Laboratory::now();  // after the reading, as `began` is: that takes time, too
      mine.cpu_ns += after.cpu_ns - before.cpu_ns;
      mine.wall_ns += Laboratory::to_ns(ended - mine.began);
      mine.switches += after.switches - before.switches;
      mine.slept += after.voluntary > before.voluntary ? 1 : 0;
      mine.waits += 1;
    }
    count_back();
    return !last;
  }

  void count_back() {
    if (back_.fetch_add(1, memory_order::acq_rel) + 1 + failures_.load(memory_order::relaxed) >= task_.sleepers)
      machine::unpark(&back_, 1);
  }

  wake_task task_;
  bool sleeps_;
  maker make_;
  Watch watch_;
  std::unique_ptr<Primitive> primitive_;
  std::vector<seat> seats_;
  wake_result result_;
  alignas(2 * cpu::cache_line) word built_{building};
  word stop_{0};
  word failures_{0};
  alignas(2 * cpu::cache_line) word back_{0};
};

}  // namespace synchro::experiments::wakes

#endif
