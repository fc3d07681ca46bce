#include "simulator/world.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace synchro::simulator {

namespace {

constexpr ticks stagger = 1000 * per_cycle;  // threads of a team start within so long
constexpr std::uint32_t most_idle_slices = 100'000;
constexpr std::uint64_t between_questions = 4096;  // events, accesses: below a millisecond

}  // namespace

world::world(const model& m, std::uint64_t seed)
    : previous_{current_},
      model_{m},
      random_{seed},
      instructions_{m.instructions()},
      ahead_{m.ahead()},
      stores_{m.stores()},
      lines_{m},
      network_{m.network() ? m.network()->queue : 0},
      traffic_{m},
      processors_(m.processors()),
      active_(m.issue_groups(), 0) {
  current_ = this;
}

world::~world() {
  for (auto& t : threads_) t->body.reset();
  current_ = previous_;
  all_accesses_ += accesses_;
}

// ---- events

void world::push(ticks at, happening what, std::uint32_t index, std::uint32_t token) {
  if (at <= now_)
    due_.push({now_, order_++, what, index, token});
  else
    events_.push({at, order_++, what, index, token});
}

/// What is due now was made after what the heap has for now, and is already in order.
world::event world::next_event() {
  const bool from_heap = due_.empty() || (!events_.empty() && events_.top().at <= now_);
  const event e = from_heap ? events_.top() : due_.front();
  from_heap ? events_.pop() : due_.pop();
  return e;
}

void world::run() {
  for (std::uint64_t events = 0; left_ != 0; ++events) {
    if (stopping_ || (events % between_questions == 0 && stop_asked_())) {
      left_ = 0;
      throw stopped{};
    }
    if ((events_.empty() && due_.empty()) || idle_slices_ > most_idle_slices) {
      left_ = 0;
      throw std::runtime_error("the simulated threads wait for ever");
    }
    const event e = next_event();
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
      if (t.then.moment != nullptr && is_too_early(t)) return;
      return run_thread(t);
    }
    case happening::timeout: {
      thread& t = *threads_[e.index];
      if (t.timeout_token != e.token) return;
      ++t.timeout_token;
      if (t.asleep) {
        get_up(t, false);
        for (auto& [word, q] : wait_queues_) std::erase(q.sleepers, &t);
        const ticks at = out_of_idle(processors_[t.processor]);
        return at > now_ ? push(at, happening::ready, t.number, 0) : make_ready(t);
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

/// The wait of a thread is over: it goes on when it says, and unless that is now, it is woken then.
bool world::is_too_early(thread& t) {
  t.would_yield = false;
  ++t.timeout_token;
  const resumption then = std::exchange(t.then, {});
  idle_slices_ = 0;
  running_ = &t;
  const ticks at = then.moment(then.asked);
  running_ = nullptr;
  if (at <= now_) return false;
  resume_at(t, at);
  return true;
}

void world::run_thread(thread& t) {
  idle_slices_ = 0;
  ++switches_;
  running_ = &t;
  bool ended = false;
  try {
    ended = t.body->resume();
  } catch (...) {
    running_ = nullptr;
    left_ = 0;
    throw;
  }
  running_ = nullptr;
  if (!ended) return;
  t.done = true;
  --left_;
  give_up_processor(t);
}

/// A thread alone runs on without events. Nothing may be thrown through what it runs: it does not come back.
void world::count_access() {
  if (++accesses_ % between_questions != 0 || !stop_asked_()) return;
  stopping_ = true;
  suspend();
}

void world::suspend() { running_->body->suspend(); }

void world::advance(ticks by) {
  const ticks target = now_ + by;
  if (due_.empty() && (events_.empty() || events_.top().at > target)) {
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
  network_.connect(n);
  for (unsigned i = 0; i < n; ++i) {
    threads_.push_back(std::make_unique<thread>());
    thread& t = *threads_.back();
    t.number = i;
    t.processor =
        processors.empty() ? i % model_.processors() : processors[i % processors.size()] % model_.processors();
    t.core = model_.core_of(t.processor);
    t.issue_group = model_.issue_group_of(t.processor);
    t.stores.resize(model_.store_buffer());
    t.ahead.resize(model_.misses() - 1);
    t.body = make_computation(stacks_, [this, &t, &body] {
      body(t.number);
      drain();  // what was stored may lie on this stack
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
    due_ = {};
    asleep_ = 0;
    wait_queues_.clear();
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

}  // namespace synchro::simulator
