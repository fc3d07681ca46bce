// The programs that look who overtakes whom, for locks whose traits state a bound.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_ORDER_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_ORDER_HARNESSES_HPP

#include <string>
#include <vector>

#include "model_checker/harnesses/lock_programs.hpp"

namespace synchro::model_checker {

class order_harnesses : public lock_programs {
 public:
  using lock_programs::lock_programs;

  void add_to(std::vector<check>& all) const;

  /// Two threads of one domain pass the lock to each other while one of another waits, with a limit that they reach and
  /// turns enough to pass once more than it allows.
  [[nodiscard]] program with_pass_limit(std::uint32_t limit, std::uint32_t bound, unsigned turns = 2) const;
  /// Two threads of one domain pass the lock to each other, and each holder waits until all others stand in line: the thread of
  /// another domain is passed as often as the limit says, and not once more.
  [[nodiscard]] program passes_in_a_row(std::uint32_t limit) const;
  /// Thread 0 has the lock before the start. The others come one after the other, a turn each, and when the last is on
  /// its way in, thread 0 releases the lock and takes its turns.
  [[nodiscard]] program behind_a_holder(const std::string& name, unsigned turns, unsigned waiters,
                                        std::uint32_t bound) const;
  /// Each thread takes its turns; none is to pass a waiter more often than `bound`.
  [[nodiscard]] stage<guarded> in_order(const std::string& name, const std::vector<unsigned>& turns,
                                        std::uint32_t bound, const recipe& how = {}) const;

 private:
  /// A thread's way in asks first and enters later; between them others may overtake it.
  struct turnstile {
    std::uint64_t asks_how;
    std::uint32_t bound;

    void ask() const;
    void enter(std::uint32_t at_most) const;
    void once(guarded& it, unsigned t) const;
  };
  [[nodiscard]] turnstile watching(std::uint32_t bound) const;

  /// Writers pass neither each other nor a reader; a reader may pass any writer.
  [[nodiscard]] program beside_a_reader(std::uint32_t bound) const;
};

}  // namespace synchro::model_checker

#endif
