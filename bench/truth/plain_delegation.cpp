// Sections that threads have run one at a time, without the house.

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "plain.hpp"
#include "synchro/delegation/cc_synch.hpp"
#include "synchro/delegation/server.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/ticket.hpp"
#include "team.hpp"

namespace {

using bare::now_ns, bare::pin;

constexpr int batches = 21, calls = 2000;

struct desk {
  alignas(128) synchro::delegation_server server;
  alignas(128) long counter = 0;
};

}  // namespace

double plain::served(int server, int caller) {
  const auto d = std::make_unique<desk>();
  std::atomic<bool> unpinned{false}, wrong{false};
  std::vector<double> each;
  std::thread serves([&] {
    if (!pin(server)) unpinned = true;
    d->server.serve();
  });
  std::thread asks([&] {
    if (!pin(caller)) unpinned = true;
    long known = 0;
    for (int batch = 0; batch <= batches; ++batch) {
      const double start = now_ns();
      for (int i = 0; i < calls; ++i) {
        const long before = d->server.execute([&counter = d->counter] { return counter++; });
        if (before < known) wrong = true;
        known = before + 1;
      }
      if (batch > 0) each.push_back((now_ns() - start) / calls);
    }
    d->server.stop();
  });
  asks.join();
  serves.join();
  std::nth_element(each.begin(), each.begin() + batches / 2, each.end());
  const bool exact = d->counter == static_cast<long>(batches + 1) * calls;
  return unpinned || wrong || !exact ? -1 : each[batches / 2];
}

namespace {

/// Threads add to a counter of a line of its own, and each looks whether what it was before is less than it knows.
template <class Sections, class Run>
double counted(const std::vector<int>& cpus, Run run) {
  struct shared {
    alignas(128) Sections sections;
    alignas(128) long counter = 0;
  };
  const auto all = std::make_unique<shared>();
  std::atomic<bool> wrong{false};
  const double each = plain::together(cpus, [&](std::size_t) {
    return [&, known = 0L]() mutable {
      const long before = run(all->sections, all->counter);
      if (before < known) wrong = true;
      known = before + 1;
    };
  });
  return wrong ? -1 : each;
}

template <class Lock>
double counted_under(const std::vector<int>& cpus) {
  return counted<Lock>(cpus, [](Lock& lock, long& counter) {
    lock.lock();
    const long before = counter++;
    lock.unlock();
    return before;
  });
}

}  // namespace

double plain::sections_under_ticket(const std::vector<int>& cpus) { return counted_under<synchro::ticket_lock>(cpus); }
double plain::sections_under_mutex(const std::vector<int>& cpus) { return counted_under<synchro::mutex>(cpus); }
double plain::sections_by_cc_synch(const std::vector<int>& cpus) {
  return counted<synchro::cc_synch>(
      cpus, [](synchro::cc_synch& it, long& counter) { return it.execute([&counter] { return counter++; }); });
}
