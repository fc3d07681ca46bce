#include "experiments/database/mariadb.hpp"

#include <stdexcept>

namespace synchro::experiments::database {

namespace {

constexpr const char* why_no_mariadb = "not available here: MariaDB is measured on Linux only";

}  // namespace

struct mariadb::state {};

mariadb::mariadb() { throw std::runtime_error{why_no_mariadb}; }
mariadb::~mariadb() = default;
load_outcome mariadb::put_under(const load&, const std::optional<std::string>&) const {
  throw std::runtime_error{why_no_mariadb};
}
load_outcome read_sysbench(const std::string&) { throw std::runtime_error{why_no_mariadb}; }
std::optional<std::string> mariadb_unavailable() { return why_no_mariadb; }

}  // namespace synchro::experiments::database
