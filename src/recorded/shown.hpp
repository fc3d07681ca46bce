// A profile for people, for programs, and for what draws traces and flame graphs.

#ifndef SYNCHRO_RECORDED_SHOWN_HPP
#define SYNCHRO_RECORDED_SHOWN_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "recorded/processes.hpp"
#include "views/grid.hpp"

namespace synchro::recorded {

/// For a program that waits by other means.
inline constexpr const char* no_mutex =
    "No recorded process has called a pthread mutex or spin lock that can be recorded.";
/// Where there is no recording at all.
inline constexpr const char* nothing_recorded =
    "nothing was recorded: the program did not load the interposer, or could not write";

struct run {
  std::vector<std::string> command;
  std::string lock;  ///< What served the mutexes: "native" or a lock of the catalog.
  unsigned every = 1;
  std::vector<process> processes;
};

/// The locks of each process, those first that were waited for longest; then lock-order cycles. Locks of one
/// name are one row.
[[nodiscard]] std::string table_of(const run& r, const views::style& s);

/// Described in docs/profile.md.
[[nodiscard]] nlohmann::ordered_json document_of(const run& r);

/// The sampled acquisitions in the Trace Event Format of Chrome, which Perfetto opens: complete events with times in
/// microseconds, a wait and a hold each; holds of a thread that cross are asynchronous events.
/// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
[[nodiscard]] nlohmann::ordered_json trace_of(const run& r);

/// The calls that led to waits, outermost first, and the ns waited there, a line each: what tools that draw flame graphs call
/// folded stacks. Above the calls stands the process, below them the lock.
[[nodiscard]] std::string folded_of(const run& r);

/// The same as a message of pprof, not compressed: waits (contentions) and ns (delay) by calls; the lock and the process are
/// labels. https://github.com/google/pprof/blob/main/proto/profile.proto
[[nodiscard]] std::string pprof_of(const run& r);

}  // namespace synchro::recorded

#endif
