// Which atomic or plain field stands at an address. Copied at the start of every execution, so it is one flat table.

#ifndef SYNCHRO_MODEL_CHECKER_ADDRESS_BOOK_HPP
#define SYNCHRO_MODEL_CHECKER_ADDRESS_BOOK_HPP

#include <cstdint>
#include <vector>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

class address_book {
 public:
  static constexpr std::uint32_t nothing = ~0U;

  [[nodiscard]] std::uint32_t find(std::uint64_t address) const {
    for (std::size_t i = first(address); entries_[i].address != 0; i = next(i))
      if (entries_[i].address == address) return entries_[i].id;
    return nothing;
  }

  /// Replaces what stood there.
  void set(std::uint64_t address, std::uint32_t id) {
    std::size_t i = first(address);
    while (entries_[i].address != 0 && entries_[i].address != address) i = next(i);
    if (entries_[i].address == 0 && ++used_ * 2 > entries_.size()) {
      grow();
      return set(address, id);
    }
    entries_[i] = {address, id};
  }

  void clear() {
    entries_.assign(entries_.size(), {});
    used_ = 0;
  }

 private:
  struct entry {
    std::uint64_t address = 0;
    std::uint32_t id = nothing;
  };

  [[nodiscard]] std::size_t first(std::uint64_t address) const { return scatter(address) & (entries_.size() - 1); }
  [[nodiscard]] std::size_t next(std::size_t i) const { return (i + 1) & (entries_.size() - 1); }

  void grow() {
    std::vector<entry> old(entries_.size() * 2);
    old.swap(entries_);
    used_ = 0;
    for (const entry& e : old)
      if (e.address != 0) set(e.address, e.id);
  }

  std::vector<entry> entries_{128};
  std::size_t used_ = 0;
};

}  // namespace synchro::model_checker

#endif
