// Free locks, each locked and unlocked by a bare loop.

#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "../bare_thread.hpp"
#include "plain.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/locks/ticket.hpp"

namespace {

class pthread_spin {
 public:
  pthread_spin() { pthread_spin_init(&it_, PTHREAD_PROCESS_PRIVATE); }
  void lock() { pthread_spin_lock(&it_); }
  void unlock() { pthread_spin_unlock(&it_); }

 private:
  pthread_spinlock_t it_;
};

template <class Lock>
double in_turn(int cpu) {
  struct place {  // three lines, an odd number: they spread over the sets of a cache
    alignas(64) Lock lock;
    alignas(64) char apart[128];
  };
  constexpr std::size_t locks = 128;
  constexpr int times = 4'000;
  const auto all = std::make_unique<place[]>(locks);
  if (!bare::pin(cpu)) return -1;
  const auto through = [&] {
    for (std::size_t i = 0; i < locks; ++i) {
      all[i].lock.lock();
      all[i].lock.unlock();
    }
  };
  for (int i = 0; i < times / 10; ++i) through();
  const double begin = bare::now_ns();
  for (int i = 0; i < times; ++i) through();
  return (bare::now_ns() - begin) / times / static_cast<double>(locks);
}

const std::map<std::string, double (*)(int)>& loops() {
  static const std::map<std::string, double (*)(int)> all{
      {"tas", in_turn<synchro::tas_lock>},
      {"ticket", in_turn<synchro::ticket_lock>},
      {"mcs", in_turn<synchro::mcs_lock>},
      {"mcs/park", in_turn<synchro::basic_mcs_lock<synchro::hardware, synchro::spin_park>>},
      {"mutex", in_turn<synchro::mutex>},
      {"std/mutex", in_turn<std::mutex>},
      {"pthread/spin", in_turn<pthread_spin>}};
  return all;
}

}  // namespace

bool plain::has_loop(const std::string& lock) { return loops().contains(lock); }

double plain::free_lock(const std::string& name, int cpu) {
  const auto loop = loops().at(name);
  double each = -1;
  std::thread{[&] { each = loop(cpu); }}.join();
  return each;
}
