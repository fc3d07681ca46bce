#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <system_error>

#include "experiments/memcached/linux/connection.hpp"
#include "experiments/memcached/load.hpp"
#include "platform/executable.hpp"
#include "platform/started_program.hpp"

namespace synchro::experiments::memcached {

namespace {

constexpr const char* program = "memcached";

/// A folder of its own, which goes with this object.
class scratch {
 public:
  scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "synchroscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::system_error{errno, std::generic_category(), "a folder for the server's socket cannot be made"};
    path_ = name;
  }
  ~scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

platform::program_start start_of(const std::string& socket, unsigned threads, unsigned clients) {
  constexpr unsigned others = 64;  // connections that are not clients'
  const auto path = platform::find_executable(program);
  if (!path) throw std::runtime_error{"memcached is not installed"};
  platform::program_start start{
      *path,
      {program, "-s", socket, "-t", std::to_string(threads), "-c", std::to_string(clients + others), "-m", "256"}};
  if (geteuid() == 0) start.words.insert(start.words.end(), {"-u", "root"});
  return start;
}

/// The threads that serve clients, by the name that memcached gives them.
std::vector<pid_t> workers_of(long process) {
  std::vector<pid_t> workers;
  for (const auto& each : std::filesystem::directory_iterator{fmt::format("/proc/{}/task", process)}) {
    std::string name;
    std::getline(std::ifstream{each.path() / "comm"}, name);
    if (name == "mc-worker") workers.push_back(static_cast<pid_t>(std::stol(each.path().filename().string())));
  }
  std::sort(workers.begin(), workers.end());
  return workers;
}

}  // namespace

struct server::state {
  scratch folder;
  std::string socket = folder.file("socket");
  unsigned threads;
  std::optional<platform::started_program> program = {};

  explicit state(unsigned workers) : threads{workers} {}
};

server::server(unsigned threads, unsigned clients, const std::vector<std::pair<std::string, std::string>>& variables,
               const std::vector<unsigned>& cpus) {
  auto made = std::make_unique<state>(threads);
  platform::program_start start = start_of(made->socket, threads, clients);
  start.variables = variables;
  start.cpus = cpus;
  made->program.emplace(start);
  constexpr int naps = 1000;  // of 10 ms
  for (int i = 0; i < naps; ++i) {
    if (const auto end = made->program->wait(0.01))
      throw std::runtime_error{
          fmt::format("memcached ended at its start: {}: {}", end->in_words(), made->program->errors())};
    try {
      const connection tried{made->socket};
      state_ = std::move(made);
      return;
    } catch (const std::system_error&) {
      continue;  // not yet
    }
  }
  throw std::runtime_error{"memcached did not begin to serve"};
}

/// It has nothing to lose, and would take a second to stop the threads that tidy up.
server::~server() { state_->program->stop(0); }

const std::string& server::socket() const { return state_->socket; }

void server::pin_workers(const std::vector<unsigned>& cpus) {
  const std::vector<pid_t> workers = workers_of(state_->program->number());
  if (workers.size() != state_->threads)
    throw std::runtime_error{"the threads of this memcached have no names that distinguish those that serve"};
  for (std::size_t i = 0; i < workers.size() && !cpus.empty(); ++i) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpus[i % cpus.size()], &one);
    if (sched_setaffinity(workers[i], sizeof one, &one) != 0)
      throw std::system_error{errno, std::generic_category(), "a thread of the server could not be pinned"};
  }
}

void server::leave_out_locks() { kill(static_cast<pid_t>(state_->program->number()), SIGUSR2); }

std::optional<std::string> server::ended() {
  const auto end = state_->program->wait(0.1);
  return end ? std::optional{end->in_words()} : std::nullopt;
}

std::optional<std::string> server_unavailable() {
  const auto path = platform::find_executable(program);
  if (!path) return "not available here: memcached is not installed";
  if (const auto why = platform::preload_unavailable(*path, "pthread_mutex_lock"))
    return fmt::format("not available here: {} {}", *path, *why);
  return std::nullopt;
}

}  // namespace synchro::experiments::memcached
