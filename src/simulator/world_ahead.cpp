// What a core does besides the access that its thread waits for: instructions, and requests for lines that are needed
// later.

#include <algorithm>
#include <utility>

#include "simulator/world.hpp"

namespace synchro::simulator {

/// What belongs to the access at hand. A core issues for all its running threads in turn, for the others while this one's
/// access takes its time: only what does not fit in there makes it longer.
ticks world::executed() const {
  const ticks of_all = instructions_ * std::max(1U, active_[running_->issue_group]);
  return std::max(instructions_, of_all - std::min(of_all, running_->cost));
}

/// What is left of so much work if it began while the last load was under way. That the load's value decides what comes
/// next does not matter, for branches are predicted.
ticks world::unhidden(ticks t) {
  const ticks hidden = std::min(t, running_->slack);
  running_->slack -= hidden;
  return t - hidden;
}

/// Nothing begins before a read-modify-write is done, not even what does not depend on it (Schweizer, Besta, Hoefler:
/// Evaluating the Cost of Atomic Operations on Modern Architectures, PACT 2015).
void world::end() {
  thread& t = *running_;
  if (instructions_ == 0 && model_.window() == 0 && t.ahead.empty()) return advance(t.cost);
  const ticks arrives = std::exchange(t.arrives, 0);
  if (arrives > now_) t.cost = std::max(t.cost, arrives - now_);
  if (t.independent && t.cost == model_.cache(level::l1)) {
    t.cost = std::min(t.cost, per_cycle);
    if (now_ == t.began) return advance(unhidden(std::max(t.cost, executed())));
  }
  const ticks took = now_ + t.cost - t.began;
  t.sooner -= std::min(t.sooner, took);
  if (t.doing == access::load) {
    const ticks sooner = model_.misses() != 1 ? came_to_it() : 0;
    const ticks under_way = took + sooner, hides = std::min(model_.window(), under_way);
    if (hides >= t.slack) t.slack = hides, t.before = under_way - hides;
    if (ahead_ != 0) t.sooner = std::max(t.sooner, took);
  } else if (is_atomic(t.doing)) {
    t.slack = t.sooner = 0;
  }
  advance(t.cost + unhidden(executed()));
}

void world::prefetch(const void* p) {
  if (!running_->ahead.empty() && ask_ahead(access::prefetch, p)) {
    count_access();
    running_->cost = per_cycle;
    return advance(running_->cost + unhidden(executed()));
  }
  begin(access::prefetch, p);
  end();
}

bool world::ask_ahead(access what, const void* p, ticks sooner) {
  return ask_ahead(*running_, what, lines_.find(p, running_->core), sooner);
}

bool world::ask_ahead(thread& t, access what, line_index index, ticks sooner) {
  early* free = nullptr;
  for (early& e : t.ahead) {
    if (!e.pending && e.arrives <= now_)
      free = &e;
    else if (e.asked.line == index)
      return true;
  }
  if (hits(index, what, t.core, false)) return true;
  if (free == nullptr) return false;
  free->asked = {};
  free->asked.what = what;
  free->asked.ahead = true;
  free->asked.from = &t;
  free->asked.line = index;
  free->asked.sooner = sooner;
  free->pending = true;
  enqueue(free->asked);
  return true;
}

void world::arrived(request& r) {
  for (early& e : r.from->ahead) {
    if (&e.asked != &r) continue;
    e.pending = false;
    e.arrives = now_ + r.latency - r.occupancy;
    if (std::exchange(e.awaited, false)) resume_at(*r.from, now_);
  }
}

/// An access to a line that was asked for is over when the line is there, and not before.
void world::await_early(line_index l) {
  thread& t = *running_;
  for (early& e : t.ahead) {
    if (e.asked.line != l || (!e.pending && e.arrives <= now_)) continue;
    if (e.pending) {
      e.awaited = true;
      t.stalled = true;
      set_active(t, false);
      suspend();
      leave_blocked();
    }
    t.arrives = std::exchange(e.arrives, 0);
  }
}

}  // namespace synchro::simulator
