// Memory for stacks, with a page below each that nothing may touch. How a system gives it stands in a folder of its own.

#ifndef SYNCHRO_FIBERS_STACK_MEMORY_HPP
#define SYNCHRO_FIBERS_STACK_MEMORY_HPP

#include <cstddef>

#include "fibers/stack_pool.hpp"

namespace synchro::fibers {

/// At least about `size` bytes of whole pages; the guard page comes on top. Errors: throws std::bad_alloc.
[[nodiscard]] stack stack_memory(std::size_t size);
/// Gives back what stack_memory() has given.
void free_stack_memory(const stack& whole);

}  // namespace synchro::fibers

#endif
