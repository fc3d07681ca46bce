// The programs that try the fork-join pool: every job is done once, its caller has seen all of them, none is begun after an
// exception, and nobody touches a run that is over. Workers are threads of the program.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/pool/fork_join_pool.hpp"

namespace synchro::model_checker {

namespace {

using field = explored::plain<std::uint32_t>;

template <class Waiting>
using cascade_of = basic_cascade<explored, Waiting>;
/// A start that may not trigger before all have returned: all workers are waited for.
template <class Waiting>
struct strict_start : cascade_of<Waiting> {
  static constexpr bool merges_triggers = false;
  explicit strict_start(unsigned sleepers) : cascade_of<Waiting>{sleepers} {}
};

template <class Waiting, template <class> class Start = cascade_of>
struct pool_scene {
  explicit pool_scene(unsigned workers) : team{workers} {}

  void job(std::size_t i) { times[i] = times[i] + 1; }
  void each_was_done(std::size_t jobs, std::uint32_t often) {
    for (std::size_t i = 0; i < jobs; ++i) expect(times[i] == often, "a job was lost, or done twice");
  }

  basic_fork_join<explored, Start<Waiting>, Waiting> team;
  std::array<field, 3> times{};
  explored::atomic<std::uint32_t> callers{2};
};

/// The first thread runs so many jobs so often, and stops the team.
template <class Waiting, template <class> class Start = cascade_of>
program runs(const std::string& name, unsigned workers, std::size_t jobs, std::uint32_t often) {
  using scene = pool_scene<Waiting, Start>;
  stage<scene> s{name, workers + 1, workers};
  s.does([jobs, often](scene& it, unsigned t) {
    if (t != 0) return it.team.work(t - 1);
    for (std::uint32_t n = 1; n <= often; ++n) {
      it.team.run(jobs, [&](std::size_t i) { it.job(i); });
      it.each_was_done(jobs, n);
    }
    it.team.stop();
  });
  return s.done();
}

/// Each job waits until all have begun: every worker comes, also while others are in.
program all_come() {
  struct scene : pool_scene<spin> {
    using pool_scene<spin>::pool_scene;
    explored::atomic<std::uint32_t> begun{0};
  };
  stage<scene> s{"3 jobs at once", 3, 2U};
  s.does([](scene& it, unsigned t) {
    if (t != 0) return it.team.work(t - 1);
    it.team.run(3, [&](std::size_t i) {
      it.begun.fetch_add(1, memory_order::relaxed);
      explored::await(it.begun, memory_order::relaxed, [](std::uint32_t v) { return v == 3; });
      it.job(i);
    });
    it.each_was_done(3, 1);
    it.team.stop();
  });
  return s.done();
}

/// The first jobs fail: the caller learns of it, no job is done twice, and the team serves on.
program fails(const std::string& name, std::size_t jobs, std::size_t failing) {
  using scene = pool_scene<spin>;
  stage<scene> s{name, 2, 1U};
  s.does([jobs, failing](scene& it, unsigned t) {
    if (t != 0) return it.team.work(0);
    bool thrown = false;
    try {
      it.team.run(jobs, [&](std::size_t i) {
        it.job(i);
        if (i < failing) throw 1;
      });
    } catch (int) {
      thrown = true;
    }
    expect(thrown, "an exception was lost");
    expect(it.times[0] == 1, "a job was lost");
    for (field& each : it.times) {
      expect(each <= 1, "a job was done twice");
      each = 0;
    }
    it.team.run(2, [&](std::size_t i) { it.job(i); });
    it.each_was_done(2, 1);
    it.team.stop();
  });
  return s.done();
}

/// A job fails on thread 1. Thread 0, which is in a job meanwhile and learns in it that thread 1 has left the jobs, begins
/// no other.
template <class Jobs>
program fails_for_all() {
  struct scene {
    explored::plain<Jobs*> jobs{nullptr};  // thread 0's
    explored::atomic<std::uint32_t> begun{0};
    explored::atomic<std::uint32_t> left{0};

    static void await_set(explored::atomic<std::uint32_t>& word) {
      explored::await(word, memory_order::acquire, [](std::uint32_t v) { return v == 1; });
    }
  };
  stage<scene> s{"a job fails, and the others are left out", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 1) {
      scene::await_set(it.begun);
      it.jobs->help();
      return it.left.store(1, memory_order::release);
    }
    unsigned times = 0;
    auto job = [&](std::size_t) {
      if (world::current().self() == 1) throw 1;
      expect(++times == 1, "a job is begun after one has failed");
      scene::await_set(it.left);
    };
    Jobs all{4, job};
    it.jobs = &all;
    it.begun.store(1, memory_order::release);
    all.help();
    scene::await_set(it.left);
    bool thrown = false;
    try {
      all.rethrow();
    } catch (int) {
      thrown = true;
    }
    expect(thrown, "an exception was lost");
  });
  return s.done();
}

/// Both threads are in a job at the same time, and both jobs fail.
program fails_twice_at_once() {
  struct scene {
    using jobs_of_two = detail::forked_jobs<explored>;
    explored::plain<jobs_of_two*> jobs{nullptr};  // thread 0's
    explored::atomic<std::uint32_t> made{0};
    explored::atomic<std::uint32_t> begun{0};
    explored::atomic<std::uint32_t> left{0};

    static void await_count(explored::atomic<std::uint32_t>& word, std::uint32_t n) {
      explored::await(word, memory_order::acquire, [n](std::uint32_t v) { return v == n; });
    }
  };
  stage<scene> s{"2 jobs fail at once", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 1) {
      scene::await_count(it.made, 1);
      it.jobs->help();
      return it.left.store(1, memory_order::release);
    }
    auto job = [&](std::size_t) {
      it.begun.fetch_add(1, memory_order::relaxed);
      scene::await_count(it.begun, 2);
      throw 1;
    };
    scene::jobs_of_two all{2, job};
    it.jobs = &all;
    it.made.store(1, memory_order::release);
    all.help();
    scene::await_count(it.left, 1);
    bool thrown = false;
    try {
      all.rethrow();
    } catch (int) {
      thrown = true;
    }
    expect(thrown, "an exception was lost");
  });
  return s.done();
}

/// A job runs jobs.
program nested() {
  using scene = pool_scene<spin>;
  stage<scene> s{"a run within a job", 2, 1U};
  s.does([](scene& it, unsigned t) {
    if (t != 0) return it.team.work(0);
    it.team.run(2, [&](std::size_t i) {
      if (i == 0)
        it.team.run(2, [&](std::size_t k) { it.job(k); });
      else
        it.job(2);
    });
    it.each_was_done(3, 1);
    it.team.stop();
  });
  return s.done();
}

/// Two threads run at the same time; the last of them stops the team.
program two_callers() {
  using scene = pool_scene<spin>;
  stage<scene> s{"2 run", 3, 1U};
  s.does([](scene& it, unsigned t) {
    if (t == 2) return it.team.work(0);
    std::array<field, 2> own{};
    it.team.run(2, [&](std::size_t i) { own[i] = own[i] + 1; });
    expect(own[0] == 1 && own[1] == 1, "a job was lost, or done twice");
    if (it.callers.fetch_sub(1, memory_order::acq_rel) == 1) it.team.stop();
  });
  return s.done();
}

/// So many neighbours, which are no multiple of the pieces: each is visited once, and in a piece in their order.
template <template <class> class Team>
program neighbours(unsigned workers, std::uint32_t items) {
  struct scene {
    explicit scene(unsigned n) : team{n} {}
    Team<cascade_of<spin>> team;
    std::array<field, 12> times{};
  };
  stage<scene> s{std::to_string(items) + " neighbours, " + std::to_string(workers) + " workers", workers + 1, workers};
  s.does([items](scene& it, unsigned t) {
    if (t != 0) return it.team.work(t - 1);
    constexpr int first = -2;
    it.team.parallel_for(first, first, [](int) { expect(false, "there is nobody to be visited"); });
    it.team.parallel_for(first, first + static_cast<int>(items), [&](int i) {
      expect(i >= first, "one before the first is visited");
      field& mine = it.times[static_cast<std::size_t>(i - first)];
      mine = mine + 1;
    });
    for (std::size_t i = 0; i != it.times.size(); ++i)
      expect(it.times[i] == (i < items ? 1U : 0U), "one was left out, or visited twice");
    it.team.stop();
  });
  return s.done();
}

// ---- what a team learns of its runs

/// Nobody sleeps: it is counted how often all were called, and told to stop.
struct counted_start {
  static constexpr bool merges_triggers = true;
  struct counts {
    unsigned triggers = 0, stops = 0;
  };

  explicit counted_start(unsigned) {}
  static bool wait(unsigned) { return false; }
  static void trigger() { ++explored::local<counts>().triggers; }
  static void stop() { ++explored::local<counts>().stops; }
};
unsigned times_called() { return explored::local<counted_start::counts>().triggers; }

/// A run, in some of whose jobs time passes, or does not; one of them may fail.
struct planned_run {
  std::size_t jobs = 2;
  std::uint64_t passes_in = 0;  ///< A bit for each job.
  std::size_t fails_in = ~std::size_t{0};
  bool is_of_neighbours = false;  ///< 30, in 12 pieces
};

/// The caller of a team of which nobody comes, so that it does all jobs, and what it is to have learnt: it begins alone from
/// when so many runs were short, and calls the others at the first, second, fourth, ... job when that takes a microsecond.
struct lonely_team {
  static constexpr std::chrono::nanoseconds too_long{1000};
  explicit lonely_team(unsigned n) : workers{n}, team{n} {}

  unsigned workers;
  basic_fork_join<explored, counted_start, spin> team;
  explored::plain<std::uint64_t> short_runs{0}, enough{1};

  /// False if time has passed where nobody can say whether it was before or after a look at the clock.
  bool runs(const planned_run& plan) {
    watched w{*this, plan};
    bool thrown = false;
    try {
      if (plan.is_of_neighbours)
        team.parallel_for(0, 30, [&](int i) { w.visit(static_cast<std::size_t>(i)); });
      else
        team.run(plan.jobs, [&](std::size_t i) { w.job(i); });
    } catch (int) {
      thrown = true;
    }
    expect(thrown == (plan.fails_in < plan.jobs), "an exception was lost");
    expect(w.done == (thrown ? plan.fails_in + 1 : plan.jobs), "a job was lost, or begun after one has failed");
    w.called = w.called || (w.shares && thrown);
    w.expect_called();
    if (!w.shares) return true;
    return learn(w, thrown);
  }

 private:
  struct watched {
    const planned_run& plan;
    bool shares, begins_alone, called, passed_in_job = false;
    explored::clock::time_point soon = explored::clock::now() + too_long;
    unsigned before = times_called();
    std::size_t done = 0;

    watched(const lonely_team& by, const planned_run& what)
        : plan{what},
          shares{by.workers != 0 && what.jobs > 1},
          begins_alone{by.short_runs >= by.enough},
          called{shares && !begins_alone} {}

    [[nodiscard]] bool passed() const { return explored::clock::now() >= soon; }
    void expect_called() const {
      expect(times_called() - before == (called ? 1U : 0U), "the others are called early, late, twice or never");
    }
    void job(std::size_t i) {
      expect(i == done, "jobs are begun in another order");
      if (shares && !called && done != 0 && (done & (done - 1)) == 0) called = passed();
      expect_called();
      if ((plan.passes_in >> i & 1) != 0) static_cast<void>(explored::expired(soon));
      ++done;
      passed_in_job = passed();
      if (i == plan.fails_in) throw 1;
    }
    void visit(std::size_t i) {
      const bool is_first = i < 18 ? i % 3 == 0 : i % 2 == 0;
      if (is_first) job(i < 18 ? i / 3 : i / 2 - 3);
      expect_called();
    }
  };

  bool learn(const watched& w, bool thrown) {
    if (w.begins_alone && !w.called && w.passed() && !w.passed_in_job) return false;
    if (w.begins_alone && (w.called || w.passed())) enough = w.passed() ? 5 : 1;
    const bool was_short = !thrown && !w.passed() && !(w.begins_alone && w.called);
    short_runs = was_short ? short_runs + 1 : std::uint64_t{0};
    return w.plan.passes_in != 0 || !w.passed();
  }
};

/// A plan for each run in turn, until time passes that was not to.
program learns(const std::string& name, unsigned workers, std::vector<planned_run> plans) {
  stage<lonely_team> s{name, 1, workers};
  s.does([all = std::move(plans)](lonely_team& it, unsigned) {
    for (const planned_run& one : all)
      if (!it.runs(one)) return;
    it.team.stop();
    expect(explored::local<counted_start::counts>().stops == (it.workers != 0 ? 1U : 0U),
           "nobody is told to stop, or one who is not there");
  });
  return s.done();
}

std::vector<planned_run> some_are_long(const planned_run& longer) {
  const planned_run usual{};
  return {{.jobs = 1}, usual,       longer, usual, usual, usual, usual, usual, {.jobs = 3, .passes_in = 4},
          usual,       {.jobs = 0}, usual};
}
std::vector<planned_run> some_fail() {
  const planned_run usual{};
  return {usual, {.jobs = 5, .fails_in = 1}, usual, usual, {.jobs = 5, .passes_in = 1, .fails_in = 2},
          usual, {.jobs = 3, .fails_in = 0}, usual, usual};
}

std::vector<planned_run> one_fails_after_a_long_one() {
  const planned_run usual{};
  return {usual, {.jobs = 5, .passes_in = 1}, usual, usual, usual, usual,
          usual, {.jobs = 5, .fails_in = 1},  usual, usual};
}

template <class Start>
using sound_team = basic_fork_join<explored, Start, spin>;

// ---- seeded

/// Pieces of equal size: what they leave over is nobody's.
template <class Start>
struct team_without_remainder : sound_team<Start> {
  using sound_team<Start>::sound_team;
  template <class F>
  void parallel_for(int first, int last, F f) {
    const int pieces = 4 * (static_cast<int>(this->workers()) + 1);
    const int each = std::max(1, (last - first) / pieces);
    const int jobs = (last - first) / each;
    this->run(static_cast<std::size_t>(std::min(jobs, pieces)), [&](std::size_t piece) {
      const int begin = first + each * static_cast<int>(piece);
      for (int i = begin; i != begin + each; ++i) f(i);
    });
  }
};

/// The jobs of a run whose other threads go on when one job has failed.
class jobs_that_go_on {
 public:
  jobs_that_go_on(std::uint32_t jobs, std::function<void(std::size_t)> f) : jobs_{jobs}, f_{std::move(f)} {}

  void help() {
    try {
      for (std::uint32_t mine = take(); mine < jobs_; mine = take()) f_(mine);
    } catch (...) {
      thrown_ = std::current_exception();  // one job fails
    }
  }
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  std::uint32_t take() { return next_.fetch_add(1, memory_order::relaxed); }

  const std::uint32_t jobs_;
  const std::function<void(std::size_t)> f_;
  explored::atomic<std::uint32_t> next_{0};
  std::exception_ptr thrown_;
};

}  // namespace

void add_pool(subjects& to);
void add_pool(subjects& to) {
  subject pool{"fork_join_pool", "synchro/pool/fork_join_pool.hpp", {}};
  for (program& p : std::vector{
           runs<spin>("1 worker, 3 jobs", 1, 3, 1), runs<spin>("1 worker, 2 jobs, twice", 1, 2, 2),
           runs<spin>("2 workers, 2 jobs", 2, 2, 1), runs<spin_park>("1 worker, 2 jobs, park", 1, 2, 1),
           runs<spin, strict_start>("1 worker, 2 jobs, twice, all are waited for", 1, 2, 2),
           runs<spin, strict_start>("2 workers, 2 jobs, all are waited for", 2, 2, 1), fails("1 of 3 jobs fails", 3, 1),
           fails("2 jobs fail", 2, 2), fails_twice_at_once(), fails_for_all<detail::forked_jobs<explored>>(), nested(),
           two_callers(), neighbours<sound_team>(0, 6), neighbours<sound_team>(1, 2),
           learns("some runs are long", 2, some_are_long({.jobs = 9, .passes_in = 0b1'0101'0101})),
           learns("some neighbours take long", 2,
                  some_are_long({.jobs = 12, .passes_in = 0b1001'0111, .is_of_neighbours = true})),
           learns("some runs fail", 1, some_fail()),
           learns("a run fails after a long one", 1, one_fails_after_a_long_one()),
           learns("nobody to share with", 0, {{.jobs = 5}, {}, {}})})
    pool.checks.push_back({std::move(p), depth::exhausted});
  pool.checks.push_back({all_come(), depth::one_preemption});
  to.push_back(std::move(pool));
}

void add_seeded_pool(subjects& to);
void add_seeded_pool(subjects& to) {
  subject s{"seeded/jobs_that_go_on", "", {{fails_for_all<jobs_that_go_on>(), depth::exhausted}}};
  s.seeded_bug = true;
  to.push_back(std::move(s));
  to.push_back(seeded("team_without_remainder", neighbours<team_without_remainder>(0, 6)));
}

}  // namespace synchro::model_checker
