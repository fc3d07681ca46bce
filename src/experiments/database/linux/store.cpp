#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "experiments/database/answers.hpp"
#include "experiments/database/linux/protocol.hpp"
#include "platform/executable.hpp"
#include "platform/started_program.hpp"

namespace synchro::experiments::database {

namespace {

namespace fs = std::filesystem;

/// A folder that goes with this object, and with this process if that is killed: a shell outside of its group waits for the
/// end of a pipe, and removes it then. (What still writes there has been killed with the process.)
class guarded_folder {
 public:
  guarded_folder() {
    std::string name = (fs::temp_directory_path() / "synchroscope-tpch-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) refuse("a folder for the database cannot be made");
    path_ = name;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) refuse("a pipe cannot be made");
    pipe_ = ends[1];
    start_guard(ends[0]);
    close(ends[0]);
  }
  ~guarded_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    close(pipe_);
    while (waitpid(guard_, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  guarded_folder(const guarded_folder&) = delete;
  guarded_folder& operator=(const guarded_folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  [[noreturn]] static void refuse(const char* what) { throw std::system_error{errno, std::generic_category(), what}; }

  void start_guard(int end) {
    constexpr const char* script =
        "trap '' INT TERM HUP; cd /; while read -r line; do :; done; "
        "for try in 1 2 3 4 5 6 7 8 9; do rm -rf -- \"$1\"; [ -e \"$1\" ] || exit; sleep 0.2; done";
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSID);
    std::string path = path_.string();
    std::array words{std::string{"sh"}, std::string{"-c"}, std::string{script}, std::string{"sh"}, path};
    std::array<char*, 6> pointers{};
    for (std::size_t i = 0; i < words.size(); ++i) pointers[i] = words[i].data();
    const int error = posix_spawn(&guard_, "/bin/sh", &files, &how, pointers.data(), environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (error == 0) return;
    close(pipe_);
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw std::system_error{error, std::generic_category(), "what removes the database's folder cannot be started"};
  }

  fs::path path_;
  int pipe_ = -1;
  pid_t guard_ = -1;
};

std::string packages() {
  if (const auto folder = platform::environment_variable("SYNCHRO_DATABASES")) return *folder;
  if (const auto data = platform::environment_variable("XDG_DATA_HOME"); data && !data->empty())
    return *data + "/synchroscope/databases";
  return platform::environment_variable("HOME").value_or("") + "/.local/share/synchroscope/databases";
}
std::string libraries() { return packages() + "/monetdbe.libs"; }
std::string generator() { return packages() + "/bin/tpchgen-cli"; }

/// Runs it to its end. What it wrote to standard output.
std::string output_of(const platform::program_start& start, const char* what) {
  constexpr double patience = 300;
  platform::started_program program{start};
  const auto end = program.wait(patience);
  if (!end) throw std::runtime_error{fmt::format("{} did not come to its end within {:.0f} s", what, patience)};
  if (end->well()) return program.out();
  std::string said = program.errors();
  while (!said.empty() && said.back() == '\n') said.pop_back();
  throw std::runtime_error{fmt::format("{} ended: {}: {}", what, end->in_words(), said.substr(said.rfind('\n') + 1))};
}

std::string this_program() { return fs::read_symlink("/proc/self/exe").string(); }

platform::program_start other_words(const std::string& what, std::vector<std::string> words) {
  words.insert(words.begin(), {"synchroscope", protocol::mark, what, libraries()});
  return {this_program(), std::move(words)};
}

}  // namespace

struct store::state {
  guarded_folder folder;
  std::string scale;
  database::answers right = {};

  [[nodiscard]] std::string database() const { return folder.file("database"); }
};

store::store(const std::string& scale_factor) {
  state_ = std::make_unique<state>();
  state_->scale = scale_factor;
  const std::string data = state_->folder.file("data");
  static_cast<void>(
      output_of({generator(), {"tpchgen-cli", "-s", scale_factor, "--output-dir=" + data}}, "tpchgen-cli"));
  static_cast<void>(
      output_of(other_words(protocol::load, {state_->database(), data}), "the database, when it was made,"));
  fs::remove_all(data);
  state_->right = ask(1, 0, {});
}

store::~store() = default;

const answers& store::right() const { return state_->right; }

answers store::ask(unsigned threads, unsigned rounds,
                   const std::vector<std::pair<std::string, std::string>>& variables) const {
  platform::program_start start = other_words(
      protocol::answer, {state_->database(), state_->scale, std::to_string(threads), std::to_string(rounds)});
  start.variables = variables;
  std::istringstream lines{output_of(start, "the database")};
  answers all{};
  std::size_t number = 0;
  for (answer each; lines >> number >> each.digest >> each.rows >> each.ns;)
    if (number >= 1 && number <= all.size()) all[number - 1] = each;
  if (number != all.size()) throw std::runtime_error{"the database did not answer all queries"};
  return all;
}

std::optional<std::string> obstacle() {
  if (fs::is_directory(libraries()) && access(generator().c_str(), X_OK) == 0) return std::nullopt;
  return fmt::format(
      "not available here: MonetDB as a library and tpchgen-cli are not in {0}; python3 -m pip install --target {0} "
      "--no-deps --only-binary=:all: --python-version 3.10 monetdbe==0.11 tpchgen-cli puts them there",
      packages());
}

}  // namespace synchro::experiments::database
