#include "cli/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "cli/programs.hpp"
#include "cli/progress_bar.hpp"
#include "experiments/framework/on_demand.hpp"
#include "platform/clock.hpp"
#include "platform/facts.hpp"
#include "results/file.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/other_program.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using json = nlohmann::ordered_json;

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

void print_warning(const results::warning& w) { say(fmt::format("warning: {}", w.advice)); }

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
  return fmt::format("the environment ({}) makes hwloc describe a machine other than this one",
                     t.source.substr(t.source.find(':') + 1));
}

platform::topology this_machine() {
  platform::topology t = described_machine();
  if (const auto why = why_foreign(t)) fail_cannot(*why + ", and nothing can be measured there");
  return t;
}

void check_origin(const earlier_run& earlier, const resolved_request& what) { check_origin(earlier, origin_of(what)); }

void calibrate_clock(const experiments::setting& s) {
  std::vector<unsigned> cpus;
  for (const auto& p : s.machine.processors) cpus.push_back(p.cpu);
  platform::tick_clock::calibrate(cpus);
}

void have_bodies(const experiments::plan& p, const terminal::words& typed) {
  const auto needs = [](const experiments::planned_cell& cell) {
    return !cell.unavailable && cell.what->on_demand && cell.what->on_demand(cell.at);
  };
  if (!experiments::bodies_are_here && std::any_of(p.cells.begin(), p.cells.end(), needs))
    terminal::hand_over(measure_program, typed);
}

measured measure(const experiments::plan& p, const resolved_request& what, const recording& how,
                 const std::optional<earlier_run>& earlier) {
  try {
    const auto begin = std::chrono::steady_clock::now();
    run_record record{how, earlier};  // may wait for a reader; a signal ends that, and nothing is lost
    const interrupt_watch watch;
    results::document d = describe(what, how);
    record.begin(d);
    for (const auto& w : d.warnings) print_warning(w);

    progress_bar bar{standard_error(), how.silent};
    experiments::run_control control;
    control.report = [&](const experiments::progress& now) { bar.show(now); };
    control.stop = interrupt_watch::raised;
    control.log = &record.log();
    control.apart = true;
    control.journal_lost = [&](const results::warning& w) { bar.clear(), print_warning(w); };
    if (earlier) control.resumed = earlier->entries;
    control.max_seconds = how.max_seconds;
    control.repair = how.repair;
    experiments::run_outcome outcome = experiments::run(p, what.setting, control);
    bar.clear();

    d.complete = outcome.complete;
    d.cells = std::move(outcome.cells);
    results::flag_emulated(d);
    for (results::warning& w : outcome.warnings) {
      if (w.id != "journal") print_warning(w);  // which was told when it happened
      d.warnings.push_back(std::move(w));
    }
    d.invocation["wall_s"] = seconds_since(begin);
    auto why_not = record.end(d);
    return {std::move(d), outcome.broken, interrupt_watch::raised(), std::move(outcome.unfinished), std::move(why_not)};
  } catch (const failure&) {
    throw;
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

void say_how_to_go_on(const measured& m, const recording& how, const std::optional<std::string>& locks) {
  if (m.unfinished.empty() || m.not_written || results::is_special(how.output)) return;
  constexpr std::size_t most_named = 5;
  const std::size_t all = m.unfinished.size(), named = std::min(most_named, all);
  say(fmt::format("not complete: {}{}; to go on:",
                  fmt::join(m.unfinished.begin(), m.unfinished.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                  all > named ? fmt::format(" and {} more", all - named) : ""));
  say("  synchroscope run --resume " + as_typed(how.output) + (locks ? " --lock " + as_typed(*locks) : ""));
}

status verdict(const measured& m, bool strict) {
  if (m.not_written) fail_cannot(*m.not_written);
  if (m.broken) return status::broken;
  if (m.interrupted) return interrupt_watch::ends_with();
  const std::vector<results::cell>& cells = m.document.cells;
  using results::flag;
  const auto doubtful = [](const results::cell& c) {
    return c.value && (c.quality == flag::unreliable || c.quality == flag::emulated);
  };
  const auto measured_at_all = [](const results::cell& c) { return c.value.has_value(); };
  const bool nothing = !m.unfinished.empty() && std::none_of(cells.begin(), cells.end(), measured_at_all);
  return strict && (nothing || std::any_of(cells.begin(), cells.end(), doubtful)) ? status::unreliable : status::done;
}

}  // namespace synchro::cli
