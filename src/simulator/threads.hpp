// What the simulated machine keeps for each thread.

#ifndef SYNCHRO_SIMULATOR_THREADS_HPP
#define SYNCHRO_SIMULATOR_THREADS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/computation.hpp"
#include "simulator/lines.hpp"
#include "simulator/model.hpp"

namespace synchro::simulator {

/// Objects of any type, one of each, made when first asked for.
class storage {
 public:
  /// `Allocate` gives memory for the object, which is destroyed with nothing: its type is trivially destructible.
  template <class T, class Allocate>
  T& get(Allocate allocate) {
    static const unsigned number = next_number_++;
    if (number >= objects_.size()) objects_.resize(number + 1, nullptr);
    if (objects_[number] == nullptr) objects_[number] = ::new (allocate(sizeof(T), alignof(T))) T{};
    return *static_cast<T*>(objects_[number]);
  }

 private:
  static inline unsigned next_number_ = 0;
  std::vector<void*> objects_;
};

/// Asked of a thread that waits, when its wait is over: at what moment it goes on. The answer is found without a switch to
/// the thread, for which it is usually too early.
struct resumption {
  ticks (*moment)(void*) = nullptr;
  void* asked = nullptr;
};

/// A request for a line that its thread has not waited for yet.
struct early {
  request asked = {};
  bool pending = false;  ///< The line has not come to it.
  bool awaited = false;  ///< Its thread cannot go on without.
  ticks arrives = 0;     ///< When the data is there, once the line has come to it.
};

struct thread {
  static constexpr std::size_t most_watched = 8;

  unsigned number = 0;
  unsigned processor = 0;
  unsigned core = 0;
  unsigned issue_group = 0;

  // What it blocks on.
  request own = {};                  // its blocking access
  ticks cost = 0;                    // what is left of the access after its value is there
  std::uint32_t version = 0;         // of the line it accessed last, when the value was read
  line_index line = 0;               // that line
  std::vector<request> stores = {};  // the store buffer, a ring
  std::size_t first_store = 0, store_count = 0;
  std::size_t asked_stores = 0;  // of these, from the first on, whose lines were asked for
  line_index stored = 0;         // the line of the store that left it last
  ticks acknowledged = 0;        // when the home's answer to that one is there
  bool waits_for_stores = false;
  bool waits_for_word = false;    // of the network
  std::vector<early> ahead = {};  // requests for lines that will be needed
  access doing = access::load;    // the access at hand
  ticks began = 0, arrives = 0;   // of it
  ticks slack = 0;                // what a load that was under way leaves time for
  ticks before = 0;               // how long it was under way before the core could not go on
  ticks sooner = 0;               // so long ago the next store could have asked for its line
  bool independent = false;       // the loads at hand do not wait for each other
  std::array<waiter, most_watched> watches = {};
  std::size_t watch_count = 0;
  resumption then = {};

  // Its place on a processor.
  bool on_processor = false;
  bool stalled = false;  // waits for memory: takes no instructions, and cannot be preempted
  bool preempt_later = false;
  bool would_yield = false;  // gives its processor away while it waits
  bool due = false;          // off its processor, and has something to do in `remaining`
  bool scheduled = false;    // has a resume event, at resume_at
  bool asleep = false;
  bool woken = false;
  bool active = false;
  ticks remaining = 0;
  ticks resume_at = 0;
  ticks runs_since = 0, ran = 0;            // on its processor; before that
  std::uint64_t sleeps = 0, displaced = 0;  // how often it left it of its own will, and otherwise
  std::uint32_t token = 0;                  // of the valid resume event
  std::uint32_t timeout_token = 0;

  storage own_objects = {};
  std::vector<std::pair<void (*)(void*), void*>> farewells = {};
  bool done = false;
  std::unique_ptr<computation> body = nullptr;
};

}  // namespace synchro::simulator

#endif
