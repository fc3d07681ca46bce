#include "simulate/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <utility>
#include <variant>

#include "cli/plan.hpp"
#include "cli/progress_bar.hpp"
#include "results/of_others.hpp"
#include "results/text.hpp"
#include "simulations/simulations.hpp"
#include "simulator/world.hpp"
#include "terminal/console.hpp"
#include "terminal/failure.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using json = nlohmann::ordered_json;
using experiments::planned_cell;
using results::cell;

void add_machine(results::cell& c, const std::string& name) {
  results::coordinates at{{"machine", name}};
  for (const auto& [axis, value] : c.at.entries()) at.set(axis, value);
  c.at = std::move(at);
}

/// What one planned cell came to.
struct computed {
  std::vector<cell> cells;
  std::uint64_t memory_events = 0;
};

/// The planned cell that a cell of a document belongs to: what stands within a planned cell has further coordinates.
std::string key_of(const std::string& machine, const std::string& experiment, const results::coordinates& at,
                   const std::vector<experiments::axis>& axes) {
  std::string key = machine + " " + experiment;
  for (const experiments::axis& a : axes)
    if (const auto* const value = at.find(a.name)) key += " " + a.name + "=" + results::to_string(*value);
  return key;
}

/// All that an earlier run has computed, by planned cell.
class known_cells {
 public:
  known_cells(const std::optional<earlier_run>& earlier, const std::vector<planned_part>& parts) {
    if (!earlier) return;
    for (const json& entry : earlier->entries) {
      bool is_new = false;
      for (const json& j : entry.at("cells")) is_new = add(results::cell_from_json(j), parts) || is_new;
      if (is_new) memory_events_ += entry.value("memory_events", std::uint64_t{0});
    }
  }
  [[nodiscard]] std::uint64_t memory_events() const { return memory_events_; }
  [[nodiscard]] const std::vector<cell>* find(const simulation_part& part, const planned_cell& planned) const {
    const auto found = cells_.find(key_of(part.machine, planned.what->name, planned.at, planned.what->axes));
    return found == cells_.end() ? nullptr : &found->second;
  }

 private:
  /// False if it is known already, or of no part.
  bool add(const cell& c, const std::vector<planned_part>& parts) {
    const auto* const machine = c.at.find("machine");
    for (const planned_part& p : parts)
      for (const experiments::experiment& e : *p.part.experiments)
        if (e.name == c.experiment &&
            (p.part.machine.empty() || (machine != nullptr && results::to_string(*machine) == p.part.machine)))
          return keep(cells_[key_of(p.part.machine, e.name, c.at, e.axes)], c);
    return false;
  }

  /// Two files may have computed the same one. False if it was known.
  static bool keep(std::vector<cell>& known, const cell& c) {
    const auto same = [&](const cell& k) { return k.metric == c.metric && k.at.to_string() == c.at.to_string(); };
    if (std::any_of(known.begin(), known.end(), same)) return false;
    known.push_back(c);
    return true;
  }

  std::map<std::string, std::vector<cell>> cells_;
  std::uint64_t memory_events_ = 0;
};

computed compute_cell(const simulation_part& part, const planned_cell& planned) {
  const std::uint64_t before = simulator::world::accesses_so_far();
  computed c;
  c.cells = simulations::simulate({{planned}}, part.what.setting, [](const planned_cell&) {});
  c.memory_events = simulator::world::accesses_so_far() - before;
  for (cell& one : c.cells) {
    if (!part.machine.empty()) add_machine(one, part.machine);
    if (part.finished) part.finished(one);
  }
  return c;
}

/// The journal, until it cannot be written any more.
class safe_log {
 public:
  explicit safe_log(results::journal& log) : log_{&log} {}
  void append(const computed& c) {
    if (log_ == nullptr) return;
    json entry{{"memory_events", c.memory_events}, {"cells", json::array()}};
    for (const cell& one : c.cells) entry["cells"].push_back(to_json(one));
    try {
      log_->append(entry);
    } catch (const std::runtime_error& e) {
      log_ = nullptr;
      say(fmt::format("warning: {}; from now on results are kept only when the simulation is complete", e.what()));
    }
  }

 private:
  results::journal* log_;
};

/// Progress by the number of cells, from the first computed one on: what one costs is known only afterwards.
class pace {
 public:
  pace(std::size_t all, bool silent) : all_{all}, bar_{standard_error(), silent} {}
  void show(const planned_cell& now) {
    if (computed_ > 0) bar_.show({done_, all_, seconds_left(), false, &now});
  }
  void did() { ++done_, ++computed_; }
  void skip() { ++done_; }
  void clear() { bar_.clear(); }

 private:
  [[nodiscard]] double seconds_left() const {
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return spent / static_cast<double>(computed_) * static_cast<double>(all_ - done_);
  }
  std::size_t all_, done_ = 0, computed_ = 0;
  progress_bar bar_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Cells with most threads first, for they take longest: whoever takes the parts in turn ends with short ones.
std::vector<std::size_t> longest_first(const std::vector<planned_part>& all) {
  std::vector<std::int64_t> threads;
  for (const planned_part& p : all)
    for (const planned_cell& c : p.cells) {
      const auto* const value = c.at.find("threads");
      const auto* const number = value == nullptr ? nullptr : std::get_if<std::int64_t>(value);
      threads.push_back(number == nullptr ? 0 : *number);
    }
  std::vector<std::size_t> order(threads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return threads[a] > threads[b]; });
  return order;
}

/// Deals parts out, of which the Kth of N is to have N - K cells where the last has one: next is the one that has least of its own.
class dealer {
 public:
  explicit dealer(std::size_t of) : of_{of} {
    for (std::size_t part = 0; part < of; ++part) hands_.emplace(1.0 / static_cast<double>(of - part), part);
  }
  std::size_t next() {
    const auto [filled, part] = hands_.top();
    hands_.pop();
    hands_.emplace(filled + 1.0 / static_cast<double>(of_ - part), part);
    return part;
  }

 private:
  using hand = std::pair<double, std::size_t>;
  std::size_t of_;
  std::priority_queue<hand, std::vector<hand>, std::greater<>> hands_;
};

/// For each cell, in the order of the plans, the part that it belongs to.
std::vector<std::size_t> dealt_to(const std::vector<planned_part>& all, share mine) {
  const std::vector<std::size_t> order = longest_first(all);
  std::vector<std::size_t> parts(order.size());
  dealer dealt{mine.shrinks ? mine.of : 0};
  for (std::size_t turn = 0; turn < order.size(); ++turn)
    parts[order[turn]] = mine.shrinks ? dealt.next() : turn % mine.of;
  return parts;
}

/// Of all that is planned what is to be computed here, and what is known already.
std::vector<planned_part> ours(const std::vector<planned_part>& all, share mine, const known_cells& known,
                               bool silent) {
  const std::vector<std::size_t> dealt = dealt_to(all, mine);
  auto its_part = dealt.cbegin();
  std::vector<planned_part> chosen;
  for (const planned_part& p : all) {
    chosen.push_back({p.part, {}});
    std::copy_if(p.cells.begin(), p.cells.end(), std::back_inserter(chosen.back().cells),
                 [&](const planned_cell& c) { return *its_part++ == mine.part || known.find(p.part, c) != nullptr; });
    const std::string& source = p.part.what.setting.machine.source;
    if (!silent)
      say(fmt::format("{}: {}", source.substr(source.find(':') + 1), counted(chosen.back().cells.size(), "cell")));
  }
  return chosen;
}

/// The cells of all parts into the document, in the order of the plans. Ends early, also within a repetition, with `stopped`.
void fill(results::document& d, const std::vector<planned_part>& all, const known_cells& known, safe_log log,
          bool silent) {
  std::size_t count = 0;
  for (const planned_part& p : all) count += p.cells.size();
  pace progress{count, silent};
  std::uint64_t events = known.memory_events();
  for (const planned_part& p : all)
    for (const planned_cell& planned : p.cells) {
      if (interrupt_watch::raised()) throw simulator::stopped{};
      const auto* const before = known.find(p.part, planned);
      computed now;
      if (before == nullptr) {
        progress.show(planned);
        now = compute_cell(p.part, planned);
        log.append(now);
        progress.did();
      } else {
        progress.skip();
      }
      events += now.memory_events;
      d.invocation["memory_events"] = events;
      for (const cell& c : before == nullptr ? now.cells : *before) d.cells.push_back(c);
    }
  progress.clear();
}

}  // namespace

std::vector<planned_part> planned(std::vector<simulation_part> parts) {
  std::vector<planned_part> all;
  for (simulation_part& part : parts) {
    std::vector<planned_cell> cells = plan_for(part.what, results::no_such_of_ours).cells;
    all.push_back({std::move(part), std::move(cells)});
  }
  return all;
}

simulated compute(const std::vector<planned_part>& all, results::document origin, const recording& how,
                  const std::optional<earlier_run>& earlier, share mine) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    simulator::world::stop_when(interrupt_watch::raised);
    const known_cells known{earlier, all};
    const std::vector<planned_part> chosen = ours(all, mine, known, how.silent);
    run_record record{how, earlier};  // may wait for a reader; a signal ends that, and nothing is lost
    const interrupt_watch watch;
    simulated s{std::move(origin), false, false, {}};
    record.begin(s.document);
    s.document.invocation["memory_events"] = known.memory_events();
    try {
      fill(s.document, chosen, known, safe_log{record.log()}, how.silent);
      s.document.complete = mine.of == 1;
    } catch (const simulator::stopped&) {
      s.interrupted = true;
    }
    s.broken = std::any_of(s.document.cells.begin(), s.document.cells.end(), [](const cell& c) { return !c.valid; });
    s.document.invocation["wall_s"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    s.not_written = record.end(s.document);
    return s;
  } catch (const failure&) {
    throw;
  } catch (const json::exception&) {
    fail_usage(results::printable(how.output) + " cannot be resumed: the results in it are damaged");
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

}  // namespace synchro::simulate
