// What the tour says, held against small programs of their own. docs/truth.md says which sentence rests on which line.
//
// Each line may be off by as much as stands there: two programs that wake a thread, or take a lock in turns, are not the
// same program, and a factor that the tour's reader would act on is still seen.
//
// Usage: truth [PAIRS [NAME]]: only what has NAME in its name. Exit 0 if nothing is resolved to disagree, 1 if something is, 3 with one processor.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "../duel.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "experiments/overhead/overhead.hpp"
#include "experiments/throttle/throttle.hpp"
#include "experiments/wakes/wakes.hpp"
#include "plain.hpp"
#include "platform/clock.hpp"
#include "platform/placement.hpp"
#include "statistics/statistics.hpp"

namespace {

using namespace synchro;
using experiments::coordinates;

/// What a repetition has observed first of a metric; negative if nothing.
double named(const experiments::repetition& r, const std::string& metric) {
  for (const experiments::observation& o : r.observations)
    if (o.metric == metric) return o.value;
  return -1;
}

class truths {
 public:
  truths() {
    setting_.machine = platform::read_topology();
    setting_.thoroughness = experiments::level::quick;
    first_ = setting_.machine.processors.front().cpu;
    if (setting_.machine.processors.size() < 2) return;
    far_ = platform::to_string(setting_.machine.distances().front());
    pair_ = setting_.machine.pair_at(setting_.machine.distances().front());
    platform::tick_clock::calibrate({pair_->first, pair_->second});
  }

  [[nodiscard]] bool has_two() const { return pair_.has_value(); }

  [[nodiscard]] std::vector<bench::duel> all() const {
    const int a = static_cast<int>(pair_->first), b = static_cast<int>(pair_->second);
    const int one = static_cast<int>(first_);
    std::vector<bench::duel> list = {
        {"a load from the first cache", house(experiments::coherence_local(), {{"level", "l1"}}, "latency"),
         [one] { return plain::load(std::size_t{16} << 10, one); }, 0.9, 1.1},
        {"a load from memory", house(experiments::coherence_local(), {{"level", "ram"}}, "latency"),
         [one] { return plain::load(std::size_t{128} << 20, one); }, 0.8, 1.25},
        {"a load of a line that another has modified",
         house(experiments::coherence_states(), transfer("load"), "latency"),
         [a, b] { return plain::modified_line(b, a, false); }, 0.8, 1.25},
        {"a cas on such a line", house(experiments::coherence_states(), transfer("cas"), "latency"),
         [a, b] { return plain::modified_line(b, a, true); }, 0.8, 1.25},
        {"an atomic addition, and its undoing", both("Interlocked Increment", "Interlocked Decrement", "std/atomic"),
         [one] { return plain::add_and_subtract(one); }, 0.9, 1.1},
        {"a free pthread/spin locked, and unlocked", both("Lock Spinlock", "Unlock Spinlock", "pthread/spin"),
         [one] { return plain::spin_lock_and_unlock(one); }, 0.9, 1.1},
        {"a free pthread/mutex locked, and unlocked",
         both("EnterCriticalSection", "LeaveCriticalSection", "pthread/mutex"),
         [one] { return plain::lock_and_unlock_each(one); }, 0.9, 1.1},
        {"a free ticket lock of the other's / a transfer",
         house(experiments::locks_uncontested(), free_lock("ticket", far_), "acquire"),
         [this] { return house(experiments::coherence_states(), transfer("fai"), "latency")(1); }, 0.9, 1.5},
        {"a ticket lock handed over", house(experiments::locks_throughput(), crowd("ticket_plain"), "hand_over"),
         [a, b] { return plain::ticket_ping_pong(a, b); }, 0.67, 1.5},
        {"a spinning thread starts", house(experiments::wake_broadcast(), woken("spin/pause"), "wake_mean"),
         [a, b] { return plain::wake_by_flag(a, b); }, 0.5, 2},
        {"a sleeping thread wakes", house(experiments::wake_broadcast(), woken("event"), "wake_mean"),
         [a, b] { return plain::wake_by_futex(a, b, 200e3); }, 0.67, 1.5},
        {"... after 0.1 ms of sleep", house(experiments::wake_idle(), slept(100'000), "wake"),
         [a, b] { return plain::wake_by_futex(a, b, 200e3); }, 0.67, 1.5},
        {"... after 100 ms", house(experiments::wake_idle(), slept(100'000'000), "wake"),
         [a, b] { return plain::wake_by_futex(a, b, 100e6); }, 0.5, 2},
        {"dividing work pays from",
         house(experiments::forkjoin_breakeven(), {{"primitive", "event"}, {"threads", 2}}, "breakeven"),
         [a, b] { return plain::breakeven(a, b); }, 0.5, 2}};
    for (const experiments::coordinate& lock : experiments::tour_locks())
      list.push_back(free(results::to_string(lock)));
    for (const unsigned group : {1U, sleepers}) list.push_back(woken_in_groups(group));
    for (const unsigned permits : {0U, 2U}) list.push_back(limited(permits));
    for (bench::duel& d : list) d.processors = pair_;
    return list;
  }

 private:
  using measured = std::function<double(std::uint64_t)>;

  [[nodiscard]] measured house(const experiments::experiment& e, const coordinates& at,
                               const std::string& metric) const {
    return [this, e, at, metric](std::uint64_t seed) { return named(e.measure(setting_, at, seed), metric); };
  }

  /// Two rows of overhead.calls that are timed one after the other.
  [[nodiscard]] measured both(const std::string& call, const std::string& undoing, const std::string& primitive) const {
    return [this, call, undoing, primitive, e = experiments::overhead_calls()](std::uint64_t seed) {
      const auto delay = [&](const std::string& of) {
        return named(e.measure(setting_, {{"call", of}, {"primitive", primitive}}, seed), "delay");
      };
      const double there = delay(call), back = delay(undoing);
      return there < 0 || back < 0 ? -1 : there + back;
    };
  }

  static coordinates free_lock(const std::string& lock, const std::string& distance) {
    return {{"lock", lock}, {"distance", distance}};
  }
  [[nodiscard]] coordinates transfer(const std::string& operation) const {
    return {{"operation", operation},
            {"state", "modified"},
            {"distance", far_},
            {"home", "requester"},
            {"event", operation + (operation == "load" ? "_from_modified" : "_on_modified")}};
  }
  static coordinates crowd(const std::string& lock) {
    return {{"lock", lock}, {"locks", 1}, {"threads", 2}, {"protocol", "saturated"},
            {"hold", 0},    {"gap", 0},   {"readers", 0}, {"placement", "compact"}};
  }
  static coordinates woken(const std::string& primitive) {
    return {{"primitive", primitive}, {"threads", 1},          {"calls", "one"},
            {"placement", "compact"}, {"priority", "default"}, {"sample", "usual"}};
  }
  [[nodiscard]] coordinates slept(std::int64_t ns) const {
    return {{"primitive", "event"}, {"idle", ns}, {"distance", far_}};
  }

  /// Every lock among which the tour finds the cheapest.
  [[nodiscard]] bench::duel free(const std::string& lock) const {
    return {"a free " + lock, house(experiments::locks_uncontested(), free_lock(lock, "same_cpu"), "pair"),
            [lock, one = static_cast<int>(first_)] { return plain::free_lock(lock, one); }, 0.9, 1.1};
  }

  static constexpr unsigned sleepers = 11;

  [[nodiscard]] bench::duel woken_in_groups(unsigned group) const {
    const coordinates at{{"primitive", "event"}, {"threads", sleepers}, {"placement", "compact"}};
    std::vector<int> cpus;
    for (const unsigned cpu : platform::place(setting_.machine, platform::placement::compact, sleepers + 1))
      cpus.push_back(static_cast<int>(cpu));
    const auto house = [this, at, group](std::uint64_t seed) {
      for (const experiments::observation& o : experiments::wake_groups().measure(setting_, at, seed).observations)
        if (o.metric == "wake_mean" && o.within.number("group") == group) return o.value;
      return -1.0;
    };
    return {fmt::format("{} sleepers, {} to an object", sleepers, group), house,
            [cpus, group] { return plain::wake_many(cpus, group); }, 0.67, 1.5};
  }

  /// As the tour asks: eight threads. What is compared is the time for all by the time of a share.
  [[nodiscard]] bench::duel limited(unsigned permits) const {
    constexpr unsigned threads = 8;
    const coordinates at{{"variant", "integer"}, {"threads", threads}, {"permits", permits}};
    std::vector<int> cpus;
    for (const platform::processor& p : setting_.machine.processors) cpus.push_back(static_cast<int>(p.cpu));
    const auto house = [this, at](std::uint64_t seed) {
      const experiments::repetition r = experiments::throttle_sum().measure(setting_, at, seed);
      return named(r, "time") / named(r, "share");
    };
    return {fmt::format("{} threads compute 1 ns each, {}", threads,
                        permits == 0 ? "all at once" : fmt::format("{} at a time", permits)),
            house, [cpus, permits] { return plain::limited(cpus, threads, permits, 20e6); }, 0.9, 1.1};
  }

  experiments::setting setting_;
  unsigned first_ = 0;
  std::string far_;
  std::optional<std::pair<unsigned, unsigned>> pair_;
};

}  // namespace

int main(int argc, char** argv) try {
  const truths t;
  if (!t.has_two()) {
    fmt::print(stderr, "truth: one processor has nobody to share with\n");
    return 3;
  }
  std::vector<bench::duel> all = t.all();
  if (argc > 2) std::erase_if(all, [&](const bench::duel& d) { return d.name.find(argv[2]) == std::string::npos; });
  return bench::hold_all(all, argc > 1 ? std::stoul(argv[1]) : 15) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "truth: {}\n", e.what());
  return 2;
}
