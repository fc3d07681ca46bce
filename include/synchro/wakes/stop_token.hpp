// The standard's stop tokens for team wakes: a sleeper waits for the next trigger, or until it is asked to stop.
//
//   std::jthread worker{[&](std::stop_token token) {
//     while (synchro::wait(team, i, token)) work(i);
//   }};
//
// As with std::condition_variable_any: a request wakes the sleeper, and one that came before the wait makes it return at
// once; a trigger that has come is not lost, the answer is true for that first. What a wait answers is what the wake's own
// does (synchro/wakes/team.hpp), and without a request it is the same. A header of its own, for <stop_token> is large.
//
// It uses stop(i) and resume(i): a stop(i) of the program's own is taken back by a wait whose token was stopped.

#ifndef SYNCHRO_WAKES_STOP_TOKEN_HPP
#define SYNCHRO_WAKES_STOP_TOKEN_HPP

#include <stop_token>

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

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
