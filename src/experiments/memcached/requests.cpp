// memcached.set and memcached.get

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "experiments/framework/axes.hpp"
#include "experiments/locks/in_program.hpp"
#include "experiments/locks/lock_table.hpp"
#include "experiments/memcached/load.hpp"
#include "experiments/memcached/memcached.hpp"
#include "platform/interposer.hpp"

namespace synchro::experiments {

namespace {

using memcached::load_outcome, memcached::load_task, memcached::server;

constexpr std::int64_t clients_of_the_paper = 500;
constexpr std::int64_t threads_of_the_paper = 18;

/// Half of the processors play the clients, whatever lock is measured and with however many threads.
unsigned threads_of_clients(const setting& s) {
  return static_cast<unsigned>(std::clamp<std::size_t>(s.machine.processors.size() / 2, 1, 16));
}

bool requests_only_spins(const std::string& name) { return name != memcached::no_lock && in_program::only_spins(name); }

/// A thread that only spins, and each of the clients' threads, takes a processor.
bool is_overcrowded_requests(const setting& s, const coordinates& at) {
  const auto needed = static_cast<std::size_t>(at.number("threads")) + threads_of_clients(s);
  return requests_only_spins(at.word("lock")) && needed > s.machine.processors.size();
}

axis lock_axis_of(memcached::request what) {
  const auto values = [what](const setting& s) {
    std::vector<std::string> names{in_program::native, "mutex", "ticket/yield", "mcs/park"};
    if (s.thoroughness != level::quick)
      for (const char* name : {"tas/yield", "mcs/yield", "clh/park", "tas", "ticket", "mcs"}) names.emplace_back(name);
    if (s.thoroughness == level::full)
      for (const lock_bodies& lock : all_locks())
        if (lock.kind == primitive_kind::own) names.push_back(lock.name);
    auto found = in_program::known_locks(names);
    if (what == memcached::request::get) found.emplace_back(memcached::no_lock);
    return found;
  };
  return {
      "lock",
      what == memcached::request::get
          ? "what serves the server's mutexes: a lock of ours, the system's (pthread/mutex), or nothing (unsafe/none)"
          : "what serves the server's mutexes: a lock of ours, or the system's (pthread/mutex)",
      values};
}

std::vector<coordinate> server_threads(const setting& s) {
  const auto cpus = static_cast<std::int64_t>(s.machine.processors.size());
  const std::int64_t most = std::clamp<std::int64_t>(cpus, 2, threads_of_the_paper);
  std::set<std::int64_t> counts{1, 2};
  if (s.thoroughness != level::quick) counts.insert(most);
  for (std::int64_t n = 4; s.thoroughness == level::standard && n < most; n *= 2) counts.insert(n);
  for (std::int64_t n = 4; s.thoroughness == level::full && n <= threads_of_the_paper; n += 2) counts.insert(n);
  return {counts.begin(), counts.end()};
}

axis pinned_or_not() {
  axis a = placement_axis();
  a.line =
      "where the server's threads run: close together, far apart, or as the scheduler likes; clients take the others";
  a.values = [](const setting& s) -> std::vector<coordinate> {
    if (s.thoroughness == level::quick) return {coordinate{"compact"}};
    if (s.thoroughness == level::standard) return {coordinate{"compact"}, coordinate{"unpinned"}};
    return {coordinate{"compact"}, coordinate{"spread"}, coordinate{"unpinned"}};
  };
  return a;
}

double requests_window_s(const setting& s) {
  return s.thoroughness == level::quick ? 0.3 : s.thoroughness == level::standard ? 0.5 : 1.0;
}

std::vector<unsigned> processors_in(const setting& s) {
  std::vector<unsigned> all;
  for (const platform::processor& p : s.machine.processors) all.push_back(p.cpu);
  return all;
}

/// The processors that the server's threads leave to the clients'; all if they leave none.
std::vector<unsigned> left_by(const std::vector<unsigned>& taken, const setting& s) {
  std::vector<unsigned> left = processors_in(s);
  std::erase_if(left, [&](unsigned cpu) { return std::find(taken.begin(), taken.end(), cpu) != taken.end(); });
  return left.empty() ? processors_in(s) : left;
}

std::vector<std::pair<std::string, std::string>> variables_of_server(const std::string& lock) {
  auto variables = in_program::variables_for(lock);
  if (lock == memcached::no_lock) variables.emplace_back(platform::interposer::unsafe_variable, "1");
  return variables;
}

repetition record_requests(const load_outcome& seen, const load_task& task, const coordinates& at) {
  repetition r;
  r.observations = {{"throughput", seen.answers / seen.seconds}};
  if (const auto median = seen.latency_ns.quantile(0.5))
    r.observations.push_back({"latency", *median, seen.latency_ns.summary()});
  else
    r.unavailable["latency"] = "there were too few answers";
  const auto asked = at.number("clients");
  if (task.clients < asked)
    r.bounded = fmt::format("{} of {} clients: the system grants no more open files", task.clients, asked);
  if (seen.wrong == 0) return r;
  const std::string wrong = fmt::format("{} answers were wrong, the first '{}'", seen.wrong, *seen.first_wrong);
  (at.word("lock") == memcached::no_lock ? r.bounded : r.broken) = wrong;
  return r;
}

repetition measure_server(memcached::request what, const setting& s, const coordinates& at, std::uint64_t seed) {
  const auto threads = static_cast<unsigned>(at.number("threads"));
  const std::string& lock = at.word("lock");
  load_task task;
  task.what = what;
  task.clients = memcached::clients_granted(static_cast<unsigned>(at.number("clients")));
  task.threads = threads_of_clients(s);
  task.window_s = requests_window_s(s);
  task.seed = seed;
  server under_test{threads, task.clients, variables_of_server(lock), processors_in(s)};
  task.socket = under_test.socket();
  if (const std::vector<unsigned> team = team_of(s, at); !team.empty()) {
    under_test.pin_workers(team);
    task.cpus = left_by(team, s);
  }
  try {
    memcached::fill(task.socket, task.keys);
    if (lock == memcached::no_lock) under_test.leave_out_locks();
    return record_requests(memcached::put_under_load(task), task, at);
  } catch (const std::runtime_error& e) {
    const auto end = under_test.ended();
    throw std::runtime_error{end ? fmt::format("the server ended: {}", *end) : e.what()};
  }
}

/// Found out once for a run of the program.
std::optional<std::string> unavailable_for(const std::string& lock) {
  static const std::optional<std::string> server = memcached::server_unavailable();
  return server ? server : in_program::unavailable_of(lock);
}

std::vector<metric> metrics_of(const std::string& request) {
  return {
      {"throughput", "op/s", better::higher,
       fmt::format("Answers a second to all clients together, each of which sends one {}, waits for the answer, checks "
                   "it and sends the next.",
                   request)},
      {"latency", "ns", better::lower,
       "The median time from a request to its whole answer, of all requests of a repetition."}};
}

experiment of_requests(memcached::request what) {
  const std::string word = what == memcached::request::set ? "set" : "get";
  experiment e;
  e.line = fmt::format("a real memcached that 500 clients send {} requests: answers a second", word);
  e.source = "SSYNC (SOSP 2013), 6.4, Fig. 12";
  e.axes = {lock_axis_of(what), bounded({"threads", "threads of the server that serve clients", server_threads}, 1, 64),
            pinned_or_not(),
            bounded({"clients", "connections, each with one request at a time",
                     [](const setting&) { return std::vector<coordinate>{coordinate{clients_of_the_paper}}; }},
                    1, 10'000)};
  e.metrics = metrics_of(word);
  e.unavailable = [](const setting& s, const coordinates& at) -> std::optional<std::string> {
    if (const auto why = unavailable_for(at.word("lock"))) return why;
    if (is_overcrowded_requests(s, at))
      return "threads that only spin need a processor each, and so do the clients' threads";
    return std::nullopt;
  };
  e.skip = [](const setting& s, const coordinates& at) {
    return same_as_compact(s, at) || (is_overcrowded_requests(s, at) && !s.chosen.contains("lock"));
  };
  e.seconds = [](const setting& s, const coordinates&) { return requests_window_s(s) + 0.5; };
  // A repetition takes a second and its threads sleep half of it: what lies between its processors changes meanwhile.
  e.processors = [](const setting& s, const coordinates&) {
    return std::vector<unsigned>{s.machine.processors.front().cpu};
  };
  e.measure = [what](const setting& s, const coordinates& at, std::uint64_t seed) {
    return measure_server(what, s, at, seed);
  };
  present_memcached(e, word);
  return e;
}

}  // namespace

experiment memcached_set() {
  experiment e = of_requests(memcached::request::set);
  e.name = "memcached.set";
  return e;
}

experiment memcached_get() {
  experiment e = of_requests(memcached::request::get);
  e.name = "memcached.get";
  return e;
}

}  // namespace synchro::experiments
