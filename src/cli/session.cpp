#include "cli/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include "cli/console.hpp"
#include "cli/progress_bar.hpp"
#include "cli/tour.hpp"
#include "cli/words.hpp"
#include "experiments/framework/usage_error.hpp"
#include "platform/clock.hpp"
#include "platform/facts.hpp"
#include "results/file.hpp"
#include "results/text.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using results::journal;

/// The first line of a journal says what is being measured, for there may never be a document beside it.
json journal_head(const json& invocation, const results::document& d) {
  json head;
  head["head"] = {{"id", d.id}, {"label", d.label ? json(*d.label) : json(nullptr)}, {"invocation", invocation}};
  return head;
}

bool is_head(const json& entry) { return entry.is_object() && entry.contains("head"); }

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// Facts about this machine and program, with the clock as plan_for calibrated it.
results::document describe(const resolved& what, const recording& how) {
  const auto& clock = platform::tick_clock::get();
  results::document d;
  d.id = results::new_id();
  d.label = how.label;
  d.tool = platform::tool_facts();
  d.machine = platform::machine_facts(what.setting.machine);
  d.topology = platform::topology_facts(what.setting.machine);
  d.os = platform::os_facts();
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

/// A journal that goes on where the earlier one stopped, or a new one that holds all there is.
journal open_journal(const recording& how, const std::optional<earlier_run>& earlier) {
  const bool onwards = earlier && earlier->path == how.output;
  return journal{how.output, onwards ? journal::start::onwards : journal::start::anew};
}

void tell_warning(const results::warning& w) { say(fmt::format("warning: {}", w.advice)); }

void write(const results::document& d, const std::string& path) {
  try {
    results::write_document(d, path);
  } catch (const std::runtime_error& e) {
    if (results::is_special(path)) fail_cannot(e.what());  // There is no journal beside it.
    fail_cannot(fmt::format("{}; what the journal could hold is in {}.partial", e.what(), results::printable(path)));
  }
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

platform::topology this_machine() {
  try {
    return platform::read_topology();
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

experiments::plan plan_for(const resolved& what) {
  // First of all, for how far the clocks are apart decides which cells this machine can show.
  std::vector<unsigned> cpus;
  for (const auto& p : what.setting.machine.processors) cpus.push_back(p.cpu);
  platform::tick_clock::calibrate(cpus);
  try {
    return what.tour ? tour_plan(what.setting) : experiments::make_plan(what.setting, what.which);
  } catch (const experiments::usage_error& e) {
    fail_usage(e.names.empty() ? e.what() : no_such(e.kind, e.word, e.names));
  }
}

namespace {

/// Takes the heads out of a journal; the last one is that of the run that wrote last. Null if there is none.
json take_head(std::vector<json>& log) {
  json head;
  for (const json& entry : log)
    if (is_head(entry)) head = entry.at("head");
  std::erase_if(log, is_head);
  return head;
}

std::optional<std::string> label_in(const json& label) {
  return label.is_null() ? std::nullopt : std::optional{label.get<std::string>()};
}

/// A document with a journal of another run beside it is what that run would have replaced.
std::optional<results::document> document_of(const std::string& path, const json& head) {
  if (!head.is_null() && !std::filesystem::exists(path)) return std::nullopt;
  results::document d = results::read_document(path);
  if (!head.is_null() && head.at("id") != d.id) return std::nullopt;
  return d;
}

earlier_run take_up(const std::string& path) {
  std::vector<json> log = journal::read(path);
  const json head = take_head(log);
  const auto d = document_of(path, head);
  earlier_run earlier{path, {}, {}, {}, {}};
  earlier.id = d ? d->id : head.at("id").get<std::string>();
  earlier.label = d ? d->label : label_in(head.at("label"));
  if (d) earlier.entries = experiments::entries_of(*d);
  earlier.entries.insert(earlier.entries.end(), log.begin(), log.end());
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
  try {
    return take_up(path);
  } catch (const json::exception&) {
    fail_usage(results::printable(path) + ".partial is damaged");
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

measured measure(const experiments::plan& p, const resolved& what, const recording& how,
                 const std::optional<earlier_run>& earlier) {
  const auto begin = std::chrono::steady_clock::now();
  try {
    const interrupt_watch watch;
    results::document d = describe(what, how);
    if (earlier) take_over(d, *earlier);
    const bool replaces = !earlier && holds_a_journal(how.output);
    journal log = open_journal(how, earlier);
    if (replaces)  // Not before it is ours: another measurement may be writing it.
      say(
          fmt::format("note: {0}.partial, left by a run that was killed, was set aside as {0}.partial.1 (or a higher "
                      "number); with its old name back, --resume continues it",
                      results::printable(how.output)));
    log.append(journal_head(d.invocation, d));
    if (earlier && earlier->path != how.output)
      for (const json& entry : earlier->entries) log.append(entry);
    for (const auto& w : d.warnings) tell_warning(w);

    progress_bar bar{standard_error(), how.silent};
    experiments::run_control control;
    control.report = [&](const experiments::progress& now) { bar.show(now); };
    control.stop = interrupt_watch::raised;
    control.log = &log;
    if (earlier) control.resumed = earlier->entries;
    control.max_seconds = how.max_seconds;
    control.repair = how.repair;
    experiments::run_outcome outcome = experiments::run(p, what.setting, control);
    bar.clear();

    d.complete = outcome.complete;
    d.cells = std::move(outcome.cells);
    for (results::warning& w : outcome.warnings) {
      tell_warning(w);
      d.warnings.push_back(std::move(w));
    }
    d.invocation["wall_s"] = seconds_since(begin);
    write(d, how.output);
    log.finish();
    return {std::move(d), outcome.broken, interrupt_watch::raised()};
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

status verdict(const measured& m, bool strict) {
  if (m.broken) return status::broken;
  if (m.interrupted) return interrupt_watch::ends_with();
  const auto doubtful = [](const results::cell& c) { return c.value && c.quality == results::flag::unreliable; };
  if (strict && std::any_of(m.document.cells.begin(), m.document.cells.end(), doubtful)) return status::unreliable;
  return status::done;
}

}  // namespace synchro::cli
