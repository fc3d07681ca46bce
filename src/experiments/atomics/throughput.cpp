#include "experiments/atomics/throughput.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "cpu/this_cpu.hpp"
#include "experiments/atomics/atomics.hpp"
#include "experiments/atomics/in_form.hpp"
#include "experiments/framework/axes.hpp"
#include "experiments/framework/protocol.hpp"
#include "measure/host.hpp"

namespace synchro::experiments {

namespace {

using measure::host;

/// Threads that share a processor take turns of milliseconds: each should have several.
double duration_s(const setting& s, const coordinates& at) {
  if (more_threads_than_processors(s, at)) return 0.1;
  return s.thoroughness == level::full ? 0.05 : 0.02;
}

struct operation {
  std::string name;
  atomics::outcome (*contend)(const atomics::conditions&);
  std::optional<std::string> (*unavailable)();
};

std::optional<std::string> always_here() { return std::nullopt; }

/// In one form of instructions: fai/lse, ...
template <class Form>
void add_form(std::vector<operation>& all) {
  using in_form = atomics::host_in_form<Form>;
  const auto add = [&](const char* name, auto* contend) {
    all.push_back({std::string{name} + "/" + Form::name, contend, &Form::unavailable});
  };
  add("fai", &atomics::contend<in_form, atomics::fai>);
  add("swap", &atomics::contend<in_form, atomics::swap>);
  add("tas", &atomics::contend<in_form, atomics::tas>);
  if constexpr (requires(std::uint64_t & word) { Form::compare_exchange(word, word, 0); }) {
    add("cas", &atomics::contend<in_form, atomics::cas>);
    add("cas_fai", &atomics::contend<in_form, atomics::cas_fai>);
  }
}

template <class... Forms>
void add_forms(std::vector<operation>& all, std::tuple<Forms...>) {
  (add_form<Forms>(all), ...);
}

/// As the compiler makes them, and in the processor's own forms where it has several.
const std::vector<operation>& operations() {
  static const std::vector<operation> all = [] {
    std::vector<operation> found{{"fai", &atomics::contend<host, atomics::fai>, &always_here},
                                 {"swap", &atomics::contend<host, atomics::swap>, &always_here},
                                 {"cas", &atomics::contend<host, atomics::cas>, &always_here},
                                 {"tas", &atomics::contend<host, atomics::tas>, &always_here},
                                 {"cas_fai", &atomics::contend<host, atomics::cas_fai>, &always_here}};
    add_forms(found, this_cpu::atomic_forms{});
    return found;
  }();
  return all;
}

const operation& operation_of(const coordinates& at) {
  for (const operation& o : operations())
    if (o.name == at.word("operation")) return o;
  throw std::invalid_argument("there is no operation '" + at.word("operation") + "'");
}

axis operation_axis(bool own_forms) {
  std::vector<std::string> names;
  for (const operation& o : operations())
    if (own_forms || o.unavailable == &always_here) names.push_back(o.name);
  return word_axis("operation", "fai, swap, cas, tas, and fai built from cas", names);
}

repetition measure_throughput(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const std::int64_t threads = at.number("threads");
  const double pause = pause_of(s, at);
  const atomics::outcome o =
      operation_of(at).contend({team_of(s, at), static_cast<unsigned>(threads), duration_s(s, at) * 1e9, pause});
  repetition r = record_atomics(o, host::to_ns(o.duration()));
  add_to(r, o.team);
  record_pause(r, pause, static_cast<std::size_t>(threads), s.machine.processors.size());
  return r;
}

void record_sharing(repetition& r, const atomics::outcome& o, double duration_ns) {
  const auto successes = static_cast<double>(o.sum(&atomics::tally::successes));
  if (o.threads.size() < 2 || successes == 0) {
    const char* why = o.threads.size() < 2 ? "there is only one thread" : "no attempt succeeded";
    for (const char* metric : {"handoff_time", "handoff_share", "fairness"}) r.unavailable[metric] = why;
    return;
  }
  const auto hand_offs = static_cast<double>(o.sum(&atomics::tally::hand_offs));
  if (hand_offs == 0)
    r.unavailable["handoff_time"] = "no success followed another thread's";
  else
    r.observations.push_back({"handoff_time", duration_ns / hand_offs});
  r.observations.push_back({"handoff_share", hand_offs / successes});
  std::vector<double> shares;
  for (const atomics::tally& t : o.threads) shares.push_back(static_cast<double>(t.successes));
  r.observations.push_back({"fairness", results::jain_index(shares)});
}

}  // namespace

repetition record_atomics(const atomics::outcome& o, double duration_ns) {
  repetition r;
  r.broken = o.broken;
  const auto rate = [&](std::uint64_t atomics::tally::*what) {
    return static_cast<double>(o.sum(what)) / (duration_ns * 1e-9);
  };
  r.observations = {{"successes", rate(&atomics::tally::successes)}, {"attempts", rate(&atomics::tally::attempts)}};
  record_sharing(r, o, duration_ns);
  return r;
}

axis compiled_operation_axis() { return operation_axis(false); }

experiment atomics_throughput() {
  experiment e;
  e.name = "atomics.throughput";
  e.line = "all threads apply one atomic operation to one location";
  e.source = "SSYNC (SOSP 2013), 5.4, Fig. 4";
  e.axes = {operation_axis(true), threads_axis(), protocol_axis(), placement_axis()};
  e.metrics = {
      {"successes", "op/s", better::higher,
       "Operations of all threads that changed the word as intended, divided by the time from the first start to the "
       "last end."},
      {"attempts", "op/s", better::neither, "The same for all attempts, successful or not."},
      {"handoff_time", "ns", better::lower,
       "That time divided by the successes whose predecessor was another thread's: how long the word stays with one "
       "thread, and moves."},
      {"handoff_share", "1", better::neither, "Share of the successes whose predecessor was another thread's."},
      {"fairness", "1", better::higher,
       "Jain's index of the threads' successes: 1 is equal shares, 1/threads one winner."},
      ceiling_metric()};
  e.unavailable = [](const setting&, const coordinates& at) { return operation_of(at).unavailable(); };
  e.skip = same_as_compact;
  e.seconds = [](const setting& s, const coordinates& at) {
    return duration_s(s, at) + 0.001 + 0.0001 * static_cast<double>(at.number("threads")) + (is_paused(at) ? 0.002 : 0);
  };
  e.processors = processors_of;
  e.measure = measure_throughput;
  present_atomics_throughput(e);
  return e;
}

}  // namespace synchro::experiments
