#include "experiments/atomics/throughput.hpp"

#include <map>
#include <stdexcept>

#include "experiments/atomics/atomics.hpp"
#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"
#include "measure/mode.hpp"

namespace synchro::experiments {

namespace {

using measure::host;

constexpr double pause_without_probe_ns = 400;

/// The longest of three probes of a distance, ns; probed once, on the first pair that comes along, so that all cells
/// pause alike.
double transfer_ns(platform::distance far, unsigned a, unsigned b) {
  static std::map<platform::distance, double> known;
  const auto [place, is_new] = known.try_emplace(far, 0);
  for (int probes = is_new ? 3 : 0; probes != 0; --probes)
    place->second = std::max(place->second, measure::probe_pair(a, b).value_or(0));
  return place->second;
}

/// Half as much again as the longest transfer from the first processor to another, in steps of 100, 200, 400, ... ns:
/// so it is mostly the same in another run, and does not decide between two runs' figures.
double pause_ns(const setting& s, const coordinates& at) {
  if (at.number("threads") < 2) return 0;
  std::vector<unsigned> cpus = processors_of(s, at);
  if (cpus.empty())
    for (const platform::processor& p : s.machine.processors) cpus.push_back(p.cpu);
  double longest = 0;
  for (const unsigned cpu : cpus)
    if (cpu != cpus.front())
      longest = std::max(longest, transfer_ns(s.machine.between(cpus.front(), cpu), cpus.front(), cpu));
  if (longest == 0) return pause_without_probe_ns;
  double pause = 100;
  while (pause < 1.5 * longest) pause *= 2;
  return pause;
}

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

void observe_sharing(repetition& r, const atomics::outcome& o) {
  const auto successes = static_cast<double>(o.sum(&atomics::tally::successes));
  if (o.threads.size() < 2 || successes == 0) {
    const char* why = o.threads.size() < 2 ? "one thread shares with nobody" : "no attempt succeeded";
    for (const char* metric : {"hand_off", "fairness"}) r.untold[metric] = why;
    return;
  }
  std::vector<double> shares;
  for (const atomics::tally& t : o.threads) shares.push_back(static_cast<double>(t.successes));
  r.observations.push_back({"hand_off", static_cast<double>(o.sum(&atomics::tally::hand_overs)) / successes});
  r.observations.push_back({"fairness", results::jain_index(shares)});
}

repetition measure_throughput(const setting& s, const coordinates& at, std::uint64_t /*seed*/) {
  const std::int64_t threads = at.number("threads");
  const std::vector<unsigned> cpus = team_of(s, at);
  const double pause = pause_ns(s, at);
  const atomics::outcome o =
      contend(at.word("operation"), {cpus, static_cast<unsigned>(threads), duration_s(s, at) * 1e9, pause});
  repetition r;
  r.broken = o.broken;
  add_to(r, o.team);
  const double seconds = host::to_ns(o.duration()) * 1e-9;
  r.observations.push_back({"throughput", static_cast<double>(o.sum(&atomics::tally::attempts)) / seconds});
  r.observations.push_back({"successes", static_cast<double>(o.sum(&atomics::tally::successes)) / seconds});
  observe_sharing(r, o);
  r.observations.push_back({"pause", pause});
  return r;
}

}  // namespace

experiment atomics_throughput() {
  experiment e;
  e.name = "atomics.throughput";
  e.line = "all threads apply one atomic operation to one location";
  e.source = "SSYNC (SOSP 2013), 5.4, Fig. 4";
  e.axes = {
      word_axis("operation", "fai, swap, cas, tas, and fai built from cas", {"fai", "swap", "cas", "tas", "cas_fai"}),
      threads_axis(), placement_axis()};
  e.metrics = {
      {"throughput", "op/s", better::higher,
       "Attempts of all threads, successful or not, divided by the time from the first start to the last end. Each is "
       "followed by a pause longer than a transfer of the line (cas_fai: only each success; one thread: no pause)."},
      {"successes", "op/s", better::higher, "The same for attempts that changed the word as intended."},
      {"hand_off", "1", better::neither, "Share of the successes whose predecessor was another thread's."},
      {"fairness", "1", better::higher,
       "Jain's index of the threads' successes: 1 is equal shares, 1/threads one winner."},
      {"pause", "ns", better::neither, "The pause after each operation: half as much again as the longest transfer."}};
  e.meaningless = same_as_compact;
  e.seconds = [](const setting& s, const coordinates& at) {
    return duration_s(s, at) + 0.001 + 0.0001 * static_cast<double>(at.number("threads"));
  };
  e.processors = processors_of;
  e.measure = measure_throughput;
  return e;
}

}  // namespace synchro::experiments
