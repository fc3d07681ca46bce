// Barrier: a fixed team meets again and again; the last to come does what is to be done in between.
//
// Problem. Each round needs what all others did in the round before, and nobody may begin the next one while somebody
// is still in this one.
//
// Picture.   phase     [ asleep |  number of the phase: 31 bits ]        to come   [ n ]      expected   [ n ]
//
//   arrive           reads the number of the phase, and takes one from `to come`. The last one calls the completion, sets
//                    `to come` for the next phase, and counts the phase up; if there was a mark, it wakes all.
//   wait             until the phase is not the one of its token.
//   arrive_and_drop  the same, and one fewer is expected from the next phase on.
//
// `synchro::barrier<> team{4};` has the interface of std::barrier. A completion function is the template argument:
// `synchro::barrier<F> team{4, f}`.
//
// Choose it for rounds of one team. Do not choose it for one use (`latch`), nor where one thread starts the others
// (`rendezvous` and the other wakes).
//
// It may be destroyed as soon as all waits of the last phase have returned.
//
// Memory orders.
//   access                             order     pairs with
//   arrive: load of phase              relaxed   nothing: it cannot change before this thread has arrived, and the last
//                                                change it knows by its last wait
//   arrive: fetch_sub of to come       acq_rel   all the others': the completion comes after what everybody did
//   last: store of to come             relaxed   nothing: phase publishes it
//   last: update of phase              release   wait: what everybody did, and the completion
//   wait: see marked_wait.hpp          acquire   that
//   drop: fetch_sub of expected        relaxed   nothing: the fetch_sub of to come that follows publishes it
//   last: load of expected             relaxed   nothing: it comes after all of them
//
// Source: C++20, [thread.barrier]; Hensgen, Finkel, Manber: Two Algorithms for Barrier Synchronization, IJPP 17(1), 1988
// (the central counter they compare with).

#ifndef SYNCHRO_SYNC_BARRIER_HPP
#define SYNCHRO_SYNC_BARRIER_HPP

#include <cstddef>
#include <cstdint>
#include <utility>

#include "synchro/detail/first_ticket.hpp"
#include "synchro/detail/marked_wait.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"
#include "synchro/wakes/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

struct completes_nothing {
  void operator()() const noexcept {}
};

}  // namespace detail

template <class Completion = detail::completes_nothing, class Machine = hardware, class Waiting = yield_then_park>
class basic_barrier {
 public:
  static constexpr bool parks = true;
  static_assert(Waiting::parks, "this barrier is a way to sleep");

  /// The phase that a thread has arrived in.
  class arrival_token {
    friend class basic_barrier;
    explicit arrival_token(std::uint32_t phase) : phase_{phase} {}
    std::uint32_t phase_;
  };

  /// `expected` is at most max(); the completion must not throw.
  constexpr explicit basic_barrier(std::ptrdiff_t expected, Completion completion = Completion(),
                                   first_ticket first = {})
      : phase_{first.number & number},
        to_come_{static_cast<std::uint32_t>(expected)},
        expected_{static_cast<std::uint32_t>(expected)},
        completion_{std::move(completion)} {}
  basic_barrier(const basic_barrier&) = delete;
  basic_barrier& operator=(const basic_barrier&) = delete;

  static constexpr std::ptrdiff_t max() noexcept { return number; }

  [[nodiscard]] arrival_token arrive(std::ptrdiff_t n = 1) noexcept {
    const std::uint32_t phase = phase_.load(memory_order::relaxed) & number;
    const auto came = static_cast<std::uint32_t>(n);
    if (to_come_.fetch_sub(came, memory_order::acq_rel) == came) complete();
    return arrival_token{phase};
  }

  void wait(arrival_token token) noexcept {
    const auto over = [phase = token.phase_](std::uint32_t v) { return (v & number) != phase; };
    detail::wait_marked<Machine, Waiting>(phase_, asleep, over, Machine::never);
  }

  void arrive_and_wait() noexcept { wait(arrive()); }

  void arrive_and_drop() noexcept {
    expected_.fetch_sub(1, memory_order::relaxed);
    static_cast<void>(arrive());
  }

 private:
  static constexpr std::uint32_t asleep = 0x8000'0000;
  static constexpr std::uint32_t number = asleep - 1;

  void complete() noexcept {
    completion_();
    to_come_.store(expected_.load(memory_order::relaxed), memory_order::relaxed);
    const auto next = [](std::uint32_t v) { return attempt<std::uint32_t>::write((v + 1) & number); };
    const std::uint32_t old = Machine::update(phase_, next, memory_order::release, memory_order::relaxed).seen;
    if ((old & asleep) != 0) Machine::unpark(&phase_, detail::everybody);
  }

  typename Machine::template atomic<std::uint32_t> phase_;
  typename Machine::template atomic<std::uint32_t> to_come_;
  typename Machine::template atomic<std::uint32_t> expected_;
  [[no_unique_address]] Completion completion_;
};

template <class Completion = detail::completes_nothing>
using barrier = basic_barrier<Completion>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
