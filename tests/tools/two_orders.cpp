// Takes two locks, then in the other order, both times alone: nothing can go wrong here, and ThreadSanitizer says that it
// could. With "one", always in the same order.

#include <cstdio>
#include <mutex>
#include <string_view>
#include <thread>

#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"

#ifdef SYNCHRO_TESTS_STANDARD
using first_kind = std::mutex;
using second_kind = std::mutex;
#else
using first_kind = synchro::mutex;
using second_kind = synchro::mcs_park_lock;
#endif

namespace {

first_kind a;
second_kind b;
long count = 0;

template <class First, class Second>
void take(First& first, Second& second) {
  std::thread{[&] {
    const std::scoped_lock one{first};
    const std::scoped_lock two{second};
    ++count;
  }}.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  take(a, b);
  if (std::string_view{argv[1]} == "two")
    take(b, a);
  else
    take(a, b);
#ifndef SYNCHRO_TESTS_STANDARD      // GCC's std::mutex does not tell that it ends
  for (int i = 0; i != 100; ++i) {  // other locks in the same places, the other way round by turns
    first_kind pair[2];
    take(pair[i % 2], pair[1 - i % 2]);
  }
#endif
  std::printf("%ld\n", count);
  return 0;
}
