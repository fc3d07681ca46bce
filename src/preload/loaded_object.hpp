// Which object of the process contains an address: the program, a library.

#ifndef SYNCHRO_PRELOAD_LOADED_OBJECT_HPP
#define SYNCHRO_PRELOAD_LOADED_OBJECT_HPP

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace synchro::preload {

struct range {
  std::uint64_t from = 0, to = 0;
  [[nodiscard]] bool contains(const void* address) const noexcept {
    return reinterpret_cast<std::uint64_t>(address) - from < to - from;
  }
};

inline range range_of(const dl_phdr_info& object) noexcept {
  range all{~std::uint64_t{0}, 0};
  for (unsigned i = 0; i < object.dlpi_phnum; ++i) {
    const auto& part = object.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    all.from = std::min<std::uint64_t>(all.from, object.dlpi_addr + part.p_vaddr);
    all.to = std::max<std::uint64_t>(all.to, object.dlpi_addr + part.p_vaddr + part.p_memsz);
  }
  return all;
}

/// With neither parts nor a range if no object contains the address.
inline dl_phdr_info object_at(const void* address) noexcept {
  struct search {
    const void* address;
    dl_phdr_info found;
  } wanted{address, {}};
  const auto look = [](dl_phdr_info* object, std::size_t /*size*/, void* p) noexcept {
    auto& s = *static_cast<search*>(p);
    if (!range_of(*object).contains(s.address)) return 0;
    s.found = *object;
    return 1;
  };
  dl_iterate_phdr(look, &wanted);
  return wanted.found;
}

}  // namespace synchro::preload

#endif
