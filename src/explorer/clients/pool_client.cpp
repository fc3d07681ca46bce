// The programs that try the fork-join pool: every job is done once, its caller has seen all of them, none is begun after an
// exception, and nobody touches a run that is over. Workers are threads of the program.

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/pool/fork_join_pool.hpp"

namespace synchro::explorer {

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
           two_callers(), neighbours<sound_team>(0, 6), neighbours<sound_team>(1, 2)})
    pool.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(pool));
}

void add_seeded_pool(subjects& to);
void add_seeded_pool(subjects& to) {
  subject s{"seeded/jobs_that_go_on", "", {{fails_for_all<jobs_that_go_on>(), depth::exhausted}}};
  s.seeded_bug = true;
  to.push_back(std::move(s));
  to.push_back(seeded("team_without_remainder", neighbours<team_without_remainder>(0, 6)));
}

}  // namespace synchro::explorer
