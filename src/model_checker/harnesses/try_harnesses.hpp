// The programs that try the ways into a lock that can fail, and those with a node of the caller's.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_TRY_HARNESSES_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_TRY_HARNESSES_HPP

#include <string>
#include <vector>

#include "model_checker/harnesses/lock_programs.hpp"

namespace synchro::model_checker {

class try_harnesses : public lock_programs {
 public:
  using lock_programs::lock_programs;

  void add_to(std::vector<check>& all) const;

  [[nodiscard]] program alone(const std::string& name = "try alone", const recipe& how = {}) const;
  /// Thread 0 has the lock from before the start until after the finish: who waits with a deadline gives up.
  [[nodiscard]] program timed_beside_a_keeper() const;
  /// Whoever gives up beside a holder, however often, makes do with a bounded number of nodes.
  [[nodiscard]] program gives_up_often() const;
  [[nodiscard]] program timed_alone() const;

 private:
  void add(std::vector<check>& all, const char* name, const parts& some, depth how_far = depth::exhausted) const;
  void add_tries(std::vector<check>& all) const;
  void add_timed(std::vector<check>& all) const;
  void add_own_node(std::vector<check>& all) const;

  [[nodiscard]] program timed_in_a_crowd() const;
  /// Who has time waits until there is room, and no longer.
  [[nodiscard]] program endless_in_a_crowd() const;
  [[nodiscard]] program own_node_alone() const;
  [[nodiscard]] program own_node_once() const;
  [[nodiscard]] program own_node_again() const;
  [[nodiscard]] program own_node_tries() const;
  /// A node with which a try has failed is as good as another, and nobody else's.
  [[nodiscard]] program own_node_after_a_try() const;
};

}  // namespace synchro::model_checker

#endif
