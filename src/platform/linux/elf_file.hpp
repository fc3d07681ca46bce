// An ELF file: a program or a library of this system.

#ifndef SYNCHRO_PLATFORM_LINUX_ELF_FILE_HPP
#define SYNCHRO_PLATFORM_LINUX_ELF_FILE_HPP

#include <elf.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::platform {

/// An ELF file as far as it is well-formed: what lies outside of it is not there.
class elf_file {
 public:
  explicit elf_file(std::string bytes) : bytes_{std::move(bytes)} {}

  [[nodiscard]] bool is_elf() const { return bytes_.compare(0, SELFMAG, ELFMAG) == 0; }

  [[nodiscard]] bool is_for_this_processor() const {
    const elf_file own{read("/proc/self/exe", sizeof(ElfW(Ehdr)))};
    ElfW(Ehdr) mine{}, other{};
    return own.get(0, mine) && get(0, other) && mine.e_ident[EI_CLASS] == other.e_ident[EI_CLASS] &&
           mine.e_machine == other.e_machine;
  }

  /// The loader that starts it, which is what loads libraries; nothing if it is static.
  [[nodiscard]] std::optional<std::string> loader() const {
    ElfW(Ehdr) header{};
    if (!get(0, header)) return std::nullopt;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      ElfW(Phdr) part{};
      if (!get(header.e_phoff + i * sizeof part, part) || part.p_type != PT_INTERP) continue;
      const std::string path = part.p_offset < bytes_.size() ? bytes_.substr(part.p_offset, part.p_filesz) : "";
      return path.substr(0, path.find('\0'));
    }
    return std::nullopt;
  }

  /// Whether one of its symbol tables says that it contains this function.
  [[nodiscard]] bool defines(const std::string& function) const {
    bool found = false;
    each_symbol([&](const ElfW(Sym)&, std::string_view name) { found = found || name == function; });
    return found;
  }

  /// Calls `what(symbol, name)` for each function and object that it contains, as its symbol tables tell.
  template <class What>
  void each_symbol(What what) const {
    ElfW(Ehdr) header{};
    if (!get(0, header)) return;
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      ElfW(Shdr) table{}, names{};
      const bool symbols = section(header, i, table) && (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM);
      if (symbols && section(header, table.sh_link, names)) each_in(table, names, what);
    }
  }

  static std::string read(const std::string& path, std::size_t most) {
    std::ifstream file{path, std::ios::binary};
    std::string bytes;
    std::vector<char> block(std::size_t{1} << 16);
    while (bytes.size() < most &&
           (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0))
      bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    return bytes;
  }

 private:
  template <class T>
  bool get(std::size_t at, T& value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return true;
  }

  bool section(const ElfW(Ehdr) & header, std::size_t i, ElfW(Shdr) & found) const {
    return i < header.e_shnum && get(header.e_shoff + i * sizeof found, found);
  }

  template <class What>
  void each_in(const ElfW(Shdr) & table, const ElfW(Shdr) & names, What& what) const {
    for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol{};
      if (!get(table.sh_offset + at, symbol)) return;
      const std::size_t name = names.sh_offset + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF || name >= bytes_.size()) continue;
      const std::size_t end = bytes_.find('\0', name);
      what(symbol, std::string_view{bytes_}.substr(name, end - name));
    }
  }

  std::string bytes_;
};

}  // namespace synchro::platform

#endif
