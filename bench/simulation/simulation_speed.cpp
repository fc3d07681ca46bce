// How many memory events the simulated machine executes in a second of processor time: loads, stores and
// read-modify-writes of simulated threads, whatever their number of steps inside.
//
// With a core (instructions, overlap) and without, and their ratio; and how much memory a line takes in a run that
// touches a hundred thousand of them and in one that touches a million.
//
// Usage: simulation_speed [MILLIONS]   of events for each load of work, 5 unless told otherwise.
// Exit 0 if every load of work reaches two million a second, with a core at least half of what it reaches without, and
// if memory grows with the lines alone; 1 if not.

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "simulator/laboratory.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace {

using synchro::memory_order;
using synchro::simulator::laboratory;
using synchro::simulator::model;
using synchro::simulator::simulated;
using synchro::simulator::world;

constexpr double enough = 2e6;
constexpr double least_with_a_core = 0.5;

using body = std::function<void(unsigned)>;

/// Events a second of a team that runs until so many have been executed.
double events_per_second(const model& m, unsigned threads, double events, const body& round) {
  world w{m, 1};
  const std::clock_t begin = std::clock();
  laboratory::team({}, threads, [&](unsigned i) {
    while (static_cast<double>(w.accesses()) < events) round(i);
  });
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  return static_cast<double>(w.accesses()) / seconds;
}

double tell(const std::string& what, double found) {
  fmt::print("{:<60} {:6.2f} million events/s\n", what, found * 1e-6);
  return found;
}

template <class Lock>
double contended(const std::string& name, const model& m, unsigned threads, double events) {
  alignas(128) static std::byte place[sizeof(Lock)];
  auto& lock = *::new (place) Lock;  // never destroyed: its nodes are the world's
  alignas(64) simulated::plain<std::uint64_t> data{0};
  const body round = [&](unsigned) {
    lock.lock();
    data = data + 1;
    lock.unlock();
    laboratory::work(200);
  };
  return tell(fmt::format("{}, {} threads on {}", name, threads, m.name()),
              events_per_second(m, threads, events, round));
}

/// Whose instructions take no time, and whose accesses do not overlap.
model without_a_core() {
  auto document = nlohmann::ordered_json::parse(synchro::simulator::built_in_model("opteron"));
  document["name"] = "opteron without a core";
  document.erase("core");
  return model{document};
}

model a_thousand_cores() {
  auto document = nlohmann::ordered_json::parse(synchro::simulator::built_in_model("xeon-x5660"));
  document["name"] = "1024 cores";
  document["topology"] = {{"packages", 2}, {"dies", 1}, {"cores", 512}, {"threads", 1}};
  document.erase("threads");
  return model{document};
}

/// Of four loads of work on 48 threads.
std::vector<double> speeds_on(const model& m, double events) {
  alignas(64) simulated::atomic<std::uint64_t> word{0};
  const body add = [&](unsigned) { word.fetch_add(1, memory_order::relaxed); };
  const std::string where = fmt::format("fetch_add on one line, 48 threads on {}", m.name());
  return {tell(where, events_per_second(m, 48, events, add)),
          contended<synchro::basic_tas_lock<simulated>>("tas lock", m, 48, events),
          contended<synchro::basic_ticket_lock<simulated>>("ticket lock", m, 48, events),
          contended<synchro::basic_mcs_lock<simulated>>("mcs lock", m, 48, events)};
}

bool are_fast(const std::vector<double>& off, const std::vector<double>& on) {
  bool fast = true;
  std::string ratios;
  for (std::size_t i = 0; i < off.size(); ++i) {
    fast = fast && off[i] >= enough && on[i] >= enough && on[i] >= least_with_a_core * off[i];
    ratios += fmt::format("{}{:.2f}", i == 0 ? "" : ", ", on[i] / off[i]);
  }
  fmt::print("with a core as many times as fast as without: {}\n", ratios);
  return fast;
}

/// All that the program has from operator new at the moment, and the most at a time.
std::size_t held = 0, most_held = 0;

/// The most that a run holds besides its memory itself, of which it writes so many lines once.
double bytes_for_lines(std::size_t lines) {
  constexpr std::size_t line = 64;
  struct alignas(line) word {
    simulated::atomic<std::uint64_t> value{0};
  };
  const model m = synchro::simulator::load_model("opteron");
  std::vector<word> all(lines);
  const std::size_t before = held;
  most_held = held;
  world w{m, 1};
  laboratory::team({}, 1, [&](unsigned) {
    for (word& one : all) one.value.fetch_add(1, memory_order::relaxed);
  });
  return static_cast<double>(most_held - before);
}

bool memory_is_linear() {
  constexpr double few = 1e5, many = 1e6;
  const double less = bytes_for_lines(static_cast<std::size_t>(few)),
               more = bytes_for_lines(static_cast<std::size_t>(many));
  const auto say = [](double lines, double bytes) {
    fmt::print("memory of a run that touches {:.0e} lines: {:.1f} MiB, {:.0f} bytes a line\n", lines, bytes / 0x1p20,
               bytes / lines);
  };
  say(few, less), say(many, more);
  return more / many <= 2 * less / few;  // vectors and tables grow by doubling
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t n) {
  constexpr std::size_t head = alignof(std::max_align_t);
  auto* const p = static_cast<std::byte*>(std::malloc(n + head));
  if (p == nullptr) throw std::bad_alloc{};
  *reinterpret_cast<std::size_t*>(p) = n;
  held += n;
  if (held > most_held) most_held = held;
  return p + head;
}
[[gnu::noinline]] void operator delete(void* p) noexcept {
  if (p == nullptr) return;
  auto* const begin = static_cast<std::byte*>(p) - alignof(std::max_align_t);
  held -= *reinterpret_cast<std::size_t*>(begin);
  std::free(begin);
}
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { operator delete(p); }

int main(int argc, char** argv) {
  const double events = 1e6 * (argc > 1 ? std::atof(argv[1]) : 5);
  const std::vector<double> off = speeds_on(without_a_core(), events);
  bool well = are_fast(off, speeds_on(synchro::simulator::load_model("opteron"), events));
  const model large = a_thousand_cores();
  well = contended<synchro::basic_mcs_lock<simulated>>("mcs lock", large, 1024, events) >= enough && well;
  well = contended<synchro::basic_ticket_lock<simulated>>("ticket lock", large, 1024, events) >= enough && well;
  return memory_is_linear() && well ? 0 : 1;
}
