#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>

#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "experiments/framework/axes.hpp"
#include "results/document.hpp"
#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "simulate/commands.hpp"
#include "simulate/origin.hpp"
#include "simulate/simulation.hpp"
#include "simulations/simulations.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "terminal/shares.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using json = nlohmann::ordered_json;
using simulations::model_ptr;

/// The models that are files.
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
                      "share, and synchroscope model --stretch makes a larger machine",
                      *threads, waker ? " and the thread that wakes them" : "", m.processors(), m.name()));
  }
}

/// All that --resume needs. A model that is no part of the program is kept whole: its file may change.
json asked_json(const simulate_options& o, const std::vector<model_ptr>& models) {
  json machines = json::array();
  for (const model_ptr& m : models) machines.push_back(kept(*m));
  return {{"experiments", o.asked.experiments},
          {"level", to_string(o.asked.thoroughness.value_or(experiments::level::standard))},
          {"axes", o.asked.axes},
          {"seed", *o.asked.seed},
          {"oversubscribe", o.oversubscribe},
          {"machines", std::move(machines)}};
}

results::document describe(const simulate_options& o, const std::vector<model_ptr>& models) {
  return origin_of(o.how, *o.asked.seed, asked_json(o, models), models);
}

/// Patterns that mean something, but nothing that can be simulated, are a mistake of their own.
void check_simulated(const std::vector<std::string>& patterns, const std::vector<experiments::experiment>& simulated) {
  for (const std::string& pattern : patterns)
    if (matching(pattern, experiment_names(simulated)).empty() && !matching(pattern, experiment_names()).empty())
      fail_usage(fmt::format("{} cannot be simulated; {} can", results::printable(pattern),
                             enumerate(experiment_names(simulated))));
}

std::vector<simulation_part> parts_of(const simulate_options& o, const std::vector<model_ptr>& models) {
  std::vector<simulation_part> parts;
  for (const model_ptr& m : models) {
    simulation_part& part = parts.emplace_back();
    part.machine = models.size() > 1 ? m->name() : "";
    part.experiments = std::make_shared<std::vector<experiments::experiment>>(simulations::experiments_on(m));
    check_simulated(o.asked.experiments, *part.experiments);
    part.what = resolve(o.asked, m->topology(), *part.experiments);
    check_threads(part.what, *m, o.oversubscribe);
  }
  return parts;
}

/// What the earlier run was asked for; nothing else may be asked for now.
void take_up(simulate_options& o, const earlier_run& earlier) {
  const std::string file = results::printable(earlier.path);
  if (!earlier.simulated) fail_usage(fmt::format("{0} was measured; synchroscope run --resume {0} completes it", file));
  const request& now = o.asked;
  if (!now.experiments.empty() || !o.machines.empty() || !now.axes.empty() || now.thoroughness || now.seed ||
      o.oversubscribe)
    fail_usage("--resume takes everything from the file; leave experiments, --machine and their options out");
  try {
    const json& then = earlier.asked;
    o.asked.experiments = then.at("experiments").get<std::vector<std::string>>();
    o.asked.thoroughness = level_from(then.at("level").get<std::string>());
    o.asked.axes = then.at("axes").get<std::map<std::string, std::string>>();
    o.asked.seed = results::field{then.at("seed"), "seed"}.count();
    o.oversubscribe = then.at("oversubscribe").get<bool>();
    o.models = then.at("machines").get<std::vector<json>>();
  } catch (const std::exception&) {
    fail_usage(fmt::format("{} cannot be resumed: it does not say what was to be simulated", file));
  }
  if (!o.output_given) o.how.output = earlier.path;
}

/// What several have computed who shared the work, as one run that none of them has completed.
earlier_run read_parts(const simulate_options& o) {
  const std::vector<std::string> files = split(*o.resume);
  if (files.size() > 1 && !o.output_given) fail_usage("--resume of several files needs -o: the file of the whole");
  earlier_run whole = read_earlier(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    earlier_run part = read_earlier(files[i]);
    if (part.asked != whole.asked)
      fail_usage(fmt::format("{} and {} are not parts of one simulation: they were asked for different things",
                             results::printable(files.front()), results::printable(files[i])));
    whole.entries.insert(whole.entries.end(), part.entries.begin(), part.entries.end());
    whole.origins.insert(whole.origins.end(), part.origins.begin(), part.origins.end());
  }
  return whole;
}

/// What was typed, checked before anything is computed.
void read_options(simulate_options& o) {
  if (o.machines.empty())
    fail_usage("simulate needs --machine: one or more of " + enumerate(simulator::built_in_models()) + ", or a file");
  if (!o.output_given) o.how.output = "simulation.json";
  if (!o.asked.seed) o.asked.seed = 1;
  for (const std::string& name : split(o.machines)) o.models.emplace_back(name);
}

std::vector<model_ptr> read_models(const simulate_options& o) {
  std::vector<model_ptr> models;
  for (const json& machine : o.models) {
    models.push_back(read_model(machine));
    const auto same = [&](const model_ptr& m) { return m->name() == models.back()->name(); };
    if (std::count_if(models.begin(), models.end(), same) > 1)
      fail_usage("--machine has two models called " + models.back()->name() + "; give one of them another name");
  }
  return models;
}

void report_simulation(const simulated& s, const simulate_options& o, double seconds) {
  for (const auto& w : s.document.warnings) say("note: " + results::printable(w.advice, 400));
  if (!o.how.silent)
    say(fmt::format("{:.1f} million memory events in {}", s.document.invocation["memory_events"].get<double>() * 1e-6,
                    duration_text(seconds)));
  if (s.not_written) return;
  say("written: " + results::printable(o.how.output));
  if (s.document.complete || (o.share && !s.interrupted) || results::is_special(o.how.output)) return;
  say("not complete; to go on:");
  say("  synchroscope simulate --resume " + as_typed(o.how.output) + (o.share ? " --share " + *o.share : ""));
}

}  // namespace

std::shared_ptr<const simulator::model> read_model(const json& machine) {
  if (machine.is_object()) return std::make_shared<const simulator::model>(machine);
  const auto name = machine.get<std::string>();
  try {
    return std::make_shared<const simulator::model>(simulator::load_model(name));
  } catch (const std::runtime_error& e) {
    const auto& known = simulator::built_in_models();
    const bool is_path = name.find_first_of("./\\") != std::string::npos;
    fail_usage(is_path ? std::string{e.what()} : no_such("machine model", name, known) + ", or a file");
  }
}

namespace {

/// The shares that standard input names.
status simulate_shares(simulate_options o) {
  if (o.resume || o.output_given) fail_usage("--share -/N takes its files from standard input, and no --resume or -o");
  read_options(o);
  const std::vector<model_ptr> models = read_models(o);
  const std::vector<planned_part> parts = planned(parts_of(o, models));
  o.how.silent = true;
  bool broken = false;
  bool interrupted = false;
  answer_lines(*o.share, [&](std::size_t part, std::size_t of, const std::string& file) {
    check_output(file, files_of(o.machines));
    o.how.output = file;
    const simulated s = compute(parts, describe(o, models), o.how, std::nullopt, {part, of, true});
    if (s.not_written) fail_cannot(*s.not_written);
    broken = broken || s.broken;
    interrupted = s.interrupted;
    return !interrupted;
  });
  if (interrupted) return interrupt_watch::ends_with();
  return broken ? status::broken : status::done;
}

status simulate(simulate_options o) {
  if (o.share && (o.validate || o.against))
    fail_usage("--share divides what --machine computes, not --validate or --against");
  if (o.vary && !o.validate) fail_usage("--vary goes with --validate");
  if (o.against) {  // before the claims, which take minutes: a file that cannot be read is told at once
    simulate_options host = o;
    host.output_given = o.output_given && !o.validate;  // otherwise the claims go there
    const status held = hold_against(host);
    if (held != status::done || !o.validate) return held;
  }
  if (o.validate) return o.vary ? vary_constants(o) : validate(o);
  const auto begin = std::chrono::steady_clock::now();
  o.asked.use = own_lock_use::simulate;
  if (o.share && shares_come_by_lines(*o.share)) return simulate_shares(o);
  const auto [part, of] = parse_share(o.share.value_or("0/1"));
  const share mine{part, of};
  std::optional<earlier_run> earlier;
  if (o.resume) {
    earlier = read_parts(o);
    take_up(o, *earlier);
  } else {
    read_options(o);
  }
  check_output(o.how.output, files_of(o.machines));
  const std::vector<model_ptr> models = read_models(o);
  const results::document origin = describe(o, models);
  if (earlier) check_origin(*earlier, origin);
  const simulated s = compute(planned(parts_of(o, models)), origin, o.how, earlier, mine);
  const bool kept = !s.not_written && !results::is_special(o.how.output);
  print_answer(s.document, kept ? std::optional{o.how.output} : std::nullopt, o.tables || s.not_written);
  report_simulation(s, o, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  if (s.not_written) fail_cannot(*s.not_written);
  if (s.broken) return status::broken;
  return s.interrupted ? interrupt_watch::ends_with() : status::done;
}

struct typed_options {
  cli::asked_options asked;
  std::optional<std::string> machines, vary, against, resume, share;
  bool oversubscribe = false, validate = false, tables = false;
};

void declare_options(options& its, typed_options& typed) {
  its.values("experiments", typed.asked.experiments,
             "What to simulate: names, families or globs; without any, all that can be (list models names them)")
      .called("EXPERIMENT");
  its.list("--machine", typed.machines,
           "Models: " + enumerate(simulator::built_in_models()) +
               ", a file, a results file of a host, or a matrix (.csv)")
      .called("LIST");
  typed.asked.declare_levels(its, "Few values of each axis, six seeds", "All values of each axis, eleven seeds");
  its.value("-o,--output", typed.asked.output, "File to write (simulation.json; none with --validate and --against)")
      .called("FILE");
  its.list("--resume", typed.resume, "Complete an interrupted simulation, or put parts of one together")
      .called("FILES");
  its.value("--share", typed.share,
            "Only each Nth cell from the Kth on (0 is the first); -/N: those named by lines of standard input, each "
            "with a file")
      .called("K/N");
  typed.asked.declare_label(its);
  its.value("--seed", typed.asked.seed, "Seed of jitter and phases; the same seed gives the same cells (1)")
      .called("NUMBER");
  its.flag("--oversubscribe", typed.oversubscribe, "Allow more threads than the model has processors");
  its.flag("--validate", typed.validate,
           "Score every claim of the paper whose machines are modelled; predictions by as many seeds as it takes and "
           "at four corners of what is assumed, which takes minutes");
  its.list("--vary", typed.vary,
           "With --validate: each of these assumed constants (all, or names as core.misses) alone at both ends of its "
           "range, and which predictions change")
      .called("LIST");
  its.list("--against", typed.against,
           "Results files of hosts: what they measured beside what their coherence cells predict, or those of the "
           "--machine FILE, measured on another day; with --validate before the claims")
      .called("FILES");
  cli::declare_tables(its, typed.tables);
  typed.asked.declare_progress(its);
  typed.asked.declare_axes(its);
  its.ends_with(
      fmt::format("Example:\n  synchroscope simulate {} --machine opteron,niagara --lock mcs,ticket -o s.json\n",
                  results::experiment_names::locks_throughput));
}

}  // namespace

command simulate_command() {
  return {"simulate", "Simulate experiments on models of other machines", [](options& its) -> deed {
            const auto typed = std::make_shared<typed_options>();
            declare_options(its, *typed);
            return [typed](const words& all) {
              return simulate({typed->asked.as_request(), typed->asked.as_recording(all), typed->machines.value_or(""),
                               typed->asked.output.has_value(), typed->tables, typed->oversubscribe, typed->validate,
                               typed->vary, typed->against, typed->resume, typed->share});
            };
          }};
}

}  // namespace synchro::simulate
