#include "minimal.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"

namespace {

using bare::now_ns, bare::pin;

constexpr int warm_up = 1;
constexpr int batches = 41;
constexpr std::uint64_t rounds = 500;

struct table {
  alignas(4096) std::atomic<std::uint64_t> ping{0};
  alignas(4096) std::atomic<std::uint64_t> pong{0};
  alignas(4096) std::atomic<int> ready{0};
  std::atomic<bool> unpinned{false};
};

void gather(table& t, int cpu) {
  if (!pin(cpu)) t.unpinned = true;
  ++t.ready;
  while (t.ready.load() != 2) std::this_thread::yield();
}

template <class Serve, class Answer>
double play(int from, int to, Serve serve, Answer answer) {
  table* const t = new table;
  std::vector<double> values;
  std::thread server([&] {
    gather(*t, from);
    for (std::uint64_t batch = 0; batch < batches + warm_up; ++batch) {
      const double start = now_ns();
      for (std::uint64_t i = 0; i < rounds; ++i) serve(*t, batch * rounds + i);
      if (batch >= warm_up) values.push_back((now_ns() - start) / (2.0 * rounds));
    }
  });
  std::thread other([&] {
    gather(*t, to);
    for (std::uint64_t i = 0; i < (batches + warm_up) * rounds; ++i) answer(*t, i);
  });
  server.join();
  other.join();
  const bool unpinned = t->unpinned;
  delete t;
  std::nth_element(values.begin(), values.begin() + batches / 2, values.end());
  return unpinned ? -1 : values[batches / 2];
}

void swap_when(std::atomic<std::uint64_t>& word, std::uint64_t from, std::uint64_t to) {
  std::uint64_t seen = from;
  while (!word.compare_exchange_strong(seen, to)) seen = from;
}

}  // namespace

double minimal::cas(int from, int to) {
  return play(
      from, to, [](table& t, std::uint64_t) { swap_when(t.ping, 0, 1); },
      [](table& t, std::uint64_t) { swap_when(t.ping, 1, 0); });
}

double minimal::handover(int from, int to) {
  return play(
      from, to,
      [](table& t, std::uint64_t i) {
        t.ping.store(i + 1, std::memory_order_release);
        while (t.pong.load(std::memory_order_acquire) != i + 1) {
        }
      },
      [](table& t, std::uint64_t i) {
        while (t.ping.load(std::memory_order_acquire) != i + 1) {
        }
        t.pong.store(i + 1, std::memory_order_release);
      });
}
