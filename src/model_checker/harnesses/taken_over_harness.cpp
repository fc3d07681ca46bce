// A node that is taken over from a waiter who has given up, and goes on: what stands in it is read before it is given to the pool,
// from which another may have it at once. The one who takes it over is about to end, and keeps no nodes.

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/waiting.hpp"

namespace synchro::model_checker {

namespace {

/// How often somebody has begun to wait, in time and without a limit. Nothing is ordered by it.
struct told {
  explored::atomic<std::uint32_t> in_time{0}, without_limit{0};
};
void reaches(explored::atomic<std::uint32_t>& count, std::uint32_t n) {
  explored::await(count, memory_order::relaxed, [n](std::uint32_t v) { return v >= n; });
}

/// Waits that say so, unless there is nothing to wait for; in time, until there is one more behind it.
struct telling : spin {
  template <class Machine>
  static std::uint32_t wait(explored::atomic<std::uint32_t>& word, std::uint32_t awaited) {
    if (word.load(memory_order::relaxed) == awaited)
      explored::global<told>().without_limit.fetch_add(1, memory_order::relaxed);
    return spin::wait<Machine>(word, awaited);
  }
  template <class Machine, class Limit>
  static std::optional<std::uint32_t> wait_until(explored::atomic<std::uint32_t>& /*word*/, std::uint32_t /*awaited*/,
                                                 Limit /*limit*/) {
    told& all = explored::global<told>();
    const std::uint32_t before = all.in_time.fetch_add(1, memory_order::relaxed);
    reaches(all.without_limit, before == 0 ? 1 : 3);
    return std::nullopt;
  }
};

template <class Lock>
struct scene {
  Lock lock, other;
  explored::plain<std::uint32_t> count{0};

  void section() {
    lock.lock();
    count = count + 1;
    lock.unlock();
  }
};

template <class Lock>
void late(void* all) {
  reaches(explored::global<told>().in_time, 1);
  static_cast<scene<Lock>*>(all)->section();
}

/// Thread 1 gives up in front of thread 2, which takes its node over and waits on; and again in front of thread 3, with the node
/// that it finds.
template <class Lock>
program taken_over(const std::string& name) {
  using scene = model_checker::scene<Lock>;
  stage<scene> s{name + ", a node taken over and given away", 4};
  s.in_domains({0, 0, 0, 0});
  s.warms_up([](scene& it, unsigned t) {
    if (t == 0) it.lock.lock();
  });
  s.does([](scene& it, unsigned t) {
    told& all = explored::global<told>();
    if (t == 0) {
      reaches(all.without_limit, 3);
      it.count = it.count + 1;
      it.lock.unlock();
    } else if (t == 1) {
      expect(!it.lock.try_lock_for(std::chrono::nanoseconds{1}), "a held lock is taken");
      reaches(all.without_limit, 2);
      expect(!it.lock.try_lock_for(std::chrono::nanoseconds{1}), "a held lock is taken");
    } else if (t == 2) {
      explored::at_thread_exit<late<Lock>>(&it);  // asked for first, so it is called last
      it.other.lock();
      it.other.unlock();
    } else {
      reaches(all.in_time, 2);
      it.section();
    }
  });
  s.with().explores_exits = true;
  s.with().counts_nodes = true;
  return s.done();
}

}  // namespace

void add_taken_over(subjects& to);
void add_taken_over(subjects& to) {
  std::vector<check> all;
  all.push_back({taken_over<basic_clh_lock<explored, telling>>("clh"), depth::one_preemption});
  all.push_back({taken_over<basic_hclh_lock<explored, telling>>("hclh"), depth::one_preemption});
  to.push_back({"taken_over", "synchro/locks/hierarchical/hclh.hpp", std::move(all)});
}

}  // namespace synchro::model_checker
