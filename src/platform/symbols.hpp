// The names in a program or library: which function or object is at an address of it.

#ifndef SYNCHRO_PLATFORM_SYMBOLS_HPP
#define SYNCHRO_PLATFORM_SYMBOLS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

struct symbol {
  std::string name;    ///< As in the language it was written in.
  std::uint64_t into;  ///< Bytes from its begin.
  std::uint64_t size;  ///< Bytes; 0 if the file does not tell.
};

class symbol_table {
 public:
  /// The symbols of this file; empty if it has none, or is no such file.
  explicit symbol_table(const std::string& path);

  /// The function or object that covers this address, as it is in the file; nothing if the file does not tell.
  [[nodiscard]] std::optional<symbol> at(std::uint64_t address) const;

 private:
  struct entry {
    std::uint64_t from, size;
    std::string name;
  };
  std::vector<entry> entries_;  // by address
};

}  // namespace synchro::platform

#endif
