#include "fibers/stack_pool.hpp"

#include "fibers/sanitizers.hpp"
#include "fibers/stack_memory.hpp"

#ifdef SYNCHRO_FIBERS_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace synchro::fibers {

namespace {

/// Stacks lie at whole pages, so their tops would all want the same few sets of a cache: each begins somewhere else.
std::size_t offset_of(std::size_t number) {
  constexpr std::size_t line = 64, stride = 5, places = 64;
  return number * stride % places * line;
}

/// Frames of a dropped fiber have left their red zones behind.
void clean([[maybe_unused]] const stack& used) {
#ifdef SYNCHRO_FIBERS_ASAN
  __asan_unpoison_memory_region(used.bottom, used.size);
#endif
}

}  // namespace

stack_pool::~stack_pool() {
  for (const stack& s : made_) {
    clean(s);
    free_stack_memory({s.bottom, usable_});
  }
}

stack stack_pool::take() {
  if (free_.empty()) {
    made_.reserve(made_.size() + 1);
    free_.reserve(made_.size() + 1);  // so that give() cannot fail
    const stack whole = stack_memory(size_);
    usable_ = whole.size;
    made_.push_back({whole.bottom, usable_ - offset_of(made_.size())});
    return made_.back();
  }
  const stack last = free_.back();
  free_.pop_back();
  return last;
}

void stack_pool::give(const stack& used) {
  clean(used);
  free_.push_back(used);
}

}  // namespace synchro::fibers
