// The programs that try waits by the standard's stop tokens. What a token keeps is no part of the explored machine, so it is made by a
// thread: nobody else runs while it is asked, and a request is one step up to its callback.

#include <chrono>
#include <stop_token>
#include <utility>
#include <vector>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/wakes/event.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/stop_token.hpp"

namespace synchro::model_checker {

namespace {

constexpr std::chrono::nanoseconds patience{1};
constexpr unsigned last = 2;  // of three sleepers

struct scene {
  basic_event_group<explored, spin> team{last + 1};
  basic_event<explored, spin> event;
  explored::atomic<std::uint32_t> waits{0};
};

/// Each way to wait for a team or an event.
enum class way : std::uint8_t { without_end, so_long, until_a_moment };
constexpr way all_ways[] = {way::without_end, way::so_long, way::until_a_moment};

template <class... Waits>
bool waits(way how, const std::stop_token& token, Waits&... what) {
  switch (how) {
    case way::without_end:
      return wait(what..., token);
    case way::so_long:
      return wait_for(what..., token, patience);
    default:
      return wait_until(what..., token, explored::clock::now() + patience);
  }
}

/// What has come is true first; a request that came before the wait ends it, and is over with it.
program asked_before() {
  stage<scene> s{"asked before", 1};
  s.does([](scene& it, unsigned) {
    std::stop_source source;
    source.request_stop();
    for (const way how : all_ways) {
      it.team.trigger(last);
      expect(waits(how, source.get_token(), it.team, last), "a stop comes before a trigger that has come");
      expect(!waits(how, source.get_token(), it.team, last), "a sleeper returns from its wait without a trigger");
      expect(!it.team.stopped(last), "a sleeper is stopped by a request behind its wait");
      it.event.set();
      expect(waits(how, source.get_token(), it.event), "a stop comes before a set that has come");
      it.event.reset();
      expect(!waits(how, source.get_token(), it.event), "a wait is over without a set");
    }
  });
  return s.done();
}

/// A token that nobody uses leaves a stop of the program's own.
program never_asked() {
  stage<scene> s{"never asked", 1};
  s.does([](scene& it, unsigned) {
    std::stop_source source;
    for (const way how : all_ways) {
      it.team.trigger(last);
      expect(waits(how, source.get_token(), it.team, last), "a trigger is lost");
      it.event.set();
      expect(waits(how, source.get_token(), it.event), "a set is lost");
      it.event.reset();
      if (how == way::without_end) continue;
      expect(!waits(how, source.get_token(), it.team, last), "a sleeper is triggered by nobody");
      expect(!waits(how, source.get_token(), it.event), "a wait is over without a set");
    }
    it.team.stop(last);
    expect(!wait(it.team, last, source.get_token()), "a sleeper returns from its wait without a trigger");
    expect(it.team.stopped(last), "a wait takes back a stop that is not its own");
  });
  return s.done();
}

/// A wait that was asked to stop resumes its sleeper, and leaves it stopped for good if all are.
program all_stopped() {
  stage<scene> s{"all are stopped, and one is asked", 1};
  s.does([](scene& it, unsigned) {
    std::stop_source source;
    source.request_stop();
    it.team.stop();
    for (const way how : all_ways) {
      expect(!waits(how, source.get_token(), it.team, last), "a sleeper returns from its wait without a trigger");
      expect(it.team.stopped(last), "a wait takes back a stop that is not its own");
    }
  });
  return s.done();
}

/// The source of the thread that waits.
std::stop_source* asked = nullptr;

program asked_meanwhile(bool waits_for_a_trigger) {
  stage<scene> s{waits_for_a_trigger ? "a team, asked meanwhile" : "an event, asked meanwhile", 2};
  s.does([waits_for_a_trigger](scene& it, unsigned t) {
    if (t == 0) {
      explored::await(it.waits, memory_order::relaxed, [](std::uint32_t v) { return v == 1; });
      std::stop_source{*asked}.request_stop();
      return;
    }
    std::stop_source source;
    asked = &source;
    it.waits.store(1, memory_order::relaxed);
    expect(!(waits_for_a_trigger ? wait(it.team, last, source.get_token()) : wait(it.event, source.get_token())),
           "a wait is over without what it waits for");
  });
  return s.done();
}

}  // namespace

void add_stop_tokens(subjects& to);
void add_stop_tokens(subjects& to) {
  subject made{"stop_token", "synchro/wakes/stop_token.hpp", {}};
  for (program& p :
       std::vector{asked_before(), never_asked(), all_stopped(), asked_meanwhile(true), asked_meanwhile(false)})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
