#include "experiments/database/linux/guarded_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace synchro::experiments::database {

namespace {

namespace fs = std::filesystem;

/// What was begun of the folder goes.
[[noreturn]] void refuse(int error, const char* what, const fs::path& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
  throw std::system_error{error, std::generic_category(), what};
}

}  // namespace

guarded_folder::guarded_folder(const std::string& name) {
  std::string path = (fs::temp_directory_path() / fmt::format("synchroscope-{}-XXXXXX", name)).string();
  if (mkdtemp(path.data()) == nullptr)
    throw std::system_error{errno, std::generic_category(), "a folder for the database cannot be made"};
  path_ = path;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) refuse(errno, "a pipe cannot be made", path_);
  pipe_ = ends[1];
  start_guard(ends[0]);
  close(ends[0]);
}

guarded_folder::~guarded_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(pipe_);
  while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void guarded_folder::start_guard(int end) {
  constexpr const char* script =
      "trap '' INT TERM HUP; cd /; while read -r line; do :; done; tries=50; "
      "while rm -rf -- \"$1\"; [ -e \"$1\" ] && [ $tries -gt 0 ]; do tries=$((tries - 1)); sleep 0.2; done";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t how;
  posix_spawnattr_init(&how);
  posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
  std::array words{std::string{"sh"}, std::string{"-c"}, std::string{script}, std::string{"sh"}, path_.string()};
  std::array<char*, words.size() + 1> pointers{};
  for (std::size_t i = 0; i < words.size(); ++i) pointers[i] = words[i].data();
  const int error = posix_spawn(&guard_, "/bin/sh", &files, &how, pointers.data(), environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  if (error == 0) return;
  close(pipe_);
  refuse(error, "what removes the database's folder cannot be started", path_);
}

std::string output_of(const platform::program_start& start, const std::string& what, double seconds) {
  platform::started_program program{start};
  const auto end = program.wait(seconds);
  if (!end) throw std::runtime_error{fmt::format("{} did not come to its end within {:.0f} s", what, seconds)};
  if (end->well()) return program.out();
  std::string said = program.errors();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw std::runtime_error{fmt::format("{} ended: {}: {}", what, end->in_words(), said.substr(said.rfind('\n') + 1))};
}

}  // namespace synchro::experiments::database
