// A MariaDB of our own, and sysbench that puts it under load.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_MARIADB_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_MARIADB_HPP

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synchro::experiments::database {

struct load {
  std::string work;  ///< As sysbench calls it, without "oltp_": point_select, read_write.
  unsigned clients = 1;
  unsigned seconds = 1;
};

struct load_outcome {
  double transactions = 0;  ///< A second.
  double latency_ns = 0;    ///< Mean of a transaction.
  unsigned long errors = 0;
};

/// Tables in a folder of their own, which goes with this object, and soon after this process if that is killed. Functions
/// throw std::runtime_error with one sentence.
class mariadb {
 public:
  /// Makes the tables, with the server's own locks.
  mariadb();
  ~mariadb();
  mariadb(const mariadb&) = delete;
  mariadb& operator=(const mariadb&) = delete;

  /// Starts a server whose mutexes are served by this lock (none: its own), loads it and ends it.
  [[nodiscard]] load_outcome put_under(const load& work, const std::optional<std::string>& lock) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// What sysbench says, read. Throws as above if that is something else.
[[nodiscard]] load_outcome read_sysbench(const std::string& text);

/// Why none can be had here, as a sentence that says which command helps; nothing if it can.
[[nodiscard]] std::optional<std::string> mariadb_unavailable();

}  // namespace synchro::experiments::database

#endif
