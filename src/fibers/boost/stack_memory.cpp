#include "fibers/stack_memory.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <boost/context/stack_traits.hpp>

namespace synchro::fibers {

namespace {

using allocator = boost::context::protected_fixedsize_stack;

std::size_t guard() { return boost::context::stack_traits::page_size(); }

}  // namespace

stack stack_memory(std::size_t size) {
  const boost::context::stack_context whole = allocator{size}.allocate();
  const std::size_t usable = whole.size - guard();
  return {static_cast<std::byte*>(whole.sp) - usable, usable};
}

void free_stack_memory(const stack& whole) {
  boost::context::stack_context given;
  given.sp = whole.top();
  given.size = whole.size + guard();
  allocator{}.deallocate(given);
}

}  // namespace synchro::fibers
