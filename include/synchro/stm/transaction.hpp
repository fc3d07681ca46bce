// A transaction beside others: what stm.hpp describes, attempt by attempt.

#ifndef SYNCHRO_STM_TRANSACTION_HPP
#define SYNCHRO_STM_TRANSACTION_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/in_place.hpp"
#include "synchro/stm/lock_table.hpp"
#include "synchro/stm/log.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// The state that the transactions of one stm share.
template <class Machine, class Waiting, class Locks>
struct stm_state {
  using locks = typename Locks::template on<Machine, Waiting>;
  static constexpr std::uint64_t token = std::uint64_t{1} << 63;  ///< In the clock, while somebody is irrevocable.

  stm_state(std::size_t stripes, unsigned attempts, bool is_shared, bool elides)
      : most_attempts{attempts}, table{stripes}, gate{is_shared, elides, attempts} {}

  const unsigned most_attempts;
  const stripe_table<typename locks::stripe> table;
  [[no_unique_address]] typename locks::contention contention;
  alignas(cpu::cache_line) stm_gate<Machine, Waiting> gate;
  alignas(cpu::cache_line) typename Machine::template atomic<std::uint64_t> clock{0};
};

/// How a transaction was asked for.
enum class stm_purpose : std::uint8_t { writing, reading, irrevocable };

/// A transaction that others may run beside.
template <class Machine, class Waiting, class Locks>
class stm_together : public stm_attempt {
  using state = stm_state<Machine, Waiting, Locks>;
  using purpose = stm_purpose;
  using locks = typename state::locks;
  using stripe = typename locks::stripe;
  using shared_word = typename Machine::template atomic<stm_word>;

 public:
  stm_together(state& all, purpose why)
      : stm_attempt{&all, innermost_attempt<Machine>(), stm_way::together},
        all_{all},
        me_{all.contention},
        purpose_{why} {
    innermost_attempt<Machine>() = this;
  }
  ~stm_together() {
    leave();
    innermost_attempt<Machine>() = outer;
  }
  stm_together(const stm_together&) = delete;
  stm_together& operator=(const stm_together&) = delete;

  // The operations of the function: face.hpp.

  [[nodiscard]] stm_word read_word(const shared_word& at) {
    if ((written_ & trace_of(&at)) != 0)
      if (const change* const mine = change_of(&at)) return mine->value;
    stripe& s = all_.table.of(&at);
    for (;;) {
      const std::uint64_t seen = s.lock.load(memory_order::acquire);
      if (seen <= seen_clock_) {
        const stm_word value = at.load(memory_order::acquire);
        if (s.lock.load(memory_order::relaxed) == seen) {
          note_read(s);
          return value;
        }
      } else {
        settle(s, seen);
      }
    }
  }

  void write_word(shared_word& at, stm_word value) {
    if ((written_ & trace_of(&at)) != 0)
      if (change* const mine = change_of(&at)) {
        mine->value = value;
        return;
      }
    changes_.push({&at, value});
    written_ |= trace_of(&at);
  }

  [[noreturn]] void retry() {
    if (purpose_ == purpose::irrevocable) detail::raise(std::logic_error{"an irrevocable transaction cannot retry"});
    awaits_change_ = true;
    begin_again();
  }

  void become_irrevocable() {
    needs_log();
    purpose_ = purpose::irrevocable;
    if (has_token_) return;
    take_token();
    if (!reads_are_valid()) begin_again();
    seen_clock_ = stm_taken - 1;
  }
  [[nodiscard]] bool is_irrevocable() const { return has_token_; }

  /// A part that may write has come to one that only read, and did not note what.
  void needs_log() {
    if (purpose_ != purpose::reading) return;
    purpose_ = purpose::writing;
    if (has_read_ && !has_token_) begin_again();
  }

  // The life of a transaction: begin, then commit, or begin_again and give_way; leave at the end of all.

  void begin() {
    reads_.clear();
    changes_.clear();
    written_ = 0;
    is_over = has_read_ = met_token_ = awaits_change_ = false;
    last_read_ = blocked_by_ = nullptr;
    if (!has_token_) {
      const std::uint64_t now = all_.clock.load(memory_order::acquire);
      seen_clock_ = now & ~state::token;
      const bool for_good = purpose_ == purpose::irrevocable || attempts_ >= all_.most_attempts;
      if (for_good || !me_.begin(is_first_, seen_clock_)) take_token();
    }
    if (has_token_) seen_clock_ = stm_taken - 1;
    is_first_ = false;
  }

  /// False if it is to begin again; then it holds nothing but, maybe, the token.
  bool commit() {
    if (is_over) return false;
    if (!changes_.empty()) {
      if (!take_locks()) return false;
      const std::uint64_t before = all_.clock.fetch_add(1, memory_order::acq_rel);
      if (!has_token_ && !may_write(before)) return give_locks_back();
      for (const change& c : changes_) c.at->store(c.value, memory_order::release);
      for (const held& h : held_) locks::give(*h.at, (before & ~state::token) + 1);
      held_.clear();
    }
    me_.committed();
    return true;
  }

  /// After an attempt that is to begin again: rests as long as there is a reason to.
  void give_way() {
    if (awaits_change_) {
      std::uint64_t seen = seen_clock_;
      if (has_token_) seen = give_token();
      attempts_ = 0;
      Machine::await(all_.clock, memory_order::relaxed, [seen](std::uint64_t v, std::uint32_t round) {
        return (v & ~state::token) != seen ? look::done() : Waiting::retry(round);
      });
      return;
    }
    ++attempts_;
    if (blocked_by_ != nullptr) await_free(*blocked_by_);
    if (met_token_)
      Machine::await(all_.clock, memory_order::relaxed, [](std::uint64_t v, std::uint32_t round) {
        return (v & state::token) == 0 ? look::done() : Waiting::retry(round);
      });
    if (attempts_ > 1) Machine::pause(1U << std::min(attempts_, 10U));
  }

  /// Gives back all that it has, of an attempt that an exception has ended, too; when called again, nothing.
  void leave() {
    give_locks_back();
    if (has_token_) give_token();
    me_.leave();
  }

 private:
  struct change {
    shared_word* at;
    stm_word value;
  };
  struct held {
    stripe* at;
    std::uint64_t version;
  };

  [[noreturn, gnu::cold]] void begin_again() {
    is_over = true;
    raise(transaction_begins_again{});
  }

  void note_read(stripe& s) {
    has_read_ = true;
    if (purpose_ != purpose::writing || last_read_ == &s) return;
    reads_.push(&s);
    last_read_ = &s;
  }

  /// The stripe is taken, or newer than what was read.
  [[gnu::noinline]] void settle(stripe& s, std::uint64_t seen) {
    if (is_taken(seen)) return await_free(s);
    if (has_read_ && purpose_ == purpose::reading) begin_again();
    const std::uint64_t now = all_.clock.load(memory_order::acquire) & ~state::token;
    if (!reads_are_valid()) begin_again();
    seen_clock_ = now;
  }

  /// One bit of 64: where it is not set nothing was written.
  static std::uint64_t trace_of(const void* at) {
    return std::uint64_t{1} << ((reinterpret_cast<std::uintptr_t>(at) >> 3) & 63);
  }
  change* change_of(const void* at) {
    for (change& c : changes_)
      if (c.at == at) return &c;
    return nullptr;
  }

  // Committing.

  /// Of each stripe that is written, in the order of their addresses; of all or of none.
  bool take_locks() {
    for (const change& c : changes_) {
      stripe* const s = &all_.table.of(c.at);
      if (wanted_.empty() || wanted_.back() != s) wanted_.push(s);
    }
    std::sort(wanted_.begin(), wanted_.end());
    wanted_.cut(std::unique(wanted_.begin(), wanted_.end()));
    bool all = true;
    for (stripe* const s : wanted_) {
      all = take_lock(*s);
      if (!all) break;
    }
    wanted_.clear();
    return all || give_locks_back();
  }
  bool take_lock(stripe& s) {
    held_.push({&s, 0});  // before the lock, for it may throw
    std::uint64_t old = 0;
    const bool taken =
        undone_if_thrown([&] { return locks::take(s, me_, mark(), old); }, [&] { held_.cut(held_.end() - 1); });
    if (!taken) {
      held_.cut(held_.end() - 1);
      blocked_by_ = &s;
      return false;
    }
    held_.back().version = old;
    return old <= seen_clock_;
  }
  bool give_locks_back() {
    for (const held& h : held_) locks::give(*h.at, h.version);
    held_.clear();
    return false;
  }
  [[nodiscard]] std::uint64_t mark() const { return has_token_ ? stm_taken_for_good : me_.mark(); }

  /// Whether all is as it was read, and nobody objects. `before`: the clock, to which one was added.
  bool may_write(std::uint64_t before) {
    met_token_ = (before & state::token) != 0;
    if (met_token_) return false;
    return (before == seen_clock_ || reads_are_valid()) && me_.decides();
  }
  bool reads_are_valid() {
    const std::uint64_t mine = mark();
    for (stripe* const s : reads_) {
      const std::uint64_t now = s->lock.load(memory_order::relaxed);
      if (now <= seen_clock_ || now == mine) continue;
      if (is_taken(now)) blocked_by_ = s;
      return false;
    }
    return true;
  }

  // Waiting, and the token.

  static void await_free(stripe& s) {
    Machine::await(s.lock, memory_order::relaxed, [](std::uint64_t v, std::uint32_t round) {
      return is_taken(v) ? Waiting::retry(round) : look::done();
    });
  }
  void take_token() {
    Machine::update(
        all_.clock,
        [](std::uint64_t v, std::uint32_t round) {
          using answer = attempt<std::uint64_t>;
          return (v & state::token) != 0 ? answer::retry(Waiting::retry(round)) : answer::write(v | state::token);
        },
        memory_order::acquire, memory_order::relaxed);
    has_token_ = true;
  }
  /// Returns the version of the clock.
  std::uint64_t give_token() {
    has_token_ = false;
    return all_.clock.fetch_and(~state::token, memory_order::release) & ~state::token;
  }

  state& all_;
  typename locks::contender me_;
  purpose purpose_;
  bool has_token_ = false, is_first_ = true;
  bool has_read_ = false, met_token_ = false, awaits_change_ = false;
  unsigned attempts_ = 0;
  std::uint64_t seen_clock_ = 0;  ///< Reads are of when the clock had this version.
  std::uint64_t written_ = 0;     ///< Traces of what was written.
  stripe* last_read_ = nullptr;
  stripe* blocked_by_ = nullptr;
  small_log<stripe*, 128> reads_;
  small_log<change, 32> changes_;
  small_log<stripe*, 32> wanted_;
  small_log<held, 32> held_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
