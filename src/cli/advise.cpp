#include "advice/advise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "advice/known.hpp"
#include "cli/advise.hpp"
#include "cli/answer.hpp"
#include "cli/read_results.hpp"
#include "profile/workload.hpp"
#include "results/experiment_names.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

struct advise_options {
  std::vector<std::string> files;      ///< Results of one machine; results.json if there are none.
  std::optional<std::string> machine;  ///< A model, in place of files.
  std::optional<std::string> threads, critical, gap, locks, readers;  ///< As typed.
  std::optional<std::string> profile;  ///< The workload is that of a lock in this profile, where it is not given.
  std::optional<std::string> lock;     ///< That lock; if not given, that which was waited for longest.
  bool sleeps = false, fair = false;
  bool as_json = false;
};

constexpr const char* usual_results = "results.json";

constexpr double longest_ns = 1e9;
constexpr std::int64_t most = 65536;

std::optional<profile::lock_use> profiled(const advise_options& o) {
  if (!o.profile) return std::nullopt;
  try {
    const auto j = results::read_json(*o.profile);
    if (!profile::is_profile(j)) throw std::runtime_error("it does not say that it is one");
    return profile::use_of(profile::read_stored(j), o.lock.value_or(""));
  } catch (const std::runtime_error& e) {
    fail_usage(fmt::format("the profile {} gives no workload: {}", results::printable(*o.profile, 200),
                           results::printable(e.what(), 1000)));
  }
}

advice::workload workload_of(const profile::lock_use& u) {
  advice::workload w;
  w.threads = std::min<std::int64_t>(static_cast<std::int64_t>(u.threads), most);
  w.locks = std::min<std::int64_t>(static_cast<std::int64_t>(u.locks), most);
  w.critical_ns = std::min(u.hold_ns, longest_ns), w.gap_ns = std::min(u.gap_ns, longest_ns);
  w.readers = std::lround(100 * u.readers);
  w.waiting = u.waiting;
  return w;
}

/// What was typed counts before what was profiled.
advice::workload workload_of(const advise_options& o, const std::optional<profile::lock_use>& u) {
  advice::workload w = u ? workload_of(*u) : advice::workload{};
  if (o.threads) w.threads = parse_number<std::int64_t>(*o.threads, "--threads", "whole number", 1, most);
  if (o.critical) w.critical_ns = parse_number(*o.critical, "--critical", "number of nanoseconds", 0.0, longest_ns);
  if (o.gap) w.gap_ns = parse_number(*o.gap, "--gap", "number of nanoseconds", 0.0, longest_ns);
  if (o.locks) w.locks = parse_number<std::int64_t>(*o.locks, "--locks", "whole number", 1, most);
  if (o.readers) w.readers = parse_number<std::int64_t>(*o.readers, "--readers", "whole number of percent", 0, 100);
  if (o.threads || o.critical || o.gap || o.locks || o.readers) w.waiting.reset();  // another workload than was seen
  w.sleeps = o.sleeps;
  w.fair = o.fair;
  return w;
}

results::document read(const std::vector<std::string>& files) {
  if (files.empty() && !std::filesystem::exists(usual_results))
    fail_usage(
        fmt::format("there is no {} here, which synchroscope tour writes; give results files, or a model by --machine",
                    usual_results));
  std::vector<results::document> all;
  for (const std::string& file : files.empty() ? std::vector<std::string>{usual_results} : files)
    all.push_back(read_results(file));
  try {
    return advice::taken_together(all);
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

/// Where each figure is from: the profile, or the command line, which counts before it.
std::vector<std::string> sources_of(const profile::lock_use& u, const advise_options& o) {
  std::vector<std::string> all = u.sources;
  const auto given = [&](const char* name, const std::optional<std::string>& typed) {
    const std::string begin = fmt::format("{}: ", name);
    if (typed) std::erase_if(all, [&](const std::string& s) { return s.starts_with(begin); });
    if (typed) all.push_back(begin + *typed + ", as given");
  };
  given("threads", o.threads), given("critical", o.critical), given("gap", o.gap);
  given("locks", o.locks), given("readers", o.readers);
  return all;
}

std::string in_words(const std::vector<std::string>& sources) {
  std::string text = "By the profile:\n";
  for (const std::string& s : sources) text += results::wrapped("- " + s, reading_width(), 2);
  return text;
}

nlohmann::ordered_json to_json(const profile::lock_use& u, const advise_options& o) {
  return {{"file", *o.profile},
          {"lock", u.name},
          {"process", u.process},
          {"pid", u.pid},
          {"contended_share", u.contended},
          {"waiting_share", u.waiting},
          {"sources", sources_of(u, o)}};
}

void print_answer(const advice::counsel& c, const results::document& d, const std::optional<profile::lock_use>& u,
                  const advise_options& o) {
  if (o.as_json) {
    auto out = advice::to_json(c, d);
    if (u) out["profile"] = to_json(*u, o);
    return print(results::dump(out, 1) + "\n");
  }
  print(results::wrapped(heading(d), reading_width()) + (u ? in_words(sources_of(*u, o)) : "") +
        advice::in_words(c, reading_width()));
}

status advise(const advise_options& o, const results_of_model& modelled) {
  const auto u = profiled(o);
  const advice::workload w = workload_of(o, u);
  if (o.machine && !o.files.empty()) fail_usage("advise takes results files or --machine, not both");
  const std::optional<results::document> d = o.machine ? modelled(*o.machine, w) : read(o.files);
  if (!d) return interrupt_watch::ends_with();
  print_answer(advice::advise(*d, w), *d, u, o);
  return status::done;
}

std::shared_ptr<advise_options> declared(options& its) {
  auto typed = std::make_shared<advise_options>();
  its.values("files", typed->files,
             fmt::format("Results files of one machine: a tour's, a run's of {} (results.json)",
                         results::experiment_names::locks_throughput))
      .called("FILE");
  its.value("--machine", typed->machine,
            "Simulate what is needed on a model (synchroscope list models), or on one in a file, in place of files")
      .called("MODEL");
  its.value("--threads", typed->threads, "Threads that want the locks (one for each processor)").called("N");
  its.value("--critical", typed->critical, "Work inside a critical section, ns (100)").called("NS");
  its.value("--gap", typed->gap, "Work of a thread between two critical sections, ns (1000)").called("NS");
  its.value("--locks", typed->locks, "How many locks there are (1)").called("N");
  its.value("--readers", typed->readers, "Percentage of acquisitions that only read (0)").called("PERCENT");
  option profile = its.value("--profile", typed->profile, "Take the workload from one lock of a profile");
  profile.called("FILE");
  its.value("--lock", typed->lock, "The lock of the profile (the one that was waited for longest, all waits together)")
      .called("NAME")
      .needs(profile);
  its.flag("--sleep", typed->sleeps, "Waiting threads have to sleep");
  its.flag("--fair", typed->fair, "No waiter may be overtaken without bound");
  its.flag("--json", typed->as_json, "Print a JSON object, with the cells that the advice rests on");
  its.ends_with(
      "Examples:\n"
      "  synchroscope advise results.json --threads 8 --critical 300 --gap 2000\n"
      "  synchroscope advise results.json --profile locks.json --lock queue_mutex\n"
      "  synchroscope advise --machine xeon --threads 40 --locks 16 --fair\n");
  return typed;
}

}  // namespace

command advise_command(const std::function<results_of_model(const words& typed)>& modelled) {
  return {"advise", "Say which lock, wake primitive, limit and job size suit a workload, from results or on a model",
          [modelled](options& its) -> deed {
            return [typed = declared(its), modelled](const words& all) { return advise(*typed, modelled(all)); };
          }};
}

}  // namespace synchro::cli
