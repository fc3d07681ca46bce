#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

results::document started(double call, double event, double futex, double semaphore) {
  book b{8};
  const std::pair<std::string, double> all[] = {
      {"signal/handler", call}, {"event", event}, {"linux/futex", futex}, {"posix/sem", semaphore}};
  for (const auto& [primitive, us] : all)
    b.add("forkjoin.timeline", {{"primitive", primitive}, {"threads", number(4)}, {"work", number(100'000)}},
          "invocation_delay", "ns", us * 1e3);
  return b;
}

coordinates woken(const std::string& primitive, const std::string& calls) {
  return {{"primitive", primitive},
          {"threads", number(3)},
          {"calls", calls},
          {"placement", "compact"},
          {"priority", "default"}};
}

results::document gaps(double semaphore) {
  return book{8}
      .add("wake.broadcast", woken("rendezvous", "one"), "gap", "ns", 100)
      .add("wake.broadcast", woken("sysv/sem", "one"), "gap", "ns", semaphore);
}

results::document breaks_even(double per_thread) {
  const coordinates at{{"primitive", "event"}, {"threads", number(4)}};
  return book{8}
      .add("forkjoin.breakeven", at, "per_thread", "ns", per_thread)
      .add("forkjoin.breakeven", at, "invocation_delay", "ns", 20e3);
}

results::document both_calls(double each) {
  return book{8}
      .add("wake.broadcast", woken("linux/eventfd", "one"), "wake_last", "ns", 100)
      .add("wake.broadcast", woken("linux/eventfd", "each"), "wake_last", "ns", each);
}

results::document spread(double ns) {
  return book{8}.add("wake.broadcast", woken("rendezvous", "one"), "spread", "ns", ns);
}

results::document balanced(double brief, double lengthy) {
  const auto at = [](std::int64_t work) {
    return coordinates{{"primitive", "event"}, {"threads", number(4)}, {"work", number(work)}};
  };
  return book{8}
      .add("forkjoin.balance", at(50'000), "gain", "1", brief)
      .add("forkjoin.balance", at(1'000'000), "gain", "1", lengthy);
}

}  // namespace

std::vector<judge_case> forkjoin_cases() {
  return {{"E1", started(47, 33, 33, 33), {started(33, 33, 33, 33), started(100, 33, 33, 33)}},
          {"E2", started(47, 33, 33, 33), {started(47, 12, 33, 33), started(47, 97, 33, 33)}},
          {"E3", started(47, 33, 33, 34), {started(30, 33, 33, 34), started(90, 33, 33, 66)}},
          {"E4", gaps(5000), {gaps(100)}},
          {"E5", breaks_even(40e3), {breaks_even(10e3)}},
          {"E6", both_calls(200), {both_calls(50)}},
          {"E7", spread(5000), {spread(100)}},
          {"E8", balanced(1.5, 1.1), {balanced(1.2, 1.5), balanced(0.8, 0.5)}}};
}

}  // namespace synchro::tests
