#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

results::document called(double critical, double entering, double several = 18, double semaphore = 145) {
  book b{2};
  const auto row = [&](const std::string& call, const std::string& primitive, double us) {
    b.add("overhead.calls", {{"call", call}, {"primitive", primitive}}, "delay", "ns", us * 1e3);
  };
  row("EnterCriticalSection", "pthread/mutex", critical), row("Interlocked Increment", "std/atomic", 0.02);
  row("WaitForSingleObject", "std/thread", 18), row("WaitForMultipleObjects", "std/thread", several);
  row("Waiting for Semaphore", "posix/sem", semaphore), row("ReleaseMutex", "pthread/mutex", entering);
  return b;
}

results::document events(double built) {
  return book{2}
      .add("overhead.calls", {{"call", "SetEvent"}, {"primitive", "event"}}, "delay", "ns", 10e3)
      .add("overhead.calls", {{"call", "SetEvent"}, {"primitive", "pthread/cond_event"}}, "delay", "ns", built);
}

/// A spinning lock and one that sleeps, with as many threads as processors and with more.
results::document spun(double spinning_that_fit, double spinning_beyond) {
  book b{4};
  const auto add = [&](const char* lock, std::int64_t threads, double rate) {
    b.add("locks.throughput",
          {{"lock", lock},
           {"locks", number(1)},
           {"threads", number(threads)},
           {"placement", "compact"},
           {"protocol", "saturated"}},
          "throughput", "op/s", rate);
  };
  add("ttas", 4, spinning_that_fit), add("std/mutex", 4, 1e7), add("mcs", 4, 9e7);
  add("ttas", 16, spinning_beyond), add("std/mutex", 16, 1e7), add("ttas", 1, 1e3);
  return b;
}

}  // namespace

std::vector<judge_case> bogner_cases() {
  return {{"B1", called(0.5, 14), {called(5, 140), called(0.5, 0.9)}},
          {"B2", called(0.5, 14), {called(0.5, 14, 40)}},
          {"B3", called(0.5, 14), {called(0.5, 14, 18, 10)}},
          {"B4", events(25e3), {events(15e3)}},
          {"B6", spun(2e7, 5e6), {spun(2e7, 1.5e7), spun(3e6, 6e6)}}};
}

}  // namespace synchro::tests
