// Accesses to lines: what they cost, what they change, and who waits for that.

#include <algorithm>
#include <utility>

#include "simulator/world.hpp"

namespace synchro::simulator {

bool world::hits(line_index index, access what, unsigned core, bool starting) const {
  const line& l = lines_[index];
  const bool taken = !starting && l.busy && writes(l.first->what) && now_ >= l.reaches_owner;
  if (!writes(what)) return lines_.has_copy(index, core) && !(taken && l.owner == core);
  if (model_.writes_at_home() || l.owner != core) return false;
  const bool queue_moves = !starting && l.busy && now_ >= l.reaches_owner;
  return (l.in == state::modified || l.in == state::exclusive) && !queue_moves;
}

/// What an access costs that its line is ready for.
ticks world::hit_cost(line& l, access what, const thread& t) const {
  const bool sibling = l.last != t.processor && l.last != line::nobody && model_.core_of(l.last) == t.core;
  if (sibling && what != access::prefetch) {
    if (what != access::load || l.in != state::shared) l.last = t.processor;
    return model_.latency(row_of(what), l.in, model_.between(t.core, t.core));
  }
  if (is_atomic(what)) return model_.local_atomic();
  if (what == access::load) return model_.cache(std::exchange(l.at, level::l1));
  return per_cycle;
}

/// The class of a transfer between two cores. Where a directory at home takes part, it is that of the longer of the two
/// ways, and if both are long each hop of the shorter one costs extra.
std::uint8_t world::distance(const line& l, unsigned core, unsigned other, ticks& extra) const {
  if (model_.distance_to_home()) return model_.between(core, l.home);
  const std::uint8_t direct = model_.between(core, other);
  if (!model_.directory_hop()) return direct;
  const std::uint8_t in = model_.between(core, l.home), out = model_.between(l.home, other);
  extra += *model_.directory_hop() * std::min(model_.hops(in), model_.hops(out));
  return std::max(in, out);
}

/// Of a request that is about to be served, by the state of its line.
ticks world::latency(line& l, request& r) {
  const unsigned core = r.from->core;
  const operation row = row_of(r.what);
  ticks extra = 0;
  r.holder = l.home;
  if (l.in == state::invalid) {
    const bool own = l.last == line::nobody || l.last == r.from->processor;
    const bool near = model_.die_of_core(core) == model_.die_of_core(l.home) && !model_.distance_to_home();
    if (row == operation::load && own && (near || core == l.home)) return model_.cache(level::ram);
    return model_.latency(row, state::invalid, model_.between(core, l.home));
  }
  if (l.in == state::modified || l.in == state::exclusive || (l.in == state::owned && row == operation::load)) {
    r.holder = l.owner;
    const std::uint8_t d = distance(l, core, l.owner, extra);
    return model_.latency(row, l.in, d) + extra;
  }
  // Shared: a load is answered by the nearest copy, a write has to reach the farthest.
  const bool load = row == operation::load;
  std::size_t others = 0;
  const unsigned chosen = load ? nearest_copy(r.line, core) : farthest_copy(r.line, core, others);
  r.holder = chosen;
  std::uint8_t d = distance(l, core, chosen, extra);
  if (chosen == core && model_.threads_per_core() == 1 && !model_.distance_to_home() && !model_.directory_hop()) d = 0;
  return model_.latency(row, l.in, d) + extra + (load ? 0 : model_.extra_for_sharers(others));
}

/// What a request is longer because links and its line's home serve others.
ticks world::among_others(const line& l, const request& r) {
  const bool shared = l.in == state::shared || l.in == state::owned;
  return traffic_.delay({model_.die_of_core(r.from->core), model_.die_of_core(r.holder), model_.die_of_core(l.home),
                         shared && writes(r.what), !lines_.has_copy(r.line, r.from->core)},
                        now_);
}

/// Of those at the same distance the first; the core itself if it is the only one. Where all have a copy, one in the own
/// die is found at once.
unsigned world::nearest_copy(line_index l, unsigned core) const {
  const unsigned die = model_.die_of_core(core) * model_.cores_per_die();
  const auto nearest = [&](unsigned c) { return c != core && model_.between(core, c) == model_.to_nearest(core); };
  const unsigned found = lines_.find_copy(l, die, die + model_.cores_per_die(), nearest);
  if (found != line::nobody) return found;
  unsigned chosen = core;
  lines_.each_copy(l, [&](unsigned c) {
    if (c != core && (chosen == core || model_.between(core, c) < model_.between(core, chosen))) chosen = c;
  });
  return chosen;
}

unsigned world::farthest_copy(line_index l, unsigned core, std::size_t& others) const {
  unsigned chosen = core;
  lines_.each_copy(l, [&](unsigned c) {
    if (c == core) return;
    ++others;
    if (chosen == core || model_.between(core, c) > model_.between(core, chosen)) chosen = c;
  });
  return chosen;
}

void world::change_state(line_index index, line& l, access what, const thread& t) {
  if (!writes(what)) {
    if (lines_.has_copy(index, t.core)) return;
    lines_.add_copy(index, t.core);
    if (l.in == state::invalid) {
      l.in = state::exclusive;
      l.owner = t.core;
      l.last = t.processor;
    } else if (l.in == state::modified && model_.has_owned()) {
      l.in = state::owned;
    } else if (l.in != state::owned) {
      l.in = state::shared;
      l.owner = line::nobody;
    }
    l.at = level::l1;
    return;
  }
  lines_.drop_copies(index);
  lines_.add_copy(index, t.core);
  l.in = state::modified;
  l.owner = t.core;
  l.last = t.processor;
  l.at = level::l1;
  l.written = now_;
  wrote(l);
}

void world::enqueue(request& r) {
  line& l = lines_[r.line];
  r.next = nullptr;
  if (!r.buffered) r.sent = now_;
  if (l.busy) r.sooner = 0;
  (l.first == nullptr ? l.first : l.last_request->next) = &r;
  l.last_request = &r;
  if (!l.busy) start(r.line);
}

/// The mean is the model's share of the latency. When a request comes between two accesses of the owner is chance: if its
/// way always took as long, it would always come at the same point of the owner's loop, say while a lock is held.
ticks world::way_to_owner(ticks latency) {
  const double share = model_.hold();
  const auto mean = static_cast<ticks>(share * static_cast<double>(latency));
  const auto spread = static_cast<ticks>(std::min(share, 1 - share) / 2 * static_cast<double>(latency));
  return mean - spread + random_.below(2 * spread + 1);
}

/// What a write spends on its way to the home, and as much back. Others have the line meanwhile.
ticks world::way_home(const line& l, const request& r) const {
  if (!writes(r.what)) return 0;
  const unsigned core = r.from->core;
  const ticks way = model_.way_to_home(model_.between(core, model_.distance_to_home() ? l.home : core));
  return std::min(way, r.latency / 2);
}

void world::start(line_index index) {
  line& l = lines_[index];
  request& r = *l.first;
  l.busy = true;
  if (hits(index, r.what, r.from->core, true)) {
    r.latency = hit_cost(l, r.what, *r.from);
    r.occupancy = 0;
  } else {
    r.latency = latency(l, r);
    r.latency -= std::min({r.sooner, now_ - l.written, r.latency - std::min(r.latency, per_cycle)});
    if (traffic_.counts()) r.latency += among_others(l, r);
    const ticks way = way_home(l, r);
    if (r.sent > now_)
      r.latency += r.sent - now_;
    else
      r.latency -= std::min(way, now_ - r.sent);  // it was on its way while others were served
    r.occupancy =
        writes(r.what) ? r.latency - way : static_cast<ticks>(model_.read_occupancy() * static_cast<double>(r.latency));
  }
  l.reaches_owner = now_ + way_to_owner(r.latency);
  push(now_ + r.occupancy, happening::grant, index, 0);
}

void world::grant(line_index index) {
  line& l = lines_[index];
  request& r = *l.first;
  l.first = r.next;
  l.busy = false;
  change_state(index, l, r.what, *r.from);
  thread& t = *r.from;
  if (r.buffered) {
    complete_store(r);  // its value is in its place before anybody else can look
    if (l.first != nullptr && !l.busy) start(index);
    return;
  }
  if (r.ahead) {
    if (l.first != nullptr) start(index);
    return arrived(r);
  }
  t.cost = r.latency - r.occupancy;
  t.line = index;
  t.version = l.version;
  if (l.first != nullptr) start(index);
  run_thread(t);
}

void world::leave_blocked() {
  thread& t = *running_;
  t.stalled = false;
  set_active(t, true);
}

void world::begin(access what, const void* p) {
  thread& t = *running_;
  count_access();
  t.doing = what;
  t.began = now_;
  if (is_atomic(what)) {
    if (t.store_count != 0 && ahead_ != 0) (void)ask_ahead(access::prefetch, p);
    drain();
  }
  const line_index index = lines_.find(p, t.core);
  if (t.store_count != 0 && !hits(index, what, t.core, false)) wait_for_line(index);
  if (!t.ahead.empty()) await_early(index);
  line& l = lines_[index];
  if (hits(index, what, t.core, false)) {
    // Where no core owns lines, what two threads of a core have read counts as shared.
    const bool shares = model_.writes_at_home() && l.in == state::exclusive && l.last != t.processor;
    t.cost = hit_cost(l, what, t);
    t.line = index;
    if (shares) l.in = state::shared;
    if (writes(what)) {
      l.in = state::modified;
      wrote(l);
    }
    t.version = l.version;
    return;
  }
  t.own.what = what;
  t.own.from = &t;
  t.own.line = index;
  t.own.sooner = model_.misses() != 1 ? came_to_it() : 0;
  t.stalled = true;
  set_active(t, false);
  enqueue(t.own);
  suspend();
  leave_blocked();
  if (t.preempt_later) {
    // The value is to be taken now; the processor is taken away at the end of the access.
    t.preempt_later = false;
    push(now_, happening::slice, t.processor, ++processors_[t.processor].slice);
  }
}

// ---- waiting for a line

world::watched world::watch(const void* p) {
  const line_index l = lines_.find(p, running_->core);
  return {l, running_->line == l ? running_->version : lines_[l].version};
}

void world::stop_waiting(thread& t) {
  for (std::size_t i = 0; i < t.watch_count; ++i) {
    waiter& w = t.watches[i];
    (w.previous != nullptr ? w.previous->next : lines_[w.line].waiting) = w.next;
    if (w.next != nullptr) w.next->previous = w.previous;
  }
  t.watch_count = 0;
}

/// False if there was nothing to wait for.
bool world::wait_for_change(std::span<const watched> lines, ticks timeout, bool would_yield, resumption then) {
  thread& t = *running_;
  t.slack = t.sooner = 0;
  for (const watched& w : lines)
    if (lines_[w.line].version != w.version) return false;
  if (timeout <= now_) return false;
  for (const watched& w : lines) {
    waiter& mine = t.watches[t.watch_count++];
    waiter*& head = lines_[w.line].waiting;
    mine = {&t, w.line, nullptr, head};
    if (head != nullptr) head->previous = &mine;
    head = &mine;
  }
  if (timeout != never) push(timeout, happening::timeout, t.number, ++t.timeout_token);
  t.would_yield = would_yield;
  t.then = then;
  if (would_yield && !processors_[t.processor].ready.empty()) preempt(t);
  suspend();
  return true;
}

/// Copies are taken away, or the holder of the line has changed its value: whoever waits for that looks again.
void world::wrote(line& l) {
  ++l.version;
  while (l.waiting != nullptr) {
    thread& t = *l.waiting->who;
    stop_waiting(t);
    resume_at(t, now_);
  }
}

// ---- lines out of their usual way

void world::flush(const void* p) {
  drain();
  const line_index index = lines_.find(p, running_->core);
  line& l = lines_[index];
  l.in = state::invalid;
  l.owner = line::nobody;
  l.at = level::l1;
  lines_.drop_copies(index);
  wrote(l);
  advance(per_cycle);
}

void world::demote(const void* p, level to) {
  drain();
  lines_[lines_.find(p, running_->core)].at = to;
}

void world::has_written(const void* p, std::size_t bytes) {
  const auto* const begin = static_cast<const std::byte*>(p);
  for (std::size_t at = 0; at < bytes; at += line_table::bytes) {
    const line_index index = lines_.find(begin + at, running_->core);
    change_state(index, lines_[index], access::store, *running_);
  }
}

void* world::allocate(std::size_t bytes, std::size_t alignment) {
  return lines_.allocate(bytes, alignment, running_or_outside().core);
}

}  // namespace synchro::simulator
