#include "platform/module.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "platform/executable.hpp"
#include "platform/parts.hpp"
#include "platform/tool.hpp"

namespace synchro::platform {

namespace {

namespace fs = std::filesystem;

struct recipe {
  std::vector<std::string> command;  ///< The compiler first.
  std::vector<std::string> parts;    ///< Files that it takes, which no list of dependencies names.
};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

recipe read_recipe(const std::string& name) {
  const std::string file = fmt::format("own_lock/{}.txt", name);
  const auto path =
      beside_this_program(file, {".", "../share/synchroscope", "../../share/synchroscope",
                                 "../../../share/synchroscope"});  // from lib/x86_64-linux-gnu/synchroscope
  if (!path)
    throw std::runtime_error{fmt::format(
        "{} is missing: a build or an installation of this program has it; of the Debian packages, synchroscope-dev",
        file)};
  const fs::path prefix = fs::weakly_canonical(*path).parent_path() / "../../..";
  recipe read;
  std::ifstream lines{*path};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line.starts_with("part ")) {
      read.parts.push_back(part(line.substr(5)));
      line = read.parts.back();
    }
    read.command.push_back(replaced(line, "@PREFIX@", prefix.lexically_normal().string()));
  }
  if (read.command.empty()) throw std::runtime_error{fmt::format("{} is empty", *path)};
  return read;
}

/// What lies in the folder is run: nobody else may have put it there.
void check_own(const fs::path& folder) {
  struct stat facts {};
  if (stat(folder.c_str(), &facts) != 0) return;
  if (facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw std::runtime_error{
        fmt::format("{} is another user's, or others may write there: what lies there is not loaded", folder.string())};
}

/// The user's own folder for what can be made again.
fs::path cache() {
  fs::path folder;
  if (const auto named = environment_variable("XDG_CACHE_HOME"); named && named->starts_with("/"))
    folder = *named;
  else if (const auto home = environment_variable("HOME"); home && home->starts_with("/"))
    folder = fs::path{*home} / ".cache";
  else
    throw std::runtime_error{"a compiled lock needs a folder to be kept in: neither XDG_CACHE_HOME nor HOME names one"};
  folder /= "synchroscope";
  std::error_code error;
  if (fs::create_directories(folder, error)) fs::permissions(folder, fs::perms::owner_all, error);
  check_own(folder);
  if (error || access(folder.c_str(), W_OK | X_OK) != 0)
    throw std::runtime_error{fmt::format("{} takes no file: {}", folder.string(),
                                         error ? error.message() : std::generic_category().message(errno))};
  return folder;
}

std::string content_of(const fs::path& file) {
  std::ifstream from{file};
  std::ostringstream text;
  text << from.rdbuf();
  return text.str();
}

/// The files behind the colon of a rule for make, as a compiler writes it.
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) files.push_back(word);
    word.clear();
  };
  for (std::size_t i = rule.find(": ") + 1; i < rule.size(); ++i) {
    const bool escaped = rule[i] == '\\' && i + 1 < rule.size();
    if (escaped && rule[i + 1] == ' ')
      word += rule[++i];
    else if (escaped && rule[i + 1] == '\n')
      ++i, end_word();
    else if (rule[i] == ' ' || rule[i] == '\n')
      end_word();
    else
      word += rule[i];
  }
  end_word();
  return files;
}

/// When a file last became what it is: a package keeps the times of writing of those that it installs.
std::optional<std::pair<std::int64_t, std::int64_t>> changed(const fs::path& file) {
  struct stat facts {};
  if (stat(file.c_str(), &facts) != 0) return std::nullopt;
  return std::pair{std::int64_t{facts.st_ctim.tv_sec}, std::int64_t{facts.st_ctim.tv_nsec}};
}

/// Where a module and what is known of it are kept.
struct kept_module {
  fs::path file;
  [[nodiscard]] fs::path beside(const char* what) const { return fs::path{file.string() + what}; }

  [[nodiscard]] bool is_of(const std::string& command, const std::vector<std::string>& parts) const {
    const auto made = changed(file);
    if (!made || content_of(beside(".command")) != command) return false;
    const auto is_older = [&](const std::string& source) {
      const auto since = changed(source);
      return since && *since <= *made;
    };
    const std::vector<std::string> sources = prerequisites(content_of(beside(".d")));
    return !sources.empty() && std::all_of(sources.begin(), sources.end(), is_older) &&
           std::all_of(parts.begin(), parts.end(), is_older);
  }
};

void compile(const std::vector<std::string>& command, const kept_module& to, const std::string& whole) {
  // Made under another name: who loads it meanwhile keeps the old one, and two who make it do not meet.
  const std::string made = fmt::format("{}.{}", to.file.string(), getpid());
  std::vector<std::string> words{command.begin() + 1, command.end()};
  for (const std::string& word :
       {std::string{"-MMD"}, std::string{"-MF"}, to.beside(".d").string(), std::string{"-o"}, made})
    words.push_back(word);
  const auto outcome = run_tool(command.front(), words, "");
  if (!outcome)
    throw std::runtime_error{fmt::format("it needs the compiler {}, which is not installed", command.front())};
  std::error_code ignored;
  if (!outcome->well) {
    fs::remove(made, ignored);
    throw std::runtime_error{outcome->errors};
  }
  std::ofstream{to.beside(".command")} << whole;
  fs::rename(made, to.file);
}

void* loaded(const std::string& module) {
  void* const it = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (it == nullptr) throw std::runtime_error{fmt::format("{} cannot be loaded: {}", module, dlerror())};
  return it;
}

}  // namespace

std::string compiled_module(const module_request& asked, const std::function<void()>& begins) {
  recipe made_by = read_recipe(asked.recipe);
  made_by.command.insert(made_by.command.end(), asked.words.begin(), asked.words.end());
  const std::string whole = fmt::format("{}", fmt::join(made_by.command, "\n"));
  const kept_module kept{cache() / asked.file};
  if (!kept.is_of(whole, made_by.parts)) {
    begins();
    compile(made_by.command, kept, whole);
  }
  return kept.file.string();
}

void load_module(const std::string& module) { static_cast<void>(loaded(module)); }

void* function_of_module(const std::string& module, const char* function) {
  void* const found = dlsym(loaded(module), function);
  if (found == nullptr) throw std::runtime_error{fmt::format("{} has no {}", module, function)};
  return found;
}

}  // namespace synchro::platform
