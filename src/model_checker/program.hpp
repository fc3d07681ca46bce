// A program to explore.

#ifndef SYNCHRO_MODEL_CHECKER_PROGRAM_HPP
#define SYNCHRO_MODEL_CHECKER_PROGRAM_HPP

#include <functional>
#include <string>
#include <vector>

#include "model_checker/arena.hpp"

namespace synchro::model_checker {

/// All parts run on the explored machine. State that threads share is made in set_up, by the machine; what the parts
/// remember elsewhere must be the same after every set_up.
struct program {
  std::string name;
  unsigned threads = 2;
  std::vector<unsigned> domains;  ///< of each thread; empty: all in domain 0

  std::function<void()> set_up;
  std::function<void(unsigned)> warm_up = nullptr;  ///< each thread alone, before the start line
  std::function<void(unsigned)> body;
  std::function<void(unsigned)> cool_down = nullptr;  ///< each thread alone, behind the finish line
  std::function<void()> check;                        ///< after all threads; destroys what set_up made
  std::function<void()> abandon;                      ///< destroys what set_up made, of an execution that never began

  bool explores_exits = false;  ///< threads end before the finish line
  bool watches_order = false;   ///< uses the monitor, to which the order of independent steps matters
  bool counts_nodes = false;    ///< all that was made and not destroyed is in a node pool at the end
  bool moves = false;           ///< a thread may be in another domain each time it asks
  unsigned spurious = 1;  ///< returns from park, and failures of weak compare-and-swaps, for no reason, of each thread
  reuse freed = reuse::never;
};

}  // namespace synchro::model_checker

#endif
