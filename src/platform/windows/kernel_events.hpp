// What Windows's kernel tells of each processor while it is traced (Event Tracing for Windows): which thread runs there, and which
// system calls are made. From that, and from when the threads said what they do, calls are counted.
//
// The layouts are those of the documented classes CSwitch and SysCallEnter. Nothing of this has met Windows: the session is
// started by documented calls, and the counting is tested on events that were made by hand.

#ifndef SYNCHRO_PLATFORM_WINDOWS_KERNEL_EVENTS_HPP
#define SYNCHRO_PLATFORM_WINDOWS_KERNEL_EVENTS_HPP

#include <windows.h>
// clang-format off
#include <evntcons.h>  // leans on the other
// clang-format on

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform::windows {

struct kernel_event {
  enum class kind { switched, called };

  kind what;
  std::uint64_t at;  ///< In ticks of QueryPerformanceCounter.
  unsigned processor;
  std::uint64_t argument;  ///< The thread that runs there from now on; or the address of what is called in the kernel.
};

/// Nothing for an event of another kind, or one that is too short.
[[nodiscard]] std::optional<kernel_event> kernel_event_of(const EVENT_RECORD& record);

/// A thread says in which section it is from then on.
struct section_mark {
  std::uint64_t at;  ///< As above.
  std::uint32_t thread;
  unsigned processor;  ///< Where it ran.
  unsigned section;
};

/// The same with the processors' numbers as the kernel's events have them: without gaps between the groups.
[[nodiscard]] std::vector<section_mark> numbered_as_events(std::vector<section_mark> marks,
                                                           const std::vector<unsigned>& processors_of_groups);

/// How often each section was entered, and what was called in it, by the calls' addresses. Which thread runs on a processor is
/// known from its first switch, or the first mark there, on.
struct counted_section {
  std::uint64_t entered = 0;
  std::map<std::uint64_t, std::uint64_t> calls;
};
[[nodiscard]] std::map<unsigned, counted_section> counted_by_section(std::vector<kernel_event> events,
                                                                     std::vector<section_mark> marks);

/// The events of a time: those of the kernel while the body runs. Throws std::runtime_error with a clause if the system permits no
/// such trace, ends it early, or loses a part of it.
[[nodiscard]] std::vector<kernel_event> kernel_events_during(const std::function<void()>& body);

/// The calls below the waits of Windows, most of which the kernel does not export: a name is learnt by making the call in vain, in
/// a section of its own.
[[nodiscard]] const std::vector<const char*>& known_calls();
/// Without an object, and without time where it would wait. False where this system has no call of that name.
bool make_in_vain(const char* call);
/// Of the sections from the first one on, one for each known call in their order: which address each has, if nothing else was
/// called there.
inline constexpr unsigned first_known_section = 0x8000'0000;
[[nodiscard]] std::map<std::uint64_t, std::string> learnt_from(const std::map<unsigned, counted_section>& sections);

/// What a library of the system exports, by the distance from where it is loaded; empty if it cannot be read.
[[nodiscard]] std::map<std::uint64_t, std::string> exports_of(const wchar_t* library);

/// By what the kernel's functions are called: as learnt; else as exported; else by where they are in it.
class kernel_names {
 public:
  explicit kernel_names(std::map<std::uint64_t, std::string> learnt);

  [[nodiscard]] std::string of(std::uint64_t address) const;

 private:
  std::map<std::uint64_t, std::string> learnt_;
  std::uint64_t base_ = 0;  ///< 0: the system does not tell.
  std::map<std::uint64_t, std::string> exported_;
};

}  // namespace synchro::platform::windows

#endif
