#include "simulations/paper_locks.hpp"

#include "experiments/locks/contention.hpp"
#include "experiments/locks/previous_holder.hpp"
#include "simulations/libslock.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::simulations {

using experiments::lock_bodies;
using simulator::simulated;

namespace {

const std::string paper_library = "libslock/";

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

/// In the loop of free ones (bmarks/uncontended.c).
template <class Lock>
class in_free_loop {
 public:
  explicit in_free_loop(const shape& team) : lock_{team} {}
  void lock() {
    lock_.lock();
    if (libslock::is_xeon()) simulated::fence();
  }
  void unlock() {
    lock_.unlock();
    simulated::fence();
  }

 private:
  Lock lock_;
};

class paper_mutex : public basic_mutex_lock<simulated> {
 public:
  explicit paper_mutex(const shape&) {}
};

template <class Lock>
experiments::locks::contention_result contend_in_loop(const experiments::locks::contention_task& task) {
  using experiments::locks::contend, simulator::laboratory;
  return task.locks > 1 ? contend<laboratory, in_contended_loop<Lock, true>>(task)
                        : contend<laboratory, in_contended_loop<Lock, false>>(task);
}

template <class Lock>
lock_bodies paper_row(const char* stem, const char* waiting = "spin") {
  lock_bodies row;
  row.name = paper_library + stem;
  row.family = "libslock";
  row.waiting = waiting;
  row.kind = experiments::primitive_kind::peer;
  row.first = false;
  row.contend = &contend_in_loop<Lock>;
  row.succeed = &experiments::locks::succeed<simulator::laboratory, in_free_loop<Lock>>;
  return row;
}

}  // namespace

const std::vector<lock_bodies>& paper_locks() {
  static const std::vector<lock_bodies> all{
      paper_row<libslock::tas>("tas"),         paper_row<libslock::ttas>("ttas"),
      paper_row<libslock::ticket>("ticket"),   paper_row<libslock::array>("array"),
      paper_row<libslock::mcs>("mcs"),         paper_row<libslock::clh>("clh"),
      paper_row<libslock::hticket>("hticket"), paper_row<libslock::hclh>("hclh"),
      paper_row<paper_mutex>("mutex", "park")};
  return all;
}

std::string of_the_paper(const std::string& lock) {
  for (const lock_bodies& row : paper_locks())
    if (row.name == paper_library + lock) return row.name;
  return lock;
}

std::string of_the_library(const std::string& lock) {
  return lock.starts_with(paper_library) ? lock.substr(paper_library.size()) : lock;
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

experiments::locks::contention_result paper_ticket(bool prefetching, const experiments::locks::contention_task& task) {
  using libslock::back_off;
  using libslock::ticket_with;
  using simulator::laboratory;
  return prefetching ? experiments::locks::contend<laboratory, ticket_with<back_off<true>, true>>(task)
                     : experiments::locks::contend<laboratory, ticket_with<back_off<false>, false>>(task);
}

}  // namespace synchro::simulations
