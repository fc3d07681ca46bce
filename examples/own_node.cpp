// A queue lock with the caller's own node: no memory is taken from anywhere, and the wait is on this thread's stack.
// mcs/park, not plain mcs: there may be fewer processors than threads, and a spinning queue waits for whoever is next
// even if that one is not running.

#include <array>
#include <synchro/locks/mcs.hpp>
#include <thread>

using mcs_park = synchro::basic_mcs_lock<synchro::hardware, synchro::spin_park>;

int main() {
  mcs_park lock;
  long count = 0;
  const auto work = [&] {
    for (int i = 0; i < 10'000; ++i) {
      mcs_park::node mine;
      lock.lock(mine);
      ++count;
      lock.unlock(mine);
    }
  };
  std::array threads{std::thread{work}, std::thread{work}, std::thread{work}};
  for (std::thread& t : threads) t.join();
  return count == 30'000 ? 0 : 1;
}
