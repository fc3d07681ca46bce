// What the tour says, held against small programs of their own. docs/truth.md says which sentence rests on which line.
//
// Each line may be off by as much as stands there: two programs that wake a thread, or take a lock in turns, are not the
// same program, and a factor that the tour's reader would act on is still seen.
//
// Usage: truth [PAIRS]. Exit 0 if nothing is resolved to disagree, 1 if something is, 3 with one processor.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "../duel.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/locks/locks.hpp"
#include "experiments/wakes/wakes.hpp"
#include "plain.hpp"
#include "platform/clock.hpp"
#include "statistics/statistics.hpp"

namespace {

using namespace synchro;
using experiments::coordinates;

/// The median over the observations of a metric in one repetition; negative if it has none.
double value_of(const experiments::experiment& e, const experiments::setting& s, const coordinates& at,
                std::uint64_t seed, const std::string& metric) {
  for (const experiments::observation& o : e.measure(s, at, seed).observations)
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
        {"a free std/mutex", house(experiments::locks_uncontested(), free_lock("std/mutex", "same_cpu"), "pair"),
         [one] { return plain::free_mutex(one); }, 0.8, 1.5},
        {"a free ticket lock of the other's / a transfer",
         house(experiments::locks_uncontested(), free_lock("ticket", far_), "acquire"),
         [this] { return house(experiments::coherence_states(), transfer(), "latency")(1); }, 0.9, 1.5},
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
    for (bench::duel& d : list) d.processors = pair_;
    return list;
  }

 private:
  using measured = std::function<double(std::uint64_t)>;

  [[nodiscard]] measured house(const experiments::experiment& e, const coordinates& at,
                               const std::string& metric) const {
    return [this, e, at, metric](std::uint64_t seed) { return value_of(e, setting_, at, seed, metric); };
  }

  static coordinates free_lock(const std::string& lock, const std::string& distance) {
    return {{"lock", lock}, {"distance", distance}};
  }
  [[nodiscard]] coordinates transfer() const {
    return {{"operation", "fai"},
            {"state", "modified"},
            {"distance", far_},
            {"home", "requester"},
            {"event", "fai_on_modified"}};
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
  return bench::hold_all(t.all(), argc > 1 ? std::stoul(argv[1]) : 15) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "truth: {}\n", e.what());
  return 2;
}
