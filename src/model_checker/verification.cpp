#include "model_checker/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model_checker/equivalents.hpp"
#include "model_checker/fitting_bounds.hpp"
#include "model_checker/split.hpp"

namespace synchro::model_checker {

// ---- subjects

bool subject_result::holds() const { return failure() == nullptr; }

const check_result* subject_result::failure() const {
  const auto first = [this](auto is_it) -> const check_result* {
    const auto it = std::find_if(checks.begin(), checks.end(), is_it);
    return it == checks.end() ? nullptr : &*it;
  };
  const auto refuted = [](const check_result& c) { return c.outcome.result == search_result::refuted; };
  if (const check_result* const counter_example = first(refuted)) return counter_example;
  return first([](const check_result& c) { return !c.holds(); });
}

std::uint64_t subject_result::states() const {
  return std::accumulate(checks.begin(), checks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const check_result& c) { return sum + c.outcome.states; });
}

double subject_result::seconds() const {
  return std::accumulate(checks.begin(), checks.end(), 0.0,
                         [](double sum, const check_result& c) { return sum + c.seconds; });
}

namespace {

/// A bound on preemptions (nothing: none) and the states that may be spent under it.
struct attempt_bound {
  std::optional<unsigned> preemptions;
  std::uint64_t states;
};

/// The attempts at one program.
class attempts {
 public:
  attempts(const program& what, check_result& r) : what_{what}, r_{r} {}

  /// Whether it fits; what it says is the result then, or if nothing has fitted before.
  bool fits(const attempt_bound& bound) {
    how_.preemptions = bound.preemptions;
    how_.most_states = bound.states;
    search_result found = explore(what_, how_);
    r_.seconds += found.seconds;
    const bool does = found.result != search_result::unfinished;
    if (!does && any_) return false;
    any_ = any_ || does;
    r_.outcome = std::move(found);
    r_.preemptions = bound.preemptions;
    return does;
  }

  /// With one preemption four times the budget is worth it, and without any every program has to fit.
  bool fits_with(unsigned preemptions, const budget& b) {
    return fits({preemptions, preemptions == 0 ? b.exhausted : preemptions == 1 ? 4 * b.states : b.states});
  }

  /// From one preemption on, as long as it fits; whether it still did with three.
  bool widen(const budget& b) {
    if (!fits_with(1, b)) return fits_with(0, b), false;
    for (const unsigned preemptions : {2U, 3U})
      if (!may_widen(b) || !fits_with(preemptions, b)) return false;
    return may_widen(b);
  }

  /// With the bound under which the result was found.
  void shorten() {
    how_.preemptions = r_.preemptions;
    r_.outcome = shortened(what_, how_, r_.outcome);
  }

 private:
  /// One preemption more takes no fewer states.
  [[nodiscard]] bool may_widen(const budget& b) const {
    return r_.outcome.result == search_result::proved && r_.outcome.states <= b.states;
  }

  const program& what_;
  check_result& r_;
  search_options how_;
  bool any_ = false;
};

void look_for_a_bound(attempts& all, depth how_far, const budget& b) {
  switch (how_far) {
    case depth::exhausted:
      all.fits({std::nullopt, b.exhausted});
      break;
    case depth::as_far_as_fits:
      if (!all.fits({std::nullopt, b.states})) all.widen(b);
      break;
    case depth::widened:
      if (all.widen(b)) all.fits({std::nullopt, b.states});
      break;
    default:
      if (!all.fits({1, b.states})) all.fits_with(0, b);
  }
}

}  // namespace

check_result verify(const check& c, const budget& b, std::optional<unsigned> fitting) {
  check_result r;
  r.what = &c.what;
  attempts all{c.what, r};
  if (!fitting || !all.fits_with(*fitting, b)) look_for_a_bound(all, c.how_far, b);
  all.shorten();
  return r;
}

subject_result verify(const subject& s, const budget& b) {
  subject_result r;
  r.of = &s;
  for (const check& c : s.checks)
    r.checks.push_back(verify(c, b, b.is_standard() ? fitting_bound(s.name, c.what.name) : std::nullopt));
  if (b.schedules == 0) return r;
  for (const check& c : s.samples) {
    check_result sampled;
    sampled.what = &c.what;
    sampled.sampled = true;
    sampled.outcome = sample(c.what, {}, b.seed, b.schedules, 3);
    sampled.seconds = sampled.outcome.seconds;
    r.checks.push_back(sampled);
  }
  return r;
}

bool is_of_orders(const mutation& m) {
  return m.how == change::weaken ||
         (m.how == change::leave_out &&
          (m.at.what == action::store || m.at.what == action::fence || m.at.what == action::unpark));
}

std::set<site> sites_of(const subject& s, std::uint64_t states) {
  std::set<site> all;
  for (const check& c : s.checks) {
    search_options how;
    how.most_states = states;
    how.census = &all;
    explore(c.what, how);
  }
  return all;
}

// ---- mutants

namespace {

/// A program that reaches a site.
struct reaching_program {
  const subject* of;
  const check* by;
};

using reached = std::map<site, std::vector<reaching_program>>;

/// A short search reaches every site that a long one does: orders are written where threads pass, not in rare states.
constexpr std::uint64_t short_search = 3'000;

reached programs_reaching(const std::vector<const subject*>& some) {
  reached all;
  for (const subject* s : some) {
    for (const check& c : s->checks) {
      std::set<site> sites;
      search_options how;
      how.most_states = short_search;
      how.census = &sites;
      explore(c.what, how);
      for (const site& at : sites) {
        if (at.file.starts_with("model_checker/")) continue;  // the program's own
        all[at].push_back({s, &c});
      }
    }
  }
  return all;
}

/// Who is passed too often is so only after many steps, but after few preemptions.
search_result explore_mutant(const reaching_program& w, const mutation& m, std::uint64_t states) {
  search_options how;
  how.mutant = &m;
  how.most_states = states;
  search_result r = explore(w.by->what, how);
  if (r.result != search_result::unfinished || !w.by->what.watches_order || states <= short_search) return r;
  how.preemptions = 1;
  return explore(w.by->what, how);
}

bool try_to_kill(mutant_result& f, const std::vector<reaching_program>& programs, std::uint64_t states,
                 std::uint64_t states_for_order) {
  for (const reaching_program& w : programs) {
    const search_result r = explore_mutant(w, f.what, w.by->what.watches_order ? states_for_order : states);
    if (r.result != search_result::refuted && r.result != search_result::undecided)
      continue;  // one that never ends is noticed, too
    f.killed_by = w.of->name + ", " + w.by->what.name;
    f.why = r.why;
    f.id = id_of(*w.of, w.by->what, r.schedule, &f.what);
    return true;
  }
  return false;
}

/// And of statements: there are many, and most of those that survive a small search do nothing.
constexpr std::uint64_t medium_search = 10'000;

/// A small search in each program before a large one in any.
bool try_everything(mutant_result& f, const std::vector<reaching_program>& programs, const budget& b) {
  if (try_to_kill(f, programs, short_search, short_search)) return true;
  const std::uint64_t states = f.what.how == change::weaken ? b.states : std::min(b.states, medium_search);
  return try_to_kill(f, programs, states, b.states);
}

std::vector<std::string> names_of(const std::vector<reaching_program>& programs) {
  std::vector<std::string> names;
  for (const reaching_program& w : programs)
    if (std::find(names.begin(), names.end(), w.of->name) == names.end()) names.push_back(w.of->name);
  return names;
}

std::vector<const subject*> others_than(const std::vector<const subject*>& some) {
  std::vector<const subject*> rest;
  for (const subject& s : all_subjects())
    if (std::find(some.begin(), some.end(), &s) == some.end()) rest.push_back(&s);
  return rest;
}

}  // namespace

namespace {

constexpr char between = '\x1f';

/// What has become of it, as one process reports it to another.
std::string to_text(const mutant_result& f) {
  return fmt::format("{}{}{}{}{}{}{}", f.killed_by, between, f.why ? f.why->what : "", between,
                     f.why ? f.why->detail : "", between, f.id);
}

void take_over(mutant_result& f, const std::string& text) {
  const auto first = text.find(between);
  const auto second = text.find(between, first + 1);
  const auto third = text.find(between, second + 1);
  f.killed_by = text.substr(0, first);
  f.why.reset();
  if (!f.killed_by.empty())
    f.why = refutation{text.substr(first + 1, second - first - 1), text.substr(second + 1, third - second - 1)};
  f.id = text.substr(third + 1);
}

/// Tries each of them on the programs of its site; reports those that are killed, and returns the others.
std::vector<mutant_result> survivors_of(std::vector<mutant_result> all, const reached& programs, const budget& b,
                                        const std::function<void(const mutant_result&)>& report) {
  std::vector<mutant_result> alive;
  const auto run = [&](std::size_t i) {
    mutant_result f = all[i];
    const auto at = programs.find(f.what.at);
    if (at != programs.end()) try_everything(f, at->second, b);
    return to_text(f);
  };
  in_processes(all.size(), b.processes, run, [&](std::size_t i, const std::string& text) {
    take_over(all[i], text);
    if (all[i].killed_by.empty())
      alive.push_back(all[i]);
    else
      report(all[i]);
  });
  return alive;
}

}  // namespace

struct mutants::reachable {
  std::vector<const subject*> some;
  budget b;
  reached here;
  std::optional<reached> elsewhere{};  ///< By all other subjects; looked for when a mutant needs it.
};

mutants::mutants(std::vector<const subject*> some, const budget& b) {
  reached here = programs_reaching(some);
  its_ = std::make_unique<reachable>(reachable{std::move(some), b, std::move(here)});
}

mutants::~mutants() = default;

bool mutants::perform(const std::function<void(const mutant_result&)>& report, share which) {
  std::vector<mutant_result> all;
  std::size_t number = 0;
  for (const auto& [at, programs] : its_->here)
    for (const mutation& m : mutants_of(at))
      if (const std::size_t mine = number++; mine % which.of == which.part)
        all.push_back({m, names_of(programs), {}, {}, {}, {}, mine});
  std::vector<mutant_result> unexplained;
  for (mutant_result& f : survivors_of(std::move(all), its_->here, its_->b, report)) {
    f.argument = argument_for(f.what);
    if (f.argument.empty())
      unexplained.push_back(f);
    else
      report(f);
  }
  // Headers are shared: what one subject does not need another may.
  const auto others = others_than(its_->some);
  if (!unexplained.empty() && !others.empty()) {
    if (!its_->elsewhere) its_->elsewhere = programs_reaching(others);
    unexplained = survivors_of(std::move(unexplained), *its_->elsewhere, its_->b, report);
  }
  for (const mutant_result& f : unexplained) report(f);
  return unexplained.empty();
}

// ---- ids

namespace {

/// A name without what a shell would take for something else.
std::string in_a_word(std::string_view name) {
  std::string word;
  for (const char c : name)
    if (c != ',') word += c == ' ' ? '_' : c;
  return word;
}

std::optional<mutation> find_mutant(const subject& s, std::string_view key) {
  for (const site& at : sites_of(s, short_search))
    for (const mutation& m : mutants_of(at))
      if (m.key() == key) return m;
  return std::nullopt;
}

}  // namespace

std::string id_of(const subject& s, const program& p, const std::vector<move>& schedule, const mutation* mutant) {
  const std::string id = fmt::format("{}:{}:{}", s.name, in_a_word(p.name), encode(schedule));
  return mutant == nullptr ? id : id + "@" + mutant->key();
}

std::optional<counter_example> find_counter_example(std::string_view id, std::string& why_not) {
  const auto at = id.find('@');
  const std::string_view plain = id.substr(0, at);
  const auto first = plain.find(':');
  const auto second = first == std::string_view::npos ? first : plain.find(':', first + 1);
  if (second == std::string_view::npos) {
    why_not = "an id has three parts, primitive:program:schedule, as verify prints it";
    return std::nullopt;
  }
  counter_example found_one;
  found_one.of = find_subject(plain.substr(0, first));
  if (found_one.of == nullptr) {
    why_not = fmt::format("there is no primitive '{}'", plain.substr(0, first));
    return std::nullopt;
  }
  for (const check& c : found_one.of->checks)
    if (in_a_word(c.what.name) == plain.substr(first + 1, second - first - 1)) found_one.what = &c.what;
  for (const check& c : found_one.of->samples)
    if (in_a_word(c.what.name) == plain.substr(first + 1, second - first - 1)) found_one.what = &c.what;
  const auto schedule = decode(plain.substr(second + 1));
  if (found_one.what == nullptr || !schedule) {
    why_not =
        fmt::format("'{}' has no such {}", found_one.of->name, found_one.what == nullptr ? "program" : "schedule");
    return std::nullopt;
  }
  found_one.schedule = *schedule;
  if (at == std::string_view::npos) return found_one;
  found_one.mutant = find_mutant(*found_one.of, id.substr(at + 1));
  if (found_one.mutant) return found_one;
  why_not = fmt::format("'{}' has no mutant '{}'", found_one.of->name, id.substr(at + 1));
  return std::nullopt;
}

}  // namespace synchro::model_checker
