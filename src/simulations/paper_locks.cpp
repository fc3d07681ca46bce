#include "simulations/paper_locks.hpp"

#include <algorithm>

#include "experiments/locks/contention.hpp"
#include "simulations/all_of_libslock.hpp"
#include "simulations/libslock_programs.hpp"
#include "simulations/paper_atomics.hpp"

namespace synchro::simulations {

using experiments::lock_bodies;
using simulator::simulated;

namespace {

/// In the loop of contended locks (bmarks/stress_test.c); `Several`: of which it draws one.
template <class Lock, bool Several>
class in_contended_loop {
 public:
  explicit in_contended_loop(const shape& team) : lock_{team} {}
  void lock() {
    if (Several) libslock::roll_dice();
    lock_.lock();
  }
  void unlock() {
    simulated::fence();
    lock_.unlock();
    simulated::fence();
  }

 private:
  Lock lock_;
};

template <class Lock>
experiments::locks::contention_result contend_in_loop(const experiments::locks::contention_task& task) {
  using experiments::locks::contend, simulator::laboratory;
  return task.locks > 1 ? contend<laboratory, in_contended_loop<Lock, true>>(task)
                        : contend<laboratory, in_contended_loop<Lock, false>>(task);
}

template <class Lock>
lock_bodies paper_row(const std::string& name, const std::string& waiting) {
  lock_bodies row;
  row.name = name;
  row.family = "libslock";
  row.waiting = waiting;
  row.kind = experiments::primitive_kind::peer;
  row.first = false;
  row.contend = &contend_in_loop<Lock>;
  row.succeed = &libslock::run_uncontended<Lock>;
  return row;
}

}  // namespace

const std::vector<lock_bodies>& paper_locks() {
  static const std::vector<lock_bodies> all = [] {
    std::vector<lock_bodies> rows;
    libslock::for_each_lock(
        [&]<class Lock>(std::type_identity<Lock>, const std::string& name, const std::string& waiting) {
          rows.push_back(paper_row<Lock>(name, waiting));
        });
    return rows;
  }();
  return all;
}

std::string of_the_paper(const std::string& name) {
  const auto is_of_that_name = [theirs = paper_library + name](const auto& row) { return row.name == theirs; };
  return std::ranges::any_of(paper_locks(), is_of_that_name) || std::ranges::any_of(paper_atomics(), is_of_that_name)
             ? paper_library + name
             : name;
}

std::string of_the_library(const std::string& name) {
  return name.starts_with(paper_library) ? name.substr(paper_library.size()) : name;
}

double read_then_write_cycles(const simulator::model& m, bool prefetching) {
  using simulator::laboratory;
  simulator::world w{m, 1};
  laboratory::fresh<simulated::atomic<std::uint64_t>> word;
  laboratory::team({1}, 1, [&](unsigned) { word->store(1, memory_order::relaxed); });
  std::uint64_t took = 0;
  laboratory::team({0}, 1, [&](unsigned) {
    const std::uint64_t begin = laboratory::now();
    if (prefetching) simulated::prefetch_for_write(&*word);
    word->store(word->load(memory_order::relaxed) + 1, memory_order::relaxed);
    simulated::settle();
    took = laboratory::now() - begin;
  });
  return static_cast<double>(took) / simulator::per_cycle;
}

experiments::locks::contention_result paper_ticket(const std::string& variant,
                                                   const experiments::locks::contention_task& task) {
  using libslock::back_off, libslock::run_stress_latency, libslock::ticket_with;
  if (variant == paper_ticket_prefetch_name) return run_stress_latency<ticket_with<back_off<true>, true>>(task);
  if (variant == paper_ticket_name) return run_stress_latency<ticket_with<back_off<false>, false>>(task);
  return run_stress_latency<ticket_with<ticket_look::at_once, false>>(task);
}

bool is_paper_ticket(const std::string& lock) {
  return lock == paper_ticket_plain_name || lock == paper_ticket_name || lock == paper_ticket_prefetch_name;
}

}  // namespace synchro::simulations
