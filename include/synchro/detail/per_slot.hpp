// One object for all threads, which becomes one for each when they meet in it.
//
// Picture.   used 1    [ * ] -> [ T ]  [ * ]    [ * ]    [ * ]           all have the first
//            used 4    [ * ] -> [ T ]  [ * ] -> [ T ]  [ * ] -> [ T ]  [ * ] -> [ T ]    thread i has the one at i, or shares
//
// The table of pointers is written once, so its lines stay in every cache; how many are used is seldom written.

#ifndef SYNCHRO_DETAIL_PER_SLOT_HPP
#define SYNCHRO_DETAIL_PER_SLOT_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// `T`s, aligned on lines; each is made from the same arguments.
template <class Machine, class T>
class per_slot {
 public:
  static constexpr std::size_t bytes_of_each = sizeof(T) + sizeof(T*);

  /// `most` is at least 1.
  template <class... Args>
  explicit per_slot(std::size_t most, const Args&... args) : most_{static_cast<std::uint32_t>(most)} {
    objects_.reserve(most);
    for (std::size_t i = 0; i < most; ++i) objects_.emplace_back(Machine::template make<T>(args...));
    first_ = objects_.front().get();
  }

  /// How many are used.
  [[nodiscard]] std::uint32_t used(typename Machine::order order) const { return used_.load(order); }
  /// Sets the number; not fewer than before.
  void use(std::uint32_t n, typename Machine::order order) { used_.store(n, order); }
  [[nodiscard]] std::uint32_t most() const { return most_; }

  [[nodiscard]] T& operator[](std::uint32_t i) const { return *objects_[i]; }

  /// The calling thread's, of the first `used`.
  [[nodiscard]] T& mine(std::uint32_t used) const {
    if (used <= 1) return *first_;
    const unsigned slot = Machine::slot();
    return *objects_[slot < used ? slot : slot % used];
  }

 private:
  struct destroyer {
    void operator()(T* object) const { Machine::destroy(object); }
  };
  std::vector<std::unique_ptr<T, destroyer>> objects_;
  T* first_;
  const std::uint32_t most_;
  typename Machine::template atomic<std::uint32_t> used_{1};
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
