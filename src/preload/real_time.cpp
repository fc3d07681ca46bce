#include "preload/real_time.hpp"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "platform/interposer.hpp"
#include "preload/start.hpp"

namespace synchro::preload {

namespace {

const char* name_of_real_time(int policy) {
  switch (policy & ~SCHED_RESET_ON_FORK) {
    case SCHED_FIFO:
      return "SCHED_FIFO";
    case SCHED_RR:
      return "SCHED_RR";
    case SCHED_DEADLINE:
      return "SCHED_DEADLINE";
    default:
      return nullptr;
  }
}

constinit std::atomic<bool> told{false};

}  // namespace

int own_policy() noexcept { return sched_getscheduler(0); }

int policy_of(const pthread_attr_t* attributes) noexcept {
  int inherited = PTHREAD_INHERIT_SCHED;
  int policy = SCHED_OTHER;
  if (attributes == nullptr || pthread_attr_getinheritsched(attributes, &inherited) != 0 ||
      inherited == PTHREAD_INHERIT_SCHED || pthread_attr_getschedpolicy(attributes, &policy) != 0)
    return own_policy();
  return policy;
}

void tell_of_real_time(int policy) noexcept {
  const char* const name = policy < 0 ? nullptr : name_of_real_time(policy);
  if (name == nullptr || chosen.leaves_all || told.exchange(true, std::memory_order_relaxed)) return;
  dprintf(STDERR_FILENO,
          "%s: process %d has a thread of the class %s: its locks know no priorities here, so one that spins may wait "
          "for ever "
          "for a holder whose processor it keeps, and waiters are not served by priority\n",
          platform::interposer::file, static_cast<int>(getpid()), name);
}

}  // namespace synchro::preload
