// sqlite's mutexes, made of synchro's: sqlite takes them instead of its own if it is told before it begins. At the end of
// the program it says how many there were.

#include <sqlite3.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "adopted.hpp"

struct sqlite3_mutex {
  bool again;  // may be taken again by the thread that has it
  adopted::mutex plain;
  adopted::recursive_mutex recursive;
};

namespace {

constexpr int first_static = SQLITE_MUTEX_STATIC_MAIN;
constexpr int last_static = SQLITE_MUTEX_STATIC_VFS3;
std::array<sqlite3_mutex, last_static - first_static + 1> of_the_library;
std::atomic<long> made{0};
std::atomic<long> taken{0};

int nothing() { return SQLITE_OK; }

sqlite3_mutex* make(int kind) {
  if (kind >= first_static && kind <= last_static)
    return &of_the_library[static_cast<std::size_t>(kind - first_static)];
  ++made;
  auto* const one = new sqlite3_mutex{};
  one->again = kind == SQLITE_MUTEX_RECURSIVE;
  return one;
}
void destroy(sqlite3_mutex* one) { delete one; }
void enter(sqlite3_mutex* one) {
  taken.fetch_add(1, std::memory_order_relaxed);
  one->again ? one->recursive.lock() : one->plain.lock();
}
int try_to_enter(sqlite3_mutex* one) {
  return (one->again ? one->recursive.try_lock() : one->plain.try_lock()) ? SQLITE_OK : SQLITE_BUSY;
}
void leave(sqlite3_mutex* one) { one->again ? one->recursive.unlock() : one->plain.unlock(); }

void tell() {
  std::printf("adopted: sqlite made %ld mutexes and took one %ld times\n", made.load(), taken.load());
  std::fflush(stdout);
  if (taken == 0) std::_Exit(1);
}

[[maybe_unused]] const bool told = [] {
  static const sqlite3_mutex_methods all{nothing, nothing, make, destroy, enter, try_to_enter, leave, nullptr, nullptr};
  if (sqlite3_config(SQLITE_CONFIG_MUTEX, &all) != SQLITE_OK) std::abort();
  return std::atexit(tell) == 0;
}();

}  // namespace
