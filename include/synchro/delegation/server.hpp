// Delegation server: a thread of its own runs everybody's requests (remote core locking).
//
// Problem. A combiner changes from call to call, and the data with it. If one thread on one processor runs every
// request, the data never leave its caches.
//
// Picture.   slots    | state, request |  | state, request |  ...      a line each
//            state    free -> claimed -> posted -> done -> free
//                             the caller's         the server's
//            stop     [ 0 | 1 ]
//
//   execute   claims a slot, near one that depends on its thread (if all are claimed, it waits for that one), posts its
//             request there, and waits for `done`.
//   serve     looks at all slots, and runs what is posted, until stop() was called and nothing is posted.
//
// Choose it for the one hot structure of a program that has a processor to spare. Do not choose it where the server cannot
// have a processor to itself: each call then waits for it to be scheduled. Waiting threads spin or yield.
//
// Memory orders.
//   access                             order     pairs with
//   claim, post, run, leave                      see request_slots.hpp
//   wait for `free`                    relaxed   nothing: only decides when to try again
//   wait for `done`                    acquire   the store of `done`: what fn did
//   serve: look at states and stop     acquire   the store of `posted`; stop: what was done before it
//   stop: store                        release   the server's look
//   serve: store that ends the stop    relaxed   nothing: a later call of serve or stop is ordered by its caller
//
// Source: Lozi, David, Thomas, Lawall, Muller: Remote Core Locking, USENIX ATC 2012.

#ifndef SYNCHRO_DELEGATION_SERVER_HPP
#define SYNCHRO_DELEGATION_SERVER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "synchro/delegation/request.hpp"
#include "synchro/delegation/request_slots.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `Slots`: how many requests can be posted at a time. Example:
///
///     synchro::delegation_server account;
///     std::jthread server{[&] { account.serve(); }};
///     account.execute([&] { balance += 7; });       // any other thread
///     account.stop();
template <class Machine = hardware, class Waiting = spin, std::size_t Slots = 16>
class basic_delegation_server {
  static_assert(Slots >= 1);
  static_assert(!Waiting::parks, "nobody can sleep on several words");

 public:
  static constexpr bool parks = false;

  basic_delegation_server() = default;
  basic_delegation_server(const basic_delegation_server&) = delete;
  basic_delegation_server& operator=(const basic_delegation_server&) = delete;

  /// Runs fn on the server's thread and returns what it returns; what it throws is thrown here. While nobody serves, it
  /// waits until somebody does.
  template <class F>
  std::invoke_result_t<F&> execute(F&& fn) {
    detail::request_of<Machine, std::remove_reference_t<F>> mine{fn};
    slot& own = claim();
    own.post(mine);
    Machine::await(own.state, memory_order::acquire, until(slot::done));
    own.leave();
    return mine.take();
  }

  /// Runs what is posted until stop() is called. One thread at a time; it may be called again when it has returned.
  void serve() noexcept { serve(std::make_index_sequence<Slots>{}); }

  /// serve() returns when nothing is posted any more.
  void stop() noexcept { stop_.store(1, memory_order::release); }

 private:
  using slots = detail::request_slots<Machine, Slots>;
  using slot = typename slots::slot;

  static auto until(std::uint32_t wanted) {
    return [wanted](std::uint32_t state, std::uint32_t round) {
      return state == wanted ? look::done() : Waiting::retry(round);
    };
  }

  slot& claim() {
    const std::size_t first = slots_.nearest();
    for (;;) {
      if (slot* const own = slots_.claim(first)) return *own;
      Machine::await(slots_[first].state, memory_order::relaxed, until(slot::free));
    }
  }

  /// Content if one of the slots has a request, or if there is to be an end. The last two are stop and the round.
  struct something_to_do {
    template <class... Words>
    requires(sizeof...(Words) == Slots + 2) look operator()(Words... words) const {
      const std::array<std::uint32_t, Slots + 2> seen{words...};
      bool found = seen[Slots] != 0;
      for (std::size_t i = 0; i != Slots; ++i) found = found || seen[i] == slot::posted;
      return found ? look::done() : Waiting::retry(seen[Slots + 1]);
    }
  };

  template <std::size_t... I>
  void serve(std::index_sequence<I...>) {
    for (bool idle = false; !idle;) {
      const auto seen = Machine::await_any(memory_order::acquire, something_to_do{}, slots_[I].state..., stop_);
      idle = !(run_if_posted(slots_[I], std::get<I>(seen)) | ...);
    }
    stop_.store(0, memory_order::relaxed);
  }

  static bool run_if_posted(slot& one, std::uint32_t state) {
    if (state != slot::posted) return false;
    one.run();
    return true;
  }

  slots slots_;
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint32_t> stop_{0};
};

using delegation_server = basic_delegation_server<>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
