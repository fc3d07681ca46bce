// What transactions work on, in memory of its own: which elements share lines does not depend on an allocator.

#ifndef SYNCHRO_EXPERIMENTS_STM_ELEMENTS_HPP
#define SYNCHRO_EXPERIMENTS_STM_ELEMENTS_HPP

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "measure/laboratory.hpp"

namespace synchro::experiments::transactions {

/// So many, each as T{}. None of them is destroyed, for that does nothing.
template <measure::laboratory Lab, class T>
class elements {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit elements(std::size_t n) : memory_{n * sizeof(T)}, all_{static_cast<T*>(memory_.data()), n} {
    for (T& one : all_) std::construct_at(&one);
  }
  [[nodiscard]] std::span<T> all() const { return all_; }

 private:
  typename Lab::fresh_memory memory_;
  std::span<T> all_;
};

}  // namespace synchro::experiments::transactions

#endif
