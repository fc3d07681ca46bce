// Timed: the standard's pairs of functions, _for and _until, for whatever knows how to do the same within a limit.

#ifndef SYNCHRO_DETAIL_TIMED_HPP
#define SYNCHRO_DETAIL_TIMED_HPP

#include <optional>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// `Self` has send_within(message, limit) and receive_within(limit); a limit is how long, or until when.
template <class Self, class T>
class timed_messages {
 public:
  /// False, and nothing is sent, if there is no room in time, or it is closed.
  template <class Rep, class Period>
  [[nodiscard]] bool send_for(const T& message, const std::chrono::duration<Rep, Period>& patience) {
    return self().send_within(message, patience);
  }
  template <class Clock, class Duration>
  [[nodiscard]] bool send_until(const T& message, const std::chrono::time_point<Clock, Duration>& moment) {
    return self().send_within(message, moment);
  }

  /// Nothing if no message comes in time, or it is closed and empty.
  template <class Rep, class Period>
  [[nodiscard]] std::optional<T> receive_for(const std::chrono::duration<Rep, Period>& patience) {
    return self().receive_within(patience);
  }
  template <class Clock, class Duration>
  [[nodiscard]] std::optional<T> receive_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return self().receive_within(moment);
  }

 protected:
  ~timed_messages() = default;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// `Self` has wait_by(i, deadline), which tells whether sleeper i was woken, or more of it.
template <class Self, class Machine>
class timed_team {
 public:
  /// The same as wait(i), until the deadline. If the trigger does not come in time, it is still the next one.
  template <class Rep, class Period>
  auto wait_for(unsigned i, const std::chrono::duration<Rep, Period>& patience) {
    return self().wait_by(i, deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  auto wait_until(unsigned i, const std::chrono::time_point<Clock, Duration>& moment) {
    return self().wait_by(i, deadline_of<Machine>(moment));
  }

 protected:
  ~timed_team() = default;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

/// `Self` has try_wait() and wait_by(deadline), which is false when the time is over.
template <class Self, class Machine>
class timed_waits {
 public:
  /// False if what is waited for does not come in time.
  template <class Rep, class Period>
  bool wait_for(const std::chrono::duration<Rep, Period>& patience) {
    return self().try_wait() || self().wait_by(deadline_of<Machine>(patience));
  }
  template <class Clock, class Duration>
  bool wait_until(const std::chrono::time_point<Clock, Duration>& moment) {
    return self().try_wait() || self().wait_by(deadline_of<Machine>(moment));
  }

 protected:
  ~timed_waits() = default;

 private:
  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
