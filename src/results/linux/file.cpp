#include "results/file.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "results/file_parts.hpp"
#include "results/held_signals.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

std::string read_all(int fd, const std::string& path, content what) {
  std::string all;
  char block[65536];
  for (;;) {
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n == 0) return all;
    if (n < 0 && errno != EINTR) fail(path, "cannot be read", errno);
    if (n > 0) add_block(all, {block, static_cast<std::size_t>(n)}, what, path);
  }
}

/// What the kernel makes while it is read looks like a file, and may wait for more: /proc/kmsg.
bool is_made_by_the_kernel(int fd) {
  struct statfs about {};
  if (::fstatfs(fd, &about) != 0) return false;
  const auto is = [&](auto... kinds) { return ((static_cast<long>(about.f_type) == kinds) || ...); };
  return is(PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC);
}

}  // namespace

std::optional<std::string> read_file_if_there(const std::string& path, content what) {
  const descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.get() < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.get() < 0) fail(path, "cannot be read", errno);
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) fail(path, "cannot be read", errno);
  if (S_ISDIR(about.st_mode)) fail(path, "is a directory, not a file");
  if (S_ISCHR(about.st_mode) && path != "/dev/stdin") fail(path, "is a device, not a file");
  if (is_made_by_the_kernel(file.get())) fail(path, "is not a file but made by the kernel while it is read");
  return read_all(file.get(), path, what);
}

namespace {

/// The number of a stream of this process, by any of its names.
std::optional<int> stream_number(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, error] = std::from_chars(path.data() + folder.size(), end, number);
    if (error == std::errc{} && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

}  // namespace

/// A stream is not opened anew: that would lose its place in a file, and wait for a reader who has gone.
int open_special(const std::string& path) {
  const auto stream = stream_number(path);
  const int fd = stream ? ::fcntl(*stream, F_DUPFD_CLOEXEC, 0) : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) fail(path, "cannot be written", errno);
  return fd;
}

bool is_special(const std::string& path) {
  // A stream of this process may be a regular file, but replacing that would write past whoever redirected it.
  if (stream_number(path)) return true;
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

int open_neighbour(const std::string& target, std::string& name) {
  int fd = -1;
  for (unsigned attempt = 0; attempt < 100 && fd < 0; ++attempt) {
    name = target + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".tmp";
    fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) return -1;
  }
  struct stat about {};
  if (fd >= 0 && ::stat(target.c_str(), &about) == 0) ::fchmod(fd, about.st_mode & 0777);
  return fd;
}

void check_names(const std::string& path) {
  if (path.empty()) throw impossible_name("the name of the file to write is empty");
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) fail_name(path, "it is a directory");
  const std::string folder = directory_of(behind_links(path));
  struct stat about {};
  if (::stat(folder.c_str(), &about) == 0 ? !S_ISDIR(about.st_mode) : errno == ENOENT || errno == ENOTDIR)
    fail_name(path, "there is no folder " + printable(folder, 200));
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0) fail(path, "cannot be written", errno);
}

std::string keep(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0 || about.st_size == 0) return "";
  for (unsigned number = 1;; ++number) {
    const std::string name = numbered(path, number);
    if (::link(path.c_str(), name.c_str()) == 0) return name;
    if (errno == EEXIST) continue;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
      fail(path, "cannot be kept under another name", errno);
    // A file system without links: for a moment there is no file of the name.
    if (::access(name.c_str(), F_OK) == 0) continue;
    if (::rename(path.c_str(), name.c_str()) != 0) fail(path, "cannot be kept under another name", errno);
    return name;
  }
}

int write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int flush_to_disk(int file) { return ::fsync(file) == 0 || errno == EINVAL ? 0 : errno; }

int close_checked(int file) { return ::close(file) == 0 ? 0 : errno; }

std::optional<std::string> rename_over(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return std::generic_category().message(errno);
  // The rename itself must reach the disk, too; not every file system can be asked to.
  const descriptor folder{::open(directory_of(to).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.get() >= 0) ::fsync(folder.get());
  return std::nullopt;
}

namespace {

/// Gives the file the first free name of path.1, path.2, ...
void set_aside(const std::string& path) {
  unsigned number = 1;
  while (::access(numbered(path, number).c_str(), F_OK) == 0) ++number;
  if (::rename(path.c_str(), numbered(path, number).c_str()) != 0) fail(path, "cannot be set aside", errno);
}

/// Locked against a second writer.
int open_locked(const std::string& path) {
  descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)};
  if (file.get() < 0) fail(path, "cannot be written", errno);
  struct stat about {
  }, named{};
  const bool locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  // Under this name there may be another file by now, or none: a measurement that ended or began has moved this one.
  const bool moved = ::fstat(file.get(), &about) != 0 || ::stat(path.c_str(), &named) != 0 ||
                     about.st_ino != named.st_ino || about.st_dev != named.st_dev;
  if (!locked || moved) fail(path, "is in use: another measurement is writing it");
  return file.release();
}

}  // namespace

int open_to_append(const std::string& path, bool keep_content) {
  {
    descriptor file{open_locked(path)};
    struct stat about {};
    if (keep_content || ::fstat(file.get(), &about) != 0 || about.st_size == 0) return file.release();
    set_aside(path);
  }
  return open_locked(path);
}

void append(int file, std::string_view content, const std::string& path) {
  const off_t before = ::lseek(file, 0, SEEK_END);
  const int error = write_all(file, content);
  if (error == 0) return;
  if (before < 0 || ::ftruncate(file, before) != 0) fail(path, "cannot be written and ends in half a line", error);
  fail(path, "cannot be written", error);
}

void cut_torn_line(int file, const std::string& path) {
  off_t end = ::lseek(file, 0, SEEK_END);
  char last = 0;
  while (end > 0 && ::pread(file, &last, 1, end - 1) == 1 && last != '\n') --end;
  if (end < 0 || ::ftruncate(file, end) != 0) fail(path, "cannot be written", errno);
}

struct held_signals::mask {
  sigset_t set;
};

held_signals::held_signals() : before_{std::make_unique<mask>()} {
  sigset_t requests;
  ::sigemptyset(&requests);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&requests, number);
  ::pthread_sigmask(SIG_BLOCK, &requests, &before_->set);
}

held_signals::~held_signals() { ::pthread_sigmask(SIG_SETMASK, &before_->set, nullptr); }

temporary_folder::temporary_folder() {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  path_ = (base / "synchroscope-XXXXXX").string();
  if (error || ::mkdtemp(path_.data()) == nullptr)
    fail(base.empty() ? "TMPDIR" : base.string(), "cannot hold temporary files", error ? error.value() : errno);
}

void close_file(int file) noexcept { ::close(file); }

void remove_file(const std::string& path) noexcept { ::unlink(path.c_str()); }

/// Removed while nobody else may write it.
void discard_file(int file, const std::string& path) noexcept {
  remove_file(path);
  close_file(file);
}

}  // namespace synchro::results
