// The programs that try flags in a word. What was done before a flag was set is written to a plain field: whoever is told of
// the flag reads it, so a missing order is a data race, and a lost wake-up a deadlock.

#include <array>
#include <chrono>
#include <string>
#include <utility>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/wakes/flags.hpp"

namespace synchro::model_checker {

namespace {

using number = explored::plain<std::uint32_t>;
constexpr std::chrono::nanoseconds patience{1};

using sound_flags = basic_flags<explored, spin_park>;

template <class Flags>
struct flagged_by {
  Flags flags;
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
using flagged = flagged_by<sound_flags>;

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

/// Nobody else is there: by then a flag is set, or it is not.
template <class Flags>
program alone_in_time() {
  using scene = flagged_by<Flags>;
  stage<scene> s{"alone, in time", 1};
  s.does([](scene& it, unsigned) {
    const auto soon = [] { return explored::clock::now() + patience; };
    expect(it.flags.wait_any_until(3, soon()) == 0 && it.flags.wait_any_for(3, patience) == 0,
           "a flag is set by nobody");
    expect(!it.flags.wait_all_until(3, soon()) && !it.flags.wait_all_for(3, patience), "flags are set by nobody");
    expect(it.flags.take_for(3, patience) == 0 && it.flags.take_until(3, soon()) == 0,
           "a flag is taken that is not set");
    it.flags.set(7);
    expect(it.flags.wait_any_until(10, soon()) == 2 && it.flags.wait_any_for(12, patience) == 4, "others are told of");
    expect(it.flags.wait_all_until(3, soon()) && it.flags.wait_all_for(7, patience), "flags that are set are not");
    expect(!it.flags.wait_all_until(15, soon()) && !it.flags.wait_all_for(9, patience), "one of them is not set");
    expect(it.flags.take_for(10, patience) == 2 && it.flags.test(15) == 5,
           "what is taken is another, or is still there");
    expect(it.flags.take_until(12, soon()) == 4 && it.flags.test(15) == 1,
           "what is taken is another, or is still there");
    it.flags.set(14);
    it.flags.reset(9);
    expect(it.flags.test(15) == 6, "what is reset is another, or is still there");
    expect(it.flags.wait_any(12) == 4, "others are told of");
  });
  return s.done();
}

/// In time it takes nothing away.
struct flags_that_stay : sound_flags {
  auto take_for(std::uint32_t flags, std::chrono::nanoseconds how_long) { return wait_any_for(flags, how_long); }
};

/// Two wait, each for its own; a third flag is for nobody. To take away more flags than there are leaves the sleepers.
template <class Flags>
program each_its_own() {
  using scene = flagged_by<Flags>;
  stage<scene> s{"each its own", 3};
  s.does([](scene& it, unsigned t) {
    if (t != 0) return it.knows(it.flags.take(1U << t));
    it.flags.set(1);
    it.raise(1);
    it.flags.reset(~6U);
    it.raise(2);
  });
  s.then_checks([](scene& it) { expect(it.flags.test(7) == 0, "a flag that was taken or reset is set"); });
  return s.done();
}

/// Who asks for more flags than there are does not take a sleeper's mark for one of them.
program all_there_are() {
  stage<flagged> s{"all there are", 2};
  s.does([](flagged& it, unsigned t) {
    if (t == 1) return it.knows(it.flags.take(1));
    const auto now = [] { return explored::clock::now(); };
    expect(it.flags.try_take(~1U) == 0 && it.flags.take_until(~1U, now()) == 0 &&
               it.flags.wait_any_until(~1U, now()) == 0 && !it.flags.wait_all_until(~1U, now()),
           "a flag is set that there is not");
    it.raise(0);
    it.flags.set(~1U);
    expect(it.flags.wait_all_until(~1U, now()) && it.flags.wait_any_until(~1U, now()) == 0x7fff'fffe,
           "flags that are set are not");
    expect(it.flags.take(~1U) == 0x7fff'fffe, "what is taken is another");
  });
  return s.done();
}

/// What leaves the flags as they are leaves the sleepers, too: whoever asks for all but the sleeper's flag, and finds none.
template <class Flags>
program leaves_sleepers(const std::string& name, void (*ask)(Flags&)) {
  using scene = flagged_by<Flags>;
  stage<scene> s{name + " beside a sleeper", 2};
  s.does([ask](scene& it, unsigned t) {
    if (t == 1) return it.knows(it.flags.take(1));
    ask(it.flags);
    it.raise(0);
  });
  return s.done();
}
template <class Flags>
program tries_beside_a_sleeper() {
  return leaves_sleepers<Flags>("a try", [](Flags& f) { expect(f.try_take(~1U) == 0, "a flag is taken that is not"); });
}

void add_beside_a_sleeper(std::vector<check>& to) {
  using flags = sound_flags;
  to.push_back({tries_beside_a_sleeper<flags>(), depth::exhausted});
  to.push_back({leaves_sleepers<flags>("a look", [](flags& f) { static_cast<void>(f.test(~1U)); }), depth::exhausted});
  to.push_back({leaves_sleepers<flags>("a reset", [](flags& f) { f.reset(~1U); }), depth::exhausted});
  to.push_back({leaves_sleepers<flags>("a set of none", [](flags& f) { f.set(0); }), depth::exhausted});
  to.push_back({leaves_sleepers<flags>("a wait", [](flags& f) { f.wait_any_until(~1U, explored::clock::now()); }),
                depth::exhausted});
  to.push_back({leaves_sleepers<flags>("a wait to take", [](flags& f) { f.take_until(~1U, explored::clock::now()); }),
                depth::exhausted});
}

/// Takes away whatever it is told to, the sleepers' mark among it.
struct flags_that_forget_sleepers {
  using answer = attempt<std::uint32_t>;
  static constexpr std::uint32_t asleep = 0x8000'0000;
  explored::atomic<std::uint32_t> word{0};

  void set(std::uint32_t flags) {
    const auto more = [flags](std::uint32_t v) { return answer::write((v | flags) & ~asleep); };
    const std::uint32_t old = explored::update(word, more, memory_order::release, memory_order::relaxed).seen;
    if ((old & asleep) != 0) explored::unpark(&word, detail::everybody);
  }
  void reset(std::uint32_t flags) { word.fetch_and(~flags, memory_order::relaxed); }
  std::uint32_t try_take(std::uint32_t flags) {
    return word.fetch_and(~flags, memory_order::acquire) & flags & ~asleep;
  }
  std::uint32_t test(std::uint32_t flags) { return word.load(memory_order::acquire) & flags; }
  std::uint32_t take(std::uint32_t flags) {
    const auto take_or_mark = [flags](std::uint32_t v) {
      return answer::write((v & flags) != 0 ? v & ~flags : v | asleep);
    };
    for (;;) {
      const std::uint32_t old = explored::update(word, take_or_mark, memory_order::acquire, memory_order::relaxed).seen;
      if ((old & flags) != 0) return old & flags;
      explored::park(word, old | asleep, explored::never);
    }
  }
};

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
                          {alone_in_time<sound_flags>(), depth::exhausted},
                          {each_its_own<sound_flags>(), depth::as_far_as_fits},
                          {all_there_are(), depth::exhausted},
                          {passed_on(), depth::exhausted}};
  add_beside_a_sleeper(made);
  to.push_back({"flags", "synchro/wakes/flags.hpp", std::move(made)});
}

void add_seeded_flags(subjects& to);
void add_seeded_flags(subjects& to) {
  to.push_back(seeded("flags_that_stay", alone_in_time<flags_that_stay>()));
  to.push_back(seeded("flags_that_forget_sleepers", each_its_own<flags_that_forget_sleepers>()));
  to.push_back(seeded("flags_that_forget_sleepers_at_a_try", tries_beside_a_sleeper<flags_that_forget_sleepers>()));
}

}  // namespace synchro::model_checker
