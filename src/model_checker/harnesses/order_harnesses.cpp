#include "model_checker/harnesses/order_harnesses.hpp"

#include <limits>

namespace synchro::model_checker {

void order_harnesses::add_to(std::vector<check>& all) const {
  if (!type_.offers.bypass) return;
  const std::uint32_t bound = *type_.offers.bypass;
  if (bound < 4) {  // more, and so few threads cannot reach it
    all.push_back({in_order("order 2x3", {3, 3}, bound).done(), depth::as_far_as_fits});
    all.push_back({in_order("order 3x2", {2, 2, 2}, bound).done(), depth::as_far_as_fits});
    if (type_.offers.shared) all.push_back({beside_a_reader(bound), depth::as_far_as_fits});
  }
  if (!type_.offers.limits_passes) return;
  for (const std::uint32_t limit : {0U, 1U})
    all.push_back({with_pass_limit(limit, (limit + 2) / 2), depth::as_far_as_fits});
  // With the first tickets that there are, and with a limit that is not reached at once.
  all.push_back({model_checker::cold(with_pass_limit(1, 1)), depth::as_far_as_fits});
  all.push_back({model_checker::cold(with_pass_limit(3, 2, 3)), depth::as_far_as_fits});
  for (const std::uint32_t limit : {2U, 3U}) all.push_back({passes_in_a_row(limit), depth::as_far_as_fits});
}

order_harnesses::turnstile order_harnesses::watching(std::uint32_t bound) const {
  return {type_.offers.domain_aware ? marks::asks_strictly : marks::asks, bound};
}

void order_harnesses::turnstile::ask() const {
  operation op = on_nothing(action::mark, asks_how);
  world::current().perform(op);
}

/// The thread may have passed each of those who wait so many times.
void order_harnesses::turnstile::enter(std::uint32_t at_most) const {
  operation op = on_nothing(action::mark, marks::has_entered);
  op.expected = at_most;
  world::current().perform(op);
}

void order_harnesses::turnstile::once(guarded& it, unsigned t) const {
  ask();
  it.lock.lock();
  enter(bound);
  section(it, t);
  it.lock.unlock();
}

stage<guarded> order_harnesses::in_order(const std::string& name, const std::vector<unsigned>& turns,
                                         std::uint32_t bound, const recipe& how) const {
  stage<guarded> s = base(name, static_cast<unsigned>(turns.size()), how);
  s.does([turns, way_in = watching(bound)](guarded& it, unsigned t) {
    for (unsigned i = 0; i < turns[t]; ++i) {
      settle(i);
      way_in.once(it, t);
    }
    settle(turns[t]);
  });
  s.with().watches_order = true;
  return s;
}

program order_harnesses::with_pass_limit(std::uint32_t limit, std::uint32_t bound, unsigned turns) const {
  const recipe how{.team = shape{{0, 0, 1}}, .first = {}, .pass_limit = limit};
  return in_order("order, pass limit " + std::to_string(limit), {turns, turns, 1}, bound, how)
      .in_domains({0, 0, 1})
      .done();
}

program order_harnesses::passes_in_a_row(std::uint32_t limit) const {
  const recipe how{.team = shape{{0, 0, 1}}, .first = {}, .pass_limit = limit};
  stage<guarded> s = cold("order, passes in a row, limit " + std::to_string(limit), 3, how);
  s.in_domains({0, 0, 1});
  s.warms_up([](guarded& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.does([limit, way_in = watching((limit + 1) / 2)](guarded& it, unsigned t) {
    const auto release = [&it] {
      await_others();
      it.lock.unlock();
    };
    if (t == 0) release();
    for (unsigned i = 0; i < (t == 2 ? 1 : limit); ++i) {
      settle(i);
      way_in.ask();
      it.lock.lock();
      way_in.enter(way_in.bound);
      section(it, t);
      release();
    }
    settle(limit);
  });
  s.with().spurious = 0;
  s.with().watches_order = true;
  return s.done();
}

program order_harnesses::behind_a_holder(const std::string& name, unsigned turns, unsigned waiters,
                                         std::uint32_t bound) const {
  struct in_a_row : guarded {
    explicit in_a_row(const lock_type& type) : guarded{type} {}
    explored::atomic<std::uint32_t> next{1};
  };
  stage<in_a_row> s{name, waiters + 1, type_};
  s.then_checks(nobody_was_lost);
  s.warms_up([](in_a_row& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.does([turns, waiters, way_in = watching(bound)](in_a_row& it, unsigned t) {
    const unsigned mine = t == 0 ? waiters + 1 : t;
    explored::await(it.next, memory_order::relaxed, [mine](std::uint32_t n) { return n == mine; });
    if (t == 0)
      it.lock.unlock();
    else
      it.next.store(t + 1, memory_order::relaxed);
    for (unsigned i = 0; i < (t == 0 ? turns : 1); ++i) {
      settle(i);
      way_in.once(it, t);
    }
    settle(turns);
  });
  s.with().watches_order = true;
  return s.done();
}

program order_harnesses::beside_a_reader(std::uint32_t bound) const {
  stage<guarded> s = base("order, 2 writers beside a reader 3x2", 3);
  s.does([way_in = watching(bound)](guarded& it, unsigned t) {
    for (unsigned i = 0; i < 2; ++i) {
      settle(i);
      if (t != 2) {
        way_in.once(it, t);
        continue;
      }
      way_in.ask();
      it.lock.lock_shared();
      way_in.enter(std::numeric_limits<std::uint32_t>::max());
      it.lock.unlock_shared();
    }
    settle(2);
  });
  s.with().watches_order = true;
  return s.done();
}

}  // namespace synchro::model_checker
