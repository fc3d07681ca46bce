// One line of the catalog of wake primitives, as a type.

#ifndef SYNCHRO_CATALOG_WAKE_LINE_HPP
#define SYNCHRO_CATALOG_WAKE_LINE_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/lock_line.hpp"
#include "synchro/wakes/event_group.hpp"
#include "synchro/wakes/traits.hpp"

namespace synchro::catalog {

/// A wake primitive made of events that stay set: two by turns. The one is reset while all wait for the other.
template <class Machine, class Event>
class events_by_turns {
 public:
  static constexpr wake_traits traits = Event::traits;
  static constexpr bool parks = Event::parks;

  explicit events_by_turns(unsigned sleepers) : sleepers_(sleepers) {}

  void wait(unsigned i) {
    const std::uint32_t seen = sleepers_[i].rounds;
    sleepers_[i].rounds = seen + 1;
    events_[seen % 2].event.wait();
  }
  void arm() { events_[(triggers_ + 1) % 2].event.reset(); }
  void trigger() {
    const std::uint32_t before = triggers_;
    triggers_ = before + 1;
    events_[before % 2].event.set();
  }

 private:
  struct alignas(2 * cpu::cache_line) place {
    Event event;
  };

  place events_[2];
  typename Machine::template plain<std::uint32_t> triggers_{0};
  std::vector<synchro::detail::sleeper<Machine>> sleepers_;
};

/// A wake primitive made of events that release one: one for each sleeper.
template <class Event>
class events_for_each {
 public:
  static constexpr wake_traits traits = Event::traits;
  static constexpr bool parks = Event::parks;

  explicit events_for_each(unsigned sleepers) : events_(sleepers) {}

  void wait(unsigned i) { events_[i].event.wait(); }
  void trigger() {
    for (place& p : events_) p.event.set();
  }

 private:
  struct alignas(2 * cpu::cache_line) place {
    Event event;
  };

  std::vector<place> events_;
};

namespace detail {

template <class Machine, class P>
auto wake_of() {
  if constexpr (wake_primitive<P>)
    return std::type_identity<P>{};
  else if constexpr (requires { P::releases_one; })
    return std::type_identity<events_for_each<P>>{};
  else
    return std::type_identity<events_by_turns<Machine, P>>{};
}

}  // namespace detail

/// P itself if it is a wake primitive, else one made of such events.
template <class Machine, class P>
using wake_of = typename decltype(detail::wake_of<Machine, P>())::type;

/// One primitive under one waiting policy, on any machine.
template <template <class, class> class Template, class Waiting>
struct wake_variant {
  using waiting = Waiting;
  template <class Machine>
  using wake = wake_of<Machine, Template<Machine, Waiting>>;
  /// What the header defines: the primitive itself, or the event of which one is made.
  template <class Machine>
  using defined = Template<Machine, Waiting>;
  std::string name;
};

/// A line: the stem, the class template and the waiting policies it allows. The first policy goes by the bare stem.
template <fixed_string Stem, template <class, class> class Template, class First, class... More>
struct wake_line {
  static constexpr const char* stem = Stem.text;

  [[nodiscard]] static std::string header() { return std::string{"synchro/wakes/"} + stem + ".hpp"; }
  template <class Waiting>
  static constexpr bool only_looks_otherwise = one_before_only_looks_otherwise<Waiting, First, More...>();

  /// Calls visit(wake_variant) for each policy.
  template <class Visit>
  static void each(Visit visit) {
    visit(wake_variant<Template, First>{stem});
    (visit(wake_variant<Template, More>{std::string{stem} + "/" + More::name}), ...);
  }
};

}  // namespace synchro::catalog

#endif
