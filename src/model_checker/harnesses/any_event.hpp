// An event of whatever class, as the programs know it that try it.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_EVENT_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_EVENT_HPP

#include <chrono>
#include <cstdint>

#include "model_checker/harnesses/made.hpp"

namespace synchro::model_checker {

using number = explored::plain<std::uint32_t>;

class any_event;

/// What a thread asks beside an event: whether it is to stop. Nothing but the interruption orders it.
struct stop_word {
  explored::atomic<std::uint32_t> word{0};

  auto asked() {
    return [this] { return word.load(memory_order::relaxed) != 0; };
  }
  void request(any_event& event);
};

class any_event : public made_by_machine {
 public:
  virtual void set() = 0;
  virtual void reset() = 0;
  virtual void interrupt() = 0;
  virtual void wait() = 0;
  virtual bool try_wait() = 0;
  virtual bool wait_for(std::chrono::nanoseconds patience) = 0;
  virtual bool wait_until(explored::deadline until) = 0;
  virtual bool wait_unless(stop_word& stop) = 0;
  virtual bool wait_unless(stop_word& stop, explored::deadline until) = 0;
};

inline void stop_word::request(any_event& event) {
  word.store(1, memory_order::relaxed);
  event.interrupt();
}

/// A class of events, as a value.
struct event_type {
  bool releases_one;
  any_event* (*make)();  ///< by the machine, which destroys it
};

template <class Event>
class event_of final : public any_event {
 public:
  void set() override { event_.set(); }
  void reset() override { event_.reset(); }
  void interrupt() override { event_.interrupt(); }
  void wait() override { event_.wait(); }
  bool try_wait() override { return event_.try_wait(); }
  bool wait_for(std::chrono::nanoseconds patience) override { return event_.wait_for(patience); }
  bool wait_until(explored::deadline until) override { return event_.wait_until(until); }
  bool wait_unless(stop_word& stop) override { return event_.wait_unless(stop.asked()); }
  bool wait_unless(stop_word& stop, explored::deadline until) override {
    return event_.wait_unless(stop.asked(), until);
  }

 private:
  Event event_;
};

template <class Event>
event_type event_type_of() {
  return {requires {Event::releases_one;
}
, []() -> any_event* { return explored::make<event_of<Event>>(); }
};  // namespace synchro::model_checker
}

}  // namespace synchro::model_checker

#endif
