// MonetDB as a library within a process (the shared libraries of the Python package monetdbe), as far as queries need it.
//
// The package brings no header. What is declared here was read from the behaviour of its version 0.11, MonetDB 11.41.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_MONETDB_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_MONETDB_HPP

#include <memory>
#include <string>
#include <vector>

namespace synchro::experiments::database {

/// Functions throw std::runtime_error with one sentence.
class monetdb {
 public:
  /// The libraries from this folder; the database in that one, which is made if there is none; so many threads work.
  monetdb(const std::string& libraries, const std::string& folder, unsigned threads);
  ~monetdb();
  monetdb(const monetdb&) = delete;
  monetdb& operator=(const monetdb&) = delete;

  /// One statement. Its rows, fields parted by tabs; decimal numbers exact, others with six digits.
  std::vector<std::string> rows(const std::string& statement);
  /// The same without a look at the answer.
  void run(const std::string& statement);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace synchro::experiments::database

#endif
