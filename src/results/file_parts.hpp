// What file.hpp is made of: what all systems share, and what each does in its own way.

#ifndef SYNCHRO_RESULTS_FILE_PARTS_HPP
#define SYNCHRO_RESULTS_FILE_PARTS_HPP

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "results/file.hpp"

namespace synchro::results {

inline constexpr std::size_t largest_file = std::size_t{1} << 30;

/// Throws std::runtime_error: the file's name, what of it, and the error that the C library knows by this number.
[[noreturn]] void fail(const std::string& path, const std::string& what);
[[noreturn]] void fail(const std::string& path, const std::string& what, int error);
/// Throws impossible_name.
[[noreturn]] void fail_name(const std::string& path, const std::string& what);

/// Names are UTF-8 in this program; the library of C++ takes a plain string for the account's own encoding.
[[nodiscard]] inline std::filesystem::path named(const std::string& path) {
  return std::u8string(path.begin(), path.end());
}
[[nodiscard]] inline std::string name_of(const std::filesystem::path& path) {
  const std::u8string name = path.u8string();
  return {name.begin(), name.end()};
}

/// Adds to what was read of a file. Throws what read_file() does of what is too large or no text.
void add_block(std::string& all, std::string_view block, content what, const std::string& path);

[[nodiscard]] std::string directory_of(const std::string& path);

/// A results file or a journal, also one that is damaged or that another program has laid out anew. What cannot be read
/// may be one.
[[nodiscard]] bool holds_measurements(const std::string& path);

/// PATH.1, PATH.2, ...
[[nodiscard]] std::string numbered(const std::string& path, unsigned number);

// Each system's own. An int is 0 or the error, by the C library's number, where nothing else is said.

/// A new file beside the target, readable by whom the target is. Its name is put into `name`. The descriptor, or -1.
[[nodiscard]] int open_neighbour(const std::string& target, std::string& name);
/// What is_special() says so of. The descriptor; throws std::runtime_error.
[[nodiscard]] int open_special(const std::string& path);
[[nodiscard]] int write_all(int file, std::string_view content);
/// Until it is on the disk, where the file system can be asked for that.
[[nodiscard]] int flush_to_disk(int file);
[[nodiscard]] int close_checked(int file);
/// In one step, and on the disk. Nothing, or as a clause why that cannot be.
[[nodiscard]] std::optional<std::string> rename_over(const std::string& from, const std::string& to);
/// Throws impossible_name, or std::runtime_error for a file that may not be written.
void check_names(const std::string& path);
/// Gives the content of a file the first free name of path.1, path.2, ...; empty if there is no content.
std::string keep(const std::string& path);

/// An open file that is closed with its owner.
class descriptor {
 public:
  explicit descriptor(int file) : file_{file} {}
  ~descriptor() {
    if (file_ >= 0) close_file(file_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  [[nodiscard]] int get() const { return file_; }
  /// Closes now, because that may be the first to report an error.
  [[nodiscard]] int close() { return close_checked(std::exchange(file_, -1)); }
  /// To the caller, who closes it.
  [[nodiscard]] int release() { return std::exchange(file_, -1); }

 private:
  int file_;
};

}  // namespace synchro::results

#endif
