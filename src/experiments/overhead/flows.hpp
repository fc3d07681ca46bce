// The flows of the paper's section 4.2, each over any objects that have the operations it needs.
//
// All threads of a flow are pinned to one processor and have one priority, so that a waiter runs when the other one waits
// or gives way, and never beside it. Giving way is for equals: who waits for a thread that is not raised yet sleeps. Before a
// call that is to wake a thread, the scheduler's record says that it is asleep.
//
//   operations   critical section, spin lock, interlocked functions: the operation alone, in batches on as many objects
//   turns        events: signal here, recognized there; then signal there, recognized here
//   ownership    mutex: released here, owned there, and back. The one who releases gives way until the other owns
//   crowd        semaphore: the same with four threads: one unit released, owned by one of them; then each of them
//                releases a unit, and the first of these releases, before which there is none, is the beginning of the
//                wait that ends when all are owned
//   ending       threads end, the one who waits for them sees it
//
// Where the paper shows a flow only as a picture, this is our reading of it.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_FLOWS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_FLOWS_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "experiments/overhead/call_rows.hpp"
#include "measure/asleep.hpp"
#include "measure/host.hpp"
#include "measure/timing.hpp"
#include "platform/scheduling.hpp"
#include "platform/thread_watch.hpp"

namespace synchro::experiments::overhead {

using measure::host;
using measure::until_asleep;

enum class direction : std::uint8_t { there, back, both };

/// Where so many threads are waited for. Who waits sleeps: those that are to come may be behind it on its processor, and
/// not raised yet.
class gathering {
 public:
  explicit gathering(unsigned threads) : threads_{threads} {}

  void arrive() {
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) hardware::unpark(&here_, everybody);
  }
  void await() {
    for (std::uint32_t seen = 0; (seen = here_.load(std::memory_order_acquire)) != threads_;)
      hardware::park(here_, seen, hardware::never);
  }

 private:
  static constexpr std::uint32_t everybody = 0x7fff'ffff;
  std::uint32_t threads_;
  std::atomic<std::uint32_t> here_{0};
};

/// What the threads of a flow share: who they are, and where they run.
class troupe {
 public:
  troupe(const call_task& task, unsigned n) : task_{task}, numbers_(n), all_{n} {}

  /// Once by each thread, before all else.
  void enter(unsigned index) {
    numbers_[index] = platform::this_thread_number();
    all_.arrive();
    all_.await();
  }
  /// In place of that by each thread that the flow makes: not everywhere it has the processor and the priority of its maker.
  void take_in() {
    const bool pinned = platform::pin_this_thread(task_.cpu);
    platform::raised_priority raised{priority()};
    raised.keep();  // giving it back would be part of the thread's end
    if (!pinned) unpinned_.store(true, std::memory_order_relaxed);
  }

  [[nodiscard]] platform::urgency priority() const {
    return task_.raised ? platform::urgency::highest : platform::urgency::usual;
  }
  [[nodiscard]] platform::thread_watch watch(unsigned index) const { return platform::thread_watch{numbers_[index]}; }
  /// Whether one that was taken in did not get to the processor.
  [[nodiscard]] bool unpinned() const { return unpinned_.load(std::memory_order_relaxed); }

 private:
  const call_task& task_;
  std::vector<long> numbers_;
  gathering all_;
  std::atomic<bool> unpinned_{false};
};

template <class Body>
call_result perform(const call_task& task, unsigned threads, Body body) {
  troupe all{task, threads};
  call_result result;
  result.team = host::team(
      {task.cpu}, threads,
      [&](unsigned index) {
        all.enter(index);
        body(index, all);
      },
      all.priority());
  if (all.unpinned())
    result.team.unpinned.push_back("a thread that was to end could not be pinned to processor " +
                                   std::to_string(task.cpu));
  return result;
}

/// Nanoseconds from each stamp to its fellow, by the clock that made them.
template <class Clock = host>
std::vector<double> between(const std::vector<std::uint64_t>& from, const std::vector<std::uint64_t>& to) {
  std::vector<double> ns(from.size());
  for (std::size_t i = 0; i != from.size(); ++i) ns[i] = to[i] > from[i] ? Clock::to_ns(to[i] - from[i]) : 0;
  return ns;
}

/// The stamps of a flow with two directions.
struct stamps {
  explicit stamps(std::size_t n) : there_from(n), there_to(n), back_from(n), back_to(n) {}
  std::vector<std::uint64_t> there_from, there_to, back_from, back_to;

  template <class Clock = host>
  [[nodiscard]] std::vector<double> times(direction which) const {
    std::vector<double> ns;
    if (which != direction::back) ns = between<Clock>(there_from, there_to);
    if (which != direction::there)
      for (const double t : between<Clock>(back_from, back_to)) ns.push_back(t);
    return ns;
  }
};

/// One operation on each of a batch of objects, timed together; then `undo` on each, timed together. Tells the first if
/// `which` is there, else the second: what a batch of twice as many takes more, so that the reading of the clock, and what of
/// it runs beside the first operations, is in neither. Nobody else ever has the objects, so there are no transfers that could
/// overlap. The loops are unrolled: of one operation a turn, where the code of the loop lay decided by 0.8 ns and more. The clock
/// is the laboratory's, or a test's.
template <class Object, class Clock = host, class Do, class Undo>
call_result operations(const call_task& task, direction which, Do act, Undo undo) {
  struct alignas(cpu::cache_line) place {
    Object object;
  };
  stamps seen_once{task.rounds}, seen_twice{task.rounds};
  call_result result = perform(task, 1, [&](unsigned, troupe&) {
    const auto places = std::make_unique<std::array<place, 2 * batch>>();
    const auto time = [&](stamps& seen, std::size_t r, std::size_t n) {
      place* const first = places->data();
      place* const last = first + n;
      seen.there_from[r] = Clock::now();
#pragma GCC unroll 8
      for (place* p = first; p != last; ++p) act(p->object);
      seen.there_to[r] = seen.back_from[r] = Clock::now();
#pragma GCC unroll 8
      for (place* p = first; p != last; ++p) undo(p->object);
      seen.back_to[r] = Clock::now();
    };
    for (std::size_t r = 0; r != task.rounds; ++r) {
      time(seen_once, r, batch);
      time(seen_twice, r, 2 * batch);
      task.went_on();
    }
  });
  result.at_once = batch;
  result.ns = seen_twice.times<Clock>(which);
  const std::vector<double> once = seen_once.times<Clock>(which);
  for (std::size_t r = 0; r != once.size(); ++r) result.ns[r] = (result.ns[r] - once[r]) / batch;
  return result;
}

/// Event: signal(), wait(), and rearm() by the one who waited.
template <class Event>
call_result turns(const call_task& task, direction which) {
  Event there;
  Event back;
  stamps seen{task.rounds};
  call_result result = perform(task, 2, [&](unsigned index, troupe& all) {
    const platform::thread_watch other = all.watch(1 - index);
    for (std::size_t r = 0; r != task.rounds; ++r) {
      if (index == 0) {
        until_asleep(other);
        seen.there_from[r] = host::now();
        there.signal();
        back.wait();
        seen.back_to[r] = host::now();
        back.rearm();
        task.went_on();
      } else {
        there.wait();
        seen.there_to[r] = host::now();
        there.rearm();
        until_asleep(other);
        seen.back_from[r] = host::now();
        back.signal();
      }
    }
  });
  result.ns = seen.times(which);
  return result;
}

/// Mutex: lock(), unlock() by the one who locked.
template <class Mutex>
call_result ownership(const call_task& task, direction which) {
  Mutex mutex;
  std::atomic<unsigned> owner{0};
  unsigned guarded = 0;  // by the mutex
  stamps seen{task.rounds};
  const auto until_owned_by = [&](unsigned who) {
    while (owner.load(std::memory_order_acquire) != who) std::this_thread::yield();
  };
  const auto own = [&](unsigned who, std::uint64_t& stamp) {
    mutex.lock();
    stamp = host::now();
    ++guarded;
    owner.store(who, std::memory_order_release);
  };
  std::atomic<bool> begun{false};
  call_result result = perform(task, 2, [&](unsigned index, troupe& all) {
    const platform::thread_watch other = all.watch(1 - index);
    if (index == 0) mutex.lock(), begun = true;
    while (!begun) std::this_thread::yield();
    for (std::size_t r = 0; r != task.rounds; ++r) {
      if (index == 1) own(1, seen.there_to[r]);
      until_asleep(other);
      (index == 0 ? seen.there_from : seen.back_from)[r] = host::now();
      mutex.unlock();
      until_owned_by(1 - index);
      if (index != 0) continue;
      own(0, seen.back_to[r]);
      task.went_on();
    }
    if (index == 0) mutex.unlock();
  });
  if (guarded != 2 * task.rounds) result.broken = "the mutex was not owned as often as it was locked";
  result.ns = seen.times(which);
  return result;
}

inline constexpr unsigned crowd_size = 4;

/// Semaphore: post(), wait(). See above.
template <class Semaphore>
class crowd {
 public:
  explicit crowd(const call_task& task) : task_{task}, released_{task.rounds * crowd_size}, collected_{task.rounds} {}

  call_result run(direction which) {
    call_result result =
        perform(task_, crowd_size + 1, [this](unsigned index, troupe& all) { index == 0 ? lead(all) : follow(all); });
    result.ns = which == direction::there ? released_.times(which) : collected_.times(which);
    return result;
  }

 private:
  void lead(const troupe& all) {
    std::vector<platform::thread_watch> others;
    for (unsigned i = 1; i <= crowd_size; ++i) others.push_back(all.watch(i));
    const auto until_all_asleep = [&] {
      if (!platform::tells_who_sleeps()) return measure::give_time_to_fall_asleep();  // once for all
      for (const platform::thread_watch& other : others) until_asleep(other);
    };
    for (std::size_t r = 0; r != task_.rounds; ++r) {
      first_in_round_ = true;
      for (std::size_t i = 0; i != crowd_size; ++i) {
        until_all_asleep();
        released_.there_from[r * crowd_size + i] = host::now();
        release_.post();
        owned_.wait();
        task_.went_on();
      }
      until_all_asleep();
      for (unsigned i = 0; i != crowd_size; ++i) go_back_.post();
      for (unsigned i = 0; i != crowd_size; ++i) back_.wait();
      collected_.back_to[r] = host::now();
    }
  }

  void follow(const troupe& all) {
    const platform::thread_watch leader = all.watch(0);
    for (std::size_t r = 0; r != task_.rounds; ++r) {
      release_.wait();
      const std::uint64_t now = host::now();
      released_.there_to[taken_.fetch_add(1)] = now;
      owned_.post();
      go_back_.wait();
      if (first_in_round_.exchange(false)) {
        until_asleep(leader);
        collected_.back_from[r] = host::now();
        returning_.store(r + 1, std::memory_order_release);
      } else {
        while (returning_.load(std::memory_order_acquire) <= r) std::this_thread::yield();
      }
      back_.post();
    }
  }

  call_task task_;
  stamps released_, collected_;
  Semaphore release_, owned_, go_back_, back_;
  std::atomic<std::size_t> taken_{0};
  std::atomic<bool> first_in_round_{true};
  std::atomic<std::size_t> returning_{0};  // rounds in which the first has begun to release
};

/// Wait-function: Waiter(n) has begin(i) for the thread that will end, before it does; and in the one who waits
/// await(threads), which joins them all. They begin when all are taken in, and when the one who waits, woken for that, lets
/// them: so it sleeps again when it waits for their ends, and not before.
template <class Waiter>
call_result ending(const call_task& task, unsigned threads) {
  std::vector<std::uint64_t> last_ended(task.rounds);
  std::vector<std::uint64_t> seen_ended(task.rounds);
  call_result result = perform(task, 1, [&](unsigned, troupe& all) {
    for (std::size_t r = 0; r != task.rounds; ++r) {
      Waiter waiter{threads};
      gathering taken_in{threads};
      gathering let{1};
      std::vector<std::uint64_t> ended(threads);
      std::vector<std::thread> ending;
      for (unsigned i = 0; i != threads; ++i)
        ending.emplace_back([&, i] {
          all.take_in();
          const platform::thread_watch other = all.watch(0);
          taken_in.arrive();
          let.await();
          waiter.begin(i);
          until_asleep(other);
          ended[i] = host::now();
        });
      taken_in.await();
      let.arrive();
      waiter.await(ending, seen_ended[r]);
      last_ended[r] = *std::max_element(ended.begin(), ended.end());
      task.went_on();
    }
  });
  result.ns = between(last_ended, seen_ended);
  return result;
}

}  // namespace synchro::experiments::overhead

#endif
