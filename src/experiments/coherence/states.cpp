#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cpu/this_cpu.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/coherence/latency.hpp"
#include "experiments/coherence/local_body.hpp"
#include "experiments/coherence/setup_steps.hpp"
#include "experiments/coherence/single_body.hpp"
#include "experiments/coherence/states_body.hpp"
#include "experiments/framework/axes.hpp"
#include "measure/host.hpp"
#include "platform/facts.hpp"

namespace synchro::experiments {

namespace coherence {

namespace {

using measure::host;
using platform::distance;

constexpr std::uint64_t working_set_bytes = 64 * 1024 * 1024;  // ccbench's

/// What a cell's coordinates say.
struct request {
  event what;
  distance far;
};

/// Nothing if the words do not belong together.
std::optional<request> request_of(const coordinates& at) {
  const event* const e = find_event(at.word("event"));
  const auto far = platform::distance_from(at.word("distance"));
  if (e == nullptr || !far) return std::nullopt;
  if (at.word("operation") != to_string(e->what) || at.word("state") != to_string(e->on)) return std::nullopt;
  return request{*e, *far};
}

/// The event as it is played: a line that no cache holds may have been written last by the requester itself.
event played(const request& r) {
  event e = r.what;
  if (e.on == state::invalid && r.far == distance::same_cpu) e.mine = true;
  return e;
}

/// With one processor each event still appears, at the only distance there is, with a reason.
bool fits(const setting& s, const request& r) {
  if (r.what.mine) return r.far == distance::same_cpu;
  return r.far != distance::same_cpu || r.what.on == state::invalid || s.machine.processors.size() < 2;
}

std::optional<unsigned> third_node(const platform::topology& machine, const roles& who) {
  const platform::processor* const a = machine.find(who.requester);
  const platform::processor* const b = machine.find(who.holder);
  for (const unsigned node : machine.nodes)
    if (a != nullptr && b != nullptr && node != a->node && node != b->node) return node;
  return std::nullopt;
}

/// True if the machine has this home for the event, and it is not the requester's under another name.
bool has_home(const setting& s, const request& r, const std::string& home) {
  if (home == "requester") return true;
  if (is_instruction(r.what.what) || r.what.on == state::working_set) return false;
  const auto who = roles_of(s.machine, r.what, r.far);
  if (!who) return false;
  if (home == "holder") return node_of(s.machine, who->holder) != node_of(s.machine, who->requester);
  return third_node(s.machine, *who).has_value();
}

bool skip(const setting& s, const coordinates& at) {
  const auto r = request_of(at);
  return !r || !fits(s, *r) || !has_home(s, *r, at.word("home"));
}

const std::string& host_vendor() {
  static const std::string vendor = [] {
    const auto facts = platform::machine_facts(platform::read_topology());
    const auto found = facts.find("vendor");
    return found != facts.end() && found->is_string() ? found->get<std::string>() : std::string{};
  }();
  return vendor;
}

std::optional<std::string> no_owned_state() {
  switch (dirty_sharing_of(host_vendor())) {
    case dirty_sharing::owned:
      return std::nullopt;
    case dirty_sharing::written_back:
      return "this processor (" + host_vendor() +
             ", MESIF) has no Owned state: a modified line that is read becomes "
             "clean";
    case dirty_sharing::unknown:
      break;
  }
  return "it is not known whether this processor has the Owned state";
}

std::optional<std::string> unavailable(const setting& s, const coordinates& at) {
  const auto r = request_of(at);
  if (!r) return "there is no such event";
  const event e = played(*r);
  if (auto reason = too_few(e, s.machine.processors.size())) return reason;
  if (!roles_of(s.machine, e, r->far)) return "no two of these processors are " + at.word("distance") + " apart";
  const std::vector<step> steps = setup_steps(e);
  const bool flushes = std::any_of(steps.begin(), steps.end(), [](const step& p) { return p.what == deed::flush; });
  if (flushes && !host::can_flush()) return "this processor does not let a program evict a line";
  if (e.on == state::owned) return no_owned_state();
  const bool instruction_of_its_own =
      e.what == operation::load_fence || e.what == operation::store_fence || e.what == operation::full_fence;
  if (instruction_of_its_own && !this_cpu::has_fence_instructions) return "this processor has no such instruction";
  return std::nullopt;
}

unsigned batch_count(level l) { return l == level::quick ? 200 : l == level::standard ? 400 : 800; }

double seconds(const setting& s, const coordinates& at) {
  const auto r = request_of(at);
  if (!r) return 0;
  const double batches = batch_count(s.thoroughness);
  if (is_instruction(r->what.what)) return 0.001 + batches * 30e-6;
  if (r->what.on == state::working_set) return 0.35 + batches * 4096 * 150e-9;
  const double lines = r->what.mine ? 256 : 64;
  const double step_ns = r->what.mine ? 20 : 200;
  return 0.002 + batches * 1e-9 * lines * step_ns * static_cast<double>(setup_steps(r->what).size() + 1);
}

std::vector<unsigned> processors(const setting& s, const coordinates& at) {
  const auto r = request_of(at);
  if (!r) return {};
  const auto all = roles_of(s.machine, r->what, r->far);
  if (!all) return {};
  const roles who = only_needed(*all, played(*r));
  std::vector<unsigned> cpus{who.requester};
  if (who.holder != who.requester) cpus.push_back(who.holder);
  if (who.sharer) cpus.push_back(*who.sharer);
  return cpus;
}

batches measure_instruction(operation what, unsigned cpu, unsigned count) {
  switch (what) {
    case operation::load_fence:
      return instruction_trial<host>(cpu, count, 100, [] { this_cpu::load_fence(); });
    case operation::store_fence:
      return instruction_trial<host>(cpu, count, 100, [] { this_cpu::store_fence(); });
    case operation::full_fence:
      return instruction_trial<host>(cpu, count, 100, [] { this_cpu::full_fence(); });
    case operation::fence:
      return instruction_trial<host>(cpu, count, 100, [] { hardware::fence(); });
    case operation::pause:
      return instruction_trial<host>(cpu, count, 100, [] { cpu::pause(); });
    case operation::nop:
      return instruction_trial<host>(cpu, count, 1000, [] { this_cpu::no_operation(); });
    default:
      return empty_trial<host>(cpu, count);
  }
}

std::optional<unsigned> home_node(const setting& s, const roles& who, const std::string& home) {
  if (home == "third") return third_node(s.machine, who);
  return node_of(s.machine, home == "holder" ? who.holder : who.requester);
}

double quick_latency(const event& e, roles who, field_lines<hardware> lines) {
  constexpr unsigned few = 50;
  return results::median(states_trial<host>(e, only_needed(std::move(who), e), lines, few, 1).run().each_ns);
}

/// Finds out how this machine reads a line that another processor has modified: if the reader can write it afterwards
/// nearly as fast as a line of its own, the line has moved.
dirty_read find_out(unsigned reader, unsigned writer) {
  const homed_lines memory{sizeof(field<hardware>), std::nullopt};
  const roles who{reader, writer, std::nullopt, {}};
  const roles alone{reader, reader, std::nullopt, {}};
  const double own = quick_latency(*find_event("fai_on_modified_mine"), alone, memory.field());
  const double remote = quick_latency(*find_event("fai_on_modified"), who, memory.field());
  const double after_reading = quick_latency(*find_event("fai_on_owned"), who, memory.field());
  return after_reading * after_reading < own * remote ? dirty_read::moves : dirty_read::copies;
}

/// Once for each pair of processors: it may differ between sockets.
dirty_read dirty_read_of(const event& e, const roles& who) {
  static std::map<std::pair<unsigned, unsigned>, dirty_read> known;
  if (e.on != state::owned) return dirty_read::copies;
  const unsigned other = who.sharer ? *who.sharer : who.requester;
  const std::pair pair{other, who.holder};
  const auto found = known.find(pair);
  return found != known.end() ? found->second : known.emplace(pair, find_out(other, who.holder)).first->second;
}

void find_out_once(const setting& s, const coordinates& at) {
  const auto r = request_of(at).value();
  const event e = played(r);
  (void)dirty_read_of(e, only_needed(roles_of(s.machine, e, r.far).value(), e));
}

repetition measure_state(const setting& s, const coordinates& at, std::uint64_t seed) {
  const auto r = request_of(at).value();
  const event e = played(r);
  const roles who = only_needed(roles_of(s.machine, e, r.far).value(), e);
  const unsigned count = batch_count(s.thoroughness);
  if (is_instruction(e.what)) return to_repetition(measure_instruction(e.what, who.requester, count));

  const bool all_over = e.on == state::working_set;
  const homed_lines memory{all_over ? working_set_bytes : sizeof(field<hardware>), home_node(s, who, at.word("home"))};
  repetition result =
      to_repetition(all_over ? chase_trial<host>(memory.lines(), who.requester, count, seed)
                             : states_trial<host>(e, who, memory.field(), count, seed, dirty_read_of(e, who)).run());
  memory.warn(result);
  return result;
}

std::vector<coordinate> words(const std::vector<std::string>& all) { return {all.begin(), all.end()}; }

std::vector<coordinate> distances(const setting& s) {
  std::vector<coordinate> all{to_string(distance::same_cpu)};
  for (const distance d : s.machine.distances()) all.emplace_back(to_string(d));
  return all;
}

std::vector<coordinate> homes(const setting& s) {
  return s.machine.nodes.size() < 2 || s.thoroughness == level::quick ? words({"requester"})
                                                                      : words({"requester", "holder", "third"});
}

std::vector<axis> axes() {
  std::vector<std::string> operations;
  for (const operation o : line_operations) operations.push_back(to_string(o));
  for (const operation o : instructions) operations.push_back(to_string(o));
  std::vector<std::string> states;
  for (auto s = state::modified; s <= state::none; s = static_cast<state>(static_cast<int>(s) + 1))
    states.push_back(to_string(s));
  std::vector<std::string> names;
  for (const event& e : events()) names.push_back(e.name);
  return {word_axis("operation", "what is timed", operations),
          word_axis("state", "coherence state of the line before the timed access", states),
          {"distance", "from the processor that is timed to the one that put the line into its state", distances},
          {"home", "the NUMA node of the line's page: the requester's, the holder's or a third one", homes},
          word_axis("event", "operation and state under one name, ccbench's where it has one", names)};
}

}  // namespace

}  // namespace coherence

experiment coherence_states() {
  using namespace coherence;
  experiment e;
  e.name = "coherence.states";
  e.line = "latency of one access to a line that another processor has put into a known state";
  e.source =
      "David, Guerraoui, Trigonakis: Everything You Always Wanted to Know About Synchronization, SOSP 2013, "
      "5.1, 5.2 and Table 2; the 34 events of its ccbench";
  e.axes = axes();
  e.metrics = latency_metrics(
      "One access to each line of a batch that was just brought into the state, each dependent on the one before: the "
      "time between two ordered stamps, less the stamps' own cost (event profiler), divided by the number of lines; "
      "the "
      "median of the batches. A store lasts until a fetch-and-add of 0 on the same word is done (its cost: "
      "fai_on_modified_mine). Instructions: a thousand in a row (nop: ten thousand).");
  e.skip = skip;
  e.unavailable = unavailable;
  e.seconds = seconds;
  e.processors = processors;
  e.once = find_out_once;
  e.measure = measure_state;
  e.repetitions = usual_repetitions;
  present_coherence_states(e);
  return e;
}

}  // namespace synchro::experiments
