#include <fmt/format.h>

#include <map>
#include <utility>

#include "experiments/overhead/call_marks.hpp"
#include "experiments/overhead/call_rows.hpp"
#include "platform/call_trace.hpp"
#include "platform/clock.hpp"

namespace synchro::experiments::overhead {

namespace {

constexpr unsigned rounds = 3;
constexpr unsigned seconds = 20;

/// "futex 1.0"; nothing if the section was never entered.
std::string calls_in(const platform::call_trace& seen, section which) {
  const auto found = seen.sections.find(which);
  if (found == seen.sections.end() || found->second.entered == 0) return "";
  std::string text;
  for (const auto& [call, n] : found->second.calls)
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : " and ", call,
                        static_cast<double>(n) / static_cast<double>(found->second.entered));
  return text.empty() ? "none" : text;
}

std::string look(const call_row& row, unsigned cpu) {
  (void)platform::tick_clock::get();  // made here, so that no child has to
  const platform::call_trace seen = platform::trace_calls(
      [&] {
        static_cast<void>(row.measure({cpu, rounds, false, true}));
      },
      seconds);
  if (seen.failure) return "system calls could not be seen: " + *seen.failure;
  const std::string act = calls_in(seen, acting);
  const std::string wait = calls_in(seen, waiting);
  std::string text = "system calls seen: ";
  if (!act.empty()) text += act + " in an unlock, release or signal";
  if (!wait.empty()) text += (act.empty() ? "" : ", ") + wait + " in a lock or wait";
  return act.empty() && wait.empty() ? "it makes no system call" : text;
}

}  // namespace

const std::string& calls_seen(const call_row& row, unsigned cpu) {
  static std::map<std::pair<std::string, std::string>, std::string> known;
  const std::pair key{row.call, row.primitive};
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, look(row, cpu)).first->second;
}

}  // namespace synchro::experiments::overhead
