// database.tpch

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <vector>

#include "experiments/database/answers.hpp"
#include "experiments/database/database.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/locks/in_program.hpp"

namespace synchro::experiments {

namespace {

std::vector<coordinate> threads_of_database(const setting& s) {
  std::set<std::int64_t> counts{1, 2};
  const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
  if (s.thoroughness != level::quick) counts.insert({cpus, 2 * cpus});
  return {counts.begin(), counts.end()};
}

axis scale_axis() {
  axis a = word_axis("scale", "the scale factor: how large the tables are; 1 is a gigabyte", {"0.01", "0.1", "1"});
  a.values = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::quick) return {coordinate{"0.01"}};
    if (s.thoroughness == level::standard) return {coordinate{"0.1"}};
    return {coordinate{"0.1"}, coordinate{"1"}};
  };
  return a;
}

/// A thread that only spins takes a processor, and besides those that work there is one that waits for them.
bool is_overcrowded_database(const setting& s, const coordinates& at) {
  const std::string& lock = at.word("lock");
  return in_program::only_spins(lock) && static_cast<std::size_t>(at.number("threads")) >= s.machine.processors.size();
}

/// Made when it is first needed; one of each scale, as long as this program runs.
const database::store& store_of(const std::string& scale) {
  static std::map<std::string, std::unique_ptr<database::store>> all;
  auto& place = all[scale];
  if (!place) place = std::make_unique<database::store>(scale);
  return *place;
}

std::string scale_at(const coordinates& at) { return results::to_string(*at.find("scale")); }

repetition measure_queries(const coordinates& at) {
  constexpr unsigned rounds = 3;
  const std::string scale = scale_at(at);
  const database::store& data = store_of(scale);
  const auto threads = static_cast<unsigned>(at.number("threads"));
  return database::recorded(data.ask(threads, rounds, in_program::variables_for(at.word("lock"))), data.right());
}

/// Found out once for a run of the program.
std::optional<std::string> unavailable_of_database(const std::string& lock) {
  static const std::optional<std::string> packages = database::unavailable();
  return packages ? packages : in_program::unavailable_of(lock);
}

double seconds_of_queries(const coordinates& at) {
  const std::string scale = scale_at(at);
  return scale == "0.01" ? 1.5 : scale == "0.1" ? 4 : 40;
}

}  // namespace

repetition database::recorded(const answers& seen, const answers& right) {
  repetition r;
  double all = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i + 1);
    r.observations.push_back({"time", seen[i].ns, {}, false, {{"query", coordinate{number}}}});
    all += seen[i].ns;
    if (!r.broken && (seen[i].digest != right[i].digest || seen[i].rows != right[i].rows))
      r.broken =
          fmt::format("the answer to query {} is another than with the program's own locks and one thread", number);
  }
  r.observations.push_back({"total", all});
  return r;
}

axis database::lock_axis() {
  const auto values = [](const setting& s) {
    std::vector<std::string> names{in_program::native, "mutex", "ticket/yield", "mcs/park"};
    if (s.thoroughness != level::quick) names.insert(names.end(), {"tas/yield", "mcs/yield", "clh/park"});
    if (s.thoroughness == level::full) names.insert(names.end(), {"tas", "ticket", "mcs"});
    return in_program::known_locks(names);
  };
  return {"lock", "what serves the database's mutexes: a lock of ours, or the system's (pthread/mutex)", values};
}

experiment database_tpch() {
  experiment e;
  e.name = "database.tpch";
  e.line = "a real database, MonetDB: the time of 22 queries derived from TPC-H (no TPC result)";
  e.source = "SSYNC (SOSP 2013), 8";
  e.axes = {database::lock_axis(), bounded({"threads", "threads that work on a query", threads_of_database}, 1, 64),
            scale_axis()};
  e.metrics = {
      {"total", "ns", better::lower,
       "The sum over all queries of the time of one run each: the median of three runs after a first one."},
      {"time", "ns", better::lower,
       "From a query to its whole answer, in the process of the database: the median of three runs after a first "
       "one, whose answer is checked."}};
  e.unavailable = [](const setting& s, const coordinates& at) -> std::optional<std::string> {
    if (const auto why = unavailable_of_database(at.word("lock"))) return why;
    if (is_overcrowded_database(s, at))
      return "threads that only spin need a processor each, and so does the one that asks";
    return std::nullopt;
  };
  e.skip = [](const setting& s, const coordinates& at) {
    return is_overcrowded_database(s, at) && !s.chosen.contains("lock");
  };
  e.seconds = [](const setting&, const coordinates& at) { return seconds_of_queries(at); };
  // A repetition takes seconds: what lies between its processors changes meanwhile.
  e.processors = [](const setting& s, const coordinates&) {
    return std::vector<unsigned>{s.machine.processors.front().cpu};
  };
  e.once = [](const setting&, const coordinates& at) { (void)store_of(scale_at(at)); };
  e.measure = [](const setting&, const coordinates& at, std::uint64_t) { return measure_queries(at); };
  present_database_tpch(e);
  return e;
}

}  // namespace synchro::experiments
