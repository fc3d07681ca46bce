// `synchroscope predict`: a recorded program on a machine model.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "cli/answer.hpp"
#include "cli/asked_options.hpp"
#include "cli/plan.hpp"
#include "profile/closed_system.hpp"
#include "results/experiment_names.hpp"
#include "results/file.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "simulate/commands.hpp"
#include "simulate/intervals.hpp"
#include "simulate/origin.hpp"
#include "simulate/predicted.hpp"
#include "simulate/simulation.hpp"
#include "simulations/against.hpp"
#include "simulations/program.hpp"
#include "simulations/program_errors.hpp"
#include "simulations/replay.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"
#include "terminal/parse_values.hpp"
#include "views/table.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

using json = nlohmann::ordered_json;
using simulations::model_ptr;

struct predict_options {
  asked_options asked;
  std::vector<std::string> files;  ///< Profiles; the first is replayed.
  std::optional<std::string> machine, threads, locks, errors;
  bool tables = false;
};

profile::stored read_profile(const std::string& file) {
  const json j = results::read_json(file);
  if (!profile::is_profile(j))
    throw std::runtime_error(file + " is not a profile: synchroscope profile -o FILE writes one");
  return profile::read_stored(j);
}

/// What is replayed, and the lock that served it.
struct recorded_program {
  std::shared_ptr<const profile::closed_system> system;
  std::string base;
};

recorded_program read_program(const std::vector<std::string>& files) {
  std::optional<recorded_program> first;
  for (const std::string& file : files) try {
      const profile::stored s = read_profile(file);
      const auto system = std::make_shared<const profile::closed_system>(profile::closed_system_of(s));
      const auto& known = simulations::replayed_locks();
      const bool is_ours = std::any_of(known.begin(), known.end(), [&](const auto& row) { return row.name == s.lock; });
      if (first) profile::demand_same_times(*first->system, *system);
      if (!first) first = {system, is_ours ? s.lock : simulations::native_mutex};
    } catch (const std::runtime_error& e) {
      const std::string why = e.what();
      fail_usage(
          results::printable(why.starts_with(file) ? why : fmt::format("{} cannot be predicted: {}", file, why), 1000));
    }
  return *first;
}

/// A range without a step is what a curve needs: 1-256 is 1, 2, 4, ..., 256.
std::string doubled(const std::string& typed) {
  std::string all;
  for (const std::string& part : split(typed)) {
    std::vector<std::int64_t> values = parse_sweep(part, "--threads");
    if (part.find('-') != std::string::npos && part.find(':') == std::string::npos && values.size() > 2) {
      const std::int64_t last = values.back();
      std::int64_t n = values.front();
      if (n < 1) fail_usage(fmt::format("--threads {} begins below 1", part));
      for (values.clear(); n < last; n *= 2) values.push_back(n);
      values.push_back(last);
    }
    all += fmt::format("{}{}", all.empty() ? "" : ",", fmt::join(values, ","));
  }
  return all;
}

/// The locks asked for, behind the one that they are compared with; every lock, or of each the first way of waiting.
std::string locks_asked(const predict_options& o, bool full, const std::string& base) {
  if (o.locks && *o.locks != "all") return base + "," + *o.locks;
  const bool every_way = o.locks || full;
  std::string all = base;
  for (const auto& row : simulations::replayed_locks())
    if ((row.first || every_way) && row.name != base) all += "," + row.name;
  return all;
}

request request_of(const predict_options& o, const std::string& base) {
  request r = o.asked.as_request();
  r.use = own_lock_use::simulate;
  if (!r.seed) r.seed = 1;
  if (o.threads) r.axes["threads"] = doubled(*o.threads);
  r.axes["lock"] = locks_asked(o, r.thoroughness == experiments::level::full, base);
  return r;
}

/// What programs did that were predicted: as this program has it, or as a file.
simulations::program_errors read_errors(const std::optional<std::string>& file) {
  if (!file) return simulations::measured_program_errors();
  try {
    return simulations::program_errors{results::read_file(*file, results::content::text)};
  } catch (const std::runtime_error& e) {
    const std::string why = e.what();
    fail_usage(results::printable(why.starts_with(*file) ? why : *file + ": " + why, 1000));
  }
}

/// For a host whose results have throughput of locks: how far the model made of its other cells is from them.
simulations::model_error error_of_host(const std::string& machine) {
  const std::string locks = results::experiment_names::locks_throughput;
  simulations::model_error error;
  const auto& known = simulator::built_in_models();
  if (std::find(known.begin(), known.end(), machine) != known.end()) return error;
  try {
    const results::document host = results::read_document(machine);
    results::document judged = host;
    std::erase_if(judged.cells, [&](const results::cell& c) { return c.experiment != locks; });
    if (const auto most = simulations::error_of_most(simulations::held_against(host, judged, 1).cells, locks))
      error = {*most,
               "nine of ten throughputs of locks in " + results::printable(machine) + ", beside what the model says"};
  } catch (const std::runtime_error&) {  // a model, a matrix, or no such cells
  }
  return error;
}

/// At least what the runs held that programs were measured beside.
simulations::model_error error_of(const std::string& machine, const simulations::program_errors& errors) {
  const simulations::model_error its_own = error_of_host(machine);
  if (errors.model_error() <= its_own.times) return its_own;
  return {errors.model_error(), "as for the programs that were measured"};
}

void check_threads(const resolved_request& what, const simulator::model& m) {
  constexpr std::int64_t most_each = 4;
  const auto chosen = what.setting.chosen.find("threads");
  if (chosen == what.setting.chosen.end()) return;
  for (const auto& n : chosen->second)
    if (const auto* const threads = std::get_if<std::int64_t>(&n);
        threads != nullptr && *threads > most_each * std::int64_t{m.processors()})
      fail_usage(
          fmt::format("--threads {} is more than {} for each of the {} processors of the model {}; synchroscope model "
                      "--stretch makes a larger machine",
                      *threads, most_each, m.processors(), m.name()));
}

/// What the answer rests on, in the document, for whoever reads it later.
results::warning assumptions_of(const profile::closed_system& s, const std::string& base,
                                const simulations::model_error& error, const intervals::summary& wide) {
  std::string text = fmt::format(
      "{} (process {}): {} recorded threads, taken to be alike, did {} rounds a second. They are replayed as a closed "
      "system: with more of them each does the same work a round as recorded, on any machine. {} stands for the "
      "program's own lock. Intervals hold an error of {:.3g} times in all that the model knows, both ways ({}), and "
      "the doubt whether {} is the program's. {} See docs/predict.md.",
      s.program, s.pid, s.threads, results::digits(s.rounds), base, error.times, error.from,
      s.think ? "time in which it waited for processors" : "time off the processors", wide.sentences);
  for (const std::string& more : s.simplified) text += " " + more;
  json locks = json::array();
  const std::vector<double> times = s.holds_in_a_round();
  for (std::size_t k = 0; k < s.kinds.size(); ++k)
    locks.push_back({{"name", s.kinds[k].name},
                     {"locks", s.kinds[k].shares.size()},
                     {"own", s.kinds[k].own},
                     {"a_round", times[k]},
                     {"hold_ns", s.kinds[k].hold.mean()},
                     {"gap_ns", s.kinds[k].gap.mean()},
                     {"hold_think_ns", s.kinds[k].hold_think.mean()},
                     {"gap_think_ns", s.kinds[k].gap_think.mean()}});
  return {"predicted",
          {{"threads", s.threads},
           {"rounds_per_second", s.rounds},
           {"model_error", error.times},
           {"on_processors", s.on},
           {"think", s.think ? json(*s.think) : json(nullptr)},
           {"intervals", wide.evidence},
           {"locks", std::move(locks)}},
          text};
}

void print_predicted(const results::document& d, const recorded_program& p, const intervals& wide, bool tables) {
  std::string text;
  const auto wider = [&](std::int64_t threads) { return wide.of_comparison(threads).times; };
  for (const std::string& sentence : verdict_of(d, p.base, wider)) text += results::wrapped(sentence, reading_width());
  std::vector<results::cell> shown;
  for (const results::cell& c : d.cells)
    if (tables || c.metric == simulations::program::rate) shown.push_back(c);
  print(text + "\n");
  print(views::show(shown, {}, style_for(standard_output())));
  for (const auto& w : d.warnings)
    if (w.id == "predicted") print("\n" + results::wrapped(w.advice, reading_width()));
}

/// The experiment, its plan and its intervals, on one model.
simulation_part part_of(const predict_options& o, const recorded_program& program, const model_ptr& m, double error,
                        const intervals& wide) {
  simulation_part part;
  part.experiments = std::make_shared<std::vector<experiments::experiment>>();
  part.experiments->push_back(simulations::program_throughput(m, program.system, error));
  part.what = resolve(request_of(o, program.base), m->topology(), *part.experiments);
  check_threads(part.what, *m);
  part.finished = [&wide](results::cell& c) { wide.widen(c); };
  return part;
}

std::vector<results::coordinates> places_in(const simulation_part& part) {
  std::vector<results::coordinates> all;
  for (const auto& planned : plan_for(part.what).cells) all.push_back(planned.at);
  return all;
}

status predict(const predict_options& o, recording how) {
  if (o.files.empty() && !o.errors)
    fail_usage("predict needs a profile: synchroscope profile -o FILE -- COMMAND writes one");
  const simulations::program_errors errors = read_errors(o.errors);
  if (o.files.empty()) {
    print(simulations::program_errors_in_words(errors));
    return status::done;
  }
  if (!o.machine)
    fail_usage("predict needs --machine: one of " + enumerate(simulator::built_in_models()) + ", or a file");
  if (!o.asked.output) how.output = "prediction.json";
  std::vector<std::string> read = o.files;
  if (o.errors) read.push_back(*o.errors);
  check_output(how.output, read);
  const recorded_program program = read_program(o.files);
  const model_ptr m = read_model(*o.machine);
  const simulations::model_error error = error_of(*o.machine, errors);
  const intervals wide{errors, *m, program.base, static_cast<std::int64_t>(program.system->threads)};
  const simulation_part part = part_of(o, program, m, error.times, wide);
  const request asked = request_of(o, program.base);
  json wanted{{"predict", o.files}, {"axes", asked.axes}, {"machines", {kept(*m)}}};
  results::document origin = origin_of(how, *asked.seed, std::move(wanted), {m});
  if (!origin.label) origin.label = program.system->program;
  origin.warnings.insert(origin.warnings.begin(),
                         assumptions_of(*program.system, program.base, error, wide.of_all(places_in(part))));
  const simulated s = compute(planned({part}), origin, how, std::nullopt, {});
  print_predicted(s.document, program, wide, o.tables);
  if (s.not_written) fail_cannot(*s.not_written);
  say("written: " + results::printable(how.output));
  if (s.broken) return status::broken;
  return s.interrupted ? interrupt_watch::ends_with() : status::done;
}

deed declare_predict(options& its) {
  const auto typed = std::make_shared<predict_options>();
  its.values("profiles", typed->files,
             "Files written by profile -o. The first is predicted; its hold times are compared with those of each "
             "other file")
      .called("PROFILE");
  its.value("--machine", typed->machine,
            "A model: " + enumerate(simulator::built_in_models()) +
                ", a file, a results file of a host, or a matrix (.csv)")
      .called("NAME");
  its.list("--threads", typed->threads, "Numbers of threads; 1-256 is 1, 2, 4, ..., 256 (those of the model)")
      .called("LIST");
  its.list("--lock", typed->locks,
           "Locks in place of the program's own; all: every lock in every way of waiting (each lock in its first)")
      .called("LIST");
  its.value(
         "--errors", typed->errors,
         "What programs did beside their predictions, as ./dev bench predict --save writes it, in place of what this "
         "program has; without a profile, how often such intervals hold")
      .called("FILE");
  typed->asked.declare_levels(its, "Fewer rounds", "More rounds, and every way of waiting");
  its.value("-o,--output", typed->asked.output, "File to write (prediction.json)").called("FILE");
  typed->asked.declare_label(its);
  its.value("--seed", typed->asked.seed, "Seed of the random draws; the same seed gives the same cells (1)")
      .called("NUMBER");
  cli::declare_tables(its, typed->tables);
  typed->asked.declare_progress(its);
  its.ends_with(
      "Example:\n"
      "  synchroscope profile -o program.json -- ./server\n"
      "  synchroscope predict program.json --machine epyc-7742 --threads 1-256 --lock all\n");
  return [typed](const words& all) { return predict(*typed, typed->asked.as_recording(all)); };
}

}  // namespace

command predict_command() {
  return {"predict", "Predict how a recorded program scales on models of other machines, and with which lock",
          declare_predict, "predict needs a profile: synchroscope profile -o FILE -- COMMAND writes one"};
}

}  // namespace synchro::simulate
