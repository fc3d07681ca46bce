// Sections that threads have run one at a time, without the house.

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "plain.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ticket.hpp"
#include "team.hpp"

namespace {

using bare::now_ns, bare::pin, bare::rest;

constexpr int batches = 21, calls = 2000;

/// A line of its own for the request and one for the counter.
struct alignas(128) desk {
  std::atomic<int> posted{0};
  void (*what)(desk&) = nullptr;
  long answer = 0;
  alignas(128) long counter = 0;
};

void add_one(desk& d) {
  d.answer = d.counter;
  d.counter = d.counter + 1;
}

}  // namespace

double plain::served(int server, int caller) {
  desk* const d = new desk;
  std::atomic<bool> unpinned{false}, over{false};
  std::vector<double> each;
  std::thread serves([&] {
    if (!pin(server)) unpinned = true;
    while (!over.load(std::memory_order_acquire)) {
      if (d->posted.load(std::memory_order_acquire) == 0) {
        rest();
        continue;
      }
      d->what(*d);
      d->posted.store(0, std::memory_order_release);
    }
  });
  std::thread asks([&] {
    if (!pin(caller)) unpinned = true;
    for (int batch = 0; batch <= batches; ++batch) {
      const double start = now_ns();
      for (int i = 0; i < calls; ++i) {
        d->what = add_one;
        d->posted.store(1, std::memory_order_release);
        while (d->posted.load(std::memory_order_acquire) != 0) rest();
      }
      if (batch > 0) each.push_back((now_ns() - start) / calls);
    }
    over.store(true, std::memory_order_release);
  });
  asks.join();
  serves.join();
  const bool exact = d->counter == static_cast<long>(batches + 1) * calls;
  delete d;
  std::nth_element(each.begin(), each.begin() + batches / 2, each.end());
  return unpinned || !exact ? -1 : each[batches / 2];
}

namespace {

/// Threads add to a counter of a line of its own.
template <class Sections, class Run>
double counted(const std::vector<int>& cpus, Run run) {
  struct shared {
    alignas(128) Sections sections;
    alignas(128) long counter = 0;
  };
  const auto all = std::make_unique<shared>();
  return plain::together(cpus, [&](std::size_t) {
    return [&] {
      run(all->sections, all->counter);
      asm volatile("" ::: "memory");
    };
  });
}

template <class Lock>
double counted_under(const std::vector<int>& cpus) {
  return counted<Lock>(cpus, [](Lock& lock, long& counter) {
    lock.lock();
    counter = counter + 1;
    lock.unlock();
  });
}

}  // namespace

double plain::sections_under_ticket(const std::vector<int>& cpus) { return counted_under<synchro::ticket_lock>(cpus); }
double plain::sections_under_mutex(const std::vector<int>& cpus) { return counted_under<synchro::mutex>(cpus); }
double plain::sections_by_cc_synch(const std::vector<int>& cpus) {
  return counted<synchro::cc_synch>(cpus, [](synchro::cc_synch& it, long& counter) {
    const long before = it.execute([&counter] { return counter++; });
    asm volatile("" : : "r"(before));
  });
}
