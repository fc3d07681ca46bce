// A queue lock with the caller's own node: no memory is taken from anywhere, and the wait is on this thread's stack.

#include <array>
#include <synchro/locks/mcs.hpp>
#include <thread>

int main() {
  synchro::mcs_lock lock;
  long count = 0;
  const auto work = [&] {
    for (int i = 0; i < 100'000; ++i) {
      synchro::mcs_lock::node mine;
      lock.lock(mine);
      ++count;
      lock.unlock(mine);
    }
  };
  std::array threads{std::thread{work}, std::thread{work}, std::thread{work}};
  for (std::thread& t : threads) t.join();
  return count == 300'000 ? 0 : 1;
}
