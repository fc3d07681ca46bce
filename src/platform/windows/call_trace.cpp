#include "platform/call_trace.hpp"

#include <windows.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/child_process.hpp"
#include "platform/windows/kernel_events.hpp"
#include "platform/windows/system.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

std::atomic<bool> tracing{false};

/// What threads have said since the trace began. To say it takes no call of the system.
class section_marks {
 public:
  void add(unsigned section) noexcept {
    const std::size_t i = next_.fetch_add(1);
    if (i >= marks_.size()) return;
    LARGE_INTEGER now{};
    QueryPerformanceCounter(&now);
    marks_[i] = {static_cast<std::uint64_t>(now.QuadPart), GetCurrentThreadId(), os::current_cpu(), section};
  }
  void clear() noexcept { next_ = 0; }
  /// Throws if there were more than are kept.
  [[nodiscard]] std::vector<windows::section_mark> all() const {
    const std::size_t n = next_;
    if (n > marks_.size()) throw std::runtime_error{"more sections were entered than are kept"};
    return {marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(n)};
  }

 private:
  std::array<windows::section_mark, 4096> marks_{};
  std::atomic<std::size_t> next_{0};
};
section_marks marks;

/// So that their names are learnt.
void make_known_calls() {
  unsigned section = windows::first_known_section;
  for (const char* const call : windows::known_calls()) {
    marks.add(section++);
    windows::make_in_vain(call);
    marks.add(0);
  }
}

}  // namespace

/// Windows copies no process: the body runs in a thread of this one, and what other threads do is in no section.
call_trace trace_calls(const std::function<void()>& body, unsigned seconds) {
  call_trace seen;
  std::optional<std::string> failure;
  try {
    marks.clear();
    const auto events = windows::kernel_events_during([&] {
      tracing = true;
      failure = run_in_child([body] { return body(), std::string{}; }, seconds).failure;
      tracing = false;
      make_known_calls();
    });
    const auto sections =
        windows::counted_by_section(events, windows::numbered_as_events(marks.all(), windows::processors_of_groups()));
    const windows::kernel_names names{windows::learnt_from(sections)};
    for (const auto& [number, counted] : sections) {
      if (number >= windows::first_known_section) continue;
      seen.sections[number].entered = counted.entered;
      for (const auto& [address, n] : counted.calls) seen.sections[number].calls[names.of(address)] += n;
    }
    seen.failure = failure;
  } catch (const std::exception& e) {
    seen.failure = e.what();
  }
  return seen;
}

void enter_section(unsigned section) {
  if (tracing) marks.add(section);
}

}  // namespace synchro::platform
