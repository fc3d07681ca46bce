// Prints the property table of all locks to the standard output.

#include "catalog/lock_table.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

// Everything that is asked of the allocator is counted.

[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t line) {
  synchro::catalog::allocated.bytes += bytes;
  ++synchro::catalog::allocated.blocks;
  const auto whole = static_cast<std::size_t>(line);
  if (void* const p = std::aligned_alloc(whole, (bytes + whole - 1) / whole * whole)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return operator new (bytes, std::align_val_t{alignof(std::max_align_t)});
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

int main() {
  synchro::catalog::lock_table table;
  add_lock_lines(table);
  return std::fputs(table.markdown().c_str(), stdout) < 0 ? 1 : 0;
}
