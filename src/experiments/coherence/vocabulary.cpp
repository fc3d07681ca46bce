#include "experiments/coherence/vocabulary.hpp"

#include <algorithm>

namespace synchro::experiments::coherence {

std::string to_string(operation o) {
  switch (o) {
    case operation::load:
      return "load";
    case operation::store:
      return "store";
    case operation::cas:
      return "cas";
    case operation::fai:
      return "fai";
    case operation::tas:
      return "tas";
    case operation::swap:
      return "swap";
    case operation::load_fence:
      return "lfence";
    case operation::store_fence:
      return "sfence";
    case operation::full_fence:
      return "mfence";
    case operation::fence:
      return "fence";
    case operation::pause:
      return "pause";
    case operation::nop:
      return "nop";
    case operation::empty:
      return "empty";
  }
  return "";
}

std::string to_string(state s) {
  switch (s) {
    case state::modified:
      return "modified";
    case state::turns:
      return "turns";
    case state::contended:
      return "contended";
    case state::exclusive:
      return "exclusive";
    case state::shared:
      return "shared";
    case state::shared_all:
      return "shared_all";
    case state::shared_upgrade:
      return "shared_upgrade";
    case state::owned:
      return "owned";
    case state::invalid:
      return "invalid";
    case state::working_set:
      return "working_set";
    case state::none:
      return "none";
  }
  return "";
}

bool is_atomic(operation o) {
  return o == operation::cas || o == operation::fai || o == operation::tas || o == operation::swap;
}

bool is_instruction(operation o) {
  return std::find(instructions.begin(), instructions.end(), o) != instructions.end();
}

namespace {

std::string name_of(operation what, state on, bool mine) {
  if (what == operation::empty) return "profiler";
  if (on == state::none || on == state::turns) return to_string(what);
  if (on == state::working_set) return "load_from_mem_size";
  if (on == state::contended)
    return what == operation::store ? "store_on_modified_no_sync" : to_string(what) + "_concurrent";
  if (what == operation::load && on == state::modified && mine) return "load_from_l1";
  return to_string(what) + (what == operation::load ? "_from_" : "_on_") + to_string(on) + (mine ? "_mine" : "");
}

std::vector<event> make_events() {
  std::vector<event> all;
  const auto add = [&](operation what, state on, bool mine = false) {
    all.push_back({name_of(what, on, mine), what, on, mine});
  };
  for (const operation what : line_operations) {
    for (const state on : {state::modified, state::exclusive, state::owned}) add(what, on), add(what, on, true);
    for (const state on : {state::shared, state::shared_all, state::invalid}) add(what, on);
    if (what == operation::load) continue;
    for (const state on : {state::shared_upgrade, state::contended}) add(what, on);
    if (is_atomic(what)) add(what, state::turns);
  }
  add(operation::load, state::working_set, true);
  for (const operation what : instructions) add(what, state::none, true);
  return all;
}

}  // namespace

const std::vector<event>& events() {
  static const std::vector<event> all = make_events();
  return all;
}

const event* find_event(const std::string& name) {
  const auto found = std::find_if(events().begin(), events().end(), [&](const event& e) { return e.name == name; });
  return found == events().end() ? nullptr : &*found;
}

const std::array<const char*, 34>& ccbench_events() {
  static constexpr std::array<const char*, 34> names{"STORE_ON_MODIFIED",
                                                     "STORE_ON_MODIFIED_NO_SYNC",
                                                     "STORE_ON_EXCLUSIVE",
                                                     "STORE_ON_SHARED",
                                                     "STORE_ON_OWNED_MINE",
                                                     "STORE_ON_OWNED",
                                                     "STORE_ON_INVALID",
                                                     "LOAD_FROM_MODIFIED",
                                                     "LOAD_FROM_EXCLUSIVE",
                                                     "LOAD_FROM_SHARED",
                                                     "LOAD_FROM_OWNED",
                                                     "LOAD_FROM_INVALID",
                                                     "CAS",
                                                     "FAI",
                                                     "TAS",
                                                     "SWAP",
                                                     "CAS_ON_MODIFIED",
                                                     "FAI_ON_MODIFIED",
                                                     "TAS_ON_MODIFIED",
                                                     "SWAP_ON_MODIFIED",
                                                     "CAS_ON_SHARED",
                                                     "FAI_ON_SHARED",
                                                     "TAS_ON_SHARED",
                                                     "SWAP_ON_SHARED",
                                                     "CAS_CONCURRENT",
                                                     "FAI_ON_INVALID",
                                                     "LOAD_FROM_L1",
                                                     "LOAD_FROM_MEM_SIZE",
                                                     "LFENCE",
                                                     "SFENCE",
                                                     "MFENCE",
                                                     "PROFILER",
                                                     "PAUSE",
                                                     "NOP"};
  return names;
}

}  // namespace synchro::experiments::coherence
