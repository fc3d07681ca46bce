// Somebody else's program, run to its end while this one waits.

#ifndef SYNCHRO_PLATFORM_PROGRAM_RUN_HPP
#define SYNCHRO_PLATFORM_PROGRAM_RUN_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// A folder of this user alone for files that are mapped, in memory where the system has such a place, else where temporary
/// files are kept. Removed with all that is in it.
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

/// Whether there is such a process.
[[nodiscard]] bool is_running(long process);

/// The files whose content a process shares with others in its memory; nothing if the system does not show them to this user.
[[nodiscard]] std::optional<std::vector<std::string>> files_shared_by(long process);

/// A regular file of this user, open to be read. Not what a link leads to, nothing that another user owns, and no pipe, which
/// would be waited for.
class own_file {
 public:
  /// Nothing can be read if it is none.
  explicit own_file(const std::string& path);
  ~own_file();
  own_file(const own_file&) = delete;
  own_file& operator=(const own_file&) = delete;
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  /// Whether it cannot be read because another user owns it.
  [[nodiscard]] bool is_anothers() const { return anothers_; }
  /// Whether any process has it open, or in its memory, to write; nothing if the system does not tell.
  [[nodiscard]] std::optional<bool> is_written() const;
  /// From byte `at`. How many there were.
  [[nodiscard]] std::size_t read(std::uint64_t at, void* to, std::size_t bytes) const;

 private:
  int file_ = -1;
  bool anothers_ = false;
};

}  // namespace synchro::platform

#endif
