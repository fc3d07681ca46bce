// A lock that is not worth waiting for: take it if it comes soon, do something else if not. Sleeps while it waits.

#include <chrono>
#include <iostream>
#include <mutex>
#include <synchro/locks/mutex.hpp>
#include <thread>

int main() {
  using namespace std::chrono_literals;
  synchro::mutex lock;
  std::unique_lock hold{lock};
  std::thread other{[&] {
    const std::unique_lock mine{lock, 5ms};
    std::cout << (mine.owns_lock() ? "got it\n" : "did something else\n");
  }};
  other.join();
}
