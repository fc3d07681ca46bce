// Operator new for a test program whose allocations are to fail, or to wait. One source of the program includes it.

#ifndef SYNCHRO_TESTS_LIBRARY_FAILING_NEW_HPP
#define SYNCHRO_TESTS_LIBRARY_FAILING_NEW_HPP

#include <cstddef>
#include <cstdlib>
#include <new>

namespace synchro::tests {

/// How many more allocations of this thread succeed; negative: all.
inline thread_local int allocations_left = -1;
/// What this thread does before each; nothing if it is null.
inline thread_local void (*before_allocation)() = nullptr;

inline void* allocated_or_null(std::size_t bytes, std::size_t alignment) noexcept {
  if (before_allocation != nullptr) before_allocation();
  if (allocations_left == 0) return nullptr;
  if (allocations_left > 0) --allocations_left;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

inline void* allocated(std::size_t bytes, std::size_t alignment) {
  if (void* const p = allocated_or_null(bytes, alignment)) return p;
  throw std::bad_alloc{};
}

}  // namespace synchro::tests

// All forms, so that what one gives the other takes back. Those of arrays, too: the sanitizers' own do not come here.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return synchro::tests::allocated(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t line) {
  return synchro::tests::allocated(bytes, static_cast<std::size_t>(line));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return synchro::tests::allocated_or_null(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t line, const std::nothrow_t&) noexcept {
  return synchro::tests::allocated_or_null(bytes, static_cast<std::size_t>(line));
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

[[gnu::noinline]] void* operator new[](std::size_t bytes) { return operator new(bytes); }
[[gnu::noinline]] void* operator new[](std::size_t bytes, std::align_val_t line) { return operator new(bytes, line); }
[[gnu::noinline]] void* operator new[](std::size_t bytes, const std::nothrow_t& none) noexcept {
  return operator new(bytes, none);
}
[[gnu::noinline]] void* operator new[](std::size_t bytes, std::align_val_t line, const std::nothrow_t& none) noexcept {
  return operator new(bytes, line, none);
}
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

#endif
