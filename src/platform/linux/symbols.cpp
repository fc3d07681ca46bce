#include "platform/symbols.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "platform/linux/elf_file.hpp"

namespace synchro::platform {

namespace {

std::string readable(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;  // a variable `a` is a name, not the type that "a" is the code of
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free};
  return status == 0 && text ? text.get() : name;
}

}  // namespace

symbol_table::symbol_table(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return;  // a pipe would be waited for
  const elf_file file{elf_file::read(path, std::size_t{1} << 30)};
  if (!file.is_elf()) return;
  file.each_symbol([&](const ElfW(Sym) & s, std::string_view name) {
    const unsigned type = s.st_info & 15U;
    if ((type == STT_FUNC || type == STT_OBJECT || type == STT_GNU_IFUNC) && !name.empty())
      entries_.push_back({s.st_value, s.st_size, std::string{name}});
  });
  std::stable_sort(entries_.begin(), entries_.end(), [](const entry& a, const entry& b) { return a.from < b.from; });
}

std::optional<symbol> symbol_table::at(std::uint64_t address) const {
  auto next = std::upper_bound(entries_.begin(), entries_.end(), address,
                               [](std::uint64_t a, const entry& e) { return a < e.from; });
  // Among several names for one place, the first that covers the address; a large object may contain small ones.
  for (int looks = 0; looks < 16 && next != entries_.begin(); ++looks)
    if (--next; address - next->from < std::max<std::uint64_t>(next->size, 1))
      return symbol{readable(next->name), address - next->from, next->size};
  return std::nullopt;
}

}  // namespace synchro::platform
