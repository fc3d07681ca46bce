// Sleeping on an address where the system has no call for it: what generic.hpp and windows.hpp share.

#ifndef SYNCHRO_OS_PARKING_LOT_HPP
#define SYNCHRO_OS_PARKING_LOT_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace os {

namespace detail {

/// A thread sleeps in one of these places, by the address of the word; all of a place are woken. A place has lock(), unlock(),
/// wake_all() and, for the holder of the lock, wait(limit), of its own type, which gives it back while it waits.
template <class Place>
class basic_parking_lot {
 public:
  void park(const void* word, std::uint32_t expected, typename Place::limit until) noexcept {
    Place& at = place_of(word);
    at.lock();
    // Relaxed: whoever changes the word goes through the lock before it wakes.
    if (static_cast<const std::atomic<std::uint32_t>*>(word)->load(std::memory_order_relaxed) == expected)
      at.wait(until);
    at.unlock();
  }

  void unpark(const void* word) noexcept {
    Place& at = place_of(word);
    at.lock();
    at.unlock();
    at.wake_all();
  }

 private:
  static constexpr std::size_t places = 64;

  Place& place_of(const void* word) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(word);
    return places_[(address / 4 ^ address / 4096) % places];
  }

  Place places_[places];
};

}  // namespace detail
}  // namespace os
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
