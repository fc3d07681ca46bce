#include "cli/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/progress_bar.hpp"
#include "cli/words.hpp"
#include "platform/clock.hpp"
#include "platform/facts.hpp"
#include "results/file.hpp"
#include "results/origin.hpp"
#include "results/text.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using results::journal;

constexpr std::pair<const char*, json results::document::*> parts_of_origin[] = {
    {"tool", &results::document::tool},
    {"machine", &results::document::machine},
    {"topology", &results::document::topology},
    {"os", &results::document::os}};

/// The first line of a journal says what is being measured, for there may never be a document beside it.
json journal_head(const json& invocation, const results::document& d) {
  json head;
  head["head"] = {{"id", d.id}, {"label", d.label ? json(*d.label) : json(nullptr)}, {"invocation", invocation}};
  for (const auto& [name, facts] : parts_of_origin) head["head"][name] = d.*facts;
  return head;
}

bool is_head(const json& entry) { return entry.is_object() && entry.contains("head"); }

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// The machine, as far as it is used, and this program.
results::document origin_of(const resolved_request& what) {
  results::document d;
  d.tool = platform::tool_facts();
  d.machine = platform::machine_facts(what.setting.machine);
  d.topology = platform::topology_facts(what.setting.machine);
  d.os = platform::os_facts();
  return d;
}

/// Facts about this machine and program, with the clock as it was calibrated.
results::document describe(const resolved_request& what, const recording& how) {
  const auto& clock = platform::tick_clock::get();
  results::document d = origin_of(what);
  d.id = results::new_id();
  d.label = how.label;
  if (how.include_hostname) d.os["hostname"] = computer_name();
  d.clock = platform::clock_json(clock.facts());
  for (const json& w : platform::environment_warnings(what.setting.machine, clock.facts()))
    d.warnings.push_back({w.at("id"), w.at("evidence"), w.at("advice")});
  d.invocation["argv"] = how.argv;
  d.invocation["seed"] = what.setting.seed;
  d.invocation["started"] = utc_now();
  d.invocation["wall_s"] = nullptr;
  d.invocation["request"] = to_json(what);
  return d;
}

void take_over(results::document& d, const earlier_run& earlier) {
  if (!earlier.id.empty()) d.id = earlier.id;
  if (!d.label) d.label = earlier.label;
}

bool holds_a_journal(const std::string& path) {
  try {
    return !journal::read(path).empty();
  } catch (const std::runtime_error&) {
    return false;  // Damaged: nothing that could be continued.
  }
}

/// The journal of this output is that of the earlier run.
bool goes_on(const recording& how, const std::optional<earlier_run>& earlier) {
  if (!earlier) return false;
  const std::string there = journal::path_of(earlier->path), here = journal::path_of(how.output);
  return there == here || results::is_same_file(there, here);
}

/// A journal that goes on where the earlier one stopped, or a new one.
journal open_journal(const recording& how, const std::optional<earlier_run>& earlier) {
  return journal{how.output, goes_on(how, earlier) ? journal::start::onwards : journal::start::anew};
}

/// Its head, and all that is known from before and not in it.
void write_head(journal& log, const results::document& d, const recording& how,
                const std::optional<earlier_run>& earlier) {
  log.append(journal_head(d.invocation, d));
  if (!earlier || goes_on(how, earlier)) return;
  for (const json& entry : earlier->entries) log.append(entry);
}

void tell_journal_set_aside(const recording& how) {
  say(
      fmt::format("note: {0}, left by a run that was killed, was set aside as {0}.1 (or a higher number); with its old "
                  "name back, --resume continues it",
                  results::printable(journal::path_of(how.output))));
}

void tell_warning(const results::warning& w) { say(fmt::format("warning: {}", w.advice)); }

/// Why the file could not be written, and where what was measured is; nothing if it was.
std::optional<std::string> write(const results::document& d, results::destination& file, const recording& how,
                                 results::previous old) {
  try {
    if (results::is_special(how.output)) interrupt_watch::let_go();  // its reader may never read on
    tell_kept(how.output, results::write_document(d, file, old));
    return std::nullopt;
  } catch (const std::runtime_error& e) {
    if (results::is_special(how.output)) return e.what();  // There is no journal beside it.
    return fmt::format("{}; what the journal could hold is in {}, and --resume goes on from there", e.what(),
                       results::printable(journal::path_of(how.output)));
  }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

platform::topology described_machine() {
  try {
    return platform::read_topology();
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

std::optional<std::string> why_foreign(const platform::topology& t) {
  if (platform::is_this_machine(t)) return std::nullopt;
  return fmt::format("the environment ({}) makes hwloc describe another machine than this one",
                     t.source.substr(t.source.find(':') + 1));
}

platform::topology this_machine() {
  platform::topology t = described_machine();
  if (const auto why = why_foreign(t)) fail_cannot(*why + ", and nothing can be measured there");
  return t;
}

void calibrate_clock(const experiments::setting& s) {
  std::vector<unsigned> cpus;
  for (const auto& p : s.machine.processors) cpus.push_back(p.cpu);
  platform::tick_clock::calibrate(cpus);
}

namespace {

/// Takes the heads out of a journal; the last one is that of the run that wrote last.
std::vector<json> take_heads(std::vector<json>& log) {
  std::vector<json> heads;
  for (const json& entry : log)
    if (is_head(entry)) heads.push_back(entry.at("head"));
  std::erase_if(log, is_head);
  return heads;
}

results::document origin_in(const json& head) {
  results::document d;
  for (const auto& [name, facts] : parts_of_origin) d.*facts = head.value(name, json::object());
  return d;
}

results::document origin_in(const results::document& whole) {
  results::document d;
  for (const auto& [name, facts] : parts_of_origin) d.*facts = whole.*facts;
  return d;
}

std::optional<std::string> label_in(const json& label) {
  return label.is_null() ? std::nullopt : std::optional{label.get<std::string>()};
}

/// A document with a journal of another run beside it, or that is none, is what that run would have replaced.
std::optional<results::document> document_of(const std::string& path, const json& head) {
  if (!head.is_null() && !std::filesystem::exists(path)) return std::nullopt;
  try {
    results::document d = results::read_document(path);
    if (!head.is_null() && head.at("id") != d.id) return std::nullopt;
    return d;
  } catch (const std::runtime_error&) {
    if (head.is_null()) throw;
    return std::nullopt;
  }
}

earlier_run take_up(const std::string& path) {
  std::vector<json> log = journal::read(path);
  const std::vector<json> heads = take_heads(log);
  const json head = heads.empty() ? json{} : heads.back();
  const auto d = document_of(path, head);
  earlier_run earlier;
  earlier.path = path;
  earlier.in_document = d.has_value();
  earlier.id = d ? d->id : head.at("id").get<std::string>();
  earlier.label = d ? d->label : label_in(head.at("label"));
  if (d) earlier.entries = experiments::entries_of(*d);
  earlier.entries.insert(earlier.entries.end(), log.begin(), log.end());
  if (d) earlier.origins.push_back(origin_in(*d));
  for (const json& h : heads) earlier.origins.push_back(origin_in(h));
  const json& invocation = head.is_null() ? d->invocation : head.at("invocation");
  try {
    earlier.asked = request_from_json(invocation.value("request", json::object()));
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(fmt::format("{} cannot be resumed: {}", results::printable(path), e.what()));
  }
  return earlier;
}

}  // namespace

earlier_run read_earlier(const std::string& path) {
  if (path.empty()) fail_usage("--resume needs the name of a results file");
  try {
    return take_up(path);
  } catch (const json::exception&) {
    fail_usage(results::printable(path) + ".partial is damaged");
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

void check_origin(const earlier_run& earlier, const resolved_request& what) {
  const results::document here = origin_of(what);
  for (const results::document& there : earlier.origins) {
    const auto machine = results::other_machine(there, here);
    const auto program = results::other_program(there, here);
    if (machine.empty() && program.empty()) continue;
    fail_usage(fmt::format("{} cannot be completed here: it was measured {}, and {} (there; here): {}",
                           results::printable(earlier.path),
                           program.empty()   ? "on another machine"
                           : machine.empty() ? "by another build of the program"
                                             : "on another machine, by another build of the program",
                           machine.size() + program.size() == 1 ? "this differs" : "these differ",
                           enumerate(machine.empty() ? program : machine)));
  }
}

measured measure(const experiments::plan& p, const resolved_request& what, const recording& how,
                 const std::optional<earlier_run>& earlier) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    results::destination file{how.output};  // may wait for a reader; a signal ends that, and nothing is lost
    const interrupt_watch watch;
    results::document d = describe(what, how);
    if (earlier) take_over(d, *earlier);
    const bool replaces = !goes_on(how, earlier) && holds_a_journal(how.output);
    journal log = open_journal(how, earlier);
    if (replaces) tell_journal_set_aside(how);  // Not before it is ours: another measurement may be writing it.
    write_head(log, d, how, earlier);
    for (const auto& w : d.warnings) tell_warning(w);

    progress_bar bar{standard_error(), how.silent};
    experiments::run_control control;
    control.report = [&](const experiments::progress& now) { bar.show(now); };
    control.stop = interrupt_watch::raised;
    control.log = &log;
    control.journal_lost = [&](const results::warning& w) { bar.clear(), tell_warning(w); };
    if (earlier) control.resumed = earlier->entries;
    control.max_seconds = how.max_seconds;
    control.repair = how.repair;
    experiments::run_outcome outcome = experiments::run(p, what.setting, control);
    bar.clear();

    d.complete = outcome.complete;
    d.cells = std::move(outcome.cells);
    for (results::warning& w : outcome.warnings) {
      if (w.id != "journal") tell_warning(w);  // which was told when it happened
      d.warnings.push_back(std::move(w));
    }
    d.invocation["wall_s"] = seconds_since(begin);
    const bool continued = earlier && earlier->in_document && results::is_same_file(earlier->path, how.output);
    auto why_not = write(d, file, how, continued ? results::previous::replaced : results::previous::kept_if_measured);
    if (!why_not) log.finish();
    return {std::move(d), outcome.broken, interrupt_watch::raised(), std::move(why_not)};
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

status verdict(const measured& m, bool strict) {
  if (m.not_written) fail_cannot(*m.not_written);
  if (m.broken) return status::broken;
  if (m.interrupted) return interrupt_watch::ends_with();
  const auto doubtful = [](const results::cell& c) { return c.value && c.quality == results::flag::unreliable; };
  if (strict && std::any_of(m.document.cells.begin(), m.document.cells.end(), doubtful)) return status::unreliable;
  return status::done;
}

}  // namespace synchro::cli
