// On Windows the highest priority, real-time, is a class of whole processes. So a call is measured in a process of its own:
// this program, started with one word. It is told what to measure as JSON on its standard input, and tells what it
// measured on its standard output.

#include "experiments/overhead/call_process.hpp"

#include <windows.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/overhead/overhead.hpp"
#include "platform/clock.hpp"
#include "platform/windows/raised_process.hpp"
#include "platform/windows/system.hpp"
#include "results/json_fields.hpp"

namespace synchro::experiments {

using platform::tick_clock;
using results::json;

namespace overhead {

namespace {

constexpr const char* word = "measure-one-call";

json to_json(const std::optional<std::string>& text) { return text ? json(*text) : json(nullptr); }
std::optional<std::string> text_of(const json& j) {
  return j.is_null() ? std::nullopt : std::optional{j.get<std::string>()};
}

json told(const call_row& row, const call_task& task) {
  const platform::clock_facts& clock = tick_clock::get().facts();
  return {{"call", row.call},      {"primitive", row.primitive}, {"cpu", task.cpu},
          {"rounds", task.rounds}, {"clock", clock.source},      {"clock_hz", clock.hz}};
}

json to_json(const call_result& r) {
  return {{"ns", r.ns},
          {"at_once", r.at_once},
          {"unpinned", r.team.unpinned},
          {"involuntary_switches", r.team.involuntary_switches},
          {"run_delay_ns", r.team.run_delay_ns},
          {"migrations", r.team.migrations},
          {"granted", r.team.priority.granted},
          {"warning", to_json(r.team.priority.warning)},
          {"broken", to_json(r.broken)}};
}

call_result result_of(const json& j) {
  call_result r;
  j.at("ns").get_to(r.ns);
  j.at("at_once").get_to(r.at_once);
  j.at("unpinned").get_to(r.team.unpinned);
  j.at("involuntary_switches").get_to(r.team.involuntary_switches);
  j.at("run_delay_ns").get_to(r.team.run_delay_ns);
  j.at("migrations").get_to(r.team.migrations);
  j.at("granted").get_to(r.team.priority.granted);
  r.team.priority.warning = text_of(j.at("warning"));
  r.broken = text_of(j.at("broken"));
  return r;
}

/// Null if the flow got stuck. The one who watches over it has the priority of those that may be stuck, or it would not get
/// their processor.
json measured(const json& asked) {
  const auto call = asked.at("call").get<std::string>(), primitive = asked.at("primitive").get<std::string>();
  const call_row* const row = find_row(call, primitive);
  if (row == nullptr) throw std::invalid_argument{"there is no call " + call + " by " + primitive};
  platform::clock_facts clock{};
  asked.at("clock").get_to(clock.source);
  asked.at("clock_hz").get_to(clock.hz);
  tick_clock::adopt(clock);
  call_task task;
  asked.at("cpu").get_to(task.cpu);
  asked.at("rounds").get_to(task.rounds);
  platform::windows::forbid_power_throttling();
  const platform::windows::raised_process process{task.cpu};
  const platform::raised_priority watching{platform::urgency::highest};
  auto seen = measure_here(*row, task);
  if (!seen) return nullptr;
  seen->team.priority = process.explained(std::move(seen->team.priority));
  return to_json(*seen);
}

}  // namespace

std::optional<call_result> measure_alone(const call_row& row, const call_task& task) {
  constexpr double longest_seconds = 600;  // it ends by itself when it is stuck
  const json said =
      results::parse_json(platform::windows::run_this_program(word, told(row, task).dump(), longest_seconds));
  return said.is_null() ? std::nullopt : std::optional{result_of(said)};
}

double seconds_besides() { return 0.05; }

}  // namespace overhead

std::optional<int> measured_for_another_process(int argc, const char* const* argv) {
  if (argc != 2 || std::string_view{argv[1]} != overhead::word) return std::nullopt;
  const auto end = [](int status) {
    std::fflush(nullptr);
    TerminateProcess(GetCurrentProcess(), static_cast<UINT>(status));  // whatever threads it leaves behind
    return status;
  };
  try {
    const std::string asked(std::istreambuf_iterator<char>{std::cin}, {});
    std::fputs(overhead::measured(results::parse_json(asked)).dump().c_str(), stdout);
    return end(0);
  } catch (const std::exception& e) {
    std::fputs(e.what(), stderr);
    return end(1);
  }
}

}  // namespace synchro::experiments
