// Request slots: where callers post what another thread is to run. Flat combining and the delegation server share them.
//
// Problem. A caller needs a place for its request that nobody else writes, without a list of all threads.
//
// Picture.   | state, request |  | state, request |  ...      a line each
//
//   state    free -> claimed -> posted -> done -> free
//                    the caller's         whoever runs requests
//
//   claim    takes a free slot, the first to look at by the caller's thread; nullptr if all are claimed.
//   post     writes the request, and says so.
//   run      runs the request, and says so.
//   leave    gives the slot back.
//
// Choose it for another way to delegate. Do not choose it where each thread can have a slot of its own for good.
//
// Memory orders.
//   access                              order     pairs with
//   claim: load of state                relaxed   nothing: only decides whether to try
//   claim: compare-and-swap of state    acquire   leave: the last request of this slot is over; relaxed when it fails
//   post: store of `posted`             release   the load by whoever runs it: the request was written
//   run: store of `done`                release   the caller's wait: what fn did
//   leave: store of `free`              release   claim

#ifndef SYNCHRO_DELEGATION_REQUEST_SLOTS_HPP
#define SYNCHRO_DELEGATION_REQUEST_SLOTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/delegation/request.hpp"
#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

template <class Machine>
struct alignas(cpu::cache_line) request_slot {
  static constexpr std::uint32_t free = 0, claimed = 1, posted = 2, done = 3;

  typename Machine::template atomic<std::uint32_t> state{free};
  typename Machine::template plain<request<Machine>*> posted_request{nullptr};

  void post(request<Machine>& mine) noexcept {
    posted_request = &mine;
    state.store(posted, memory_order::release);
  }
  void run() noexcept {
    static_cast<request<Machine>*>(posted_request)->run();
    state.store(done, memory_order::release);
  }
  void leave() noexcept { state.store(free, memory_order::release); }
};

template <class Machine, std::size_t Slots>
struct request_slots : std::array<request_slot<Machine>, Slots> {
  using slot = request_slot<Machine>;

  /// The one that the calling thread looks at first.
  [[nodiscard]] static std::size_t nearest() { return Machine::slot() % Slots; }

  /// nullptr if all are claimed.
  [[nodiscard]] slot* claim(std::size_t first) noexcept {
    for (std::size_t i = 0; i != Slots; ++i) {
      slot& one = (*this)[(first + i) % Slots];
      std::uint32_t seen = one.state.load(memory_order::relaxed);
      if (seen == slot::free &&
          one.state.compare_exchange_strong(seen, slot::claimed, memory_order::acquire, memory_order::relaxed))
        return &one;
    }
    return nullptr;
  }
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
