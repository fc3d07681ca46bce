// How database.tpch is shown.

#include <fmt/format.h>

#include "experiments/database/database.hpp"
#include "experiments/locks/in_program.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// The lock with which all queries together took longest, against the program's own.
sentences findings_on_database(const own_cells& own) {
  const cells all = only_precise(own.of("total"));
  const cell* const slowest = most(all);
  if (slowest == nullptr) return {};
  const cells beside = where(where(all, "threads", slowest->at.number("threads")), "scale", *slowest->at.find("scale"));
  const cell* const native = least(where(beside, "lock", in_program::native));
  const cell* const best = least(beside);
  if (native == nullptr) return {};
  const std::int64_t threads = native->at.number("threads");
  const std::string text = fmt::format(
      "MonetDB answers 22 queries derived from TPC-H (no TPC result) in {} with {} thread{} and its own locks",
      with_interval(*native), threads, threads == 1 ? "" : "s");
  const cell* const worst = most(beside);
  const auto lock_of = [&](const cell& c) {
    const std::string also = rivals(tied_with(c, beside, all.size()), "lock");
    return name_at(c, "lock") + also + (also.empty() ? "" : ",");
  };
  if (worst == native || !differ(*worst, *native, all.size()))
    return {text + (best == native || !differ(*native, *best, all.size())
                        ? "; no lock that takes their place makes a difference that is resolved."
                        : fmt::format("; with {} it takes {}.", lock_of(*best), with_interval(*best)))};
  return {text + fmt::format("; with {} that takes {}.", lock_of(*worst), more_than(*worst->value, *native->value))};
}

}  // namespace

void present_database_tpch(experiment& e) {
  const std::string lead =
      "MonetDB with its mutexes replaced, and 22 queries that are derived from TPC-H. This is no TPC result and not "
      "comparable with one.";
  e.view = {{},
            findings_on_database,
            {},
            {{"threads",
              "MonetDB, all queries",
              lead,
              lines("threads", {"lock"}, {.names = {{in_program::native, "the database as it is"}}}),
              "",
              {"total"}},
             {"queries",
              "MonetDB, query by query",
              lead,
              lines("query", {"lock"}, {.ordinal = true, .names = {{in_program::native, "the database as it is"}}}),
              "",
              {"time"}}}};
  e.view.about = "MonetDB";
}

}  // namespace synchro::experiments
