#include "advice/advise.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "advice/known.hpp"
#include "advice/modelled.hpp"
#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/simulation.hpp"
#include "cli/words.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulator/world.hpp"

namespace synchro::cli {

namespace {

constexpr const char* usual_results = "results.json";

advice::workload workload_of(const advise_options& o) {
  constexpr double longest_ns = 1e9;
  advice::workload w;
  if (o.threads) w.threads = parse_number<std::int64_t>(*o.threads, "--threads", "whole number", 1, 65536);
  if (o.critical) w.critical_ns = parse_number(*o.critical, "--critical", "number of nanoseconds", 0.0, longest_ns);
  if (o.gap) w.gap_ns = parse_number(*o.gap, "--gap", "number of nanoseconds", 0.0, longest_ns);
  if (o.locks) w.locks = parse_number<std::int64_t>(*o.locks, "--locks", "whole number", 1, 65536);
  if (o.readers) w.readers = parse_number<std::int64_t>(*o.readers, "--readers", "whole number of percent", 0, 100);
  w.sleeps = o.sleeps;
  w.fair = o.fair;
  return w;
}

/// What so many threads cost to simulate is bounded.
void check_threads_on(const simulator::model& m, const advice::workload& w) {
  constexpr std::int64_t most_each = 4;
  if (w.threads > most_each * std::int64_t{m.processors()})
    fail_usage(fmt::format("--threads {} is more than {} for each of the {} processors of the model {}", w.threads,
                           most_each, m.processors(), m.name()));
}

results::document modelled(const std::string& machine, advice::workload w) {
  const auto m = read_model(machine);
  check_threads_on(*m, w);
  if (w.threads == 0) w.threads = m->processors();
  simulator::world::stop_when(interrupt_watch::raised);
  const interrupt_watch watch;
  return advice::simulated_for(w, m);
}

results::document read(const std::vector<std::string>& files) {
  if (files.empty() && !std::filesystem::exists(usual_results))
    fail_usage(fmt::format("advise takes results files, or a model by --machine; there is no {} here", usual_results));
  std::vector<results::document> all;
  for (const std::string& file : files.empty() ? std::vector<std::string>{usual_results} : files)
    all.push_back(read_results(file));
  try {
    return advice::taken_together(all);
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

}  // namespace

status advise(const advise_options& o) {
  const advice::workload w = workload_of(o);
  if (o.machine && !o.files.empty()) fail_usage("advise takes results files or --machine, not both");
  try {
    const results::document d = o.machine ? modelled(*o.machine, w) : read(o.files);
    const advice::counsel c = advice::advise(d, w);
    if (o.as_json)
      print(results::dump(advice::to_json(c, d), 1) + "\n");
    else
      print(results::wrapped(heading(d), reading_width()) + advice::in_words(c, reading_width()));
    return status::done;
  } catch (const simulator::stopped&) {
    return interrupt_watch::ends_with();
  }
}

}  // namespace synchro::cli
