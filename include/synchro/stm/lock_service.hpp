// A server's part of the lock table of served_stm.hpp: who may read which stripe, and who may write it.

#ifndef SYNCHRO_STM_LOCK_SERVICE_HPP
#define SYNCHRO_STM_LOCK_SERVICE_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "synchro/detail/on_lines.hpp"
#include "synchro/hardware.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Where a client's attempt stands, and its rank: a line for each client. The client begins, decides and ends it; a server
/// may end it for the sake of another's.
template <class Machine>
class alignas(cpu::cache_line) served_attempt {
 public:
  /// 0: has precedence over all others but those of clients with smaller numbers.
  void begin(std::uint64_t serial, std::uint64_t rank) {
    rank_.store(rank, memory_order::relaxed);
    status_.store(serial << 2 | active, memory_order::release);
  }
  [[nodiscard]] bool goes_on(std::uint64_t serial) const {
    return status_.load(memory_order::relaxed) == (serial << 2 | active);
  }
  /// The point of no return; false if a server has ended the attempt.
  bool decides(std::uint64_t serial) {
    std::uint64_t expected = serial << 2 | active;
    return status_.compare_exchange_strong(expected, serial << 2 | decided, memory_order::relaxed,
                                           memory_order::relaxed);
  }
  void end(std::uint64_t serial) { status_.store(serial << 2 | over, memory_order::release); }
  [[nodiscard]] std::uint64_t last_serial() const { return status_.load(memory_order::relaxed) >> 2; }

  [[nodiscard]] std::uint64_t rank() const { return rank_.load(memory_order::relaxed); }
  [[nodiscard]] std::uint64_t status() const { return status_.load(memory_order::acquire); }
  [[nodiscard]] static bool is_over(std::uint64_t status) { return (status & 3) == over || (status & 3) == revoked; }
  /// True if that attempt is over; false if it cannot be ended any more.
  bool revoke(std::uint64_t seen) {
    if (is_over(seen)) return true;
    std::uint64_t expected = seen & ~std::uint64_t{3};
    const std::uint64_t ended = expected | revoked;
    expected |= active;
    if (status_.compare_exchange_strong(expected, ended, memory_order::acquire, memory_order::acquire)) return true;
    return expected >> 2 != seen >> 2 || is_over(expected);
  }

  /// Until the attempt that is under way now has ended.
  template <class Waiting>
  void await_end() const {
    const std::uint64_t seen = status_.load(memory_order::relaxed);
    Machine::await(status_, memory_order::relaxed, [seen](std::uint64_t v, std::uint32_t round) {
      return is_over(v) || v >> 2 != seen >> 2 ? look::done() : Waiting::retry(round);
    });
  }

 private:
  static constexpr std::uint64_t over = 0, active = 1, decided = 2, revoked = 3;

  typename Machine::template atomic<std::uint64_t> status_{over};  // serial << 2 | state
  typename Machine::template atomic<std::uint64_t> rank_{0};
};

/// The requests about a lock, and the answers, in one word each.
enum class lock_wish : std::uint32_t { read, write, release };

class lock_request {
 public:
  lock_request() = default;
  lock_request(lock_wish what, std::size_t lock)
      : word_{static_cast<std::uint32_t>(lock << 2) | static_cast<std::uint32_t>(what)} {}
  [[nodiscard]] lock_wish what() const { return static_cast<lock_wish>(word_ & 3); }
  [[nodiscard]] std::size_t lock() const { return word_ >> 2; }

 private:
  std::uint32_t word_ = 0;
};

class lock_answer {
 public:
  lock_answer() = default;
  static lock_answer granted() { return lock_answer{0}; }
  static lock_answer refused_for(unsigned client) { return lock_answer{1 + client}; }

  [[nodiscard]] bool is_granted() const { return word_ == 0; }
  /// The client whose attempt is in the way.
  [[nodiscard]] unsigned in_the_way() const { return word_ - 1; }

 private:
  explicit lock_answer(std::uint32_t word) : word_{word} {}
  std::uint32_t word_ = 0;
};

/// The locks of one server, which alone touches them. At most 64 clients.
template <class Machine, class Manager>
class lock_service {
  using attempt = served_attempt<Machine>;
  using client_set = std::uint64_t;

 public:
  /// `all`: the attempts of all clients.
  lock_service(std::size_t locks, attempt* all) : locks_(locks), all_{all} {}

  /// The answer to the client of this number.
  lock_answer answer(unsigned client, lock_request asked) noexcept {
    lock& one = locks_[asked.lock()];
    const client_set me = client_set{1} << client;
    const bool writes = asked.what() == lock_wish::write;
    const client_set readers = one.readers, writer = one.writer;
    const client_set others = (writes ? readers | writer : writer) & ~me;
    if (others != 0)
      if (const auto stays = end_all(others, client); stays != none) return lock_answer::refused_for(stays);
    if (const client_set r = (readers & ~others) | (writes ? 0 : me); r != readers) one.readers = r;
    if (const client_set w = (writer & ~others) | (writes ? me : 0); w != writer) one.writer = w;
    return lock_answer::granted();
  }

  /// The client's attempt is over.
  void release(unsigned client, std::size_t number) noexcept {
    lock& one = locks_[number];
    const client_set me = client_set{1} << client;
    const client_set readers = one.readers, writer = one.writer;
    if ((readers & me) != 0) one.readers = readers & ~me;
    if ((writer & me) != 0) one.writer = writer & ~me;
  }

 private:
  struct lock {
    typename Machine::template plain<client_set> readers{0}, writer{0};
  };
  static constexpr unsigned none = ~0U;

  /// Ends the attempts of all of these, or of none of which one prevails. The client that stays, if there is one.
  unsigned end_all(client_set others, unsigned client) {
    std::array<std::uint64_t, 64> seen;
    for (client_set left = others; left != 0; left &= left - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(left));
      seen[other] = all_[other].status();
      if (!attempt::is_over(seen[other]) && !prevails(client, other)) return other;
    }
    for (client_set left = others; left != 0; left &= left - 1) {
      const auto other = static_cast<unsigned>(std::countr_zero(left));
      if (!all_[other].revoke(seen[other])) return other;
    }
    return none;
  }

  /// Whether the one that asks goes on, and not the one that has the lock.
  [[nodiscard]] bool prevails(unsigned asks, unsigned has) const {
    const std::uint64_t mine = all_[asks].rank(), other = all_[has].rank();
    if (mine != other) return mine < other;
    return (mine == 0 || Manager::slots != 0) && asks < has;
  }

  on_lines<lock> locks_;
  attempt* const all_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
