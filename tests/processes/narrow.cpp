// A program of 32 bits: waits with a deadline last until the deadline, whatever the width of the C library's time.

#include <chrono>
#include <cstdio>

#include "synchro/hardware.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"

namespace {

using namespace std::chrono_literals;
using synchro::hardware;

template <class Lock>
bool waits_for_its_deadline() {
  Lock lock;
  lock.lock();
  const auto deadline = hardware::clock::now() + 5ms;
  return !lock.try_lock_until(deadline) && hardware::clock::now() >= deadline;
}

bool sleeps_until_its_deadline() {
  const hardware::atomic<std::uint32_t> word{0};
  const auto deadline = hardware::clock::now() + 5ms;
  while (!hardware::park(word, 0, deadline)) {
  }
  return hardware::clock::now() >= deadline;
}

}  // namespace

int main() {
  hardware::calibrate(synchro::looks{0});  // sleep at once
  using synchro::spin_park;
  for (int i = 0; i != 20; ++i)
    if (!sleeps_until_its_deadline() || !waits_for_its_deadline<synchro::mutex>() ||
        !waits_for_its_deadline<synchro::basic_mcs_lock<hardware, spin_park>>() ||
        !waits_for_its_deadline<synchro::basic_clh_lock<hardware, spin_park>>()) {
      std::fprintf(stderr, "a wait ended before its deadline (sizeof(time_t) is %zu)\n", sizeof(std::time_t));
      return 1;
    }
}
