#include "simulator/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace synchro::simulator {

namespace {

constexpr ticks stagger = 1000 * per_cycle;  // threads of a team start within so long
constexpr std::uint32_t most_idle_slices = 100'000;

}  // namespace

world::world(const model& m, std::uint64_t seed)
    : previous_{current_},
      model_{m},
      random_{seed},
      lines_{m},
      processors_(m.processors()),
      active_(m.issue_groups(), 0) {
  current_ = this;
}

world::~world() {
  for (auto& t : threads_) t->body.reset();
  current_ = previous_;
}

// ---- events

void world::push(ticks at, happening what, std::uint32_t index, std::uint32_t token) {
  events_.push({at, order_++, what, index, token});
}

void world::run() {
  while (left_ != 0) {
    if (events_.empty() || idle_slices_ > most_idle_slices) {
      left_ = 0;
      throw std::runtime_error("the simulated threads wait for something that never comes");
    }
    const event e = events_.top();
    events_.pop();
    now_ = std::max(now_, e.at);
    handle(e);
  }
}

void world::handle(const event& e) {
  switch (e.what) {
    case happening::grant:
      return grant(e.index);
    case happening::resume: {
      thread& t = *threads_[e.index];
      if (!t.scheduled || t.token != e.token) return;
      t.scheduled = false;
      return run_thread(t);
    }
    case happening::timeout: {
      thread& t = *threads_[e.index];
      if (t.timeout_token != e.token) return;
      ++t.timeout_token;
      if (t.asleep) {
        t.asleep = false;
        for (auto& [word, queue] : sleepers_) std::erase(queue, &t);
        return make_ready(t);
      }
      stop_waiting(t);
      return resume_at(t, now_);
    }
    case happening::ready:
      return make_ready(*threads_[e.index]);
    case happening::slice: {
      processor& p = processors_[e.index];
      if (p.slice != e.token) return;
      p.watched = false;
      ++idle_slices_;
      if (p.ready.empty()) return;
      if (p.current != nullptr) preempt(*p.current);
      return watch_slice(e.index);
    }
  }
}

void world::run_thread(thread& t) {
  idle_slices_ = 0;
  ++switches_;
  running_ = &t;
  try {
    t.body->resume();
  } catch (...) {
    running_ = nullptr;
    left_ = 0;
    throw;
  }
  running_ = nullptr;
  if (!t.body->done()) return;
  t.done = true;
  --left_;
  give_up_processor(t);
}

void world::suspend() { running_->body->suspend(); }

void world::advance(ticks by) {
  const ticks target = now_ + by;
  if (events_.empty() || events_.top().at > target) {
    now_ = target;
    return;
  }
  resume_at(*running_, target);
  suspend();
}

// ---- teams

void world::start_threads(const std::vector<unsigned>& processors, unsigned n,
                          const std::function<void(unsigned)>& body) {
  threads_.clear();
  for (unsigned i = 0; i < n; ++i) {
    threads_.push_back(std::make_unique<thread>());
    thread& t = *threads_.back();
    t.number = i;
    t.processor =
        processors.empty() ? i % model_.processors() : processors[i % processors.size()] % model_.processors();
    t.core = model_.core_of(t.processor);
    t.issue_group = model_.issue_group_of(t.processor);
    t.stores.resize(model_.store_buffer());
    t.body = std::make_unique<fibers::fiber>(stacks_, [this, &t, &body] {
      body(t.number);
      while (!t.farewells.empty()) {
        const auto last = std::exchange(t.farewells, {});
        for (const auto& [farewell, argument] : last) farewell(argument);
      }
      drain();
    });
  }
  for (auto& t : threads_) {
    t->due = true;
    t->remaining = random_.below(stagger);
    make_ready(*t);
  }
}

void world::team(const std::vector<unsigned>& processors, unsigned n, const std::function<void(unsigned)>& body) {
  if (running_ != nullptr) throw std::logic_error("a simulated team inside a simulated thread");
  left_ = n;
  start_threads(processors, n, body);
  const auto clean_up = [this] {
    events_ = {};
    sleepers_.clear();
    for (processor& p : processors_) p = processor{};
    std::fill(active_.begin(), active_.end(), 0U);
    for (line_index l = 0; l < lines_.size(); ++l)
      lines_[l].busy = false, lines_[l].first = lines_[l].last_request = nullptr, lines_[l].waiting = nullptr;
    threads_.clear();
  };
  try {
    run();
  } catch (...) {
    clean_up();
    throw;
  }
  clean_up();
}

// ---- processors

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
  if (p.ready.empty()) return;
  auto next = std::find_if(p.ready.begin(), p.ready.end(), [](const thread* t) { return t->due || !t->would_yield; });
  if (next == p.ready.end()) next = p.ready.begin();
  thread& t = **next;
  p.ready.erase(next);
  const bool changes = p.last != nullptr && p.last != &t;
  p.current = p.last = &t;
  t.on_processor = true;
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

void world::preempt(thread& t) {
  if (t.stalled) {
    t.preempt_later = true;
    return;
  }
  t.preempt_later = false;
  t.on_processor = false;
  set_active(t, false);
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
  t.on_processor = false;
  set_active(t, false);
  processors_[t.processor].current = nullptr;
  dispatch(t.processor);
}

void world::yield() {
  thread& t = *running_;
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
  t.woken = false;
  sleepers_[word].push_back(&t);
  if (timeout != never) push(std::max(timeout, now_), happening::timeout, t.number, ++t.timeout_token);
  give_up_processor(t);
  t.due = true;
  t.remaining = 0;
  suspend();
  ++t.timeout_token;
  return !t.woken;
}

void world::enter_system() {
  drain();
  advance(model_.wake().call);
}

void world::unpark(const void* word, std::uint32_t n) {
  enter_system();
  for (; n != 0; --n) {
    const auto found = sleepers_.find(word);
    if (found == sleepers_.end() || found->second.empty()) return;
    thread& t = *found->second.front();
    found->second.pop_front();
    t.asleep = false;
    t.woken = true;
    ++t.timeout_token;
    advance(model_.wake().each);
    push(now_ + model_.wake().latency, happening::ready, t.number, 0);
  }
}

void world::unpark_by_interrupt(const void* word) {
  constexpr std::size_t reached_at_once = 16;
  enter_system();
  const auto found = sleepers_.find(word);
  if (found == sleepers_.end()) return;
  std::deque<thread*> all;
  all.swap(found->second);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i]->asleep = false;
    all[i]->woken = true;
    ++all[i]->timeout_token;
    if (i % reached_at_once == 0) advance(model_.wake().interrupt_each);
    push(now_ + model_.wake().latency, happening::ready, all[i]->number, 0);
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

void world::wait_for_change(std::span<const watched> lines, ticks timeout, bool would_yield) {
  thread& t = *running_;
  for (const watched& w : lines)
    if (lines_[w.line].version != w.version) return;
  if (timeout <= now_) return;
  for (const watched& w : lines) {
    waiter& mine = t.watches[t.watch_count++];
    waiter*& head = lines_[w.line].waiting;
    mine = {&t, w.line, nullptr, head};
    if (head != nullptr) head->previous = &mine;
    head = &mine;
  }
  if (timeout != never) push(timeout, happening::timeout, t.number, ++t.timeout_token);
  t.would_yield = would_yield;
  if (would_yield && !processors_[t.processor].ready.empty()) preempt(t);
  suspend();
  t.would_yield = false;
  ++t.timeout_token;
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

// ---- accesses

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
ticks world::latency(line& l, const request& r) {
  const unsigned core = r.from->core;
  const operation row = row_of(r.what);
  ticks extra = 0;
  if (l.in == state::invalid) {
    const bool own = l.last == line::nobody || l.last == r.from->processor;
    const bool near = model_.die_of_core(core) == model_.die_of_core(l.home) && !model_.distance_to_home();
    if (row == operation::load && own && (near || core == l.home)) return model_.cache(level::ram);
    return model_.latency(row, state::invalid, model_.between(core, l.home));
  }
  if (l.in == state::modified || l.in == state::exclusive || (l.in == state::owned && row == operation::load)) {
    const std::uint8_t d = distance(l, core, l.owner, extra);
    return model_.latency(row, l.in, d) + extra;
  }
  // Shared: a load is answered by the nearest copy, a write has to reach the farthest.
  unsigned chosen = core;
  int best = -1;
  std::size_t others = 0;
  const bool load = row == operation::load;
  lines_.each_copy(r.line, [&](unsigned c) {
    if (c == core) return;
    ++others;
    const int d = model_.between(core, c);
    if (best == -1 || (load ? d < best : d > best)) best = d, chosen = c;
  });
  std::uint8_t d = distance(l, core, chosen, extra);
  if (chosen == core && model_.threads_per_core() == 1 && !model_.distance_to_home() && !model_.directory_hop()) d = 0;
  return model_.latency(row, l.in, d) + extra + (load ? 0 : model_.extra_for_sharers(others));
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
  wrote(l);
}

void world::enqueue(request& r) {
  line& l = lines_[r.line];
  r.next = nullptr;
  (l.first == nullptr ? l.first : l.last_request->next) = &r;
  l.last_request = &r;
  if (!l.busy) start(r.line);
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
    r.occupancy = r.what == access::load ? static_cast<ticks>(model_.read_occupancy() * static_cast<double>(r.latency))
                                         : r.latency;
  }
  l.reaches_owner = now_ + static_cast<ticks>(model_.hold() * static_cast<double>(r.latency));
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
  ++accesses_;
  if (is_atomic(what)) drain();
  const line_index index = lines_.find(p, t.core);
  if (t.store_count != 0) wait_for_line(index);
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

// ---- stores

const std::uint64_t* world::buffered(const void* p) const {
  const thread& t = *running_;
  for (std::size_t i = t.store_count; i-- != 0;) {
    const request& r = t.stores[(t.first_store + i) % t.stores.size()];
    if (r.address == p) return &r.value;
  }
  return nullptr;
}

void world::store(void* p, std::uint64_t value, std::size_t size) {
  thread& t = *running_;
  ++accesses_;
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
  if (++t.store_count == 1) issue_stores(t);
  advance(per_cycle);
}

/// Sends on what is first in the buffer. Stores that find their line ready are done at once.
void world::issue_stores(thread& t) {
  while (t.store_count != 0) {
    request& r = t.stores[t.first_store];
    line& l = lines_[r.line];
    if (!hits(r.line, access::store, t.core, false)) return enqueue(r);
    (void)hit_cost(l, access::store, t);
    l.in = state::modified;
    std::memcpy(r.address, &r.value, r.size);
    wrote(l);
    t.first_store = (t.first_store + 1) % t.stores.size();
    --t.store_count;
  }
}

void world::complete_store(request& r) {
  thread& t = *r.from;
  std::memcpy(r.address, &r.value, r.size);
  t.first_store = (t.first_store + 1) % t.stores.size();
  --t.store_count;
  issue_stores(t);
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

void* world::allocate(std::size_t bytes, std::size_t alignment) {
  return lines_.allocate(bytes, alignment, running_or_outside().core);
}

}  // namespace synchro::simulator
