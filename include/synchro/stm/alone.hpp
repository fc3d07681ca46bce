// A transaction that is alone in its memory (gate.hpp): it writes in place, and keeps what was there.

#ifndef SYNCHRO_STM_ALONE_HPP
#define SYNCHRO_STM_ALONE_HPP

#include <stdexcept>

#include "synchro/stm/gate.hpp"
#include "synchro/stm/log.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Ends an attempt. No std::exception: handlers of errors let it pass.
struct transaction_begins_again {};

/// A transaction of the calling thread, whatever its memory: each knows the one around it.
struct stm_attempt {
  const void* memory;
  stm_attempt* outer;
  bool is_alone = false;
  bool is_over = false;      ///< It is to begin again.
  bool is_for_good = false;  ///< It was asked to be irrevocable.
};
struct stm_attempts {
  stm_attempt* innermost = nullptr;
};

/// The innermost of the calling thread's transactions.
template <class Machine>
stm_attempt*& innermost_attempt() {
  return Machine::template local<stm_attempts>().innermost;
}

/// The one attempt of who has entered the gate.
template <class Machine, class Waiting>
class stm_alone : public stm_attempt {
  using shared_word = typename Machine::template atomic<stm_word>;

 public:
  stm_alone(stm_gate<Machine, Waiting>& gate, const void* of, bool for_good)
      : stm_attempt{of, innermost_attempt<Machine>(), true, false, for_good}, gate_{gate} {
    innermost_attempt<Machine>() = this;
  }
  ~stm_alone() { innermost_attempt<Machine>() = outer; }
  stm_alone(const stm_alone&) = delete;
  stm_alone& operator=(const stm_alone&) = delete;

  [[nodiscard]] static stm_word read_word(const shared_word& at) { return at.load(memory_order::relaxed); }
  void write_word(shared_word& at, stm_word value) {
    before_.push({&at, at.load(memory_order::relaxed)});
    at.store(value, memory_order::relaxed);
  }
  [[noreturn, gnu::cold]] void retry() {
    if (is_for_good) throw std::logic_error{"an irrevocable transaction cannot retry"};
    begin_again();
  }
  [[noreturn, gnu::cold]] void begin_again() {
    is_over = true;
    throw transaction_begins_again{};
  }

  /// False if it is to begin again.
  bool commit() {
    if (is_over) return false;
    gate_.leave();
    return true;
  }
  /// Takes back what was written, the latest first. If it is to begin again, others are let in.
  void undo() {
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

  stm_gate<Machine, Waiting>& gate_;
  small_log<change, 32> before_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
