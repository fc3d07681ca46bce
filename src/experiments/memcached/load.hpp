// A memcached of our own, and clients that ask it over its text protocol.
//
// Each client has a connection, sends one request, waits for its answer, checks every byte of it and sends the next. A few
// threads play all the clients: five hundred threads would measure how the system schedules them.

#ifndef SYNCHRO_EXPERIMENTS_MEMCACHED_LOAD_HPP
#define SYNCHRO_EXPERIMENTS_MEMCACHED_LOAD_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "statistics/statistics.hpp"

namespace synchro::experiments::memcached {

enum class request : std::uint8_t { get, set };

struct load_task {
  std::string socket;  ///< The path of the server's socket.
  request what = request::get;
  unsigned clients = 1;
  unsigned threads = 1;             ///< Which play the clients.
  std::vector<unsigned> cpus = {};  ///< A processor for each of these threads, in turn; none: as the scheduler likes.
  unsigned keys = 10'000;
  double warm_up_s = 0.1, window_s = 0.3;
  std::uint64_t seed = 1;
};

struct load_outcome {
  double answers = 0;  ///< Within the window,
  double seconds = 0;  ///< which took so long.
  results::histogram latency_ns;
  std::uint64_t wrong = 0;  ///< Answers that were not what had been stored, at any time.
  std::optional<std::string> first_wrong = {};
};

/// "set key-000017 0 0 400\r\n...", its answer, and the same of a get. All values differ.
[[nodiscard]] std::string text_of_request(request what, unsigned key);
[[nodiscard]] std::string text_of_answer(request what, unsigned key);

/// Stores all keys, one after the other. Throws std::runtime_error with one sentence if the server does not take them.
void fill(const std::string& socket, unsigned keys);

/// Throws std::runtime_error with one sentence if the server does not answer any more.
[[nodiscard]] load_outcome put_under_load(const load_task& task);

/// So many connections of those asked for have room in this process's table of files.
[[nodiscard]] unsigned clients_granted(unsigned asked);

/// A memcached on a socket of its own, which ends with this object.
class server {
 public:
  /// `variables` are of its environment; it may run on `cpus`. Throws std::runtime_error with one sentence.
  server(unsigned threads, unsigned clients, const std::vector<std::pair<std::string, std::string>>& variables,
         const std::vector<unsigned>& cpus);
  ~server();
  server(const server&) = delete;
  server& operator=(const server&) = delete;

  [[nodiscard]] const std::string& socket() const;
  /// Each worker on the processor of its number. Throws as above.
  void pin_workers(const std::vector<unsigned>& cpus);
  /// From here on the lock that excludes nobody excludes nobody.
  void leave_out_locks();
  /// How it ended, if it has.
  [[nodiscard]] std::optional<std::string> ended();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Why there is none here, as a sentence; nothing if it can be started.
[[nodiscard]] std::optional<std::string> server_unavailable();

}  // namespace synchro::experiments::memcached

#endif
