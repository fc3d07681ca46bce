#include "platform/executable.hpp"

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "platform/linux/elf_file.hpp"

namespace synchro::platform {

namespace {

bool is_program(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// Whether the system starts it with other rights than ours, and then without what we ask of the loader.
bool changes_rights(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return false;
  const bool other_user = (facts.st_mode & S_ISUID) != 0 && facts.st_uid != getuid();
  const bool other_group = (facts.st_mode & S_ISGID) != 0 && facts.st_gid != getgid();
  const bool more = getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  return other_user || other_group || more;
}

bool is_of_musl(const std::string& loader) {
  return loader.substr(loader.rfind('/') + 1).compare(0, 7, "ld-musl") == 0;
}

/// What a script's first line names: "#!/usr/bin/env python3" and "#!/usr/bin/python3" both name a python3.
std::optional<std::string> interpreter_of(const std::string& bytes) {
  if (bytes.compare(0, 2, "#!") != 0) return std::nullopt;
  std::istringstream line{bytes.substr(2, bytes.find('\n') - 2)};
  std::string program, word;
  line >> program >> word;
  const bool looks_up = program.size() >= 4 && program.compare(program.size() - 4, 4, "/env") == 0;
  return find_executable(looks_up && !word.empty() && word[0] != '-' ? word : program);
}

}  // namespace

std::optional<std::string> find_executable(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_program(word) ? std::optional{word} : std::nullopt;
  const char* const variable = std::getenv("PATH");
  std::istringstream folders{variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin"};
  for (std::string folder; !word.empty() && std::getline(folders, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + word;
    if (is_program(path)) return path;
  }
  return std::nullopt;
}

std::optional<std::string> preload_unavailable(const std::string& path, const std::string& function) {
  std::string at = path;
  for (int depth = 0; depth < 4; ++depth) {
    const std::string bytes = elf_file::read(at, std::size_t{1} << 30);
    if (const auto interpreter = interpreter_of(bytes)) {
      at = *interpreter;
      continue;
    }
    const elf_file program{bytes};
    if (!program.is_elf()) return std::nullopt;
    if (!program.is_for_this_processor()) return "is for another kind of processor";
    const auto loader = program.loader();
    if (!loader) return "is linked statically: no loader starts it, so no library can be preloaded";
    if (is_of_musl(*loader)) return "is made for musl, and only glibc's locks can be replaced";
    if (changes_rights(at))
      return "is started with another user's or group's rights, and the loader preloads no library into such a program";
    if (program.defines(function)) return "contains a " + function + " of its own, which its calls reach instead";
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> beside_this_program(const std::string& file, const std::vector<std::string>& folders) {
  char own[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  if (length <= 0) return std::nullopt;
  const std::string program(own, static_cast<std::size_t>(length));
  const std::string home = program.substr(0, program.rfind('/') + 1);
  for (const std::string& folder : folders) {
    const std::string path = home + folder + "/" + file;
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return std::nullopt;
}

std::string program_file(const std::string& name) { return name; }

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

std::string become(const std::string& path, const std::vector<std::string>& words,
                   const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  signal(SIGXFSZ, SIG_DFL);  // that it is ignored would be inherited
  execv(path.c_str(), arguments.data());
  const int error = errno;
  signal(SIGXFSZ, SIG_IGN);
  return std::strerror(error);
}

}  // namespace synchro::platform
