// The programs that try a lock with a shared side.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_SHARED_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_SHARED_HARNESSES_HPP

#include <vector>

#include "model_checker/harnesses/lock_programs.hpp"

namespace synchro::model_checker {

class shared_harnesses : public lock_programs {
 public:
  using lock_programs::lock_programs;

  void add_to(std::vector<check>& all) const;

  /// A writer tries between two turns, in vain if a reader waits that it has met, which may look when the second turn has begun.
  [[nodiscard]] program try_between_turns() const;

 private:
  void add(std::vector<check>& all, const char* name, const parts& some, depth how_far = depth::as_far_as_fits) const;

  [[nodiscard]] program try_alone() const;
  /// Among readers nobody has a reason to fail.
  [[nodiscard]] program try_beside_a_reader() const;
  /// Readers are inside together: each waits there for the other.
  [[nodiscard]] program together() const;
  /// A thread that reads more than once, as a writer between would not let it, has readers spread over all counts that there are, while
  /// another comes that may have seen fewer.
  [[nodiscard]] program spread_meanwhile() const;
  /// A writer who finds that the reader has been there destroys the lock. (A reader may not: a writer lets readers in
  /// before it serves the next writer.)
  [[nodiscard]] program destroyed_by_a_writer() const;
};

}  // namespace synchro::model_checker

#endif
