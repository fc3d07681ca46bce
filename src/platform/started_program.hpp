// A program that is started beside this one: how it ended, what it wrote, and that it does not outlive us.

#ifndef SYNCHRO_PLATFORM_STARTED_PROGRAM_HPP
#define SYNCHRO_PLATFORM_STARTED_PROGRAM_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synchro::platform {

struct program_start {
  std::string path;                ///< The file.
  std::vector<std::string> words;  ///< What it is called by, and its arguments.
  /// In its environment, in place of what ours has or besides.
  std::vector<std::pair<std::string, std::string>> variables = {};
  std::vector<unsigned> cpus = {};  ///< It may run on these processors; none: on those of the calling thread.
};

/// How it ended.
struct program_end {
  int status = 0;      ///< The exit status, if no signal ended it.
  int signal = 0;      ///< The signal that ended it; 0: none.
  double seconds = 0;  ///< From before it was started.

  [[nodiscard]] bool well() const { return status == 0 && signal == 0; }
  /// "exit status 1", "signal 11 (Segmentation fault)"
  [[nodiscard]] std::string in_words() const;
};

/// Its standard input is empty; what it writes is kept. It is the head of a group of processes, so Ctrl-C on our terminal does
/// not reach it; the group ends with it, and it ends with the thread that has started it.
class started_program {
 public:
  /// Throws std::runtime_error with one sentence if it cannot be started.
  explicit started_program(const program_start& what);
  /// As stop().
  ~started_program();
  started_program(const started_program&) = delete;
  started_program& operator=(const started_program&) = delete;

  /// Waits for its end, so many seconds at most, and no longer than until `give_up` says so, which is asked at each signal and
  /// ten times a second. Nothing if it runs on.
  [[nodiscard]] std::optional<program_end> wait(
      double seconds, const std::function<bool()>& give_up = [] { return false; });
  /// Asks the group to end, and kills it if it has not within so many seconds.
  void stop(double patience_s = 1) noexcept;

  /// The system's number of the process.
  [[nodiscard]] long number() const;
  /// What it has written so far to standard output and to standard error; of much, the last 64 MiB.
  [[nodiscard]] std::string out() const;
  [[nodiscard]] std::string errors() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace synchro::platform

#endif
