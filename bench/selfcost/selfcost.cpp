// What do the throughput experiments themselves cost beside what they measure?
//
// Each is run by turns with a bare loop that does the same and shares no code with it but the lock. With one thread the
// experiment may be slower by 5 % (atomic operations: a clock read now and then, what is counted) or 2 %, and is judged.
// With two threads both are at the mercy of who gets the line: the ratio is printed, but not judged.
//
// One loop over called locks (std/mutex, pthread/spin) takes one to three cycles of 25 more or less if its code lies a few
// bytes further: a bare one over 16 mutexes, at 16 places, takes 6.50 to 7.31 ns (Mytkowicz et al., "Producing wrong data
// without doing anything obviously wrong!", ASPLOS 2009). So both loops over locks stand in this program at eight places
// each, and each pair of readings is taken at the next two of the 64 combinations: the interval holds what the place
// does, too, and what is resolved beyond it is the experiment's own. Fewer pairs than 64 do not meet all of them.
//
// Usage: selfcost [PAIRS [NAME]]: only what has NAME in its name. Exit 0 if no experiment is resolved to cost more, 1 if one is.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../duel.hpp"
#include "bare.hpp"
#include "experiments/atomics/atomics.hpp"
#include "experiments/locks/locks.hpp"
#include "house.hpp"
#include "platform/clock.hpp"

namespace {

using namespace synchro;
using bench::add, bench::defending;
using experiments::coordinates;

constexpr std::size_t places = 8;
/// By place.
using rows = std::array<experiments::lock_bodies, places>;
using bare_loop = double (*)(const std::string& lock, unsigned n, const std::vector<int>& cpus);

constexpr std::array<bare_loop, places> bare_loops = []<unsigned... Place>(std::integer_sequence<unsigned, Place...>) {
  return std::array<bare_loop, places>{bare::locks<Place>...};
}
(std::make_integer_sequence<unsigned, places>{});

rows rows_named(const std::string& lock) {
  return [&]<unsigned... Place>(std::integer_sequence<unsigned, Place...>) { return rows{house::row<Place>(lock)...}; }
  (std::make_integer_sequence<unsigned, places>{});
}

class benches {
 public:
  benches() {
    setting_.machine = platform::read_topology();
    setting_.thoroughness = experiments::level::quick;
    for (const auto& p : setting_.machine.processors) cpus_.push_back(static_cast<int>(p.cpu));
    platform::tick_clock::calibrate({setting_.machine.processors.front().cpu});
  }

  [[nodiscard]] std::vector<bench::duel> all() const {
    std::vector<bench::duel> list;
    for (std::size_t threads = 1; threads <= std::min<std::size_t>(2, cpus_.size()); ++threads) {
      for (const char* operation : {"fai", "swap", "cas", "tas", "cas_fai"})
        add(list, defending(of_atomics(threads), {atomics(operation, threads)}));
      for (const char* lock : {"tas", "ticket", "mcs", "mutex", "std/mutex", "pthread/spin"})
        for (const unsigned n : {1U, 16U}) add(list, defending(of_locks(), {locks(lock, n, threads)}));
    }
    return list;
  }

 private:
  [[nodiscard]] coordinates team(std::size_t threads) const {
    return {{"threads", static_cast<std::int64_t>(threads)}, {"protocol", "saturated"}, {"placement", "compact"}};
  }

  /// Nanoseconds of an operation, by the experiment's first metric, which is a rate.
  [[nodiscard]] double of(const experiments::experiment& e, const coordinates& at, std::uint64_t seed) const {
    return 1e9 / e.measure(setting_, at, seed).observations.front().value;
  }

  [[nodiscard]] bench::duel with_team(bench::duel d, std::size_t threads, double limit) const {
    d.name += fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
    d.least = 0;
    d.most = threads == 1 ? limit : bench::unbounded;
    if (threads > 1) d.processors = {static_cast<unsigned>(cpus_[0]), static_cast<unsigned>(cpus_[1])};
    return d;
  }

  [[nodiscard]] static bench::promise of_atomics(std::size_t threads) {
    if (threads == 1) return {"one thread adds to a counter", "`atomics.throughput`, `successes`", "a bare loop"};
    return {"several threads add to it, and how often it passes on", "`atomics.throughput`, `successes`",
            "a bare loop on each processor (who gets the line is not ours to say)"};
  }
  [[nodiscard]] static bench::promise of_locks() {
    return {"it is taken so often; most often is ...", "`locks.throughput`, `throughput`",
            "bare loops over the same locks; both loops stand at eight places in the program, and take turns"};
  }

  [[nodiscard]] bench::duel atomics(const std::string& operation, std::size_t threads) const {
    coordinates at = team(threads);
    at.set("operation", operation);
    const std::vector<int> cpus{cpus_.begin(), cpus_.begin() + static_cast<std::ptrdiff_t>(threads)};
    return with_team({"atomics.throughput " + operation,
                      [this, at](std::uint64_t seed) { return of(experiments::atomics_throughput(), at, seed); },
                      [operation, cpus] { return bare::atomics(operation, cpus); }, 0, 0},
                     threads, 1.05);
  }

  [[nodiscard]] bench::duel locks(const std::string& lock, unsigned n, std::size_t threads) const {
    coordinates at = team(threads);
    at.set("lock", lock);
    at.set("locks", static_cast<std::int64_t>(n));
    for (const char* none : {"hold", "gap", "readers"}) at.set(none, std::int64_t{0});
    const std::vector<int> cpus{cpus_.begin(), cpus_.begin() + static_cast<std::ptrdiff_t>(threads)};
    const auto house = [this, at, all = rows_named(lock)](unsigned place, std::uint64_t seed) {
      return 1e9 / experiments::measure_throughput(all.at(place), setting_, at, seed).observations.front().value;
    };
    const auto other = [lock, n, cpus](unsigned place) { return bare_loops.at(place)(lock, n, cpus); };
    return with_team({fmt::format("locks.throughput {}, {} lock{}", lock, n, n == 1 ? "" : "s"),
                      [house, round = 0U](std::uint64_t seed) mutable { return house(round++ % places, seed); },
                      [other, round = 0U]() mutable {
                        const unsigned place = (round + round / places) % places;
                        ++round;
                        return other(place);
                      },
                      0, 0},
                     threads, 1.02);
  }

  experiments::setting setting_;
  std::vector<int> cpus_;
};

}  // namespace

int main(int argc, char** argv) try {
  const benches b;
  return bench::answer("selfcost", b.all(), argc, argv) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "selfcost: {}\n", e.what());
  return 2;
}
