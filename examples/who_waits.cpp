// Who waits for which lock, and how often: an observer of one's own. It costs what it does, and only where it is used.

#include <atomic>
#include <iostream>
#include <mutex>
#include <synchro/locks/mutex.hpp>
#include <synchro/watched.hpp>
#include <thread>

/// Counts the threads that found the lock taken.
class counts_waits {
 public:
  void asks(synchro::way) noexcept {
    if (inside_.fetch_add(1, std::memory_order_relaxed) != 0) waits_.fetch_add(1, std::memory_order_relaxed);
  }
  void got(synchro::way, bool taken) noexcept {
    if (!taken) inside_.fetch_sub(1, std::memory_order_relaxed);
  }
  void gives(synchro::way) noexcept { inside_.fetch_sub(1, std::memory_order_relaxed); }
  void gave(synchro::way) noexcept {}

  [[nodiscard]] long waits() const noexcept { return waits_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int> inside_{0};
  std::atomic<long> waits_{0};
};

int main() {
  synchro::watched<synchro::basic_mutex_lock<>, counts_waits> lock;
  {
    std::unique_lock hold{lock};
    std::thread other{[&] { const std::scoped_lock mine{lock}; }};
    while (lock.observer().waits() == 0) std::this_thread::yield();
    hold.unlock();
    other.join();
  }
  std::cout << lock.observer().waits() << " had to wait\n";
}
