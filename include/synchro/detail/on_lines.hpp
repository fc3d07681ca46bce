// A vector that begins on a cache line: which elements share a line does not depend on where the system has put it.

#ifndef SYNCHRO_DETAIL_ON_LINES_HPP
#define SYNCHRO_DETAIL_ON_LINES_HPP

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "synchro/hardware.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {
namespace detail {

template <class T>
struct line_allocator {
  using value_type = T;

  line_allocator() = default;
  template <class U>
  line_allocator(const line_allocator<U>&) noexcept {}  // NOLINT(google-explicit-constructor)
  bool operator==(const line_allocator&) const = default;

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), on_a_line)); }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, on_a_line); }

 private:
  static constexpr std::align_val_t on_a_line{std::max<std::size_t>(cpu::cache_line, alignof(T))};
};

template <class T>
using on_lines = std::vector<T, line_allocator<T>>;

}  // namespace detail
}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
