// Reading what the kernel tells in /proc and /sys. The root is given, so that tests can tell another story.

#ifndef SYNCHRO_PLATFORM_LINUX_FILES_HPP
#define SYNCHRO_PLATFORM_LINUX_FILES_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform::linux_files {

/// The first line of a file, without blanks at its end; nothing if it cannot be read or is empty.
[[nodiscard]] std::optional<std::string> line(const std::string& root, const std::string& path);
[[nodiscard]] std::vector<std::string> lines(const std::string& root, const std::string& path);
/// The first line as a number; nothing if it is not one.
[[nodiscard]] std::optional<std::uint64_t> number(const std::string& root, const std::string& path);
/// Names in a folder, sorted; empty if there is none.
[[nodiscard]] std::vector<std::string> names(const std::string& root, const std::string& path);

/// A field of the first processor in /proc/cpuinfo, such as "model name".
[[nodiscard]] std::optional<std::string> cpuinfo_field(const std::string& root, const std::string& field);

/// Words between blanks.
[[nodiscard]] std::vector<std::string> split(const std::string& text);
[[nodiscard]] std::optional<std::uint64_t> to_number(const std::string& text);
/// The choice that is in brackets, as in "always [madvise] never"; nothing if none is.
[[nodiscard]] std::optional<std::string> bracketed(const std::string& text);

}  // namespace synchro::platform::linux_files

#endif
