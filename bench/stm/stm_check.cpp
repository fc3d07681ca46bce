// Are transactions of the library ahead of those of GCC (libitm), on a bank and on a list, with one thread and with one for
// each processor? Both run the same work, by turns. Where the processor has transactions (RTM), two threads run in those, in both
// libraries; ITM_DEFAULT_METHOD=ml_wt in the environment holds libitm to its software.
//
// Usage: stm_check [PAIRS [NAME]]. Exit 0 if nothing is resolved to be slower, 1 if something is, 3 without libitm.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "../duel.hpp"
#include "experiments/stm/means.hpp"
#include "measure/host.hpp"
#include "platform/clock.hpp"
#include "platform/placement.hpp"
#include "platform/topology.hpp"

namespace {

using namespace synchro;
using namespace synchro::experiments::transactions;

/// Nanoseconds from one transaction to the next, of all threads together; -1 if an invariant broke.
double cost(const char* means, body bodies::*what, const task& t) {
  const outcome o = (bodies_of_means(means).*what)(t);
  if (o.broken) {
    fmt::print(stderr, "stm_check: {}: {}\n", means, *o.broken);
    return -1;
  }
  return measure::host::to_ns(o.duration()) / static_cast<double>(o.sum(&tally::transactions));
}

struct work {
  const char* name;
  body bodies::*what;
  unsigned elements, updates;
};

std::vector<bench::duel> duels(const platform::topology& machine) {
  std::vector<bench::duel> all;
  const auto cpus = static_cast<unsigned>(machine.processors.size());
  for (const work& w :
       {work{"bank, transfers", &bodies::bank, 1024, 100}, work{"bank, 10 % audits", &bodies::bank, 1024, 90},
        work{"list, 20 % updates", &bodies::set, 128, 20}})
    for (const unsigned threads : cpus == 1 ? std::vector{1U} : std::vector{1U, cpus}) {
      const task t{
          platform::place(machine, platform::placement::compact, threads), threads, w.elements, 1, w.updates, 2e7, 1};
      all.push_back({fmt::format("{}, {} thread{}, stm / libitm", w.name, threads, threads == 1 ? "" : "s"),
                     [=](std::uint64_t seed) {
                       task mine = t;
                       mine.seed = seed;
                       return cost("stm", w.what, mine);
                     },
                     [=] { return cost("gcc/libitm", w.what, t); }, 0, 1});
    }
  return bench::defending({"(not in the tour) transactions of the library are ahead of the compiler's",
                           "`stm.bank`, `stm.list`, `throughput`", "libitm in the same bodies"},
                          std::move(all));
}

}  // namespace

int main(int argc, char** argv) try {
  if (!means_of("gcc/libitm").is_here) {
    fmt::print(stderr, "stm_check: this program was built by a compiler without -fgnu-tm\n");
    return 3;
  }
  const platform::topology machine = platform::read_topology();
  return bench::answer("stm_check", duels(machine), argc, argv) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "stm_check: {}\n", e.what());
  return 2;
}
