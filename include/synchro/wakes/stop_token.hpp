// The standard's stop tokens for the wakes: a sleeper of a team waits for the next trigger, and any thread for an event or
// auto_event, or until it is asked to stop.
//
//   std::jthread worker{[&](std::stop_token token) {
//     while (synchro::wait(team, i, token)) work(i);
//   }};
//   std::jthread other{[&](std::stop_token token) { if (synchro::wait(loaded, token)) use(); }};
//
// As with std::condition_variable_any: a request wakes the sleeper, and one that came before the wait makes it return at
// once; a trigger that has come is not lost, the answer is true for that first. What a wait answers is what the wake's own
// does (synchro/wakes/team.hpp), and without a request it is the same. A header of its own, for <stop_token> is large.
//
// Of a team it uses stop(i) and resume(i): a stop(i) of the program's own is taken back by a wait whose token was stopped.
// Of an event it uses interrupt(): others who wait for it wake up once, see that they are not meant, and sleep on.

#ifndef SYNCHRO_WAKES_STOP_TOKEN_HPP
#define SYNCHRO_WAKES_STOP_TOKEN_HPP

#include <stop_token>

#include "synchro/deadline.hpp"
#include "synchro/detail/chrono.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// While it lives, a request stops sleeper i; afterwards it is no longer stopped.
template <class Team>
class stopped_by {
 public:
  stopped_by(Team& team, unsigned i, const std::stop_token& token)
      : resumes_{team, i, token}, stops_{token, stops{team, i}} {}

 private:
  struct resumes {
    Team& team;
    unsigned i;
    const std::stop_token& token;
    ~resumes() {
      if (token.stop_requested()) team.resume(i);
    }
  };
  struct stops {
    Team& team;
    unsigned i;
    void operator()() const noexcept { team.stop(i); }
  };

  resumes resumes_;  // destroyed last: when the callback, which may be running, has ended
  std::stop_callback<stops> stops_;
};

/// True for the event, false for a request or the deadline.
template <class Event>
bool event_or_stop(Event& e, const std::stop_token& token, typename Event::machine::deadline until) {
  const std::stop_callback asked{token, [&e]() noexcept { e.interrupt(); }};
  return e.wait_unless([&token] { return token.stop_requested(); }, until);
}

}  // namespace detail

template <class Team>
auto wait(Team& team, unsigned i, const std::stop_token& token) {
  const detail::stopped_by<Team> asked{team, i, token};
  return team.wait(i);
}
template <class Team, class Rep, class Period>
auto wait_for(Team& team, unsigned i, const std::stop_token& token,
              const std::chrono::duration<Rep, Period>& patience) {
  const detail::stopped_by<Team> asked{team, i, token};
  return team.wait_for(i, patience);
}
template <class Team, class Clock, class Duration>
auto wait_until(Team& team, unsigned i, const std::stop_token& token,
                const std::chrono::time_point<Clock, Duration>& moment) {
  const detail::stopped_by<Team> asked{team, i, token};
  return team.wait_until(i, moment);
}

template <class Event>
bool wait(Event& e, const std::stop_token& token) {
  return detail::event_or_stop(e, token, Event::machine::never);
}
template <class Event, class Rep, class Period>
bool wait_for(Event& e, const std::stop_token& token, const std::chrono::duration<Rep, Period>& patience) {
  return detail::event_or_stop(e, token, deadline_of<typename Event::machine>(patience));
}
template <class Event, class Clock, class Duration>
bool wait_until(Event& e, const std::stop_token& token, const std::chrono::time_point<Clock, Duration>& moment) {
  return detail::event_or_stop(e, token, deadline_of<typename Event::machine>(moment));
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
