// The programs that try a team that is joined. Before each trigger a message is written, and each worker answers it in a plain
// field: who joins reads the answers, so a join that ends too early is a data race, and a lost wake-up a deadlock.

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <utility>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/wakes/cascade.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/joined.hpp"

namespace synchro::model_checker {

namespace {

using number = explored::plain<std::uint32_t>;
constexpr std::chrono::nanoseconds patience{1};

template <class Waiting>
using group_of = joined<basic_event_group<explored, Waiting>, Waiting>;
template <class Waiting>
using cascade_of = joined<basic_cascade<explored, Waiting>, Waiting>;

template <class Team>
struct office {
  explicit office(unsigned workers) : team{workers} {}
  void answers(unsigned first, unsigned last, std::uint32_t round) {
    for (unsigned i = first; i != last; ++i) expect(answer[i] == round + i, "a join ends before its workers");
  }
  void work(unsigned i) { answer[i] = message + i; }
  /// All that worker i does where the first has two rounds to do and the second one.
  void two_rounds_or_one(unsigned i) {
    for (unsigned round = i; round != 2; ++round) {
      team.wait(i);
      work(i);
    }
    team.done(i);
  }

  Team team;
  number message{0};
  std::array<number, max_threads> answer{};
};

/// Thread 0 triggers and joins so often, and stops the team.
template <class Team>
program rounds(unsigned workers, unsigned times) {
  stage<office<Team>> s{std::to_string(workers) + " workers, " + std::to_string(times) + " rounds", workers + 1,
                        workers};
  s.does([=](office<Team>& it, unsigned t) {
    if (t != 0) {
      while (it.team.wait(t - 1)) it.work(t - 1);
      return;
    }
    for (std::uint32_t round = 1; round <= times; ++round) {
      it.message = round;
      it.team.trigger();
      it.team.join();
      expect(it.team.try_join(), "a join has ended, and has not");
      it.answers(0, workers, round);
    }
    it.team.stop();
  });
  return s.done();
}

/// Once, and each worker does something else afterwards.
template <class Team>
program once(unsigned workers) {
  stage<office<Team>> s{std::to_string(workers) + " workers, once", workers + 1, workers};
  s.does([=](office<Team>& it, unsigned t) {
    if (t != 0) {
      it.team.wait(t - 1);
      it.work(t - 1);
      return it.team.done(t - 1);
    }
    it.message = 1;
    it.team.trigger();
    it.team.join();
    it.answers(0, workers, 1);
  });
  return s.done();
}

/// A worker that says when it has finished, and comes again.
template <class Team>
program done_twice() {
  stage<office<Team>> s{"done, twice", 2, 1U};
  s.does([](office<Team>& it, unsigned t) {
    for (std::uint32_t round = 1; round <= 2; ++round) {
      if (t != 0) {
        it.team.wait(0);
        it.work(0);
        it.team.done(0);
      } else {
        it.message = round;
        it.team.trigger();
        it.team.join();
        it.answers(0, 1, round);
      }
    }
  });
  return s.done();
}

/// Nobody waits for ever on either side; who has finished says so, and does something else.
template <class Team>
program in_time() {
  stage<office<Team>> s{"in time", 2, 1U};
  s.does([](office<Team>& it, unsigned t) {
    if (t != 0) {
      if (!it.team.try_wait(0) && !it.team.wait_for(0, patience)) it.team.wait(0);
      it.work(0);
      return it.team.done(0);
    }
    it.message = 1;
    it.team.trigger(0);
    if (it.team.join_for(patience)) it.answers(0, 1, 1);
    if (it.team.try_join()) it.answers(0, 1, 1);
    it.team.join();
    it.answers(0, 1, 1);
  });
  return s.done();
}

/// Each by itself, at the same time; then the first alone.
template <class Team>
program one_by_one() {
  stage<office<Team>> s{"one by one", 3, 2U};
  s.does([](office<Team>& it, unsigned t) {
    if (t != 0) return it.two_rounds_or_one(t - 1);
    it.message = 1;
    it.team.trigger(1);
    it.team.trigger(0);
    it.team.join();
    it.answers(0, 2, 1);
    it.message = 2;
    it.team.trigger_first(1);
    it.team.join();
    it.answers(0, 1, 2);
  });
  return s.done();
}

/// Two at once, and one more while these are at work.
template <class Team>
program first_and_another() {
  stage<office<Team>> s{"the first two, and another", 4, 3U};
  s.does([](office<Team>& it, unsigned t) {
    if (t != 0) {
      it.team.wait(t - 1);
      it.work(t - 1);
      return it.team.done(t - 1);
    }
    it.message = 1;
    it.team.trigger_first(2);
    it.team.trigger(2);
    it.team.join();
    it.answers(0, 3, 1);
  });
  return s.done();
}

/// A worker that looks whether there is more to do has finished what it had.
template <class Team>
program looks_for_more() {
  stage<office<Team>> s{"looks for more", 2, 1U};
  s.does([](office<Team>& it, unsigned t) {
    if (t != 0) {
      it.team.wait(0);
      it.work(0);
      expect(!it.team.try_wait(0), "one trigger wakes a worker twice");
      return;
    }
    it.message = 1;
    it.team.trigger();
    it.team.join();
    it.answers(0, 1, 1);
  });
  return s.done();
}

/// One is not in the team for a round; then both are triggered as some.
template <class Team>
program some_of_them() {
  stage<office<Team>> s{"one is left out, then some", 3, 2U};
  s.does([](office<Team>& it, unsigned t) {
    if (t != 0) return it.two_rounds_or_one(t - 1);
    it.team.resize(1);
    expect(it.team.size() == 1 && it.team.most() == 2, "a team of two is not");
    it.message = 1;
    it.team.trigger();
    it.team.join();
    it.answers(0, 1, 1);
    it.team.resize(2);
    it.message = 2;
    const std::array<unsigned, 2> both{1, 0};
    it.team.trigger_some(both);
    if (!it.team.join_until(explored::clock::now() + patience)) it.team.join();
    it.answers(0, 2, 2);
  });
  return s.done();
}

/// Of some it waits for one.
struct joins_one_of_some : group_of<spin> {
  using group_of<spin>::group_of;
  void trigger_some(std::span<const unsigned> which) {
    for (const unsigned i : which.first(1)) this->trigger(i);
  }
};

template <class Team>
void add(subjects& to, const std::string& name) {
  std::vector<check> all{{rounds<Team>(1, 1), depth::exhausted},
                         {rounds<Team>(1, 2), depth::exhausted},
                         {once<Team>(2), depth::as_far_as_fits},
                         {done_twice<Team>(), depth::exhausted},
                         {in_time<Team>(), depth::exhausted},
                         {one_by_one<Team>(), depth::one_preemption},
                         {some_of_them<Team>(), depth::one_preemption},
                         {looks_for_more<Team>(), depth::exhausted},
                         {first_and_another<Team>(), depth::one_preemption}};
  to.push_back({name, "synchro/wakes/joined.hpp", std::move(all)});
}

}  // namespace

void add_joined(subjects& to);
void add_joined(subjects& to) {
  add<group_of<spin_park>>(to, "joined");
  add<cascade_of<spin_park>>(to, "joined/cascade");
  add<group_of<spin>>(to, "joined/spin");
}

void add_seeded_joined(subjects& to);
void add_seeded_joined(subjects& to) { to.push_back(seeded("joins_one_of_some", some_of_them<joins_one_of_some>())); }

}  // namespace synchro::model_checker
