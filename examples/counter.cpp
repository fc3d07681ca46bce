#include <mutex>
#include <synchro/locks/mutex.hpp>
#include <thread>

int main() {
  synchro::mutex lock;
  long count = 0;
  const auto work = [&] {
    for (int i = 0; i < 100'000; ++i) {
      const std::scoped_lock hold{lock};
      ++count;
    }
  };
  std::thread one{work}, two{work};
  one.join(), two.join();
  return count == 200'000 ? 0 : 1;
}
