// Contention managers: of two transactions that meet, which goes on?
//
// They meet when one comes to commit and finds a lock that another has taken for its own commit. (A transaction that only reads takes no
// locks, so nobody meets a reader; a reader waits until the lock is free.) By their published names:
//
//   back_off_retry   the one that finds the lock taken begins again, after a rest that grows from time to time.
//   greedy           the one that began earlier goes on. Attempts keep the time at which the first began, so that every
//                    transaction is the eldest some day.
//   fair_commit      the one whose thread has spent less time in transactions that committed.
//   wholly           the one whose thread has committed fewer transactions.
//
// The one that goes on tells the other to end its attempt, and waits until it has given the lock back; one that has passed its point of
// no return is waited for and cannot be ended. Locks are taken in the order of their addresses, so nobody waits in a circle,
// whatever a manager decides.
//
// Choose back_off_retry where conflicts are rare: the others take a slot for each transaction (two writes to a line of the
// thread's own) and pay for their rank. Choose greedy where long transactions must not starve beside short ones,
// fair_commit or wholly where threads are to get equal shares.
//
// Picture.   slot   [ status: serial, state | rank ]   a line each, claimed for a transaction
//
//   mark of a lock that is taken   serial and number of the slot: the one told to end is exactly the holder
//   state                          free -> active -> decided (no return) -> active ...
//                                            \-> ended (by another)      -> active ...
//
// Memory orders.
//   access                                  order     pairs with
//   claim, give back: status                relaxed   nothing: the number alone is claimed
//   begin: store of rank, of status         relaxed   nothing: whoever sees an old one decides wrongly once, and then one of the
//   compare: load of rank                             two waits that should not, or begins again that need not
//   end another, decide: compare-and-swap   relaxed   nothing: of the two of them one succeeds
//
// Source: Gramoli, Guerraoui, Trigonakis: TM2C: a Software Transactional Memory for Many-Cores, EuroSys 2012 (the names;
// there managers also decide between readers and writers); greedy: Guerraoui, Herlihy, Pochon: Toward a Theory of
// Transactional Contention Managers, PODC 2005.

#ifndef SYNCHRO_STM_CONTENTION_HPP
#define SYNCHRO_STM_CONTENTION_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// A lock that is taken has this bit, and who has it below; one that is free has its version.
inline constexpr std::uint64_t stm_taken = std::uint64_t{1} << 63;
inline constexpr std::uint64_t stm_taken_for_good = ~std::uint64_t{0};  ///< The holder never ends early.

constexpr bool is_taken(std::uint64_t lock) { return lock >= stm_taken; }

/// The work that a thread has done so far.
struct stm_record {
  std::uint64_t commits = 0;
  std::uint64_t time = 0;  ///< In ticks of the machine's clock.
};

}  // namespace detail

/// A transaction that finds a lock taken begins again.
struct back_off_retry {
  static constexpr const char* name = "back-off-retry";
  static constexpr std::size_t slots = 0;
};

/// The eldest goes on. Transactions beyond `Slots` at a time run irrevocably.
template <std::size_t Slots = 64>
struct basic_greedy {
  static constexpr const char* name = "greedy";
  static constexpr std::size_t slots = Slots;
  static constexpr bool times = false;
  static std::uint64_t rank(const detail::stm_record&, std::uint64_t begun) { return begun; }
};
using greedy = basic_greedy<>;

/// The one whose thread has used the least time goes on.
template <std::size_t Slots = 64>
struct basic_fair_commit {
  static constexpr const char* name = "fair-commit";
  static constexpr std::size_t slots = Slots;
  static constexpr bool times = true;
  static std::uint64_t rank(const detail::stm_record& r, std::uint64_t) { return r.time; }
};
using fair_commit = basic_fair_commit<>;

/// The one whose thread has committed least goes on.
template <std::size_t Slots = 64>
struct basic_wholly {
  static constexpr const char* name = "wholly";
  static constexpr std::size_t slots = Slots;
  static constexpr bool times = false;
  static std::uint64_t rank(const detail::stm_record& r, std::uint64_t) { return r.commits; }
};
using wholly = basic_wholly<>;

namespace detail {

/// The state that transactions of one stm share for their manager: here none.
template <class Machine, class Manager, bool Ranks = (Manager::slots != 0)>
class contention {
 public:
  /// A transaction, as its manager knows it.
  class contender {
   public:
    explicit contender(contention&) {}
    /// Before each attempt. False: there is no room, the attempt is to be irrevocable.
    bool begin(bool /*first*/, std::uint64_t /*clock*/) { return true; }
    /// The value that it writes into locks that it takes.
    [[nodiscard]] std::uint64_t mark() const { return stm_taken | reinterpret_cast<std::uintptr_t>(this); }
    /// Whether to wait until the one with this mark gives its lock back.
    bool prevails_over(std::uint64_t /*mark*/) { return false; }
    /// The point of no return; false if another has ended the attempt.
    bool decides() { return true; }
    void committed() {}
    void leave() {}
  };
};

template <class Machine, class Manager>
class contention<Machine, Manager, true> {
  using word = typename Machine::template atomic<std::uint64_t>;
  static constexpr std::uint64_t free = 0, active = 1, decided = 2, ended = 3;
  static constexpr unsigned slot_bits = 16;
  static_assert(Manager::slots <= std::size_t{1} << slot_bits);

  struct alignas(cpu::cache_line) slot {
    word status{free};  // serial << 2 | state
    word rank{0};
  };
  std::array<slot, Manager::slots> slots_;

 public:
  class contender {
   public:
    explicit contender(contention& all) : all_{all} {}

    bool begin(bool first, std::uint64_t clock) {
      if (mine_ == nullptr && !claim()) return false;
      if (first) mine_->rank.store(rank_ = Manager::rank(record(), clock), memory_order::relaxed);
      mine_->status.store(++serial_ << 2 | active, memory_order::relaxed);
      if constexpr (Manager::times) begun_ = Machine::clock::now();
      return true;
    }
    [[nodiscard]] std::uint64_t mark() const { return stm_taken | serial_ << slot_bits | number_; }

    bool prevails_over(std::uint64_t mark) {
      if (mark == stm_taken_for_good) return false;
      const std::size_t number = mark & ((std::uint64_t{1} << slot_bits) - 1);
      slot& other = all_.slots_[number];
      const std::uint64_t rank = other.rank.load(memory_order::relaxed);
      if (rank < rank_ || (rank == rank_ && number < number_)) return false;
      const std::uint64_t serial = (mark & ~stm_taken) >> slot_bits;
      std::uint64_t expected = serial << 2 | active;
      other.status.compare_exchange_strong(expected, serial << 2 | ended, memory_order::relaxed, memory_order::relaxed);
      return true;
    }
    bool decides() {
      if (mine_ == nullptr) return true;
      std::uint64_t expected = serial_ << 2 | active;
      return mine_->status.compare_exchange_strong(expected, serial_ << 2 | decided, memory_order::relaxed,
                                                   memory_order::relaxed);
    }
    void committed() {
      ++record().commits;
      if constexpr (Manager::times)
        if (mine_ != nullptr) record().time += static_cast<std::uint64_t>((Machine::clock::now() - begun_).count());
    }
    void leave() {
      if (mine_ != nullptr) mine_->status.store(serial_ << 2 | free, memory_order::relaxed);
      mine_ = nullptr;
    }

   private:
    static stm_record& record() { return Machine::template local<stm_record>(); }

    /// Begins to look near a slot that depends on the thread.
    bool claim() {
      const std::size_t first = Machine::slot() % Manager::slots;
      for (std::size_t i = 0; i != Manager::slots; ++i) {
        number_ = (first + i) % Manager::slots;
        slot& one = all_.slots_[number_];
        std::uint64_t seen = one.status.load(memory_order::relaxed);
        serial_ = (seen >> 2) + 1;
        if ((seen & 3) == free && one.status.compare_exchange_strong(seen, serial_ << 2 | active, memory_order::relaxed,
                                                                     memory_order::relaxed)) {
          mine_ = &one;
          return true;
        }
      }
      return false;
    }

    contention& all_;
    slot* mine_ = nullptr;
    std::uint64_t number_ = 0, serial_ = 0, rank_ = 0;
    typename Machine::deadline begun_{};
  };
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
