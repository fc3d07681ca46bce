#include "experiments/atomics/throughput.hpp"

#include <stdexcept>

#include "experiments/atomics/atomics.hpp"
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

atomics::outcome contend(const std::string& operation, const atomics::conditions& c) {
  if (operation == "fai") return atomics::contend<host, atomics::fai>(c);
  if (operation == "swap") return atomics::contend<host, atomics::swap>(c);
  if (operation == "cas") return atomics::contend<host, atomics::cas>(c);
  if (operation == "cas_fai") return atomics::contend<host, atomics::cas_fai>(c);
  if (operation == "tas") return atomics::contend<host, atomics::tas>(c);
  throw std::invalid_argument("there is no operation '" + operation + "'");
}

repetition measure_throughput(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const std::int64_t threads = at.number("threads");
  const double pause = pause_of(s, at);
  const atomics::outcome o =
      contend(at.word("operation"), {team_of(s, at), static_cast<unsigned>(threads), duration_s(s, at) * 1e9, pause});
  repetition r = record_atomics(o, host::to_ns(o.duration()));
  add_to(r, o.team);
  record_pause(r, pause, static_cast<std::size_t>(threads), s.machine.processors.size());
  return r;
}

void record_sharing(repetition& r, const atomics::outcome& o, double duration_ns) {
  const auto successes = static_cast<double>(o.sum(&atomics::tally::successes));
  if (o.threads.size() < 2 || successes == 0) {
    const char* why = o.threads.size() < 2 ? "there is only one thread" : "no attempt succeeded";
    for (const char* metric : {"hand_over", "hand_off", "fairness"}) r.unavailable[metric] = why;
    return;
  }
  const auto hand_overs = static_cast<double>(o.sum(&atomics::tally::hand_overs));
  if (hand_overs == 0)
    r.unavailable["hand_over"] = "no success followed another thread's";
  else
    r.observations.push_back({"hand_over", duration_ns / hand_overs});
  r.observations.push_back({"hand_off", hand_overs / successes});
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

experiment atomics_throughput() {
  experiment e;
  e.name = "atomics.throughput";
  e.line = "all threads apply one atomic operation to one location";
  e.source = "SSYNC (SOSP 2013), 5.4, Fig. 4";
  e.axes = {
      word_axis("operation", "fai, swap, cas, tas, and fai built from cas", {"fai", "swap", "cas", "tas", "cas_fai"}),
      threads_axis(), protocol_axis(), placement_axis()};
  e.metrics = {
      {"successes", "op/s", better::higher,
       "Operations of all threads that changed the word as intended, divided by the time from the first start to the "
       "last end."},
      {"attempts", "op/s", better::neither, "The same for all attempts, successful or not."},
      {"hand_over", "ns", better::lower,
       "That time divided by the successes whose predecessor was another thread's: how long the word stays with one "
       "thread, and moves."},
      {"hand_off", "1", better::neither, "Share of the successes whose predecessor was another thread's."},
      {"fairness", "1", better::higher,
       "Jain's index of the threads' successes: 1 is equal shares, 1/threads one winner."},
      ceiling_metric()};
  e.meaningless = same_as_compact;
  e.seconds = [](const setting& s, const coordinates& at) {
    return duration_s(s, at) + 0.001 + 0.0001 * static_cast<double>(at.number("threads")) + (is_paused(at) ? 0.002 : 0);
  };
  e.processors = processors_of;
  e.measure = measure_throughput;
  present_atomics_throughput(e);
  return e;
}

}  // namespace synchro::experiments
