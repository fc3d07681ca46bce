// A lock of the catalog without its type, so that what is asked of all of them is compiled once and not for each.

#ifndef SYNCHRO_TESTS_LOCKS_ANY_LOCK_HPP
#define SYNCHRO_TESTS_LOCKS_ANY_LOCK_HPP

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>

#include "catalog/lock_line.hpp"
#include "library/recorder.hpp"
#include "locks/machines.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/traits.hpp"

namespace synchro::tests {

/// A lock with a node of the caller's, which is one thread's. The lock has to live as long as it is used.
class any_node {
 public:
  any_node() = default;
  virtual ~any_node() = default;
  any_node(const any_node&) = delete;
  any_node& operator=(const any_node&) = delete;

  virtual void lock() = 0;
  virtual void unlock() = 0;
  virtual bool try_lock() = 0;
};

/// Everything that a lock may offer. To call what it does not offer ends the program.
class any_lock {
 public:
  any_lock() = default;
  virtual ~any_lock() = default;
  any_lock(const any_lock&) = delete;
  any_lock& operator=(const any_lock&) = delete;

  virtual void lock() = 0;
  virtual void unlock() = 0;
  virtual bool try_lock() = 0;
  virtual bool try_lock_for(std::chrono::nanoseconds patience) = 0;
  virtual bool try_lock_for(std::chrono::hours patience) = 0;
  virtual bool try_lock_until(std::chrono::steady_clock::time_point moment) = 0;
  virtual bool try_lock_until(std::chrono::system_clock::time_point moment) = 0;
  virtual bool try_lock_until(recorder::clock::time_point moment) = 0;
  virtual void lock_shared() = 0;
  virtual void unlock_shared() = 0;
  virtual std::unique_ptr<any_node> new_node() = 0;
};

using lock_ptr = std::unique_ptr<any_lock>;
/// Makes a new lock.
using maker = std::function<lock_ptr()>;
/// Makes a new lock whose tickets come round after so many.
using wrapping_maker = std::function<lock_ptr(std::uint32_t)>;

/// A variant of a catalog line: what it offers, and how to make it.
struct lock_kind {
  std::string name;
  bool tries, timed, own_nodes, own_nodes_try, shared, first_come, sleeps;
  maker on_hardware, on_counting, on_watched, on_recorder;
  wrapping_maker before_wrap, before_wrap_on_watched;  ///< Empty: it has no tickets.
};

template <class L>
concept node_try_lockable = node_lockable<L> && requires(L& lock, typename L::node& node) {
  { lock.try_lock(node) } -> std::same_as<bool>;
};

template <class Lock>
class node_holder final : public any_node {
 public:
  explicit node_holder(Lock& lock) : lock_{lock} {}

  void lock() override { lock_.lock(node_); }
  void unlock() override { lock_.unlock(node_); }
  bool try_lock() override {
    if constexpr (node_try_lockable<Lock>) return lock_.try_lock(node_);
    std::abort();
  }

 private:
  Lock& lock_;
  typename Lock::node node_;
};

/// `Lock` is on `Machine`.
template <class Machine, class Lock>
class lock_holder final : public any_lock {
 public:
  /// `make` returns a prvalue: locks do not move.
  template <class Make>
  explicit lock_holder(Make make) : lock_(make()) {}

  void lock() override { lock_.lock(); }
  void unlock() override { lock_.unlock(); }
  bool try_lock() override {
    if constexpr (try_lockable<Lock>) return lock_.try_lock();
    std::abort();
  }
  bool try_lock_for(std::chrono::nanoseconds patience) override { return try_for(patience); }
  bool try_lock_for(std::chrono::hours patience) override { return try_for(patience); }
  bool try_lock_until(std::chrono::steady_clock::time_point moment) override { return try_until<hardware>(moment); }
  bool try_lock_until(std::chrono::system_clock::time_point moment) override { return try_until<hardware>(moment); }
  bool try_lock_until(recorder::clock::time_point moment) override { return try_until<recorder>(moment); }
  void lock_shared() override {
    if constexpr (shared_lockable<Lock>) return lock_.lock_shared();
    std::abort();
  }
  void unlock_shared() override {
    if constexpr (shared_lockable<Lock>) return lock_.unlock_shared();
    std::abort();
  }
  std::unique_ptr<any_node> new_node() override {
    if constexpr (node_lockable<Lock>) return std::make_unique<node_holder<Lock>>(lock_);
    std::abort();
  }

 private:
  template <class Patience>
  bool try_for(Patience patience) {
    if constexpr (timed_lockable<Lock>) return lock_.try_lock_for(patience);
    std::abort();
  }
  /// By a clock that the machine's own clock can be told by.
  template <class Base, class Moment>
  bool try_until(Moment moment) {
    if constexpr (timed_lockable<Lock> && std::is_base_of_v<Base, Machine>) return lock_.try_lock_until(moment);
    std::abort();
  }

  Lock lock_;
};

namespace detail {

template <class Machine, class Lock>
maker maker_of() {
  return [] {
    return std::make_unique<lock_holder<Machine, Lock>>([] { return catalog::make_lock<Lock>(Machine::here()); });
  };
}

template <class Machine, class Lock>
wrapping_maker wrapping_maker_of() {
  constexpr bool by_shape = std::is_constructible_v<Lock, const shape&, first_ticket>;
  if constexpr (by_shape || std::is_constructible_v<Lock, first_ticket>)
    return [](std::uint32_t tickets_before) {
      return std::make_unique<lock_holder<Machine, Lock>>([first = first_ticket{0U - tickets_before}] {
        if constexpr (by_shape)
          return Lock(shape{{0, 0, 0}}, first);  // three: no divisor of 2^32
        else
          return Lock(first);
      });
    };
  else
    return {};
}

}  // namespace detail

namespace detail {

/// Whatever lets go of the lock cannot throw, and nothing can of a lock without nodes.
template <class L>
constexpr bool never_throws_where_it_must_not() {
  bool holds = noexcept(std::declval<L&>().unlock());
  if constexpr (shared_lockable<L>)
    holds = holds&& noexcept(std::declval<L&>().lock_shared())&& noexcept(std::declval<L&>().unlock_shared());
  if constexpr (node_lockable<L>)
    holds = holds&& noexcept(std::declval<L&>().lock(std::declval<typename L::node&>()))&& noexcept(
        std::declval<L&>().unlock(std::declval<typename L::node&>()));
  constexpr bool takes_nodes = requires { L::bytes_per_held_lock; };
  if constexpr (!takes_nodes)
    holds = holds&& noexcept(std::declval<L&>().lock())&& noexcept(std::declval<L&>().try_lock());
  return holds;
}

}  // namespace detail

/// A catalog::lock_variant as a kind.
template <class Variant>
lock_kind kind_of(const Variant& variant) {
  using lock = typename Variant::template lock<hardware>;
  using watched_lock = typename Variant::template lock<watched>;
  static_assert(detail::never_throws_where_it_must_not<lock>());
  return {.name = variant.name,
          .tries = try_lockable<lock>,
          .timed = timed_lockable<lock>,
          .own_nodes = node_lockable<lock>,
          .own_nodes_try = node_try_lockable<lock>,
          .shared = shared_lockable<lock>,
          .first_come = lock::traits.fair == fairness::first_come,
          .sleeps = describe<lock>().parks,
          .on_hardware = detail::maker_of<hardware, lock>(),
          .on_counting = detail::maker_of<counting, typename Variant::template lock<counting>>(),
          .on_watched = detail::maker_of<watched, watched_lock>(),
          .on_recorder = detail::maker_of<recorder, typename Variant::template lock<recorder>>(),
          .before_wrap = detail::wrapping_maker_of<hardware, lock>(),
          .before_wrap_on_watched = detail::wrapping_maker_of<watched, watched_lock>()};
}

}  // namespace synchro::tests

#endif
