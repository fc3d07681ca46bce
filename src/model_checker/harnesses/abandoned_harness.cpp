// The programs that try what keeps waiters outside of a crowded queue: nobody sleeps on when the queue has room again. The
// locks' own programs are too small to abandon so many nodes.

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/detail/abandoned.hpp"

namespace synchro::model_checker {

namespace {

template <class Waiting>
struct crowd {
  detail::abandoned_nodes<explored, Waiting> nodes;
};

/// A waiter without a deadline: if its wake-up is lost it waits for ever.
template <class Waiting>
void wait_outside(crowd<Waiting>& it) {
  expect(it.nodes.await_few_until(explored::never), "a waiter without a deadline gives up");
}

/// Thread 0 releases past so many abandoned nodes, of just too many and `more`; the others wait outside.
template <class Waiting>
program releases(unsigned waiters, unsigned more, const std::string& how) {
  stage<crowd<Waiting>> s{how + ", " + std::to_string(waiters) + " outside, " + std::to_string(more + 1) + " released",
                          waiters + 1};
  s.warms_up([more](crowd<Waiting>& it, unsigned t) {
    if (t != 0) return;
    while (!it.nodes.many()) it.nodes.add();
    for (unsigned i = 0; i < more; ++i) it.nodes.add();
  });
  s.does([more](crowd<Waiting>& it, unsigned t) {
    if (t == 0) {
      for (unsigned i = 0; i < more + 1; ++i) it.nodes.remove();
    } else {
      wait_outside(it);
      expect(!it.nodes.many(), "a waiter comes in though there are many");
    }
  });
  return s.done();
}

/// The queue gets room, is crowded again, and gets room again: who slept over the first must not miss the second.
template <class Waiting>
program crowded_again(const std::string& how) {
  stage<crowd<Waiting>> s{how + ", crowded again", 2};
  s.warms_up([](crowd<Waiting>& it, unsigned t) {
    while (t == 0 && !it.nodes.many()) it.nodes.add();
  });
  s.does([](crowd<Waiting>& it, unsigned t) {
    if (t != 0) return wait_outside(it);
    it.nodes.remove();
    it.nodes.add();
    it.nodes.remove();
  });
  return s.done();
}

/// Another gives up while the queue gets room: who was woken by that may have to sleep again, and must not miss the next.
template <class Waiting>
program crowded_meanwhile(const std::string& how) {
  stage<crowd<Waiting>> s{how + ", crowded meanwhile", 3};
  s.warms_up([](crowd<Waiting>& it, unsigned t) {
    while (t == 0 && !it.nodes.many()) it.nodes.add();
  });
  s.does([](crowd<Waiting>& it, unsigned t) {
    if (t == 1) return wait_outside(it);
    if (t == 2) return it.nodes.add();
    it.nodes.remove();
    it.nodes.remove();
  });
  return s.done();
}

/// Nothing orders a waiter that counts its node up before the release that finds the node and counts it down: a processor
/// may do the second first. Here, where program order is kept, two threads that do not wait for each other show it.
template <class Waiting>
program removed_first(const std::string& how) {
  stage<crowd<Waiting>> s{how + ", counted down before it is counted up", 3};
  s.does([](crowd<Waiting>& it, unsigned t) {
    if (t == 0) it.nodes.add();
    if (t == 1) it.nodes.remove();
    if (t == 2) wait_outside(it);
  });
  return s.done();
}

template <class Waiting>
void add_programs(std::vector<check>& to, const std::string& how) {
  to.push_back({releases<Waiting>(1, 0, how), depth::exhausted});
  to.push_back({releases<Waiting>(1, 1, how), depth::exhausted});
  to.push_back({releases<Waiting>(2, 0, how), depth::exhausted});
  to.push_back({crowded_again<Waiting>(how), depth::exhausted});
  to.push_back({crowded_meanwhile<Waiting>(how), depth::exhausted});
  to.push_back({removed_first<Waiting>(how), depth::exhausted});
}

}  // namespace

void add_abandoned(subjects& to);
void add_abandoned(subjects& to) {
  std::vector<check> programs;
  add_programs<spin>(programs, "spinning");
  add_programs<spin_park>(programs, "sleeping");
  to.push_back({"abandoned", "synchro/detail/abandoned.hpp", std::move(programs)});
}

}  // namespace synchro::model_checker
