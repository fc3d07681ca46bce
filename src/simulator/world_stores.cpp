// Store buffers: stores reach their lines in order, one after the other. Their lines may be asked for at once. Where writes
// go to the line's home, those to one line are on their way together; one to another line waits for the answer.

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/world.hpp"

namespace synchro::simulator {

const std::uint64_t* world::buffered(const void* p) const {
  thread& t = *running_;
  for (std::size_t i = t.store_count; i-- != 0;) {
    const request& r = t.stores[(t.first_store + i) % t.stores.size()];
    if (r.address != p) continue;
    t.cost = model_.cache(level::l1);
    return &r.value;
  }
  return nullptr;
}

void world::store(void* p, std::uint64_t value, std::size_t size) {
  thread& t = *running_;
  count_access();
  while (t.store_count == t.stores.size()) {
    t.waits_for_stores = true;
    t.stalled = true;
    set_active(t, false);
    suspend();
    leave_blocked();
  }
  request& r = t.stores[(t.first_store + t.store_count) % t.stores.size()];
  r.what = access::store;
  r.buffered = true;
  r.size = static_cast<std::uint8_t>(size);
  r.from = &t;
  r.line = lines_.find(p, t.core);
  r.address = p;
  r.value = value;
  r.sent = now_;
  const bool first = ++t.store_count == 1;
  r.sooner = first ? t.sooner : 0;
  if (first)
    issue_stores(t);
  else if (ahead_ != 0)
    (void)ask_ahead(access::prefetch, p, t.sooner);
  ask_for_stores(t);
  t.cost = per_cycle;
  advance(t.cost + unhidden(executed()));
}

/// Sends on what is first in the buffer. Stores that find their line ready are done at once.
void world::issue_stores(thread& t) {
  while (t.store_count != 0) {
    request& r = t.stores[t.first_store];
    line& l = lines_[r.line];
    if (!hits(r.line, access::store, t.core, false)) {
      if (r.line != t.stored) r.sent = std::max(r.sent, t.acknowledged);
      return enqueue(r);
    }
    (void)hit_cost(l, access::store, t);
    l.in = state::modified;
    std::memcpy(r.address, &r.value, r.size);
    wrote(l);
    leave_buffer(t);
  }
}

/// Their values reach the lines one after the other; the lines come at once.
void world::ask_for_stores(thread& t) {
  const auto at = [&t](std::size_t i) -> request& { return t.stores[(t.first_store + i) % t.stores.size()]; };
  for (std::size_t& i = t.asked_stores; i < std::min(t.store_count, stores_); ++i) {
    bool known = i == 0;  // the first one's request is its own
    for (std::size_t before = 0; before < i && !known; ++before) known = at(before).line == at(i).line;
    if (!known && !ask_ahead(t, access::prefetch, at(i).line, 0)) return;
  }
}

void world::leave_buffer(thread& t) {
  t.first_store = (t.first_store + 1) % t.stores.size();
  --t.store_count;
  if (t.asked_stores != 0) --t.asked_stores;
}

void world::complete_store(request& r) {
  thread& t = *r.from;
  std::memcpy(r.address, &r.value, r.size);
  t.stored = r.line;
  if (model_.writes_at_home()) t.acknowledged = now_ + r.latency - r.occupancy;
  leave_buffer(t);
  issue_stores(t);
  ask_for_stores(t);
  if (std::exchange(t.waits_for_stores, false)) resume_at(t, now_);
}

void world::drain() {
  thread& t = *running_;
  while (t.store_count != 0) {
    t.waits_for_stores = true;
    t.stalled = true;
    set_active(t, false);
    suspend();
    leave_blocked();
  }
  if (t.acknowledged > now_) advance(t.acknowledged - now_);
}

void world::wait_for_line(line_index l) {
  thread& t = *running_;
  const auto pending = [&] {
    for (std::size_t i = 0; i < t.store_count; ++i)
      if (t.stores[(t.first_store + i) % t.stores.size()].line == l) return true;
    return false;
  };
  while (pending()) {
    t.waits_for_stores = true;
    t.stalled = true;
    set_active(t, false);
    suspend();
    leave_blocked();
  }
}

void world::fence() {
  drain();
  advance(model_.fence());
}

}  // namespace synchro::simulator
