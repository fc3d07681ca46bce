// How many memory events the simulated machine executes in a second of this machine's time: loads, stores and
// read-modify-writes of simulated threads, whatever their number of steps inside.
//
// Usage: simulation_speed [MILLIONS]   of events for each load of work, 5 unless told otherwise.
// Exit 0 if every load of work reaches two million a second, 1 if not.

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
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

using body = std::function<void(unsigned)>;

/// Events a second of a team that runs until so many have been executed.
double events_per_second(const model& m, unsigned threads, double events, const body& round) {
  world w{m, 1};
  const auto begin = std::chrono::steady_clock::now();
  laboratory::team({}, threads, [&](unsigned i) {
    while (static_cast<double>(w.accesses()) < events) round(i);
  });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  return static_cast<double>(w.accesses()) / seconds.count();
}

bool tell(const std::string& what, double found) {
  fmt::print("{:<60} {:6.2f} million events/s\n", what, found * 1e-6);
  return found >= enough;
}

template <class Lock>
bool contended(const std::string& name, const model& m, unsigned threads, double events) {
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

}  // namespace

int main(int argc, char** argv) {
  const double events = 1e6 * (argc > 1 ? std::atof(argv[1]) : 5);
  alignas(64) simulated::atomic<std::uint64_t> word{0};
  const body add = [&](unsigned) { word.fetch_add(1, memory_order::relaxed); };
  bool fast = true;
  for (const model& m : {without_a_core(), synchro::simulator::load_model("opteron")}) {
    const std::string where = fmt::format("fetch_add on one line, 48 threads on {}", m.name());
    fast = tell(where, events_per_second(m, 48, events, add)) && fast;
    fast = contended<synchro::basic_tas_lock<simulated>>("tas lock", m, 48, events) && fast;
    fast = contended<synchro::basic_ticket_lock<simulated>>("ticket lock", m, 48, events) && fast;
    fast = contended<synchro::basic_mcs_lock<simulated>>("mcs lock", m, 48, events) && fast;
  }
  fast = contended<synchro::basic_mcs_lock<simulated>>("mcs lock", a_thousand_cores(), 1024, events) && fast;
  fast = contended<synchro::basic_ticket_lock<simulated>>("ticket lock", a_thousand_cores(), 1024, events) && fast;
  return fast ? 0 : 1;
}
