// The interposer, and so what these experiments compare, is for Linux.

#include "experiments/memcached/load.hpp"

#include <stdexcept>

namespace synchro::experiments::memcached {

namespace {

constexpr const char* why_not = "not available here: memcached is measured on Linux only";

}  // namespace

struct server::state {
  std::string socket;
};

server::server(unsigned, unsigned, const std::vector<std::pair<std::string, std::string>>&,
               const std::vector<unsigned>&) {
  throw std::runtime_error{why_not};
}
server::~server() = default;
const std::string& server::socket() const { return state_->socket; }
void server::pin_workers(const std::vector<unsigned>&) {}
void server::leave_out_locks() {}
std::optional<std::string> server::ended() { return why_not; }

void fill(const std::string&, unsigned) { throw std::runtime_error{why_not}; }
load_outcome put_under_load(const load_task&) { throw std::runtime_error{why_not}; }
unsigned clients_granted(unsigned asked) { return asked; }
std::optional<std::string> server_unavailable() { return why_not; }

}  // namespace synchro::experiments::memcached
