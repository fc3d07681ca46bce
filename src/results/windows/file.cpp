#include "results/file.hpp"

#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "platform/windows/system.hpp"
#include "results/file_parts.hpp"
#include "results/held_signals.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

namespace fs = std::filesystem;

constexpr int plain_bytes = _O_BINARY | _O_NOINHERIT;
constexpr int anybodys = _S_IREAD | _S_IWRITE;

int open_file(const std::string& path, int how, int shared = _SH_DENYNO) {
  return ::_wsopen(named(path).c_str(), how | plain_bytes, shared, anybodys);
}

unsigned portion(std::size_t size) { return static_cast<unsigned>(std::min<std::size_t>(size, 1U << 30)); }

/// A stream of this process, by the name that other systems have for it, or a device.
std::optional<int> stream_number(const std::string& path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  return std::nullopt;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool is_device(const std::string& path) {
  const std::string name = lower_case(path);
  return name == "nul" || name == "con" || name.starts_with("\\\\.\\");
}

/// In whichever folder, and with whatever ending: before Windows 11 "results\\aux.json" is the device as well ("Naming Files,
/// Paths, and Namespaces"). The last digits are the raised ones of Latin-1.
bool is_kept_for_a_device(const std::string& path) {
  const std::string name = lower_case(path);
  std::string_view stem = std::string_view{name}.substr(name.find_last_of("\\/:") + 1);
  stem = stem.substr(0, stem.find('.'));
  while (stem.ends_with(' ')) stem.remove_suffix(1);
  if (stem == "con" || stem == "prn" || stem == "aux" || stem == "nul" || stem == "conin$" || stem == "conout$")
    return true;
  if (!stem.starts_with("com") && !stem.starts_with("lpt")) return false;
  const std::string_view number = stem.substr(3);
  return (number.size() == 1 && number[0] >= '0' && number[0] <= '9') || number == "\u00b9" || number == "\u00b2" ||
         number == "\u00b3";
}

/// What a move came to.
std::string why_not_moved(DWORD error) {
  switch (error) {
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
      return "another program has it open";
    case ERROR_ACCESS_DENIED:
      return "access is denied, or another program has it open";
    default:
      return platform::windows::refusal(error);
  }
}

/// Whoever looks into each new file, as scanners for viruses do, holds it for a moment: tried for two seconds. 0 or the error.
DWORD move_file(const std::string& from, const std::string& to, DWORD how) {
  constexpr DWORD longest_ms = 400, all_ms = 2000;
  for (DWORD ms = 5, waited = 0;; waited += ms, ms = std::min(2 * ms, longest_ms)) {
    if (MoveFileExW(named(from).c_str(), named(to).c_str(), how) != 0) return 0;
    const DWORD error = GetLastError();
    const bool may_pass = error == ERROR_SHARING_VIOLATION || error == ERROR_LOCK_VIOLATION ||
                          error == ERROR_ACCESS_DENIED || error == ERROR_USER_MAPPED_FILE;
    if (!may_pass || waited >= all_ms) return error;
    Sleep(ms);
  }
}

}  // namespace

int open_special(const std::string& path) {
  const auto stream = stream_number(path);
  const int fd = stream ? ::_dup(*stream) : open_file(path, _O_WRONLY);
  if (fd < 0) fail(path, "cannot be written", errno);
  ::_setmode(fd, _O_BINARY);
  return fd;
}

int open_neighbour(const std::string& target, std::string& name) {
  int fd = -1;
  for (unsigned attempt = 0; attempt < 100 && fd < 0; ++attempt) {
    name = target + "." + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(attempt) + ".tmp";
    fd = open_file(name, _O_WRONLY | _O_CREAT | _O_EXCL);
    if (fd < 0 && errno != EEXIST) return -1;
  }
  return fd;
}

void check_names(const std::string& path) {
  if (path.empty()) throw impossible_name("the name of the file to write is empty");
  if (!is_special(path) && is_kept_for_a_device(path))
    fail_name(path, "Windows keeps this name for a device, with any ending");
  std::error_code none;
  if (fs::is_directory(named(path), none)) fail_name(path, "it is a directory");
  if (is_special(path)) return;
  const std::string folder = directory_of(behind_links(path));
  if (!fs::exists(named(folder), none)) fail_name(path, "there is no folder " + printable(folder, 200));
  constexpr int writable = 2;
  if (fs::exists(named(path), none) && ::_waccess(named(path).c_str(), writable) != 0)
    fail(path, "cannot be written", errno);
}

int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const int n = ::_write(fd, content.data(), portion(content.size()));
    if (n < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int flush_to_disk(int file) { return ::_commit(file) == 0 || errno == EINVAL || errno == EBADF ? 0 : errno; }

int close_checked(int file) { return ::_close(file) == 0 ? 0 : errno; }

std::optional<std::string> rename_over(const std::string& from, const std::string& to) {
  const DWORD error = move_file(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH);
  return error == 0 ? std::nullopt : std::optional{why_not_moved(error)};
}

std::string keep(const std::string& path) {
  std::error_code error;
  if (const auto size = fs::file_size(named(path), error); error || size == 0) return "";
  for (unsigned number = 1;; ++number) {
    const std::string name = numbered(path, number);
    if (fs::exists(named(name), error)) continue;
    const DWORD refused = move_file(path, name, MOVEFILE_WRITE_THROUGH);
    if (refused == 0) return name;
    if (!fs::exists(named(name), error)) fail(path, "cannot be kept under another name: " + why_not_moved(refused));
  }
}

std::optional<std::string> read_file_if_there(const std::string& path, content what) {
  if (is_device(path) || is_kept_for_a_device(path)) fail(path, "is a device, not a file");
  std::error_code none;
  if (fs::is_directory(named(path), none)) fail(path, "is a directory, not a file");
  const auto stream = stream_number(path);
  const descriptor file{stream ? ::_dup(*stream) : open_file(path, _O_RDONLY)};
  if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.get() < 0) fail(path, "cannot be read", errno);
  std::string all;
  char block[65536];
  for (;;) {
    const int n = ::_read(file.get(), block, sizeof block);
    if (n == 0) return all;
    if (n < 0) fail(path, "cannot be read", errno);
    add_block(all, {block, static_cast<std::size_t>(n)}, what, path);
  }
}

bool is_special(const std::string& path) { return stream_number(path).has_value() || is_device(path); }

/// Others may read what grows, but only one may write it.
int open_to_append(const std::string& path, bool keep_content) {
  const auto open = [&] {
    const int fd = open_file(path, _O_RDWR | _O_CREAT | _O_APPEND, _SH_DENYWR);
    if (fd < 0 && (errno == EACCES || errno == EBUSY)) fail(path, "is in use: another measurement is writing it");
    if (fd < 0) fail(path, "cannot be written", errno);
    return fd;
  };
  const int fd = open();
  if (keep_content || ::_filelengthi64(fd) == 0) return fd;
  ::_close(fd);
  keep(path);
  return open();
}

void append(int file, std::string_view content, const std::string& path) {
  const long long before = ::_lseeki64(file, 0, SEEK_END);
  const int error = write_all(file, content);
  if (error == 0) return;
  if (before < 0 || ::_chsize_s(file, before) != 0) fail(path, "cannot be written and ends in half a line", error);
  fail(path, "cannot be written", error);
}

void cut_torn_line(int file, const std::string& path) {
  long long end = ::_lseeki64(file, 0, SEEK_END);
  for (char last = 0; end > 0; --end)
    if (::_lseeki64(file, end - 1, SEEK_SET) < 0 || ::_read(file, &last, 1) != 1 || last == '\n') break;
  if (end < 0 || ::_chsize_s(file, end) != 0) fail(path, "cannot be written", errno);
}

/// Ctrl-C comes in a thread of its own here, and only raises a flag: there is nothing to hold.
struct held_signals::mask {};
held_signals::held_signals() = default;
held_signals::~held_signals() = default;

temporary_folder::temporary_folder() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  for (unsigned attempt = 0; attempt < 100 && !error; ++attempt) {
    path_ = name_of(base / ("synchroscope-" + std::to_string(GetCurrentProcessId()) + "-" + std::to_string(attempt)));
    if (fs::create_directory(named(path_), error)) return;
  }
  fail(base.empty() ? "TMP" : name_of(base), "cannot hold temporary files", error ? error.value() : EEXIST);
}

void close_file(int file) noexcept { ::_close(file); }

void remove_file(const std::string& path) noexcept { DeleteFileW(named(path).c_str()); }

/// Windows removes no file that is open.
void discard_file(int file, const std::string& path) noexcept {
  close_file(file);
  remove_file(path);
}

}  // namespace synchro::results
