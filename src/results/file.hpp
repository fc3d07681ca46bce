// Files, with errors that are one sentence. The only part of this floor that speaks to the operating system.

#ifndef SYNCHRO_RESULTS_FILE_HPP
#define SYNCHRO_RESULTS_FILE_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace synchro::results {

/// Nothing can be written by this name, whoever tries: it is empty, a folder's, or in a folder that does not exist.
struct impossible_name : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a file is to hold. A text has no zero byte: what has one is refused where it stands, and not read to its end.
enum class content : std::uint8_t { anything, text };

/// The whole file (or pipe). Throws std::runtime_error: not there, a directory, not readable, larger than 1 GiB, no text.
[[nodiscard]] std::string read_file(const std::string& path, content what = content::anything);
/// The same; nothing if there is no such file.
[[nodiscard]] std::optional<std::string> read_file_if_there(const std::string& path, content what = content::anything);

/// What becomes of the file that a new one replaces.
enum class previous : std::uint8_t {
  kept_if_measured,  ///< It keeps its content as PATH.1, .2, ... if it holds measurements.
  kept,              ///< It does, whatever it holds.
  replaced,          ///< The new file says all that it said.
};

/// Replaces the content of the file in one step: whoever reads the path sees the old content or the new. On an error
/// (std::runtime_error) the old one stays. A device or pipe is written directly; a symbolic link stays a link. The name
/// that the previous content has now, if it was kept.
std::optional<std::string> replace_file(const std::string& path, std::string_view content,
                                        previous old = previous::kept_if_measured);

/// Throws what replace_file() would: impossible_name, or std::runtime_error for a file that may not be written or a folder that
/// takes no file.
void check_replaceable(const std::string& path);

/// True for what cannot be replaced and has no neighbours: a device, a pipe, a stream of this process.
[[nodiscard]] bool is_special(const std::string& path);

/// Where a chain of symbolic links ends, whether or not there is a file yet.
[[nodiscard]] std::string behind_links(const std::string& path);

/// True if both paths lead to one file: links and other spellings of a name count.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// A file to be written when a measurement ends. What cannot be replaced is opened at once, because a pipe without a
/// reader makes its writer wait.
class destination {
 public:
  /// Throws std::runtime_error with one sentence.
  explicit destination(const std::string& path);
  ~destination();
  destination(const destination&) = delete;
  destination& operator=(const destination&) = delete;

  /// As replace_file().
  std::optional<std::string> write(std::string_view content, previous old);

 private:
  std::string path_;
  int file_ = -1;  // of what is special
};

/// A file that only grows, locked against a second writer. What it held is kept in it, or set aside as PATH.1, PATH.2,
/// ... whichever is free. The descriptor is the caller's: close_file().
[[nodiscard]] int open_to_append(const std::string& path, bool keep_content);
/// Appends all of it or, with std::runtime_error, nothing.
void append(int file, std::string_view content, const std::string& path);
/// Cuts the file behind its last line break, so that what is appended begins a line.
void cut_torn_line(int file, const std::string& path);
void close_file(int file) noexcept;
void remove_file(const std::string& path) noexcept;
/// Closes and removes it.
void discard_file(int file, const std::string& path) noexcept;

/// A folder for files that others write, removed with all that is in it. Throws std::runtime_error.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace synchro::results

#endif
