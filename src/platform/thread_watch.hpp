// What the scheduler's own record says of a thread: whether it is asleep, and in which system call.

#ifndef SYNCHRO_PLATFORM_THREAD_WATCH_HPP
#define SYNCHRO_PLATFORM_THREAD_WATCH_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// The system's number of the calling thread.
[[nodiscard]] long this_thread_number();
/// The numbers of all threads of this process; none if the system does not tell.
[[nodiscard]] std::vector<long> thread_numbers();

/// A system call by its name ("futex"); "call 999" for one that is not known here.
[[nodiscard]] std::string call_name(long number);

/// Whether the system records for each thread if it sleeps. Wine does not: there nobody is seen asleep.
[[nodiscard]] bool tells_who_sleeps();

/// One thread of this process, as the scheduler records it. Keeps files open until it goes.
class thread_watch {
 public:
  explicit thread_watch(long thread);
  ~thread_watch();
  thread_watch(thread_watch&& other) noexcept;
  thread_watch& operator=(thread_watch&&) = delete;

  struct standing {
    bool asleep;                          ///< Waiting, not ready to run.
    std::optional<std::uint64_t> slices;  ///< How often it has been given a processor; it grows with each waking.
  };
  /// Nothing if the system does not tell.
  [[nodiscard]] std::optional<standing> look() const;
  /// The system call in which it sleeps; nothing if it does not, or the system does not tell.
  [[nodiscard]] std::optional<std::string> sleeps_in() const;

  /// Lets the thread run only when nobody else wants the processor: for one that is lost and cannot be ended.
  static void put_aside(long thread);

 private:
  long thread_;
  int stat_;
  int schedstat_;
};

}  // namespace synchro::platform

#endif
