// A lock of whatever class, as the programs know it that try it: which ways in it has they ask when they run, so they are
// compiled once and not for each lock.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_LOCK_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_ANY_LOCK_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "catalog/lock_line.hpp"
#include "model_checker/harnesses/made.hpp"
#include "synchro/detail/first_ticket.hpp"
#include "synchro/traits.hpp"

namespace synchro::model_checker {

struct guarded;

/// What a lock has beside lock and unlock.
struct lock_offers {
  bool tries, timed, shared, tries_shared;
  bool own_node, tries_own_node;  ///< a node of the caller's
  bool takes_nodes;               ///< its queue is made of nodes from the pool
  bool queues;                    ///< it has a node, or room, for each thread that comes
  bool unlock_ends_late;          ///< its unlock still looks at the lock when the next is in
  bool counts;                    ///< can be made with a first ticket
  bool limits_passes;             ///< can be made with a bound of passes within a domain
  bool domain_aware;
  std::optional<std::uint32_t> bypass;  ///< lock_traits
};

/// How to make a lock: by itself, for the threads explored; or for this team, with a first ticket or a bound of passes.
struct recipe {
  shape team = {};
  std::optional<first_ticket> first = {};
  std::optional<std::uint32_t> pass_limit = {};
};

/// A node of the caller's, with the lock that it is for.
class own_node {
 public:
  virtual void lock() = 0;
  virtual bool try_lock() = 0;
  virtual void unlock() = 0;

 protected:
  ~own_node() = default;
};

/// What is not offered fails.
class any_lock : public made_by_machine {
 public:
  virtual void lock() = 0;
  virtual void unlock() = 0;
  virtual bool try_lock() = 0;
  virtual bool try_lock_for(std::chrono::nanoseconds patience) = 0;
  virtual bool try_lock_until(std::chrono::nanoseconds patience) = 0;  ///< the same, by when that will be
  virtual void lock_shared() = 0;
  virtual bool try_lock_shared() = 0;
  virtual void unlock_shared() = 0;
  /// Calls part(a node on this stack, it, t).
  virtual void with_own_node(void (*part)(own_node&, guarded&, unsigned), guarded& it, unsigned t) = 0;
};

/// A class of locks, as a value.
struct lock_type {
  lock_offers offers;
  any_lock* (*make)(const recipe&);  ///< by the machine, which destroys it
};

template <class Lock>
concept tries_shared = requires(Lock& l) {
  l.try_lock_shared();
};
template <class Lock>
concept tries_own_node = requires(Lock& l, typename Lock::node& n) {
  l.try_lock(n);
};

template <class Lock>
class lock_of final : public any_lock {
  static constexpr bool counts = std::is_constructible_v<Lock, first_ticket>;
  static constexpr bool counts_for_a_team = std::is_constructible_v<Lock, const shape&, first_ticket>;
  static constexpr bool limits_of_tickets = std::is_constructible_v<Lock, const shape&, first_ticket, std::uint32_t>;
  static constexpr bool limits = std::is_constructible_v<Lock, const shape&, std::uint32_t>;
  static constexpr bool takes_nodes = requires { Lock::bytes_per_held_lock; };
  static constexpr bool ends_late = requires { Lock::unlock_ends_late; };
  static constexpr bool has_moments = requires(Lock & l) { l.try_lock_until(explored::clock::time_point{}); };
  static constexpr bool has_room_of_threads = requires { Lock::bytes_per_thread; };

 public:
  static constexpr lock_offers offers{.tries = try_lockable<Lock>,
                                      .timed = timed_lockable<Lock>,
                                      .shared = shared_lockable<Lock>,
                                      .tries_shared = tries_shared<Lock>,
                                      .own_node = node_lockable<Lock>,
                                      .tries_own_node = tries_own_node<Lock>,
                                      .takes_nodes = takes_nodes,
                                      .queues = takes_nodes || has_room_of_threads,
                                      .unlock_ends_late = ends_late,
                                      .counts = counts || counts_for_a_team,
                                      .limits_passes = limits_of_tickets || limits,
                                      .domain_aware = Lock::traits.domain_aware,
                                      .bypass = Lock::traits.bypass};

  explicit lock_of(const recipe& how) : lock_{made(how)} {}

  void lock() override { lock_.lock(); }
  void unlock() override { lock_.unlock(); }
  bool try_lock() override {
    if constexpr (offers.tries) return lock_.try_lock();
    return false;
  }
  bool try_lock_for(std::chrono::nanoseconds patience) override {
    if constexpr (offers.timed) return lock_.try_lock_for(patience);
    return false;
  }
  bool try_lock_until(std::chrono::nanoseconds patience) override {
    if constexpr (has_moments) return lock_.try_lock_until(explored::clock::now() + patience);
    return try_lock_for(patience);
  }
  void lock_shared() override {
    if constexpr (offers.shared) return lock_.lock_shared();
    expect(false, "no lock for readers");
  }
  bool try_lock_shared() override {
    if constexpr (offers.tries_shared) return lock_.try_lock_shared();
    return false;
  }
  void unlock_shared() override {
    if constexpr (offers.shared) lock_.unlock_shared();
  }
  void with_own_node(void (*part)(own_node&, guarded&, unsigned), guarded& it, unsigned t) override {
    if constexpr (offers.own_node) {
      typename Lock::node node;
      node_of mine{lock_, node};
      return part(mine, it, t);
    }
    expect(false, "no node of the caller's");
  }

 private:
  class node_of final : public own_node {
   public:
    node_of(Lock& lock, auto& node) : lock_{lock}, node_{&node} {}
    void lock() override {
      with([](Lock& l, auto& n) { l.lock(n); });
    }
    void unlock() override {
      with([](Lock& l, auto& n) { l.unlock(n); });
    }
    bool try_lock() override {
      if constexpr (offers.tries_own_node) return lock_.try_lock(*static_cast<typename Lock::node*>(node_));
      return false;
    }

   private:
    void with(auto what) {
      if constexpr (offers.own_node) what(lock_, *static_cast<typename Lock::node*>(node_));
    }
    Lock& lock_;
    void* node_;
  };

  static Lock made(const recipe& how) {
    if constexpr (limits_of_tickets) {
      if (how.pass_limit) return Lock(how.team, how.first.value_or(first_ticket{}), *how.pass_limit);
    } else if constexpr (limits) {
      if (how.pass_limit) return Lock(how.team, *how.pass_limit);
    }
    if constexpr (counts) {
      if (how.first) return Lock(*how.first);
    } else if constexpr (counts_for_a_team) {
      if (how.first) return Lock(how.team, *how.first);
    }
    return catalog::make_lock<Lock>(explored::here());
  }

  Lock lock_;
};

template <class Lock>
lock_type lock_type_of() {
  return {lock_of<Lock>::offers, [](const recipe& how) -> any_lock* { return explored::make<lock_of<Lock>>(how); }};
}

}  // namespace synchro::model_checker

#endif
