// What the systems' sides of file.hpp share.

#ifndef SYNCHRO_RESULTS_FILE_PARTS_HPP
#define SYNCHRO_RESULTS_FILE_PARTS_HPP

#include <cstddef>
#include <filesystem>
#include <string>

#include "results/file.hpp"

namespace synchro::results {

inline constexpr std::size_t largest_file = std::size_t{1} << 30;

/// Throws std::runtime_error: the file's name, what of it, and the error that the C library knows by this number.
[[noreturn]] void fail(const std::string& path, const std::string& what);
[[noreturn]] void fail(const std::string& path, const std::string& what, int error);

/// Names are UTF-8 in this program; the library of C++ takes a plain string for the account's own encoding.
[[nodiscard]] inline std::filesystem::path named(const std::string& path) {
  return std::u8string(path.begin(), path.end());
}
[[nodiscard]] inline std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

[[nodiscard]] std::string directory_of(const std::string& path);

/// A results file or a journal, also one that is damaged or that another program has laid out anew. What cannot be read
/// may be one.
[[nodiscard]] bool holds_measurements(const std::string& path);

/// PATH.1, PATH.2, ...
[[nodiscard]] std::string numbered(const std::string& path, unsigned number);

}  // namespace synchro::results

#endif
