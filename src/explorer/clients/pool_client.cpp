// The programs that try the fork-join pool: every job is done once, its caller has seen all of them, and nobody touches a run
// that is over. Workers are threads of the program.

#include <array>
#include <string>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/pool/fork_join_pool.hpp"

namespace synchro::explorer {

namespace {

using field = explored::plain<std::uint32_t>;

template <class Waiting>
using team_of = basic_fork_join<explored, basic_cascade<explored, Waiting>, Waiting>;

template <class Waiting>
struct pool_scene {
  explicit pool_scene(unsigned workers) : team{workers} {}

  void job(std::size_t i) { times[i] = times[i] + 1; }
  void each_was_done(std::size_t jobs, std::uint32_t often) {
    for (std::size_t i = 0; i < jobs; ++i) expect(times[i] == often, "a job was lost, or done twice");
  }

  team_of<Waiting> team;
  std::array<field, 3> times{};
  explored::atomic<std::uint32_t> callers{2};
};

/// The first thread runs so many jobs so often, and stops the team.
template <class Waiting>
program runs(const std::string& name, unsigned workers, std::size_t jobs, std::uint32_t often) {
  using scene = pool_scene<Waiting>;
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

}  // namespace

void add_pool(subjects& to);
void add_pool(subjects& to) {
  subject pool{"fork_join_pool", "synchro/pool/fork_join_pool.hpp", {}};
  for (program& p :
       std::vector{runs<spin>("1 worker, 3 jobs", 1, 3, 1), runs<spin>("1 worker, 2 jobs, twice", 1, 2, 2),
                   runs<spin>("2 workers, 2 jobs", 2, 2, 1), runs<spin_park>("1 worker, 2 jobs, park", 1, 2, 1),
                   fails("1 of 3 jobs fails", 3, 1), fails("2 jobs fail", 2, 2), nested(), two_callers()})
    pool.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(pool));
}

}  // namespace synchro::explorer
