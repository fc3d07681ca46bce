// How database.sysbench is shown.

#include <fmt/format.h>

#include "experiments/database/database.hpp"
#include "experiments/locks/in_program.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// Of one kind of transactions: the lock with which most come to their end, beside the server's own.
sentences findings_on_mariadb(const own_cells& own) {
  sentences out;
  for (const char* work : {"point_select", "read_write"}) {
    const cells all = where(only_precise(own.of("throughput")), "work", std::string{work});
    const cell* const best = most(all);
    if (best == nullptr) continue;
    const cells beside = where(all, "clients", best->at.number("clients"));
    const cell* const native = most(where(beside, "lock", std::string{in_program::native}));
    std::string text = fmt::format("MariaDB completes {} transactions {}, of {} clients and with {}{}", work,
                                   with_interval(*best), best->at.number("clients"), name_at(*best, "lock"),
                                   rivals(tied_with(*best, beside, all.size()), "lock"));
    if (native != nullptr && native != best)
      text += differ(*best, *native, all.size())
                  ? fmt::format(": {} than with its own locks", more_than(*best->value, *native->value))
                  : ": no difference to its own locks is resolved";
    out.push_back(text + ".");
  }
  return out;
}

}  // namespace

void present_database_sysbench(experiment& e) {
  const std::string lead =
      "A MariaDB server with its mutexes replaced, and sysbench on the same machine. A lock that only spins may have "
      "no value: the server has more threads than there are processors.";
  e.view = {{},
            findings_on_mariadb,
            {},
            {{"clients",
              "MariaDB under sysbench",
              lead,
              lines("clients", {"lock"}, {.names = {{in_program::native, "the server as it is"}}}),
              "",
              {"throughput", "latency"}}}};
  e.view.about = "MariaDB";
}

}  // namespace synchro::experiments
