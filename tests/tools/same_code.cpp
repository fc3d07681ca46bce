// Uses of a lock, to be compiled with each of the names that its type has.

#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"
#include "synchro/named.hpp"

#ifdef BY_CLASS_TEMPLATE
using mutex = synchro::basic_mutex_lock<>;
using queue = synchro::basic_mcs_lock<synchro::hardware, synchro::spin_park>;
using with_a_name = mutex;
#else
using mutex = synchro::mutex;
using queue = synchro::mcs_park_lock;
using with_a_name = synchro::named<mutex>;
#endif

extern "C" {

long count;
alignas(64) unsigned char place[2][256];

void plain_section() {
  auto& lock = *reinterpret_cast<mutex*>(place[0]);
  lock.lock();
  ++count;
  lock.unlock();
}

bool tried_section() {
  auto& lock = *reinterpret_cast<mutex*>(place[0]);
  if (!lock.try_lock()) return false;
  ++count;
  lock.unlock();
  return true;
}

void queued_section() {
  auto& lock = *reinterpret_cast<queue*>(place[1]);
  queue::node mine;
  lock.lock(mine);
  ++count;
  lock.unlock(mine);
}

void named_section() {
  auto& lock = *reinterpret_cast<with_a_name*>(place[0]);
  lock.lock();
  ++count;
  lock.unlock();
}
}
