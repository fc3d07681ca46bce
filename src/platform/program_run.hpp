// Somebody else's program, run to its end while this one waits.

#ifndef SYNCHRO_PLATFORM_PROGRAM_RUN_HPP
#define SYNCHRO_PLATFORM_PROGRAM_RUN_HPP

#include <string>
#include <utility>
#include <vector>

#include "platform/started_program.hpp"

namespace synchro::platform {

/// Runs it with these words and, besides the environment, these variables. Meanwhile this process ignores what a terminal
/// sends to both (Ctrl-C), and hands a request to terminate on. Throws std::runtime_error with the reason if it cannot be started.
[[nodiscard]] program_end run_to_end(const std::string& path, const std::vector<std::string>& words,
                                     const std::vector<std::pair<std::string, std::string>>& variables);

/// Ends this process as the signal ends a program, without a second core file.
[[noreturn]] void end_by_signal(int signal);

/// A folder for files that are mapped, in memory where the system has such a place, else where temporary files are kept.
/// If this is root's process, others may put files there, too: what it starts may go on as another user. Removed with all
/// that is in it.
class mapped_folder {
 public:
  /// Throws std::runtime_error with one sentence.
  mapped_folder();
  ~mapped_folder();
  mapped_folder(const mapped_folder&) = delete;
  mapped_folder& operator=(const mapped_folder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace synchro::platform

#endif
