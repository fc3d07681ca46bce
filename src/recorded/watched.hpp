// Recordings that are still being written, looked at again and again; and what two looks differ by.

#ifndef SYNCHRO_RECORDED_WATCHED_HPP
#define SYNCHRO_RECORDED_WATCHED_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace synchro::recorded {

/// What was counted of a lock until a moment. Times in ns. Of samples, but for long waits and waits for conditions, which are all
/// counted.
struct lock_counts {
  std::uint64_t samples = 0, contended = 0, wait_ns = 0, holds = 0, hold_ns = 0, condition_waits = 0;
  std::uint32_t waiting = 0;   ///< Samples that wait now.
  std::uint32_t taken_at = 0;  ///< Number of the stack of the last sample.
  std::uint64_t long_waits = 0, long_ns = 0;
};

/// What does not change: of each lock its name; of each stack that was asked for the innermost call of the program's own.
struct known_names {
  std::vector<std::string> locks;
  std::map<std::uint32_t, std::string> places;
};

/// A process at a moment.
struct watched_process {
  std::uint32_t pid = 0;
  std::uint64_t begun = 0;  ///< Tells it from a program that the same process was before.
  std::string program;
  unsigned every = 1;
  std::uint32_t threads = 0;  ///< That locked something.
  bool over = false;          ///< It has ended, was killed, or became another program: nothing more will come.
  bool locks_mutex = false;   ///< Or a spin lock: it is of a program that waits by what is recorded.
  std::vector<lock_counts> locks;
  std::vector<std::string> cycles;           ///< Lock-order cycles: the names of the locks of each.
  std::shared_ptr<const known_names> names;  ///< The names of these locks, at least.

  [[nodiscard]] const std::string& place(const lock_counts& l) const;
};

struct moment {
  double seconds = 0;  ///< Since the watch began.
  std::vector<watched_process> processes;
};

/// What a file is to who looks for a recording.
enum class file_content : std::uint8_t { recording, of_another_version, of_another_user, something_else };

/// One file of a recorder. What is read once is kept: a look costs what the counts of the locks cost.
class watched_file {
 public:
  explicit watched_file(const std::string& path);
  ~watched_file();
  watched_file(watched_file&&) noexcept;
  watched_file& operator=(watched_file&&) noexcept;

  [[nodiscard]] bool is_open() const;
  [[nodiscard]] file_content content() const;
  /// Adds the processes that have written into it.
  void look(std::vector<watched_process>& to);
  /// When it was last looked at nobody could write into it any more.
  [[nodiscard]] bool is_over() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The recordings of a folder, in which further processes may begin theirs. Open are those of processes that run: what is over
/// is in one look, and then no more.
class watched_folder {
 public:
  explicit watched_folder(std::string path) : path_{std::move(path)} {}
  /// Throws std::runtime_error with one sentence if the folder cannot be read.
  void look(std::vector<watched_process>& to);

 private:
  std::string path_;
  std::map<std::string, std::optional<watched_file>> files_;  // nothing: it is over
};

/// Locks of one name in one process, between two moments. What was sampled is told as estimated of all.
struct lock_rates {
  std::uint32_t pid = 0;
  std::string name;
  std::size_t locks = 0;
  double acquisitions = 0;        ///< A second.
  double contended = 0;           ///< Share of them.
  double waiting = 0;             ///< Threads that waited, on average: waits that have ended, second by second.
  double wait_ns = 0;             ///< Mean, of those that waited.
  double held = 0;                ///< Locks of this name that were held, on average.
  double hold_ns = 0;             ///< Mean.
  double condition_waits = 0;     ///< A second.
  std::uint32_t waiting_now = 0;  ///< Sampled acquisitions that wait: as many wait at least.
  std::string place;              ///< Where one was taken last; empty: unknown.
};

/// The rates of locks that were taken, or waited for, in between. A process that was not there before began with nothing counted.
[[nodiscard]] std::vector<lock_rates> rates_between(const moment& before, const moment& now);

}  // namespace synchro::recorded

#endif
