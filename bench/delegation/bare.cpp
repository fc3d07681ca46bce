#include "bare.hpp"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"

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

struct alignas(128) tickets {
  std::atomic<unsigned> next{0};
  alignas(128) std::atomic<unsigned> serving{0};
  alignas(128) long counter = 0;
};

}  // namespace

double bare::served(int server, int caller) {
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

double bare::in_turn(int a, int b) {
  tickets* const l = new tickets;
  std::atomic<bool> unpinned{false};
  std::atomic<int> there{0};
  constexpr int changes = 20000;
  double took[2];
  const auto change = [&](int me, int cpu) {
    if (!pin(cpu)) unpinned = true;
    ++there;
    while (there != 2) rest();
    const double start = now_ns();
    for (int i = 0; i < changes; ++i) {
      const unsigned mine = l->next.fetch_add(1, std::memory_order_relaxed);
      while (l->serving.load(std::memory_order_acquire) != mine) rest();
      l->counter = l->counter + 1;
      l->serving.store(mine + 1, std::memory_order_release);
    }
    took[me] = now_ns() - start;
  };
  std::thread one(change, 0, a), other(change, 1, b);
  one.join();
  other.join();
  const bool exact = l->counter == 2L * changes;
  delete l;
  return unpinned || !exact ? -1 : std::max(took[0], took[1]) / (2 * changes);
}
