// A whole process at the highest priority that it is allowed to have, on one processor.

#ifndef SYNCHRO_PLATFORM_WINDOWS_RAISED_PROCESS_HPP
#define SYNCHRO_PLATFORM_WINDOWS_RAISED_PROCESS_HPP

#include <windows.h>

#include <cstdint>
#include <optional>

#include "platform/scheduling.hpp"

namespace synchro::platform::windows {

/// While this lives, the process is of the real-time class, or of the highest that is granted, and runs on this processor alone,
/// if one is named. That concerns all of its threads, so this is for a process that measures one thing, or where nothing is
/// measured.
class raised_process {
 public:
  explicit raised_process(std::optional<unsigned> cpu = std::nullopt);
  ~raised_process();
  raised_process(const raised_process&) = delete;
  raised_process& operator=(const raised_process&) = delete;

  /// What raising one of its threads came to, with what the process was refused.
  [[nodiscard]] priority_outcome explained(priority_outcome of_thread) const;

 private:
  DWORD class_before_;
  DWORD_PTR processors_before_ = 0;  ///< 0: they are as they were.
  std::optional<unsigned> refused_;  ///< The processor that it is not bound to, though asked.
};

}  // namespace synchro::platform::windows

#endif
