#include "simulator/traffic.hpp"

#include <algorithm>
#include <utility>

namespace synchro::simulator {

/// From when it comes to when it is over, less what serving it takes.
ticks traffic::serve(server& s, ticks takes, ticks comes) {
  if (std::exchange(s.mine, transfers_) != transfers_) s.for_mine = s.free;
  const ticks begins = std::max(comes, s.for_mine);
  s.free = std::max(begins, s.free) + takes;
  return begins;
}

/// When it arrives, if an idle way took no time.
ticks traffic::send(unsigned from, unsigned to, size what, ticks leaves) {
  if (links_.empty()) return leaves;
  for (const std::uint16_t link : model_.route(from, to)) {
    const link_costs& costs = model_.links()[link];
    leaves = serve(links_[link], what == size::line ? costs.line : costs.message, leaves);
  }
  return leaves;
}

ticks traffic::asking_all(const transfer& t, ticks now) {
  ticks data = now, answered = now;
  for (unsigned die = 0; die < model_.dies(); ++die) {
    const ticks asked = send(t.requester, die, size::message, now);
    if (die == t.holder && t.with_data) data = send(die, t.requester, size::line, asked);
    if (die != t.requester) answered = std::max(answered, send(die, t.home, size::message, asked));
  }
  return std::max(data, send(t.home, t.requester, size::message, at_home(t.home, answered)));
}

ticks traffic::asking_home(const transfer& t, ticks now) {
  const ticks asked = at_home(t.home, send(t.requester, t.home, size::message, now));
  const ticks forwarded = send(t.home, t.holder, size::message, asked);
  ticks done = t.with_data ? send(t.holder, t.requester, size::line, forwarded) : forwarded;
  for (unsigned die = 0; t.to_all && die < model_.dies(); ++die)
    if (die != t.requester && die != t.holder)
      done = std::max(done, send(die, t.requester, size::message, send(t.home, die, size::message, asked)));
  (void)send(t.requester, t.home, size::message, done);
  return done;
}

ticks traffic::delay(const transfer& t, ticks now) {
  if (model_.snoops_all() && t.holder == t.requester) return 0;  // the die's own last level knows its lines
  ++transfers_;
  return (model_.snoops_all() ? asking_all(t, now) : asking_home(t, now)) - now;
}

}  // namespace synchro::simulator
