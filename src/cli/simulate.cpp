#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <stdexcept>

#include "cli/answer.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/output.hpp"
#include "cli/plan.hpp"
#include "cli/words.hpp"
#include "experiments/framework/axes.hpp"
#include "platform/facts.hpp"
#include "results/document.hpp"
#include "results/text.hpp"
#include "simulations/claims.hpp"
#include "simulations/simulations.hpp"
#include "simulator/world.hpp"

namespace synchro::cli {

namespace {

using json = nlohmann::ordered_json;
using simulations::model_ptr;

model_ptr read_model(const std::string& name) {
  try {
    return std::make_shared<const simulator::model>(simulator::load_model(name));
  } catch (const std::runtime_error& e) {
    const auto& known = simulator::built_in_models();
    const bool is_path = name.find_first_of("./\\") != std::string::npos;
    fail_usage(is_path ? std::string{e.what()} : no_such("machine model", name, known) + ", or a file");
  }
}

/// Those of the models that are files.
std::vector<std::string> files_of(const std::string& machines) {
  std::vector<std::string> files = split(machines);
  std::erase_if(files, [](const std::string& name) { return simulator::built_in_model(name) != nullptr; });
  return files;
}

/// More threads than processors are not simulated by mistake. Where threads are woken there is one more, who wakes them.
void check_threads(const resolved_request& what, const simulator::model& m, bool oversubscribe) {
  const auto chosen = what.setting.chosen.find("threads");
  if (oversubscribe || chosen == what.setting.chosen.end()) return;
  const bool waker = std::any_of(what.which.begin(), what.which.end(), [](const experiments::experiment* e) {
    return experiments::find_axis(*e, "primitive") != nullptr;
  });
  for (const auto& n : chosen->second) {
    const auto* const threads = std::get_if<std::int64_t>(&n);
    if (threads != nullptr && *threads + (waker ? 1 : 0) > std::int64_t{m.processors()})
      fail_usage(
          fmt::format("--threads {}{} is more than the {} processors of the model {}; --oversubscribe lets them "
                      "share",
                      *threads, waker ? " and the one that wakes them" : "", m.processors(), m.name()));
  }
}

json facts_of(const simulator::model& m) {
  json facts{{"name", m.name()}};
  for (const char* field : {"title", "source", "assumptions"})
    if (m.document().contains(field)) facts[field] = m.document()[field];
  facts["processors"] = m.processors();
  facts["constants"] = json::array();
  for (const simulator::knob& k : m.knobs())
    facts["constants"].push_back({{"name", k.name}, {"value", k.value}, {"kind", k.kind}, {"from", k.from}});
  facts["derived_rows"] = m.derived();
  return facts;
}

results::warning warning_about(const simulator::model& m) {
  json assumed = json::array(), fitted = json::array();
  for (const simulator::knob& k : m.knobs()) {
    if (k.kind == "assumed") assumed.push_back(k.name);
    if (k.kind == "fitted") fitted.push_back(k.name + ": " + k.from);
  }
  const std::string advice = fmt::format(
      "{}: what follows is computed from a model, of whose constants {} are assumed and {} fitted; docs/simulation.md "
      "says "
      "what that is good for.",
      m.name(), assumed.size(), fitted.size());
  return {"simulated", {{"machine", m.name()}, {"assumed", assumed}, {"fitted", fitted}}, advice};
}

results::document describe(const simulate_options& o, const std::vector<model_ptr>& models, std::uint64_t seed) {
  results::document d;
  d.id = results::new_id();
  d.label = o.how.label;
  d.tool = platform::tool_facts();
  d.invocation = {{"argv", o.how.argv},
                  {"seed", seed},
                  {"started", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
                  {"wall_s", nullptr}};
  json list = json::array();
  std::string names;
  for (const model_ptr& m : models) {
    list.push_back(facts_of(*m));
    names += (names.empty() ? "" : ", ") + m->name();
    d.warnings.push_back(warning_about(*m));
  }
  d.machine = {{"kind", "simulated"}, {"model_name", names}, {"models", std::move(list)}};
  d.topology = models.size() == 1 ? simulations::topology_facts(*models.front()) : json::object();
  d.os = json::object();
  d.clock = {{"source", "simulated"}};
  if (models.size() == 1) d.clock["hz"] = models.front()->ghz() * 1e9;
  return d;
}

void add_machine(results::cell& c, const std::string& name) {
  results::coordinates at{{"machine", name}};
  for (const auto& [axis, value] : c.at.entries()) at.set(axis, value);
  c.at = std::move(at);
}

bool simulate_on(const model_ptr& m, const simulate_options& o, bool several, results::document& d) {
  const auto all = simulations::experiments_on(m);
  const resolved_request what = resolve(o.asked, m->topology(), all);
  check_threads(what, *m, o.oversubscribe);
  const experiments::plan p = plan_for(what);
  if (!o.how.silent) say(fmt::format("{}: {}", m->name(), counted(p.cells.size(), "cell")));
  bool broken = false;
  for (results::cell& c : simulations::simulate(p, what.setting, [](const experiments::planned_cell&) {})) {
    broken = broken || !c.valid;
    if (several) add_machine(c, m->name());
    d.cells.push_back(std::move(c));
  }
  return broken;
}

/// The table of the paper's claims, which docs/simulation.md shows, too.
status validate(const simulate_options& o) {
  simulations::prover proof{o.asked.seed.value_or(1)};
  std::string table =
      "| # | section | platform | claim | class | verdict | the simulation says |\n|--:|---|---|---|---|---|---|\n";
  std::map<std::string, std::size_t> counts;
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    const simulations::score s = simulations::score_of(c, proof);
    const std::string verdict = to_string(s.found.is);
    ++counts[verdict];
    table += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", c.id, c.section, s.platform, c.says, s.letter,
                         verdict, s.found.sentence);
  }
  table += "\n";
  for (const auto& [verdict, n] : counts) table += fmt::format("{}: {}\n", verdict, n);
  print(table);
  return status::done;
}

}  // namespace

status simulate(simulate_options o) {
  if (o.validate) return validate(o);
  if (o.against) return hold_against(o);
  const auto begin = std::chrono::steady_clock::now();
  if (o.asked.experiments.empty()) fail_usage("simulate takes the names of experiments; synchroscope list names them");
  if (o.machines.empty())
    fail_usage("simulate needs --machine: one or more of " + enumerate(simulator::built_in_models()) + ", or a file");
  if (o.output_given) check_output(o.how.output, files_of(o.machines));
  if (!o.asked.seed) o.asked.seed = 1;
  std::vector<model_ptr> models;
  for (const std::string& name : split(o.machines)) {
    models.push_back(read_model(name));
    const auto same = [&](const model_ptr& m) { return m->name() == models.back()->name(); };
    if (std::count_if(models.begin(), models.end(), same) > 1)
      fail_usage("--machine has two models called " + models.back()->name() + "; give one of them another name");
  }
  results::document d = describe(o, models, *o.asked.seed);
  bool broken = false;
  for (const model_ptr& m : models) broken = simulate_on(m, o, models.size() > 1, d) || broken;
  d.complete = true;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  d.invocation["wall_s"] = seconds;
  d.invocation["memory_events"] = simulator::world::accesses_so_far();
  print_answer(d, o.output_given ? std::optional{o.how.output} : std::nullopt, o.tables);
  for (const auto& w : d.warnings) say("note: " + results::printable(w.advice, 400));
  if (!o.how.silent)
    say(fmt::format("{:.1f} million memory events in {}",
                    static_cast<double>(simulator::world::accesses_so_far()) * 1e-6, duration_text(seconds)));
  if (o.output_given) {
    try {
      tell_kept(o.how.output, results::write_document(d, o.how.output));
    } catch (const std::runtime_error& e) {
      fail_cannot(e.what());
    }
    say("written: " + results::printable(o.how.output));
  }
  return broken ? status::broken : status::done;
}

}  // namespace synchro::cli
