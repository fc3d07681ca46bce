// A way of starting: how one thread gets others to do their shares of some work.
//
//   pool      threads that sleep (or look) in a wake primitive until it is triggered: any of the catalog
//   region    threads of a runtime with parallel regions of its own
//   afresh    threads that are created for each piece of work, and end with it
//   loop      threads that take shares as they come, one after the other (loop_way.hpp)
//
// In all but the loops each thread does its own share, the one that starts the others too. All go on when all shares are
// done.

#ifndef SYNCHRO_EXPERIMENTS_FORKJOIN_WAY_HPP
#define SYNCHRO_EXPERIMENTS_FORKJOIN_WAY_HPP

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments::forkjoin {

class way {
 public:
  using share = std::function<void(unsigned)>;

  way() = default;
  virtual ~way() = default;
  way(const way&) = delete;
  way& operator=(const way&) = delete;

  /// Returns when the workers are where they wait to be started; those who sleep are seen asleep.
  virtual void settle() = 0;
  /// Runs work(0) in the caller, after starting the others, and work(1), work(2), ... in them (a loop: in whom it will);
  /// returns when all are done.
  virtual void run(const share& work) = 0;
};

/// A team of `threads`, the caller among them, each on its processor of `cpus` (used again from the start where there are
/// fewer). The caller is pinned already. Throws std::system_error if the system does not give the threads.
[[nodiscard]] std::unique_ptr<way> make_way(const std::string& primitive, unsigned threads,
                                            const std::vector<unsigned>& cpus);

/// "thread/create", the loops, then the primitives of the catalog; a few of them in quick runs.
[[nodiscard]] axis ways_axis();
/// Why it cannot be had here.
[[nodiscard]] std::optional<std::string> unavailable_of(const setting& s, const std::string& primitive);
/// Whether its workers keep looking and burn a processor each.
[[nodiscard]] bool spins(const std::string& primitive);
/// Whether it is a loop, so that a thread may do several shares or none.
[[nodiscard]] bool takes_shares(const std::string& primitive);

}  // namespace synchro::experiments::forkjoin

#endif
