// A transaction that writes in place, for nobody else is seen to be in its memory (gate.hpp): it is alone there, and keeps what
// was there before; or it runs as a transaction of the processor, which takes all back if it meets another.

#ifndef SYNCHRO_STM_IN_PLACE_HPP
#define SYNCHRO_STM_IN_PLACE_HPP

#include <cstdint>
#include <stdexcept>

#include "synchro/detail/exceptions.hpp"
#include "synchro/stm/gate.hpp"
#include "synchro/stm/log.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/transactions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Ends an attempt. No std::exception: handlers of errors let it pass.
struct transaction_begins_again {
  [[nodiscard]] static const char* what() noexcept {
    return "a transaction has to begin again, which takes exceptions, without which this program is compiled";
  }
};

/// A transaction of the calling thread, whatever its memory: each knows the one around it.
struct stm_attempt {
  const void* memory;
  stm_attempt* outer;
  stm_way way;
  bool is_over = false;      ///< It is to begin again.
  bool is_for_good = false;  ///< It was asked to be irrevocable.
};
struct stm_attempts {
  stm_attempt* innermost = nullptr;
  std::uint32_t elided = 0;       ///< What the gate asks for (gate.hpp), of all memories.
  std::uint64_t begun_again = 0;  ///< Attempts that did not commit, and after which there was another.
};

/// The innermost of the calling thread's transactions.
template <class Machine>
stm_attempt*& innermost_attempt() {
  return Machine::template local<stm_attempts>().innermost;
}

/// The one attempt of a thread that is alone, or attempts as transactions of the processor. What that cannot do ends it for good.
template <class Machine, class Waiting>
class stm_in_place : public stm_attempt {
  using shared_word = typename Machine::template atomic<stm_word>;
  using transactions = transactions_of<Machine>;

 public:
  stm_in_place(stm_gate<Machine, Waiting>& gate, const void* of, stm_way how, bool for_good)
      : stm_attempt{of, innermost_attempt<Machine>(), how, false, for_good}, gate_{gate} {
    innermost_attempt<Machine>() = this;
  }
  ~stm_in_place() { innermost_attempt<Machine>() = outer; }
  stm_in_place(const stm_in_place&) = delete;
  stm_in_place& operator=(const stm_in_place&) = delete;

  /// Called where the thread is neither alone nor in a transaction of the processor: begins one, and if that does not get on, is alone. False:
  /// all run side by side. An attempt that is aborted goes on from here.
  [[gnu::always_inline]] bool elide() {
    const transaction_start outcome = is_for_good ? transaction_start::hopeless : attempt();
    return outcome == transaction_start::started || elide_again(outcome);
  }

  [[nodiscard]] static stm_word read_word(const shared_word& at) { return at.load(memory_order::relaxed); }
  void write_word(shared_word& at, stm_word value) {
    if (way == stm_way::alone) before_.push({&at, at.load(memory_order::relaxed)});
    at.store(value, memory_order::relaxed);
  }
  void become_irrevocable() {
    if (way == stm_way::elided) give_up();
    is_for_good = true;
  }
  [[noreturn, gnu::cold]] void retry() {
    if (is_for_good) detail::raise(std::logic_error{"an irrevocable transaction cannot retry"});
    begin_again();
  }
  [[noreturn, gnu::cold]] void begin_again() {
    if (way == stm_way::elided) give_up();
    is_over = true;
    raise(transaction_begins_again{});
  }

  /// False if it is to begin again.
  bool commit() {
    if (is_over) return false;
    if (way == stm_way::elided)
      commit_elided();
    else
      gate_.leave();
    return true;
  }
  /// Takes back what was written, the latest first. If it is to begin again, others are let in.
  void undo() {
    if (way == stm_way::elided) give_up();
    while (!before_.empty()) {
      before_.back().at->store(before_.back().value, memory_order::relaxed);
      before_.cut(before_.end() - 1);
    }
    if (is_over)
      gate_.share();
    else
      gate_.leave();
  }

 private:
  struct change {
    shared_word* at;
    stm_word value;
  };

  [[gnu::always_inline]] transaction_start attempt() {
    const transaction_start outcome = transactions::begin();
    if (outcome == transaction_start::started && !gate_.is_free()) transactions::abort_to_retry();
    return outcome;
  }
  [[gnu::noinline]] bool elide_again(transaction_start outcome) {
    stm_attempts& mine = Machine::template local<stm_attempts>();
    if (!is_for_good) ++mine.begun_again;
    for (unsigned left = transactions::attempts - 1; left != 0 && outcome == transaction_start::retry; --left) {
      if (!gate_.is_free() && !transactions::is_under_way() && !gate_.await_free()) return false;
      outcome = attempt();
      if (outcome == transaction_start::started) return true;
      ++mine.begun_again;
    }
    way = stm_way::alone;
    return gate_.enter_alone(mine.elided);
  }
  static void commit_elided() {
    transactions::commit();
    ++Machine::template local<stm_attempts>().elided;
  }
  static void give_up() { transactions::abort_for_good(); }

  stm_gate<Machine, Waiting>& gate_;
  small_log<change, 32> before_;
};

}  // namespace detail

/// How many attempts of the calling thread were begun again since it started, of all memories; those that the processor has
/// aborted, too.
template <class Machine = hardware>
std::uint64_t attempts_begun_again() {
  return Machine::template local<detail::stm_attempts>().begun_again;
}

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
