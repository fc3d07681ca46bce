#include "experiments/framework/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <set>
#include <string_view>

#include "experiments/framework/outcome.hpp"
#include "experiments/framework/trial.hpp"
#include "measure/host.hpp"
#include "measure/layout.hpp"
#include "measure/mode.hpp"
#include "platform/child_process.hpp"
#include "platform/clock.hpp"
#include "platform/scheduling.hpp"
#include "results/json_fields.hpp"
#include "statistics/random.hpp"
#include "statistics/statistics.hpp"

namespace synchro::experiments {

namespace {

using statistics::random_numbers;
using json = nlohmann::ordered_json;
using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

/// A seed that follows from another, a name and a number.
std::uint64_t seed_of(std::uint64_t seed, std::string_view name, std::uint64_t number) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  random_numbers numbers{seed ^ hash};
  return numbers.next() ^ random_numbers { number }.next();
}

template <class T>
void shuffle(std::vector<T>& list, random_numbers numbers) {
  for (std::size_t left = list.size(); left > 1; --left)
    std::swap(list[left - 1], list[static_cast<std::size_t>(numbers.next() % left)]);
}

/// The processors whose distance says in which mode a cell is measured: the first and the last of the cell. Threads
/// that nobody pinned can only be anywhere; on a machine of two processors that is those two.
std::optional<probed_pair> pair_to_probe(const setting& s, const planned_cell& cell,
                                         const std::vector<unsigned>& processors) {
  const auto pair = [&](unsigned a, unsigned b) { return probed_pair{a, b, s.machine.between(a, b)}; };
  if (processors.size() >= 2) return pair(processors.front(), processors.back());
  const coordinate* threads = cell.at.find("threads");
  const bool alone = threads != nullptr && *threads == coordinate{std::int64_t{1}};
  if (!processors.empty() || alone || s.machine.processors.size() != 2) return std::nullopt;
  return pair(s.machine.processors[0].cpu, s.machine.processors[1].cpu);
}

/// A meter that can be read, or the reason why there is none.
class joule_reader {
 public:
  explicit joule_reader(const std::function<std::optional<double>()>& given) : given_{given} {}
  std::optional<double> now() { return given_ ? given_() : meter_.joules(); }
  [[nodiscard]] std::optional<std::string> why_not() const {
    return given_ || meter_.available() ? std::nullopt : std::optional{meter_.why_not()};
  }

 private:
  const std::function<std::optional<double>()>& given_;
  platform::energy_meter meter_;
};

template <class T>
std::optional<T> grown(const std::optional<T>& before, const std::optional<T>& after) {
  if (!before || !after || *after < *before) return std::nullopt;
  return *after - *before;
}

/// A repetition as it came out: measured, or the sentence with which it ended without a result.
struct attempt {
  double took = 0;  ///< Seconds, with all that is done around it.
  std::optional<trial> what = {};
  std::string failure = {};
};

/// What is told of an attempt that was made in another process.
json told(const planned_cell& cell, const attempt& a) {
  return a.what ? json{{"took", a.took}, {"entry", entry_of(cell, *a.what)}}
                : json{{"took", a.took}, {"failure", a.failure}};
}
attempt attempt_from(const json& line) {
  attempt a{line.at("took").get<double>(), {}, line.value("failure", "")};
  if (const auto entry = line.find("entry"); entry != line.end())
    a.what = std::move(journaled_from(*entry).value().what);
  return a;
}

/// What a cell is repeated for, beyond the plan.
enum class need : std::uint8_t { nothing, interval, sureness };

class runner {
 public:
  runner(const plan& p, const setting& s, const run_control& control);
  run_outcome run();

 private:
  static constexpr unsigned most_repetitions = 3;  // times as many as planned
  static constexpr double clearly_sure = 0.03;     // half the interval's width in parts of the value

  void take_over(const std::vector<nlohmann::ordered_json>& entries);
  void prepare(record& r);
  using block = std::vector<record*>;  // the cells of one experiment
  /// One repetition of each of these.
  struct round {
    block cells;
    unsigned index;
    bool repairs;
  };
  /// How far a copy of the process came: part of the round, or all, and then nothing is left of it.
  enum class copied : std::uint8_t { in_part, not_at_all, to_be_ended };
  struct round_observer {
    std::function<void(std::size_t)> begins;         // cell i of the round
    std::function<void(std::size_t, attempt)> ends;  // as it came out
  };
  [[nodiscard]] std::vector<block> blocks();
  [[nodiscard]] bool is_bounded() const { return control_.max_seconds > 0; }
  [[nodiscard]] bool is_time_for(double seconds) const;
  [[nodiscard]] double expected(const record& r) const;
  [[nodiscard]] double expected_left(const record& r) const;
  [[nodiscard]] bool fits(const block& cells) const;
  [[nodiscard]] block part_that_fits(block& cells) const;
  void try_one(const block& cells);
  bool cuts_short(const block& cells);
  void measure_block(block cells, block& left);
  bool repair_block(const std::vector<record*>& cells, unsigned rounds, need reason);
  bool measure_round(block cells, unsigned index, bool repairs);
  bool measure_here(const round& what, const round_observer& seen);
  [[nodiscard]] copied measure_apart(round& what);
  void not_apart(const std::string& why);
  void find_out_once(const block& cells) const;
  void tell_round(const round& what, const platform::line_listener& tell);
  void keep(record& r, attempt made);
  [[nodiscard]] need need_of(const record& r) const;
  [[nodiscard]] bool has_time_for(const record& r, bool repairs) const;
  [[nodiscard]] attempt measure(record& r, unsigned index);
  std::optional<double> probe(const record& r, bool just_probed_will_do);
  double core_hz();
  [[nodiscard]] double correction() const;
  void journal(const record& r, const trial& t);
  void account(record& r, const attempt& made, bool repairs);
  void report(const planned_cell* next, bool repeats) const;
  [[nodiscard]] double elapsed() const { return control_.now() - start_; }
  [[nodiscard]] double seconds_per_repetition(const record& r) const { return r.cell->seconds / r.cell->repetitions; }
  [[nodiscard]] bool wants(const record& r, unsigned index) const;
  [[nodiscard]] bool unfinished(const record& r) const;
  [[nodiscard]] bool unfinished_in(const block& cells) const;
  [[nodiscard]] run_outcome outcome() const;

  const setting& setting_;
  const run_control& control_;
  double start_ = control_.now();
  std::vector<unsigned> everywhere_;  // where unpinned threads may run
  std::vector<record> records_;
  probe_log probes_;
  joule_reader joules_;
  std::vector<results::warning> warnings_;
  results::journal* log_;

  std::size_t done_ = 0, all_ = 0;
  double planned_seconds_ = 0;  // of all that was to be done at the start
  double plan_seconds_ = 0;     // and of what an earlier run has done of the plan
  double seconds_left_ = 0;     // of the planned repetitions not yet done, as estimated
  double estimated_done_ = 0;   // of the repetitions done in this run, as estimated
  double measured_ = 0;         // and as it came out
  struct pace {
    double estimated = 0, took = 0;
  };
  std::map<const experiment*, pace> paces_;  // the same by experiment
  double repaired_ = 0;                      // spent beyond the plan
  double repair_ends_ = 0;                   // how much of it may have been spent when the block at hand ends
  bool stopped_ = false;

  struct {
    unsigned first = 0, second = 0;
    std::optional<double> value;
    steady_clock::time_point when;
  } last_probe_{};
  struct {
    double hz = 0;
    steady_clock::time_point when;
  } last_core_hz_{};
};

runner::runner(const plan& p, const setting& s, const run_control& control)
    : setting_{s}, control_{control}, joules_{control.joules}, log_{control.log} {
  for (const platform::processor& processor : s.machine.processors) everywhere_.push_back(processor.cpu);
  for (const planned_cell& cell : p.cells) records_.emplace_back().cell = &cell;
  take_over(control.resumed);
  for (record& r : records_) {
    prepare(r);
    for (unsigned index = 0; index < r.cell->repetitions; ++index)
      if (wants(r, index)) {
        ++all_;
        planned_seconds_ += seconds_per_repetition(r);
      }
    plan_seconds_ += r.cell->seconds;
    for (const trial& t : r.trials) repaired_ += t.index < r.cell->repetitions ? 0 : seconds_per_repetition(r);
  }
  seconds_left_ = planned_seconds_;
}

void runner::take_over(const std::vector<nlohmann::ordered_json>& entries) {
  std::map<std::string, record*> by_key;
  for (record& r : records_) by_key[key_of(r.cell->what->name, r.cell->at)] = &r;
  for (const nlohmann::ordered_json& entry : entries) {
    std::optional<journaled> j = journaled_from(entry);
    const auto found = j ? by_key.find(j->key) : by_key.end();
    if (found == by_key.end() || found->second->has(j->what.index)) continue;
    found->second->trials.push_back(std::move(j->what));
  }
  for (record& r : records_)
    std::sort(r.trials.begin(), r.trials.end(), [](const trial& a, const trial& b) { return a.index < b.index; });
}

/// What is unavailable has no processors, unless it was measured before it became so, such as clocks that are found to be
/// further apart than at first.
void runner::prepare(record& r) {
  if (r.cell->unavailable && r.trials.empty()) return;
  if (r.cell->what->processors) r.processors = r.cell->what->processors(setting_, r.cell->at);
  if (!control_.probe_modes) return;
  r.probed = pair_to_probe(setting_, *r.cell, r.processors);
  for (const trial& t : r.trials)
    for (const std::optional<double>& value : {t.before, t.after})
      if (r.probed && value) probes_.take_over(*r.probed, *value);
}

/// A repetition that is still to be made, unless the cell has come to an end before.
bool runner::wants(const record& r, unsigned index) const {
  return !r.cell->unavailable && !r.failed && !r.broken() && !r.has(index);
}

bool runner::unfinished(const record& r) const {
  for (unsigned index = 0; index < r.cell->repetitions; ++index)
    if (wants(r, index)) return true;
  return false;
}

bool runner::unfinished_in(const block& cells) const {
  return std::any_of(cells.begin(), cells.end(), [&](const record* r) { return unfinished(*r); });
}

/// Of a run whose time is bounded those experiments come first that fit it as a whole, one after the other; then those cells
/// of the others that fit. What time ends holds complete experiments and complete cells: whether they fit is judged anew as
/// soon as one repetition of an experiment was made, and after each of its rounds.
run_outcome runner::run() {
  std::vector<block> too_long;
  bool cut = false;
  for (const block& cells : blocks()) {
    if (fits(cells)) try_one(cells);
    if (fits(cells))
      cut = cuts_short(cells) || cut;
    else
      too_long.push_back(cells);
  }
  for (std::size_t i = 0; i < too_long.size() && !cut; ++i) cut = cuts_short(too_long[i]);
  if (is_bounded() && !cut)
    for (block& cells : blocks())
      if (!unfinished_in(cells)) {  // repeats what is not sure, in the time that is left
        block none;
        measure_block(std::move(cells), none);
      }
  report(nullptr, false);
  return outcome();
}

std::vector<runner::block> runner::blocks() {
  std::vector<block> all;
  for (record& r : records_) {
    if (all.empty() || all.back().front()->cell->what != r.cell->what) all.emplace_back();
    all.back().push_back(&r);
  }
  return all;
}

bool runner::is_time_for(double seconds) const { return !is_bounded() || elapsed() + seconds <= control_.max_seconds; }

/// Seconds of a repetition: as it took before, or as estimated where that was of others of the experiment. What other
/// experiments did faster than estimated is no promise for those still to come.
double runner::expected(const record& r) const {
  if (r.made > 0) return r.took / r.made;
  const auto own = paces_.find(r.cell->what);
  return seconds_per_repetition(r) *
         (own == paces_.end() ? std::max(1.0, correction()) : own->second.took / own->second.estimated);
}

/// Of the planned repetitions that are still to be made.
double runner::expected_left(const record& r) const {
  unsigned left = 0;
  for (unsigned index = 0; index < r.cell->repetitions; ++index)
    if (wants(r, index)) ++left;
  return left * expected(r);
}

bool runner::fits(const block& cells) const {
  double seconds = 0;
  for (const record* r : cells) seconds += expected_left(*r);
  return is_time_for(seconds);
}

/// Takes out of these as many as fit together, in their order: the first alone if none does, for estimates may be off.
runner::block runner::part_that_fits(block& cells) const {
  block part, rest;
  double seconds = 0;
  for (record* r : cells) {
    const double more = expected_left(*r);
    const bool taken = is_time_for(seconds + more);
    if (taken) seconds += more;
    (taken ? part : rest).push_back(r);
  }
  if (part.empty()) {
    part.push_back(rest.front());
    rest.erase(rest.begin());
  }
  cells = std::move(rest);
  return part;
}

/// Where time is bounded, one repetition of the first cell of an experiment of which this run has made none: it tells how far
/// off the estimates are.
void runner::try_one(const block& cells) {
  if (!is_bounded() || stopped_ || paces_.contains(cells.front()->cell->what)) return;
  for (record* const r : cells)
    for (unsigned index = 0; index < r->cell->repetitions; ++index)
      if (wants(*r, index)) return (void)measure_round({r}, index, false);
}

/// Measures the block, part after part where time is bounded, until there is no time for even one repetition. True if it has
/// begun and not done what was planned.
bool runner::cuts_short(const block& cells) {
  const std::size_t done_before = done_;
  for (const record* r : cells) repair_ends_ += control_.repair * r->cell->seconds;
  try_one(cells);
  for (block left = cells; !left.empty();) {
    const block part = part_that_fits(left);
    const std::size_t others = left.size();
    measure_block(part, left);
    if (left.size() == others && unfinished_in(part)) break;
  }
  return done_ > done_before && unfinished_in(cells);
}

/// What of it turns out not to fit the time is put back to what is left.
void runner::measure_block(block cells, block& left) {
  if (stopped_) return;
  const auto some_of = [&](auto which) {
    std::vector<record*> some;
    std::copy_if(cells.begin(), cells.end(), std::back_inserter(some), [&](const record* r) { return which(*r); });
    return some;
  };
  unsigned rounds = 0;
  for (const record* r : cells) rounds = std::max(rounds, r->cell->repetitions);
  for (unsigned index = 0; index < rounds; ++index) {
    if (is_bounded()) {
      block part = part_that_fits(cells);
      left.insert(left.begin(), cells.begin(), cells.end());
      cells = std::move(part);
    }
    if (!measure_round(some_of([&](const record& r) { return index < r.cell->repetitions; }), index, false)) return;
  }
  // First of all, each cell is to have an interval.
  if (repair_block(cells, rounds, need::interval)) (void)repair_block(cells, rounds, need::sureness);
}

/// Repeats the cells that need it for this reason. False if the block is to end.
bool runner::repair_block(const std::vector<record*>& cells, unsigned rounds, need reason) {
  for (unsigned index = 0; index < most_repetitions * rounds; ++index) {
    std::vector<record*> some;
    for (record* const r : cells)
      if (index >= r->cell->repetitions && index < most_repetitions * r->cell->repetitions && need_of(*r) == reason)
        some.push_back(r);
    if (!measure_round(std::move(some), index, true)) return false;
  }
  return true;
}

/// One repetition of each cell, in random order. False if the block is to end.
bool runner::measure_round(block cells, unsigned index, bool repairs) {
  if (cells.empty()) return true;
  shuffle(cells, random_numbers{seed_of(setting_.seed, cells.front()->cell->what->name, index)});
  std::erase_if(cells, [&](const record* r) { return !wants(*r, index); });
  round what{std::move(cells), index, repairs};
  for (copied end = copied::in_part; control_.apart && end == copied::in_part && !what.cells.empty();)
    if (end = measure_apart(what); end == copied::to_be_ended) return false;
  return measure_here(what, {[&](std::size_t i) { report(what.cells[i]->cell, repairs); },
                             [&](std::size_t i, attempt made) { keep(*what.cells[i], std::move(made)); }});
}

/// False if the block is to end.
bool runner::measure_here(const round& what, const round_observer& seen) {
  for (std::size_t i = 0; i < what.cells.size(); ++i) {
    record& r = *what.cells[i];
    stopped_ = control_.stop();
    if (stopped_ || !has_time_for(r, what.repairs)) return false;
    seen.begins(i);
    attempt made = measure(r, what.index);
    account(r, made, what.repairs);
    seen.ends(i, std::move(made));
  }
  return true;
}

/// What is the same for all rounds, and would otherwise be found anew by each.
void runner::find_out_once(const block& cells) const {
  (void)measure::host::cycles_to_ns(1);
  for (const record* r : cells) {
    if (!r->cell->what->once) continue;
    try {
      r->cell->what->once(setting_, r->cell->at);
    } catch (const std::exception&) {
      continue;  // the cell will say it
    }
  }
}

/// In a copy of this process, up to a cell that ends the copy. Leaves in the round what is still to be measured.
runner::copied runner::measure_apart(round& what) {
  find_out_once(what.cells);
  std::size_t begun = 0, ended = 0;
  bool whole = true;
  const auto hear = [&](const std::string& line) {
    const json heard = json::parse(line);
    if (heard == json("begin")) return report(what.cells[begun++]->cell, what.repairs);
    if (heard == json("end")) return void(whole = false);
    record& r = *what.cells[ended++];
    attempt made = attempt_from(heard);
    account(r, made, what.repairs);
    for (const auto& probed :
         {made.what ? made.what->before : std::nullopt, made.what ? made.what->after : std::nullopt})
      if (r.probed && probed) probes_.take_over(*r.probed, *probed);
    keep(r, std::move(made));
  };
  const platform::child_end end =
      platform::hear_child([&](const platform::line_listener& tell) { tell_round(what, tell); }, hear, control_.stop);
  stopped_ = control_.stop();
  if (!stopped_ && begun > ended)
    what.cells[ended++]->failed = "the process that measured it was ended by " + end.failure.value_or("itself");
  else if (!stopped_ && end.failure)
    not_apart(*end.failure);
  what.cells.erase(what.cells.begin(), what.cells.begin() + static_cast<std::ptrdiff_t>(ended));
  if (!whole || stopped_) return copied::to_be_ended;
  return ended == 0 ? copied::not_at_all : copied::in_part;
}

/// Said once; what is left of the round is measured in this process.
void runner::not_apart(const std::string& why) {
  const auto is_said = [](const results::warning& w) { return w.id == "apart"; };
  if (std::any_of(warnings_.begin(), warnings_.end(), is_said)) return;
  warnings_.push_back(
      {"apart", json::object(),
       fmt::format("A round could not be measured in a process of its own ({}): where memory lies is then the "
                   "same for several repetitions, and their scatter does not show what that decides.",
                   why)});
}

/// The other process's part.
void runner::tell_round(const round& what, const platform::line_listener& tell) {
  measure::vary_layout(seed_of(setting_.seed, "layout of " + what.cells.front()->cell->what->name, what.index));
  const bool whole = measure_here(
      what, {[&](std::size_t) { tell(json("begin").dump()); },
             [&](std::size_t i, const attempt& made) { tell(results::dump(told(*what.cells[i]->cell, made))); }});
  if (!whole) tell(json("end").dump());
}

void runner::keep(record& r, attempt made) {
  if (!made.what) {
    r.failed = std::move(made.failure);
    return;
  }
  journal(r, *made.what);
  r.trials.push_back(*std::move(made.what));
}

void runner::account(record& r, const attempt& made, bool repairs) {
  measured_ += made.took;
  estimated_done_ += seconds_per_repetition(r);
  if (made.what) {
    r.took += made.took;
    ++r.made;
    pace& own = paces_[r.cell->what];
    own.estimated += seconds_per_repetition(r);
    own.took += made.took;
  }
  if (repairs) {
    repaired_ += made.took;
  } else {
    ++done_;
    seconds_left_ -= seconds_per_repetition(r);
  }
}

bool runner::has_time_for(const record& r, bool repairs) const {
  if (repairs && repaired_ + seconds_per_repetition(r) > repair_ends_) return false;
  // The plan comes first; where time ends it anyhow, experiments that are sure.
  const double plan = seconds_left_ * std::max(1.0, correction());
  if (repairs && is_time_for(plan)) return is_time_for(plan + std::max(expected(r), seconds_per_repetition(r)));
  return is_time_for(expected(r));
}

/// Whether a cell is to be repeated is decided by its first metric in the mode of most repetitions, once: when as many
/// as planned were made in it. To look again after each further one, and to stop when the interval happens to be narrow,
/// would leave intervals that miss the true value too often.
need runner::need_of(const record& r) const {
  if (r.cell->unavailable || r.failed || r.broken() || r.trials.empty()) return need::nothing;
  const by_mode sorted = sort_by_mode(r, probes_);
  const std::vector<const trial*>& most = sorted.largest();
  const auto is_void = [](const trial& t) { return t.result.void_because.has_value(); };
  if (most.empty()) return std::all_of(r.trials.begin(), r.trials.end(), is_void) ? need::nothing : need::interval;
  results::cell first;
  first.samples = samples_of(most, r.cell->what->metrics.front().name);
  if (first.samples.empty()) return need::nothing;  // a metric without a value stays so
  if (first.samples.size() < std::min(r.cell->repetitions, results::fewest_for_an_interval)) return need::interval;
  if (first.samples.size() < r.cell->repetitions) return need::sureness;
  first.samples.resize(r.cell->repetitions);
  results::summarize(first);
  return first.ci && results::half_width(first) >= clearly_sure ? need::sureness : need::nothing;
}

attempt runner::measure(record& r, unsigned index) {
  const double begun = control_.now();
  trial t;
  t.index = index;
  t.before = probe(r, true);
  const std::vector<unsigned>& where = r.processors.empty() ? everywhere_ : r.processors;
  const auto steal = platform::steal_ns(where);
  const auto joules = joules_.now();
  const auto begin = steady_clock::now();
  try {
    t.result = r.cell->what->measure(setting_, r.cell->at,
                                     seed_of(setting_.seed, key_of(r.cell->what->name, r.cell->at), index));
  } catch (const std::exception& e) {
    return {control_.now() - begun, {}, e.what()};
  }
  t.seconds = seconds_since(begin);
  t.joules = grown(joules, joules_.now());
  t.steal_ns = grown(steal, platform::steal_ns(where));
  t.core_hz = core_hz();
  t.after = probe(r, false);
  for (const observation& o : t.result.observations)
    if (!std::isfinite(o.value))
      return {control_.now() - begun, {}, fmt::format("a repetition gave no finite number for {}", o.metric)};
  return {control_.now() - begun, std::move(t), {}};
}

/// Just probed: the probe after the repetition before this one, of the same processors.
std::optional<double> runner::probe(const record& r, bool just_probed_will_do) {
  if (!r.probed) return std::nullopt;
  const bool same = last_probe_.first == r.probed->first && last_probe_.second == r.probed->second;
  const bool fresh = same && seconds_since(last_probe_.when) < 0.005;
  if (just_probed_will_do && fresh && last_probe_.value) return last_probe_.value;
  const std::optional<double> value = control_.probe(r.probed->first, r.probed->second);
  if (value) probes_.add(*r.probed, *value);
  last_probe_ = {r.probed->first, r.probed->second, value, steady_clock::now()};
  return value;
}

/// Measuring it takes about a millisecond, so that short repetitions share a reading.
double runner::core_hz() {
  if (last_core_hz_.hz == 0 || seconds_since(last_core_hz_.when) > 0.05)
    last_core_hz_ = {platform::core_hz(), steady_clock::now()};
  return last_core_hz_.hz;
}

void runner::journal(const record& r, const trial& t) {
  if (log_ == nullptr) return;
  try {
    log_->append(entry_of(*r.cell, t));
  } catch (const std::exception& e) {
    log_ = nullptr;
    warnings_.push_back({"journal", nlohmann::ordered_json::object(),
                         fmt::format("The journal ends early ({}): had the run been killed, what it measured from then "
                                     "on would be lost.",
                                     e.what())});
    control_.journal_lost(warnings_.back());
  }
}

/// By how much the estimates were off so far, once a tenth is done.
double runner::correction() const {
  const bool known = estimated_done_ > 0 && estimated_done_ >= 0.1 * planned_seconds_;
  return known ? std::clamp(measured_ / estimated_done_, 0.2, 5.0) : 1;
}

void runner::report(const planned_cell* next, bool repeats) const {
  if (!control_.report) return;
  double seconds = next == nullptr ? 0 : std::max(0.0, seconds_left_ * correction());
  if (repeats) seconds += std::max(0.0, control_.repair * plan_seconds_ - repaired_);
  if (repeats && control_.max_seconds > 0) seconds = std::min(seconds, std::max(0.0, control_.max_seconds - elapsed()));
  control_.report({done_, all_, seconds, repeats, next});
}

run_outcome runner::outcome() const {
  run_outcome out{{}, warnings_, true, false, {}};
  for (const record& r : records_) {
    const std::string& name = r.cell->what->name;
    if (unfinished(r) && (out.unfinished.empty() || out.unfinished.back() != name)) out.unfinished.push_back(name);
    out.broken = out.broken || r.broken();
    for (results::cell& c : cells_of(r, probes_)) out.cells.push_back(std::move(c));
  }
  out.complete = out.unfinished.empty();
  if (auto modes = warning_about_modes(probes_)) out.warnings.push_back(std::move(*modes));
  for (results::warning& w : warnings_of(records_)) out.warnings.push_back(std::move(w));
  const bool measured =
      std::any_of(records_.begin(), records_.end(), [](const record& r) { return !r.trials.empty(); });
  if (const auto why = joules_.why_not(); why && measured)
    out.warnings.push_back({"energy", nlohmann::ordered_json::object(), "Energy is unknown: " + *why});
  return out;
}

}  // namespace

double run_control::steady_seconds() {
  return std::chrono::duration<double>(steady_clock::now().time_since_epoch()).count();
}

std::optional<double> run_control::default_probe(unsigned a, unsigned b) { return measure::probe_pair(a, b); }

run_outcome run(const plan& p, const setting& s, const run_control& control) { return runner{p, s, control}.run(); }

std::size_t cells_outside(const plan& p, const std::vector<nlohmann::ordered_json>& entries) {
  std::set<std::string> planned, outside;
  for (const planned_cell& cell : p.cells) planned.insert(key_of(cell.what->name, cell.at));
  for (const nlohmann::ordered_json& entry : entries)
    if (const auto j = journaled_from(entry); j && !planned.contains(j->key)) outside.insert(j->key);
  return outside.size();
}

}  // namespace synchro::experiments
