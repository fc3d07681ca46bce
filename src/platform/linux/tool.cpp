#include "platform/tool.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace synchro::platform {

namespace {

struct closing {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using file = std::unique_ptr<std::FILE, closing>;

std::runtime_error refused(const char* what, int error) {
  return std::runtime_error{fmt::format("{}: {}", what, std::generic_category().message(error))};
}

/// A file without a name: unlike a pipe it holds all, so nobody waits for anybody.
file nameless() {
  file made{std::tmpfile()};
  if (!made) throw refused("a temporary file cannot be made", errno);
  return made;
}

std::string content_of(std::FILE* from) {
  std::string text;
  std::rewind(from);
  char part[1 << 16];
  for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, from)) > 0;) text.append(part, n);
  return text;
}

struct actions {
  actions() { posix_spawn_file_actions_init(&list); }
  ~actions() { posix_spawn_file_actions_destroy(&list); }
  actions(const actions&) = delete;
  actions& operator=(const actions&) = delete;
  posix_spawn_file_actions_t list;
};

}  // namespace

std::optional<tool_outcome> run_tool(const std::string& name, const std::vector<std::string>& arguments,
                                     const std::string& input) {
  const file in = nameless(), out = nameless(), errors = nameless();
  if (std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() || std::fflush(in.get()) != 0)
    throw refused("a temporary file cannot be written", errno);
  std::rewind(in.get());
  actions redirected;
  posix_spawn_file_actions_adddup2(&redirected.list, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&redirected.list, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&redirected.list, fileno(errors.get()), STDERR_FILENO);
  std::vector<std::string> words{name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, name.c_str(), &redirected.list, nullptr, argv.data(), environ);
  if (error == ENOENT) return std::nullopt;
  if (error != 0) throw refused(fmt::format("{} cannot be started", name).c_str(), error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return tool_outcome{WIFEXITED(status) && WEXITSTATUS(status) == 0, content_of(out.get()), content_of(errors.get())};
}

}  // namespace synchro::platform
