// The tests compile this file a second time, with the other kind of switch (SYNCHRO_FIBERS_UCONTEXT).

#include "simulator/computation.hpp"

#include <utility>

#include "fibers/fiber.hpp"

namespace synchro::simulator {

namespace {

class fiber_computation final : public computation {
 public:
  fiber_computation(fibers::stack_pool& stacks, std::function<void()> body) : fiber_{stacks, std::move(body)} {}

  bool resume() override {
    fiber_.resume();
    return fiber_.done();
  }
  void suspend() override { fiber_.suspend(); }

 private:
  fibers::fiber fiber_;
};

}  // namespace

std::unique_ptr<computation> make_computation(fibers::stack_pool& stacks, std::function<void()> body) {
  return std::make_unique<fiber_computation>(stacks, std::move(body));
}

}  // namespace synchro::simulator
