// Stacks for fibers, used again and again. Below each lies a page that nothing may touch, so an overflow is a fault at
// once and not somebody else's memory.

#ifndef SYNCHRO_FIBERS_STACK_POOL_HPP
#define SYNCHRO_FIBERS_STACK_POOL_HPP

#include <cstddef>
#include <vector>

namespace synchro::fibers {

/// The usable memory of a stack.
struct stack {
  std::byte* bottom;
  std::size_t size;

  [[nodiscard]] std::byte* top() const { return bottom + size; }
};

/// Stacks of one size. The pool must outlive the fibers on its stacks; of one thread.
class stack_pool {
 public:
  /// `size` is rounded up to whole pages, of which a stack may lack one; the guard page comes on top.
  explicit stack_pool(std::size_t size = 64 * 1024) : size_{size} {}
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  /// The stack that was given back last, or a new one. Errors: throws std::bad_alloc.
  stack take();
  void give(const stack& used);

  /// Stacks ever made.
  [[nodiscard]] std::size_t made() const { return made_.size(); }

 private:
  std::size_t size_;
  std::size_t usable_ = 0;  // of each, with what lies above its beginning
  std::vector<stack> made_;
  std::vector<stack> free_;
};

}  // namespace synchro::fibers

#endif
