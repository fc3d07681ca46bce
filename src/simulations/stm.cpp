// Transactions on a model.

#include "experiments/stm/stm.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/stm/own_means.hpp"
#include "simulations/copying.hpp"
#include "simulations/paper_transactions.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

using namespace experiments;
using simulator::model;

namespace {

/// Models have no transactions of the processor: the one that would use them does as on a machine without.
const std::map<std::string, transactions::bodies>& simulated_means() {
  static const auto all = [] {
    std::map<std::string, transactions::bodies> own = transactions::own_means<copying_laboratory>();
    own.emplace("stm", transactions::by_locks<copying_laboratory, versioned_locks<>, true>());
    own.emplace(paper_served_transactions,
                transactions::bodies{&tm2c::play<transactions::bank>, &tm2c::play<transactions::set>});
    return own;
  }();
  return all;
}

double transactions_window_cycles(level l) { return l == level::quick ? 2e5 : l == level::standard ? 5e5 : 2e6; }

/// TM2C's program runs for two seconds; a window of some of its rests is within a twentieth of one of thirty.
double transactions_window_ns(const model& m, level l, unsigned threads, const std::string& means) {
  constexpr double rests = 8;
  const double usual = or_some_slices(m, threads, transactions_window_cycles(l)) / m.ghz();
  return means == paper_served_transactions ? std::max(usual, rests * tm2c::longest_rest_ns) : usual;
}

repetition measure_transactions(const simulator::model& m, const setting& s, const coordinates& at, std::uint64_t seed,
                                const transactions::workload& on) {
  transactions::task task = stm_task_of(s, at, seed, on);
  const auto threads = std::max(task.threads, static_cast<unsigned>(task.cpus.size()));
  task.duration_ns = transactions_window_ns(m, s.thoroughness, threads, at.word("means"));
  task.cpus = or_all_of(m, std::move(task.cpus));
  simulator::world w{m, seed};
  const transactions::outcome o = (simulated_means().at(at.word("means")).*on.by)(task);
  return record_stm(o, m.ns_of(o.duration()));
}

/// As on hardware, but for others' means.
axis simulated_means_axis(const axis& original) {
  axis a = original;
  a.values = [known = original.values](const setting& s) {
    std::vector<coordinate> mine = known(s);
    std::erase_if(mine, [](const coordinate& c) { return !simulated_means().contains(results::to_string(c)); });
    if (s.thoroughness == level::full) mine.emplace_back(paper_served_transactions);
    return mine;
  };
  return a;
}

experiment of_transactions(experiment original, const model_ptr& m, const transactions::workload& on) {
  experiment e = on_model(std::move(original), m, 0.1,
                          [&on](const simulator::model& model, const setting& s, const coordinates& at,
                                std::uint64_t seed) { return measure_transactions(model, s, at, seed, on); });
  for (axis& a : e.axes)
    if (a.name == "means") a = simulated_means_axis(a);
  e.unavailable = [known = std::move(e.unavailable)](const setting& s, coordinates at) {
    if (at.word("means") == paper_served_transactions) at.set("means", "messages");
    return known(s, at);
  };
  return e;
}

}  // namespace

experiment stm_bank(const model_ptr& m) { return of_transactions(experiments::stm_bank(), m, transactions::accounts); }
experiment stm_list(const model_ptr& m) { return of_transactions(experiments::stm_list(), m, transactions::one_list); }
experiment stm_hashtable(const model_ptr& m) {
  return of_transactions(experiments::stm_hashtable(), m, transactions::lists_of_eight);
}

}  // namespace synchro::simulations
