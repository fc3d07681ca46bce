#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "model_checker/split.hpp"
#include "model_checker/verification.hpp"
#include "results/json_fields.hpp"
#include "results/of_others.hpp"
#include "results/text.hpp"
#include "terminal/command.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/own_lock.hpp"
#include "terminal/parse_values.hpp"
#include "terminal/shares.hpp"
#include "verify/commands.hpp"

namespace synchro::verify {

namespace {

struct verify_options {
  std::vector<std::string> names;  ///< Primitives; none: all, and the seeded bugs.
  bool all = false;                ///< As no name.
  bool mutates = false;
  bool thorough = false;
  bool as_json = false;
  std::optional<std::string> replay;
  std::optional<std::string> share, jobs;
};

using json = nlohmann::ordered_json;
using namespace model_checker;

bool is_among(const std::string& name, const std::vector<const subject*>& some) {
  return std::any_of(some.begin(), some.end(), [&](const subject* s) { return s->is_called(name); });
}

/// "mcs, mcs/yield": all that is proved at once.
std::string names_of(const subject& s) {
  return s.also.empty() ? s.name : fmt::format("{}, {}", s.name, fmt::join(s.also, ", "));
}

/// The subjects of these names. A name without a slash brings all its waiting policies.
std::vector<const subject*> chosen(const std::vector<std::string>& names) {
  std::vector<const subject*> some;
  if (names.empty())
    for (const subject& s : all_subjects()) some.push_back(&s);
  for (const std::string& name : names) {
    if (names_header(name)) {
      for (const std::string& own : load_own_lock(name, own_lock_use::verify))
        if (const subject* const s = find_subject(own); std::find(some.begin(), some.end(), s) == some.end())
          some.push_back(s);
      continue;
    }
    const std::size_t before = some.size();
    for (const subjects* all : {&all_subjects(), &seeded_bugs()})
      for (const subject& s : *all)
        if ((s.is_called(name) || s.name.starts_with(name + "/")) &&
            std::find(some.begin(), some.end(), &s) == some.end())
          some.push_back(&s);
    if (some.size() == before && !is_among(name, some)) {
      std::vector<std::string> known;
      for (const subject& s : all_subjects()) {
        known.push_back(s.name);
        known.insert(known.end(), s.also.begin(), s.also.end());
      }
      fail_usage(results::no_such_of_ours("primitive to verify", name, known));
    }
  }
  return some;
}

std::string_view verdict_of(const check_result& c) {
  if (c.outcome.result == search_result::undecided) return "undecided";
  if (c.outcome.why) return "refuted";
  if (c.sampled) return "sampled";
  return c.outcome.result == search_result::proved ? "proved" : "unfinished";
}

std::string bound_of(const check_result& c) {
  if (c.sampled) return fmt::format("{} random schedules", c.outcome.executions);
  if (c.outcome.result == search_result::undecided) return "undecided";
  if (c.outcome.result == search_result::unfinished) return fmt::format("stopped after {} states", c.outcome.states);
  if (!c.preemptions) return "all schedules";
  return *c.preemptions == 0 ? "no preemption" : fmt::format("at most {}", counted(*c.preemptions, "preemption"));
}

/// "all schedules; at most 2 preemptions: lock 3x2, order 3x2"
std::string bounds_of(const subject_result& r) {
  std::vector<std::pair<std::string, std::string>> groups;
  for (const check_result& c : r.checks) {
    const std::string bound = bound_of(c);
    const auto it = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == bound; });
    if (it == groups.end())
      groups.emplace_back(bound, c.what->name);
    else
      it->second += "; " + c.what->name;
  }
  std::string text;
  for (const auto& [bound, programs] : groups) text += fmt::format("\n    {}: {}", bound, programs);
  return text;
}

/// The header that has to be named as well; nothing for what is in the library.
std::string own_header_of(const subject& s) {
  return s.header.starts_with("/") ? results::printable(s.header) + " " : "";
}

std::string failure_of(const check_result& c, const subject& s) {
  if (!c.outcome.why) return fmt::format("    unfinished: {} ({})\n", c.what->name, bound_of(c));
  if (c.outcome.result == search_result::undecided)
    return fmt::format("    {}: no verdict, because it breaks a rule of the model checker: {}: {}\n", c.what->name,
                       c.outcome.why->what, c.outcome.why->detail);
  return fmt::format("    {}: {}: {}\n    step by step: synchroscope verify {}--replay {}\n", c.what->name,
                     c.outcome.why->what, c.outcome.why->detail, own_header_of(s),
                     id_of(s, *c.what, c.outcome.schedule, nullptr));
}

std::string line_of(const subject_result& r) {
  const check_result* const failed = r.failure();
  std::string text =
      fmt::format("{:<38} {:<8} {:>3} programs {:>9} states {:>7.2f} s", names_of(*r.of),
                  failed == nullptr ? "proved" : verdict_of(*failed), r.checks.size(), r.states(), r.seconds());
  text += bounds_of(r) + "\n";
  if (failed != nullptr) text += failure_of(*failed, *r.of);
  return text;
}

json to_json(const subject_result& r) {
  json out{{"name", r.of->name},
           {"also", r.of->also},
           {"verdict", r.failure() == nullptr ? "proved" : verdict_of(*r.failure())}};
  out["states"] = r.states();
  out["seconds"] = r.seconds();
  for (const check_result& c : r.checks) {
    json one{{"program", c.what->name}, {"threads", c.what->threads}, {"verdict", verdict_of(c)},
             {"bound", bound_of(c)},    {"states", c.outcome.states}, {"executions", c.outcome.executions},
             {"seconds", c.seconds}};
    one["failure"] = c.outcome.why ? json(c.outcome.why->what) : json(nullptr);
    one["detail"] = c.outcome.why ? json(c.outcome.why->detail) : json(nullptr);
    one["id"] = c.outcome.why ? json(id_of(*r.of, *c.what, c.outcome.schedule, nullptr)) : json(nullptr);
    out["programs"].push_back(one);
  }
  return out;
}

/// The ones that are in this share.
std::vector<const subject*> part_of(std::vector<const subject*> all, share mine) {
  std::size_t number = 0;
  std::erase_if(all, [&](const subject*) { return number++ % mine.of != mine.part; });
  return all;
}

/// Explores them; each is reported with its verdict and its JSON, or as lines.
bool explore_all(const std::vector<const subject*>& some, const budget& b, bool as_json,
                 const std::function<void(const std::string&)>& report) {
  bool all_hold = true;
  // What a process reports begins with its verdict.
  const auto run = [&](std::size_t i) {
    const subject_result r = model_checker::verify(*some[i], b);
    return (r.holds() ? "+" : "-") + (as_json ? to_json(r).dump() : line_of(r));
  };
  in_processes(some.size(), b.processes, run, [&](std::size_t, const std::string& text) {
    all_hold = all_hold && text.front() == '+';
    report(text.substr(1));
  });
  return all_hold;
}

/// What a command answers with --json, and whether all of it holds.
struct answer {
  json all;
  bool holds;
};

answer subjects_as_json(const std::vector<const subject*>& some, const budget& b) {
  json all = json::array();
  const bool hold = explore_all(some, b, true, [&](const std::string& text) { all.push_back(json::parse(text)); });
  return {std::move(all), hold};
}

status print_answer(const answer& a) {
  print(results::dump(a.all, 2) + "\n");
  return a.holds ? status::done : status::broken;
}

status verify_subjects(const verify_options& options, const budget& b, share mine) {
  const std::vector<const subject*> some = part_of(chosen(options.names), mine);
  if (options.as_json) return print_answer(subjects_as_json(some, b));
  const bool all_hold = explore_all(some, b, false, [](const std::string& text) { print(text); });
  if (!options.names.empty()) return all_hold ? status::done : status::broken;
  std::size_t refuted = 0;
  for (const subject& s : seeded_bugs()) {
    const subject_result r = model_checker::verify(s, b);
    if (!r.holds()) ++refuted;
    if (r.holds()) print(fmt::format("{:<22} NOT FOUND: the model checker misses a seeded bug\n", s.name));
  }
  print(fmt::format("{} seeded bugs of {} refuted\n", refuted, seeded_bugs().size()));
  return all_hold && refuted == seeded_bugs().size() ? status::done : status::broken;
}

json to_json(const mutant_result& f) {
  json out{
      {"mutant", f.what.describe()}, {"fate", f.killed_by.empty() ? "survived" : "killed"}, {"reached_by", f.subjects}};
  out["of"] = is_of_orders(f.what) ? "order" : "statement";
  out["killed_by"] = f.killed_by.empty() ? json(nullptr) : json(f.killed_by);
  out["argument"] = f.argument.empty() ? json(nullptr) : json(f.argument);
  out["failure"] = f.why ? json(f.why->what) : json(nullptr);
  out["id"] = f.why ? json(f.id) : json(nullptr);
  return out;
}

std::string line_of(const mutant_result& f) {
  const std::string mutant = f.what.describe();
  if (!f.killed_by.empty())
    return fmt::format("{}\n    killed by {}: {}\n    {}\n", mutant, f.killed_by, f.why->what, f.id);
  const std::string reached = fmt::format("{}", fmt::join(f.subjects, ", "));
  if (!f.argument.empty()) return fmt::format("{}\n    survives, argued: {}\n", mutant, f.argument);
  return fmt::format(
      "{}\n"
      "    SURVIVED (reached by {}), without an argument\n",
      mutant, reached);
}

/// In the order of the mutants, whatever the order in which their fates became known: shares put together are the whole.
answer mutants_as_json(mutants& all, share mine) {
  std::map<std::size_t, json> by_number;
  const bool explained = all.perform([&](const mutant_result& f) { by_number.emplace(f.number, to_json(f)); }, mine);
  json out = json::array();
  for (auto& [number, one] : by_number) out.push_back(std::move(one));
  return {std::move(out), explained};
}

status mutate_subjects(const verify_options& options, const budget& b, share mine) {
  mutants all{chosen(options.names), b};
  if (options.as_json) return print_answer(mutants_as_json(all, mine));
  std::size_t orders = 0;
  std::size_t statements = 0;
  std::size_t argued = 0;
  std::size_t unargued = 0;
  const auto report = [&](const mutant_result& f) {
    ++(is_of_orders(f.what) ? orders : statements);
    if (f.killed_by.empty()) ++(f.argument.empty() ? unargued : argued);
    print(line_of(f));
  };
  const bool all_explained = all.perform(report, mine);
  print(
      fmt::format("{} mutants ({} of orders, {} of statements), {} killed, {} survived and argued, {} without an "
                  "argument\n",
                  orders + statements, orders, statements, orders + statements - argued - unargued, argued, unargued));
  return all_explained ? status::done : status::broken;
}

/// The shares that standard input names.
status answer_shares(const verify_options& options, const budget& b) {
  const std::vector<const subject*> some = chosen(options.names);
  std::optional<mutants> altered;
  if (options.mutates) altered.emplace(some, b);
  bool holds = true;
  answer_lines(*options.share, [&](std::size_t part, std::size_t of, const std::string& file) {
    check_output(file);
    const share mine{part, of};
    const answer a = altered ? mutants_as_json(*altered, mine) : subjects_as_json(part_of(some, mine), b);
    write_output(file, results::dump(a.all, 2) + "\n");
    holds = holds && a.holds;
    return true;
  });
  return holds ? status::done : status::broken;
}

status print_replay(const std::string& id) {
  std::string why_not;
  const auto example = find_counter_example(id, why_not);
  if (!example) fail_usage(why_not);
  const replay_trace w = replay(*example->what, example->schedule, example->mutant ? &*example->mutant : nullptr);
  std::string text = fmt::format("{}, {}\n", example->of->name, example->what->name);
  if (example->mutant) text += fmt::format("with {}\n", example->mutant->describe());
  text +=
      "Letters are threads; a7+64 is the word 64 bytes into the 7th object that thread a made (*: before the "
      "start).\n\n";
  for (std::size_t i = 0; i < w.steps.size(); ++i) text += fmt::format("{:>4}  {}\n", i + 1, w.steps[i]);
  if (!w.fits)
    text +=
        "\n"
        "the schedule does not fit the program from here on: it was found in another program\n";
  text += w.why ? fmt::format("\n{}: {}\n", w.why->what, w.why->detail) : "\nnothing is wrong with this execution\n";
  print(text);
  if (!w.fits) return status::usage;
  return w.why ? status::broken : status::done;
}

status perform(const verify_options& options) {
  if (options.replay) {
    for (const std::string& name : options.names)
      if (names_header(name)) (void)load_own_lock(name, own_lock_use::verify);
    return print_replay(*options.replay);
  }
  budget b = options.thorough ? long_budget : standard_budget;
  if (options.jobs) b.processes = parse_number<unsigned>(*options.jobs, "--jobs", "number of processes", 1, 4096);
  if (options.all && !options.names.empty()) fail_usage("--all means all primitives: leave out --all or the names");
  if (options.share && !options.as_json) fail_usage("--share needs --json: shares are put together from it");
  if (options.share && shares_come_by_lines(*options.share)) return answer_shares(options, b);
  const auto [part, of] = parse_share(options.share.value_or("0/1"));
  return options.mutates ? mutate_subjects(options, b, {part, of}) : verify_subjects(options, b, {part, of});
}

deed declare(options& its) {
  const auto typed = std::make_shared<verify_options>();
  its.values("names", typed->names,
             "Primitives (list primitives names them), or a header with a lock of yours; all if not given")
      .called("NAME");
  const option all = its.flag("--all", typed->all, "All primitives, as without a name");
  const option mutate = its.flag("--mutate", typed->mutates,
                                 "Alter every memory order and statement in turn, and check that a program fails");
  its.flag("--long", typed->thorough, "Many more states, and random schedules of 6 threads");
  its.flag("--json", typed->as_json, "Print a JSON array of objects");
  its.value("--replay", typed->replay, "Show a counter-example step by step")
      .called("ID")
      .excludes(mutate)
      .excludes(all);
  its.value("--jobs", typed->jobs, "Explore in this many processes at a time (one for each processor)")
      .called("NUMBER");
  its.value("--share", typed->share,
            "With --json: each Nth primitive or mutant from the Kth on (0 is the first); -/N: those named by lines of "
            "standard input, each with a file")
      .called("K/N");
  its.ends_with(
      "proved: no execution of the programs listed fails, within the bound before them. refuted: one does, and is "
      "shown.\n"
      "undecided: a program exceeds a limit of the model checker, or breaks a rule of it.\n"
      "lock 3x2: three threads with two acquisitions each; cold: each thread uses the lock for the first time.\n"
      "\n"
      "Example:\n"
      "  synchroscope verify mcs clh/park\n");
  return [typed](const words&) { return perform(*typed); };
}

}  // namespace

command verify_command() {
  return {"verify", "Model-check primitives: every interleaving and every weak-memory behaviour within bounds",
          declare};
}

}  // namespace synchro::verify
