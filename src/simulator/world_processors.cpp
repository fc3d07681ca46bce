// Who runs on which processor, and who sleeps.

#include <algorithm>
#include <utility>

#include "simulator/world.hpp"

namespace synchro::simulator {

void world::set_active(thread& t, bool active) {
  if (t.active == active) return;
  t.active = active;
  active ? ++active_[t.issue_group] : --active_[t.issue_group];
}

void world::resume_at(thread& t, ticks at) {
  if (t.on_processor) {
    t.scheduled = true;
    t.resume_at = at;
    push(at, happening::resume, t.number, ++t.token);
    return;
  }
  t.due = true;
  t.remaining = at - now_;
  if (!t.asleep) displace_idler(t.processor);
}

/// Threads that would give their processor away do so as soon as somebody else has use for it.
void world::displace_idler(unsigned number) {
  processor& p = processors_[number];
  if (p.current != nullptr && p.current->would_yield && !p.current->stalled && !p.current->scheduled)
    preempt(*p.current);
}

void world::make_ready(thread& t) {
  processor& p = processors_[t.processor];
  p.ready.push_back(&t);
  if (p.current == nullptr) return dispatch(t.processor);
  displace_idler(t.processor);
  watch_slice(t.processor);
}

/// Gives an idle processor to the next thread that has something to do.
void world::dispatch(unsigned number) {
  processor& p = processors_[number];
  if (p.ready.empty()) {
    p.idle_since = now_;
    return;
  }
  auto next = std::find_if(p.ready.begin(), p.ready.end(), [](const thread* t) { return t->due || !t->would_yield; });
  if (next == p.ready.end()) next = p.ready.begin();
  thread& t = **next;
  p.ready.erase(next);
  const bool changes = p.last != nullptr && p.last != &t;
  p.current = p.last = &t;
  t.on_processor = true;
  t.runs_since = now_;
  set_active(t, true);
  ++p.slice;
  p.watched = false;
  if (std::exchange(t.due, false)) resume_at(t, now_ + t.remaining + (changes ? model_.wake().switching : 0));
  watch_slice(number);
}

void world::watch_slice(unsigned number) {
  processor& p = processors_[number];
  if (p.ready.empty() || p.watched) return;
  p.watched = true;
  push(now_ + model_.wake().slice, happening::slice, number, ++p.slice);
}

void world::leave_processor(thread& t) {
  t.on_processor = false;
  t.ran += now_ - t.runs_since;
  set_active(t, false);
}

void world::preempt(thread& t) {
  if (t.stalled) {
    t.preempt_later = true;
    return;
  }
  t.preempt_later = false;
  ++t.displaced;
  leave_processor(t);
  if (std::exchange(t.scheduled, false)) {
    t.due = true;
    t.remaining = t.resume_at > now_ ? t.resume_at - now_ : 0;
    ++t.token;
  }
  processor& p = processors_[t.processor];
  p.current = nullptr;
  p.ready.push_back(&t);
  dispatch(t.processor);
}

/// The running thread, or the one that has ended, leaves its processor without a wish to come back.
void world::give_up_processor(thread& t) {
  leave_processor(t);
  processors_[t.processor].current = nullptr;
  dispatch(t.processor);
}

void world::yield() {
  thread& t = *running_;
  t.slack = t.sooner = 0;
  advance(model_.wake().call);
  if (processors_[t.processor].ready.empty()) return;
  resume_at(t, now_);
  preempt(t);
  suspend();
}

ticks world::stretched(ticks t) {
  const unsigned sharing = std::max(1U, active_[running_->issue_group]);
  const auto spread = static_cast<ticks>(model_.jitter() * static_cast<double>(t));
  return (t - spread + random_.below(2 * spread + 1)) * sharing;
}

bool world::park(const void* word, bool holds, ticks timeout) {
  thread& t = *running_;
  if (!holds) {
    end();
    return false;
  }
  // Between the look at the word, just now, and this nothing else has happened.
  t.asleep = true;
  ++asleep_;
  ++t.sleeps;
  wait_queues_[word].sleepers.push_back(&t);
  if (timeout != never) push(std::max(timeout, now_), happening::timeout, t.number, ++t.timeout_token);
  give_up_processor(t);
  t.due = true;
  t.remaining = 0;
  suspend();
  ++t.timeout_token;
  return !t.woken;
}

void world::get_up(thread& t, bool woken) {
  t.asleep = false;
  t.woken = woken;
  --asleep_;
}

/// When a processor that is told to leave its idle state now executes instructions.
ticks world::out_of_idle(processor& p) {
  if (p.current != nullptr) return now_;
  if (p.idle_since != never) p.executes = now_ + model_.wake().exit_after(now_ - std::exchange(p.idle_since, never));
  return std::max(now_, p.executes);
}

/// Takes `effort`; the thread is ready when the wake-up has reached it and those woken before it let it go on.
void world::wake_first(wait_queue& q, ticks effort) {
  thread& t = *q.sleepers.front();
  q.sleepers.pop_front();
  get_up(t, true);
  ++t.timeout_token;
  advance(effort);
  q.delay = q.up > now_ ? q.delay + model_.wake().contend : 0;
  q.up = out_of_idle(processors_[t.processor]) + model_.wake().latency + q.delay;
  push(q.up, happening::ready, t.number, 0);
}

void world::enter_system() {
  running_->slack = running_->sooner = 0;
  drain();
  advance(model_.wake().call);
}

/// Wakes those who sleep now, in order: who comes back to sleep meanwhile is not woken again.
void world::unpark(const void* word, std::uint32_t n) {
  enter_system();
  wait_queue& q = wait_queues_[word];
  for (std::size_t left = std::min<std::size_t>(n, q.sleepers.size()); left != 0 && !q.sleepers.empty(); --left)
    wake_first(q, model_.wake().each);
}

void world::unpark_by_interrupt(const void* word) {
  constexpr std::size_t reached_at_once = 16;
  enter_system();
  wait_queue& q = wait_queues_[word];
  const std::size_t all = q.sleepers.size();
  for (std::size_t i = 0; i < all && !q.sleepers.empty(); ++i)
    wake_first(q, i % reached_at_once == 0 ? model_.wake().interrupt_each : 0);
}

}  // namespace synchro::simulator
