// The facts that a lock states about itself.
//
// Each lock has a static member `traits` with the words and promises that only its author knows. Everything a compiler
// can find out (try_lock, timed, shared, bytes) is found out by `describe` and cannot be claimed falsely. The command
// line, the reports, the tests and the property table of the documentation read nothing else.

#ifndef SYNCHRO_TRAITS_HPP
#define SYNCHRO_TRAITS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "synchro/detail/chrono.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// In which order waiters are served.
enum class fairness : std::uint8_t {
  none,        ///< Any waiter, any number of times in a row.
  first_come,  ///< Order is fixed by a single step of arrival (a ticket, an exchange on the tail).
  bounded      ///< Not by arrival, but no waiter is passed more than `bypass` times.
};

struct lock_traits {
  std::string_view judgement;  ///< One line: when to choose it, when not.
  fairness fair = fairness::none;
  /// How often one other thread's lock() overtakes a waiter that stands in line, at most; nothing: no bound.
  std::optional<std::uint32_t> bypass = std::nullopt;
  bool domain_aware = false;     ///< Prefers waiters of the holder's cache domain.
  std::string_view citation;     ///< Authors, title, venue, year; section where it helps.
  std::string_view rights = {};  ///< Patents to know of; empty if the project knows none. See docs/rights.md.
};

template <class L>
concept basic_lockable = requires(L& lock) {
  lock.lock();
  lock.unlock();
};
template <class L>
concept try_lockable = basic_lockable<L> && requires(L& lock) {
  { lock.try_lock() } -> std::same_as<bool>;
};
template <class L>
concept timed_lockable = try_lockable<L> && requires(L& lock) {
  { lock.try_lock_for(std::chrono::nanoseconds{1}) } -> std::same_as<bool>;
};
template <class L>
concept shared_lockable = requires(L& lock) {
  lock.lock_shared();
  lock.unlock_shared();
};
/// A lock that also takes the caller's own queue node.
template <class L>
concept node_lockable = requires(L& lock, typename L::node& node) {
  lock.lock(node);
  lock.unlock(node);
};

/// The traits of a lock with all that the compiler adds.
struct lock_description {
  lock_traits words;
  bool try_lock, timed, shared, own_node, parks;
  bool may_elide;                   ///< Its sections run as hardware transactions where there are any.
  std::size_t bytes_per_lock;       ///< The object itself; what a shape adds is `bytes_per_thread` times its threads.
  std::size_t bytes_per_thread;     ///< Grows with the threads the lock is made for.
  std::size_t bytes_per_held_lock;  ///< Taken from the pool while a thread holds or awaits the lock.
};

template <class L>
constexpr lock_description describe() {
  lock_description d{
      L::traits, try_lockable<L>, timed_lockable<L>, shared_lockable<L>, node_lockable<L>, false, false, sizeof(L), 0,
      0};
  if constexpr (requires { L::parks; }) d.parks = L::parks;
  d.may_elide = requires { L::elides(); };
  if constexpr (requires { L::bytes_per_thread; }) d.bytes_per_thread = L::bytes_per_thread;
  if constexpr (requires { L::bytes_per_held_lock; }) d.bytes_per_held_lock = L::bytes_per_held_lock;
  return d;
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
