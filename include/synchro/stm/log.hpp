// The log of a transaction: a few entries on the stack, more on the heap.

#ifndef SYNCHRO_STM_LOG_HPP
#define SYNCHRO_STM_LOG_HPP

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

namespace detail {

/// Entries in the order in which they were added. The first `Near` of them cost no allocation.
template <class T, std::size_t Near>
class small_log {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  small_log() : begin_{near_}, end_{near_}, limit_{near_ + Near} {}
  small_log(const small_log&) = delete;
  small_log& operator=(const small_log&) = delete;

  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] T* begin() { return begin_; }
  [[nodiscard]] T* end() { return end_; }
  [[nodiscard]] T& back() { return end_[-1]; }
  void clear() { end_ = begin_; }
  /// Keeps those before `end`.
  void cut(T* end) { end_ = end; }

  /// May throw std::bad_alloc; nothing has changed then.
  void push(const T& entry) {
    if (end_ == limit_) [[unlikely]]
      grow();
    *end_++ = entry;
  }

 private:
  [[gnu::noinline]] void grow() {
    const auto size = static_cast<std::size_t>(end_ - begin_);
    std::unique_ptr<T[]> larger{new T[2 * size]};
    std::copy(begin_, end_, larger.get());
    far_ = std::move(larger);
    begin_ = far_.get();
    end_ = begin_ + size;
    limit_ = begin_ + 2 * size;
  }

  T* begin_;
  T* end_;
  T* limit_;
  std::unique_ptr<T[]> far_;
  T near_[Near];  // left as it is: most transactions use a few of them
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
