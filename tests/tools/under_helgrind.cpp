// Looked at by Helgrind: "clean" uses locks as they are to be used, "race" forgets one, "two_orders" takes two both ways.

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "synchro/locks/mutex.hpp"
#include "synchro/locks/shared_mutex.hpp"
#include "synchro/locks/ticket.hpp"

namespace {

synchro::mutex a;
synchro::shared_mutex b;
synchro::ticket_yield_lock c;
long guarded_by[3] = {0, 0, 0};
long unguarded = 0;

template <class Body>
void in_three_threads(Body body) {
  std::vector<std::thread> team;
  for (int t = 0; t != 3; ++t) team.emplace_back(body);
  for (auto& one : team) one.join();
}

void uses_all() {
  for (int i = 0; i != 200; ++i) {
    {
      const std::scoped_lock hold{a};
      ++guarded_by[0];
    }
    {
      const std::shared_lock read{b};
      if (guarded_by[1] < 0) std::abort();
    }
    {
      const std::scoped_lock write{b};
      ++guarded_by[1];
    }
    if (c.try_lock()) {
      ++guarded_by[2];
      c.unlock();
    }
    const std::scoped_lock both{c};
    const synchro::mutex never_used;
    ++guarded_by[2];
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc == 2 ? argv[1] : "";
  if (what == "clean") {
    in_three_threads(uses_all);
  } else if (what == "race") {
    in_three_threads([] {
      const std::shared_lock read{b};
      ++unguarded;
    });
  } else if (what == "two_orders") {
    for (int i = 0; i != 2; ++i)
      std::thread{[i] {
        std::unique_lock one{a, std::defer_lock};
        std::unique_lock two{b, std::defer_lock};
        i == 0 ? one.lock() : two.lock();
        i == 0 ? two.lock() : one.lock();
      }}.join();
  } else {
    return 2;
  }
  std::printf("%ld %ld %ld %ld\n", guarded_by[0], guarded_by[1], guarded_by[2], unguarded);
  return 0;
}
