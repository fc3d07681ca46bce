// The programs that try flags in a word. What was done before a flag was set is written to a plain field: whoever is told of
// the flag reads it, so a missing order is a data race, and a lost wake-up a deadlock.

#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "explorer/clients/stage.hpp"
#include "explorer/subject.hpp"
#include "synchro/wakes/flags.hpp"

namespace synchro::explorer {

namespace {

using number = explored::plain<std::uint32_t>;
constexpr std::chrono::nanoseconds patience{1};

struct flagged {
  basic_flags<explored, spin_park> flags;
  std::array<number, 3> told{};

  void raise(unsigned i) {
    told[i] = i + 1;
    flags.set(1U << i);
  }
  void knows(std::uint32_t mask) {
    for (unsigned i = 0; i != 3; ++i)
      if ((mask >> i & 1) != 0) expect(told[i] == i + 1, "a flag is told of before it is set");
  }
};

program any() {
  stage<flagged> s{"any of two", 3};
  s.does([](flagged& it, unsigned t) {
    if (t < 2) return it.raise(t);
    const std::uint32_t mask = it.flags.wait_any(3);
    expect(mask != 0, "a wait returns without a flag");
    it.knows(mask);
  });
  return s.done();
}

program all() {
  stage<flagged> s{"all of two", 3};
  s.does([](flagged& it, unsigned t) {
    if (t < 2) return it.raise(t);
    expect(it.flags.wait_all(3), "a wait without a limit has ended");
    it.knows(3);
  });
  return s.done();
}

program in_time() {
  stage<flagged> s{"in time", 2};
  s.does([](flagged& it, unsigned t) {
    if (t == 0) return it.raise(0);
    it.knows(it.flags.test(1));
    it.knows(it.flags.wait_any_for(3, patience));
    if (it.flags.wait_all_for(1, patience)) it.knows(1);
    it.knows(it.flags.take(1));
    expect(it.flags.take_until(1, explored::clock::now()) == 0, "a flag is taken twice");
  });
  return s.done();
}

/// Two wait, each for its own; a third flag is for nobody.
program each_its_own() {
  stage<flagged> s{"each its own", 3};
  s.does([](flagged& it, unsigned t) {
    if (t != 0) return it.knows(it.flags.take(1U << t));
    it.flags.set(1);
    it.raise(1);
    it.flags.reset(1);
    it.raise(2);
  });
  s.then_checks([](flagged& it) { expect(it.flags.test(7) == 0, "a flag that was taken or reset is set"); });
  return s.done();
}

/// One flag, passed on: whoever has taken it is alone.
program passed_on() {
  stage<flagged> s{"passed on", 2};
  s.does([](flagged& it, unsigned t) {
    if (t == 0) it.flags.set(1);
    it.flags.take(1);
    it.told[0] = it.told[0] + 1;
    it.flags.set(1);
  });
  s.then_checks([](flagged& it) { expect(it.told[0] == 2U, "a turn was lost"); });
  return s.done();
}

}  // namespace

void add_flags(subjects& to);
void add_flags(subjects& to) {
  std::vector<check> made{{any(), depth::exhausted},
                          {all(), depth::exhausted},
                          {in_time(), depth::exhausted},
                          {each_its_own(), depth::as_far_as_fits},
                          {passed_on(), depth::exhausted}};
  to.push_back({"flags", "synchro/wakes/flags.hpp", std::move(made)});
}

}  // namespace synchro::explorer
