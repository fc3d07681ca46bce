// What the tour and the pages say, held against small programs of their own. docs/truth.md is made of what stands here.
//
// Each line may be off by as much as stands there: two programs that wake a thread, or take a lock in turns, are not the
// same program, and a factor that the tour's reader would act on is still seen.
//
// Usage: truth [PAIRS [NAME]]: only what has NAME in its name. Exit 0 if nothing is resolved to disagree, 1 if something is, 3
// with one processor.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../duel.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/forkjoin/forkjoin.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/locks/locks.hpp"
#include "experiments/overhead/call_rows.hpp"
#include "experiments/overhead/overhead.hpp"
#include "experiments/throttle/throttle.hpp"
#include "experiments/wakes/wakes.hpp"
#include "here.hpp"
#include "plain.hpp"
#include "sections.hpp"
#include "statistics/statistics.hpp"

namespace {

using namespace synchro;
using bench::add, bench::defending, bench::duel, bench::named;
using experiments::coordinates;

class truths {
 public:
  explicit truths(const bench::here& h)
      : h_{h}, a_{static_cast<int>(h.pair()->first)}, b_{static_cast<int>(h.pair()->second)} {}

  [[nodiscard]] std::vector<duel> all() const {
    std::vector<duel> list;
    for (auto some : {caches(), memory(), remote(), free_locks(), calls(), handed_over(), wakes(), idle(), groups(),
                      limits(), forks(), bench::transactions(h_), bench::tables(h_), bench::delegation(h_)})
      add(list, std::move(some));
    for (duel& d : list) {
      d.processors = h_.pair();
      if (d.most <= 1.1 && d.alone_on.empty()) d.alone_on = {h_.one()};  // one thread, held to a tenth
    }
    return list;
  }

 private:
  [[nodiscard]] std::vector<duel> caches() const {
    return defending(
        {"reading from the first cache; from memory", "`coherence.local`, `latency`",
         "a chase along pointers through as much memory"},
        {{"a load from the first cache", h_.of(experiments::coherence_local(), {{"level", "l1"}}, "latency"),
          [one = h_.one()] { return plain::load(std::size_t{16} << 10, one); }, 0.9, 1.1},
         {"a load from memory", h_.of(experiments::coherence_local(), {{"level", "ram"}}, "latency"),
          [one = h_.one()] { return plain::load(std::size_t{128} << 20, one); }, 0.8, 1.25}});
  }

  /// Of a line of 64 bytes. The other program goes through as much memory: four times the last level of cache, all together.
  [[nodiscard]] std::vector<duel> memory() const {
    std::size_t last = std::size_t{16} << 20;
    for (const platform::cache_level& c : h_.setting().machine.caches) last = std::max<std::size_t>(last, c.bytes);
    std::vector<duel> some;
    for (const unsigned threads : {1U, 2U})
      some.push_back({fmt::format("memory read by {} thread{}, a line", threads, threads == 1 ? "" : "s"),
                      h_.time_of(experiments::coherence_bandwidth(), {{"threads", std::int64_t{threads}}}, "read", 64),
                      [cpus = h_.team(threads), each = 4 * last / threads] { return plain::read_memory(cpus, each); },
                      0.8, 1.25});
    return defending({"(not in the tour) how fast threads together read memory", "`coherence.bandwidth`, `read`",
                      "threads that each add up a byte of every line of as much memory"},
                     some);
  }

  [[nodiscard]] std::vector<duel> remote() const {
    const auto row = [&](const std::string& name, const std::string& operation) -> duel {
      return {name, h_.of(experiments::coherence_states(), transfer(operation), "latency"),
              [a = a_, b = b_, cas = operation == "cas"] { return plain::modified_line(b, a, cas); }, 0.85, 1.15};
    };
    return defending(
        {"of a line that another processor has modified, load and cas take", "`coherence.states`, `latency`",
         "a chase along pointers through lines that the other processor has just written, by loads or by "
         "atomic operations"},
        {row("a load of a line that another has modified", "load"), row("a cas on such a line", "cas")});
  }

  /// Every lock among which the tour finds the cheapest.
  [[nodiscard]] std::vector<duel> free_locks() const {
    std::vector<duel> some;
    for (const experiments::coordinate& c : experiments::tour_locks()) {
      const std::string lock = results::to_string(c);
      some.push_back({"a free " + lock, h_.of(experiments::locks_uncontested(), free_lock(lock, "same_cpu"), "pair"),
                      [lock, one = h_.one()] { return plain::free_lock(lock, one); }, 0.9, 1.1});
    }
    some = defending({"a free std/mutex, the cheapest lock", "`locks.uncontested`, `pair`",
                      "for each lock of the tour a bare loop over as many of them"},
                     some);
    add(some,
        defending({"(not in the tour) a free lock that another processor had", "`locks.uncontested`, `acquire`",
                   "a dependent chain of transfers, `coherence.states`"},
                  {{"a free ticket lock of the other's / a transfer",
                    h_.of(experiments::locks_uncontested(), free_lock("ticket", h_.far()), "acquire"),
                    [from = h_.of(experiments::coherence_states(), transfer("fai"), "latency")] { return from(1); },
                    0.9, 1.5}}));
    return some;
  }

  /// Every row of the experiment that can be measured here.
  [[nodiscard]] std::vector<duel> calls() const {
    using plain::kind_of_call;
    std::map<kind_of_call, std::vector<duel>> of;
    const std::map<kind_of_call, std::pair<double, double>> bounds{
        {kind_of_call::inlined, {0.9, 1.1}}, {kind_of_call::called, {0.8, 1.25}}, {kind_of_call::wakes, {0.85, 1.15}}};
    for (const experiments::overhead::call_row& row : experiments::overhead::call_rows()) {
      if (row.unavailable()) continue;
      const plain::timed_call* const bare = plain::timed_call_of(row.call, row.primitive);
      if (bare == nullptr)
        throw std::logic_error{"nothing bare does what " + row.call + " by " + row.primitive + " does"};
      duel d{row.call + ", " + row.primitive,
             h_.resolved(experiments::overhead_calls(), {{"call", row.call}, {"primitive", row.primitive}}, "delay"),
             [bare, one = h_.one()] { return bare->measured(one); }, bounds.at(bare->kind).first,
             bounds.at(bare->kind).second};
      if (bare->kind != kind_of_call::wakes) d.alone_on = {h_.one()};
      of[bare->kind].push_back(std::move(d));
    }
    std::vector<duel> list = defending({"one free atomic operation, spin lock, mutex", "`overhead.calls`, `delay`",
                                        "for each a loop over as many objects"},
                                       std::move(of[kind_of_call::inlined]));
    add(list, defending({"a free spin lock or mutex of the system", "`overhead.calls`, `delay`",
                         "for each a loop over as many objects"},
                        std::move(of[kind_of_call::called])));
    add(list,
        defending({"handing a mutex to a thread that sleeps; (not in the tour) semaphores, events, ends of threads",
                   "`overhead.calls`, `delay`", "for each bare threads of one processor that do the same"},
                  std::move(of[kind_of_call::wakes])));
    return list;
  }

  [[nodiscard]] std::vector<duel> handed_over() const {
    return defending(
        {"a lock that several threads want passes on every ...", "`locks.throughput`, `handoff_time`",
         "a ticket lock of fifteen lines"},
        {{"a ticket lock handed over", h_.of(experiments::locks_throughput(), crowd("ticket_plain"), "handoff_time"),
          [a = a_, b = b_] { return plain::ticket_ping_pong(a, b); }, 0.67, 1.5}});
  }

  [[nodiscard]] std::vector<duel> wakes() const {
    const int a = a_, b = b_;
    return defending(
        {"a sleeping thread runs ... after; a spinning one", "`wake.broadcast`, `wake_mean`", "a futex; a flag"},
        {{"a sleeping thread wakes", h_.of(experiments::wake_broadcast(), woken("event"), "wake_mean"),
          [a, b] { return plain::wake_by_futex(a, b, 200e3); }, 0.67, 1.5},
         {"a spinning thread starts", h_.of(experiments::wake_broadcast(), woken("spin/pause"), "wake_mean"),
          [a, b] { return plain::wake_by_flag(a, b); }, 0.5, 2}});
  }

  [[nodiscard]] std::vector<duel> idle() const {
    const int a = a_, b = b_;
    return defending({"after 100 us of sleep ..., after 100 ms", "`wake.idle`, `wake`", "a futex after as long"},
                     {{"... after 0.1 ms of sleep", h_.of(experiments::wake_idle(), slept(100'000), "wake"),
                       [a, b] { return plain::wake_by_futex(a, b, 200e3); }, 0.67, 1.5},
                      {"... after 100 ms", h_.of(experiments::wake_idle(), slept(100'000'000), "wake"),
                       [a, b] { return plain::wake_by_futex(a, b, 100e6); }, 0.5, 2}});
  }

  [[nodiscard]] std::vector<duel> groups() const {
    std::vector<duel> some;
    for (const unsigned group : {1U, sleepers}) some.push_back(woken_in_groups(group));
    return defending({"the best size of a group", "`wake.groups`, `gain`, a ratio of `wake_mean`",
                      "11 threads on futexes, one for all and one for each"},
                     some);
  }

  [[nodiscard]] std::vector<duel> limits() const {
    return defending(
        {"limiting concurrency", "`throttle.sum`, `time`",
         "8 threads that add and `std::counting_semaphore`; the time of two at once by that of all at once"},
        {limited()});
  }

  [[nodiscard]] std::vector<duel> forks() const {
    return defending({"when threads share work; above what size splitting it pays off",
                      "`forkjoin.breakeven`, `breakeven`", "a helper thread that a futex wakes, and bisection"},
                     {{"dividing work pays from",
                       h_.of(experiments::forkjoin_breakeven(), {{"primitive", "event"}, {"threads", 2}}, "breakeven"),
                       [a = a_, b = b_] { return plain::breakeven(a, b); }, 0.5, 2}});
  }

  static coordinates free_lock(const std::string& lock, const std::string& distance) {
    return {{"lock", lock}, {"distance", distance}};
  }
  [[nodiscard]] coordinates transfer(const std::string& operation) const {
    return {{"operation", operation},
            {"state", "modified"},
            {"distance", h_.far()},
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
    return {{"primitive", "event"}, {"idle", ns}, {"distance", h_.far()}};
  }

  static constexpr unsigned sleepers = 11;

  [[nodiscard]] duel woken_in_groups(unsigned group) const {
    const coordinates at{{"primitive", "event"}, {"threads", sleepers}, {"placement", "compact"}};
    const auto house = [this, at, group](std::uint64_t seed) {
      for (const experiments::observation& o : experiments::wake_groups().measure(h_.setting(), at, seed).observations)
        if (o.metric == "wake_mean" && o.within.number("group") == group) return o.value;
      return -1.0;
    };
    return {fmt::format("{} sleepers, {} to an object", sleepers, group), house,
            [cpus = h_.team(sleepers + 1), group] { return plain::wake_many(cpus, group); }, 0.67, 1.5};
  }

  /// As the tour asks: eight threads.
  [[nodiscard]] duel limited() const {
    constexpr unsigned threads = 8, permits = 2, no_limit = 0;
    std::vector<int> cpus;
    for (const platform::processor& p : h_.setting().machine.processors) cpus.push_back(static_cast<int>(p.cpu));
    const auto house = [this](std::int64_t limit) {
      const coordinates at{{"variant", "integer"}, {"threads", std::int64_t{threads}}, {"permits", limit}};
      return h_.of(experiments::throttle_sum(), at, "time");
    };
    const auto other = [cpus](unsigned limit) { return plain::limited(cpus, threads, limit, 20e6); };
    return {fmt::format("{} threads compute, {} at a time, by all at once", threads, permits),
            [few = house(permits), all = house(no_limit)](std::uint64_t seed) { return few(seed) / all(seed); },
            [other] { return other(permits) / other(no_limit); },
            0.9,
            1.1,
            {},
            {},
            cpus,
            ""};
  }

  const bench::here& h_;
  int a_, b_;
};

}  // namespace

int main(int argc, char** argv) try {
  const bench::here h;
  if (!h.has_two()) {
    fmt::print(stderr, "truth: one processor has nobody to share with\n");
    return 3;
  }
  const truths t{h};
  return bench::answer("truth", t.all(), argc, argv) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "truth: {}\n", e.what());
  return 2;
}
