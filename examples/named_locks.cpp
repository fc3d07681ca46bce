// Which lock do threads meet at? Locks with names, and a hook that counts the waits of each and their time. Where nobody waits
// the hook is not called.

#include <atomic>
#include <chrono>
#include <iostream>
#include <mutex>
#include <synchro/locks/mutex.hpp>
#include <synchro/named.hpp>
#include <thread>
#include <vector>

class counts_waits {
 public:
  void waits(const char* /*name*/, const void* /*lock*/) noexcept { began() = clock::now(); }
  void waited(const char* /*name*/, const void* /*lock*/, bool /*taken*/) noexcept {
    waits_.fetch_add(1, std::memory_order_relaxed);
    time_.fetch_add((clock::now() - began()).count(), std::memory_order_relaxed);
  }
  [[nodiscard]] long waits() const noexcept { return waits_; }
  [[nodiscard]] std::chrono::duration<double, std::milli> time() const noexcept { return clock::duration{time_}; }

 private:
  using clock = std::chrono::steady_clock;
  static clock::time_point& began() noexcept {
    static thread_local clock::time_point moment;
    return moment;
  }
  std::atomic<long> waits_{0};
  std::atomic<clock::rep> time_{0};
};

using counted_mutex = synchro::named<synchro::mutex, counts_waits>;

int main() {
  counted_mutex shared{"the shared counter"};
  counted_mutex own{"a counter of one thread"};
  long all = 0;
  long mine = 0;
  std::vector<std::thread> team;
  for (int t = 0; t < 3; ++t)
    team.emplace_back([&, t] {
      for (int i = 0; i < 20000; ++i) {
        {
          const std::lock_guard section{shared};
          ++all;
        }
        if (t != 0) continue;
        const std::lock_guard section{own};
        ++mine;
      }
    });
  for (std::thread& t : team) t.join();
  for (const counted_mutex* lock : {&shared, &own})
    std::cout << lock->name() << ": " << lock->hook().waits() << " waits, " << lock->hook().time().count() << " ms\n";
  return all == 60000 && mine == 20000 && own.hook().waits() == 0 ? 0 : 1;
}
