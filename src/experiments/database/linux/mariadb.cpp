#include "experiments/database/mariadb.hpp"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "experiments/database/linux/guarded_folder.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"
#include "platform/preloading.hpp"

namespace synchro::experiments::database {

namespace {

namespace fs = std::filesystem;

/// Debian keeps the server where only root looks for programs.
std::optional<std::string> find_executable(const std::string& program) {
  const auto found = platform::find_executable(program);
  return found ? found : platform::find_executable("/usr/sbin/" + program);
}

/// MariaDB refuses root. As root it is the user who owns nothing, by a program of util-linux, which also has it killed with
/// this process: a process that takes another user's rights loses that.
constexpr const char* nobody = "nobody";

const passwd& its_user() {
  const passwd* const found = geteuid() == 0 ? getpwnam(nobody) : getpwuid(geteuid());
  if (found == nullptr) throw std::runtime_error{"there is no user whom MariaDB could run as"};
  return *found;
}

platform::program_start as_its_user(const std::string& program, const std::vector<std::string>& words) {
  const auto path = find_executable(program);
  if (!path) throw std::runtime_error{fmt::format("{} is not installed", program)};
  platform::program_start start{*path, {program}};
  if (geteuid() == 0) {
    const auto wrapper = find_executable("setpriv");
    if (!wrapper) throw std::runtime_error{"setpriv, by which root starts MariaDB as another user, is not installed"};
    const passwd& user = its_user();
    start = {*wrapper,
             {"setpriv", fmt::format("--reuid={}", user.pw_uid), fmt::format("--regid={}", user.pw_gid),
              "--clear-groups", "--pdeathsig", "KILL", "--", *path}};
  }
  start.words.insert(start.words.end(), words.begin(), words.end());
  return start;
}

void give_to_its_user(const std::string& path) {
  if (geteuid() == 0 && chown(path.c_str(), its_user().pw_uid, its_user().pw_gid) != 0)
    throw std::system_error{errno, std::generic_category(), path + " cannot be given to another user"};
}

/// The first line that the server calls an error: what follows from it comes later.
std::string first_error_in(const std::string& log) {
  const auto at = log.find("[ERROR]");
  return at == std::string::npos ? "it did not say why" : log.substr(at, log.find('\n', at) - at);
}

/// The number behind this word, and what stands between.
double number_behind(const std::string& text, const std::string& word, std::size_t from = 0) {
  const auto at = text.find(word, from);
  if (at == std::string::npos) throw std::runtime_error{fmt::format("sysbench did not say '{}'", word)};
  const auto digit = text.find_first_of("0123456789", at + word.size());
  if (digit == std::string::npos) throw std::runtime_error{fmt::format("sysbench gave no number for '{}'", word)};
  return std::strtod(text.c_str() + digit, nullptr);
}

}  // namespace

struct mariadb::state {
  guarded_folder folder{"mariadb"};
  std::string data = folder.file("data"), temporary = folder.file("tmp"), socket = folder.file("socket");

  [[nodiscard]] std::vector<std::string> options() const {
    return {"--no-defaults", "--datadir=" + data, "--tmpdir=" + temporary, "--innodb-log-file-size=8M",
            "--innodb-data-file-path=ibdata1:12M:autoextend"};
  }

  /// A server, with these variables in its environment.
  [[nodiscard]] platform::program_start server(
      const std::vector<std::pair<std::string, std::string>>& variables) const {
    auto words = options();
    // It asks nobody who he is: the folder lets nobody else in.
    for (const char* more : {"--skip-networking", "--skip-grant-tables", "--skip-log-bin",
                             "--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=0"})
      words.emplace_back(more);
    words.push_back("--secure-file-priv=" + folder.file(""));
    words.push_back("--socket=" + socket);
    words.push_back("--init-file=" + folder.file("init"));
    auto start = as_its_user("mariadbd", words);
    start.variables = variables;
    return start;
  }

  [[nodiscard]] std::string sysbench(const std::string& work, const std::string& what, const load& how) const {
    constexpr double patience = 30;  // more than the time of the run
    const auto path = find_executable("sysbench");
    if (!path) throw std::runtime_error{"sysbench is not installed"};
    return output_of(
        {*path,
         {"sysbench", "--db-driver=mysql", "--mysql-socket=" + socket, "--mysql-user=root", "--mysql-db=sbtest",
          "--tables=1", "--table-size=10000", fmt::format("--threads={}", how.clients),
          fmt::format("--time={}", how.seconds), "oltp_" + work, what}},
        "sysbench", patience + how.seconds);
  }

  /// Until it takes connections.
  void await(platform::started_program& server) const {
    constexpr double patience = 20;
    std::error_code ignored;
    for (double waited = 0; waited < patience; waited += 0.05) {
      if (const auto end = server.wait(0.05))
        throw std::runtime_error{
            fmt::format("mariadbd ended at its start: {}: {}", end->in_words(), first_error_in(server.errors()))};
      if (fs::exists(socket, ignored)) return;
    }
    throw std::runtime_error{fmt::format("mariadbd did not begin to serve within {:.0f} s", patience)};
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> variables_for(const std::string& lock) const {
    auto variables = platform::preloading(folder.file(platform::interposer::file));
    variables.emplace_back(platform::interposer::lock_variable, lock);
    return variables;
  }
};

mariadb::mariadb() : state_{std::make_unique<state>()} {
  fs::create_directory(state_->data);
  fs::create_directory(state_->temporary);
  std::ofstream{state_->folder.file("init")} << "create database if not exists sbtest;\n";
  // Where the program is, another user may not be let in.
  const std::string interposer = state_->folder.file(platform::interposer::file);
  fs::copy_file(platform::interposer_library(), interposer);
  for (const std::string& path :
       {state_->folder.file(""), state_->data, state_->temporary, state_->folder.file("init"), interposer})
    give_to_its_user(path);
  auto words = state_->options();
  words.insert(words.end(), {"--auth-root-authentication-method=normal", "--skip-test-db"});
  static_cast<void>(output_of(as_its_user("mariadb-install-db", words), "mariadb-install-db"));
  platform::started_program server{state_->server({})};
  state_->await(server);
  static_cast<void>(state_->sysbench("read_write", "prepare", {}));
}

mariadb::~mariadb() = default;

load_outcome mariadb::put_under(const load& work, const std::optional<std::string>& lock) const {
  std::error_code ignored;
  fs::remove(state_->socket, ignored);
  using variables = std::vector<std::pair<std::string, std::string>>;
  platform::started_program server{state_->server(lock ? state_->variables_for(*lock) : variables{})};
  state_->await(server);
  return read_sysbench(state_->sysbench(work.work, "run", work));
}

load_outcome read_sysbench(const std::string& text) {
  load_outcome seen;
  const auto line = text.find("transactions:");
  static_cast<void>(number_behind(text, "transactions:"));
  seen.transactions = number_behind(text, "(", line);
  seen.errors = static_cast<unsigned long>(number_behind(text, "ignored errors:"));
  seen.latency_ns = 1e6 * number_behind(text, "avg:", text.find("Latency"));
  return seen;
}

std::optional<std::string> mariadb_unavailable() {
  for (const char* program : {"mariadbd", "mariadb-install-db", "my_print_defaults", "sysbench"})
    if (!find_executable(program))
      return fmt::format(
          "not available here: {} is not installed; apt-get install mariadb-server-core mariadb-client-core sysbench "
          "brings it",
          program);
  if (const auto why = platform::preload_unavailable(*find_executable("mariadbd"), "pthread_mutex_lock"))
    return fmt::format("not available here: {} {}", *find_executable("mariadbd"), *why);
  return std::nullopt;
}

}  // namespace synchro::experiments::database
