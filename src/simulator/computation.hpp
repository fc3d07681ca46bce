// What a simulated thread runs on, behind one door: which kind of fiber it is, no other part of the simulator knows.

#ifndef SYNCHRO_SIMULATOR_COMPUTATION_HPP
#define SYNCHRO_SIMULATOR_COMPUTATION_HPP

#include <functional>
#include <memory>

#include "fibers/stack_pool.hpp"

namespace synchro::simulator {

/// A fiber (fibers/fiber.hpp) of either kind of switch.
class computation {
 public:
  computation() = default;
  virtual ~computation() = default;
  computation(const computation&) = delete;
  computation& operator=(const computation&) = delete;

  /// Runs the body on; true if it has ended. Throws what the body throws.
  virtual bool resume() = 0;
  /// From inside: gives control back to resume().
  virtual void suspend() = 0;
};

[[nodiscard]] std::unique_ptr<computation> make_computation(fibers::stack_pool& stacks, std::function<void()> body);

}  // namespace synchro::simulator

#endif
