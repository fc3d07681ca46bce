// database.sysbench

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "experiments/database/database.hpp"
#include "experiments/database/mariadb.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/locks/in_program.hpp"

namespace synchro::experiments {

namespace {

axis clients_of_mariadb() {
  const auto values = [](const setting& s) -> std::vector<coordinate> {
    constexpr std::int64_t usual = 4;
    if (s.thoroughness == level::quick) return {coordinate{usual}};
    const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
    const std::set<std::int64_t> counts{1, usual, 2 * cpus};
    return {counts.begin(), counts.end()};
  };
  return bounded({"clients", "threads of sysbench, each with one transaction at a time", values}, 1, 1000);
}

unsigned seconds_of_mariadb(const setting& s) { return s.thoroughness == level::quick ? 1 : 2; }

/// Made when it is first needed; its tables stay as long as this program runs.
const database::mariadb& server_of_this_run() {
  static const database::mariadb server;
  return server;
}

repetition measure_mariadb(const setting& s, const coordinates& at) {
  const std::string& lock = at.word("lock");
  const database::load_outcome seen = server_of_this_run().put_under(
      {at.word("work"), static_cast<unsigned>(at.number("clients")), seconds_of_mariadb(s)},
      lock == in_program::native ? std::nullopt : std::optional{lock});
  repetition r;
  r.observations = {{"throughput", seen.transactions}, {"latency", seen.latency_ns}};
  if (seen.errors != 0)
    r.bounded = fmt::format("{} refused, for a deadlock say",
                            seen.errors == 1 ? "1 transaction was" : fmt::format("{} transactions were", seen.errors));
  return r;
}

}  // namespace

experiment database_sysbench() {
  experiment e;
  e.name = "database.sysbench";
  e.line = "a real database server, MariaDB, that sysbench puts under load: transactions a second";
  e.source = "no source; SSYNC (SOSP 2013), 6.4 and 8, has other servers";
  e.axes = {database::lock_axis(),
            word_axis("work", "what a transaction does: reads one row, or reads and changes several",
                      {"point_select", "read_write"}),
            clients_of_mariadb()};
  e.metrics = {
      {"throughput", "op/s", better::higher, "Transactions a second of all clients together, by sysbench's count."},
      {"latency", "ns", better::lower, "The mean time of a transaction, by its clock."}};
  e.unavailable = [](const setting&, const coordinates& at) -> std::optional<std::string> {
    static const std::optional<std::string> programs = database::mariadb_unavailable();
    return programs ? programs : in_program::unavailable_of(at.word("lock"));
  };
  e.seconds = [](const setting& s, const coordinates&) { return seconds_of_mariadb(s) + 1.0; };
  // A repetition takes seconds: what lies between its processors changes meanwhile.
  e.processors = [](const setting& s, const coordinates&) {
    return std::vector<unsigned>{s.machine.processors.front().cpu};
  };
  e.once = [](const setting&, const coordinates&) { (void)server_of_this_run(); };
  e.measure = [](const setting& s, const coordinates& at, std::uint64_t) { return measure_mariadb(s, at); };
  present_database_sysbench(e);
  return e;
}

}  // namespace synchro::experiments
