// A client's connection to a server on this machine, and other descriptors that are to be closed.

#ifndef SYNCHRO_EXPERIMENTS_MEMCACHED_LINUX_CONNECTION_HPP
#define SYNCHRO_EXPERIMENTS_MEMCACHED_LINUX_CONNECTION_HPP

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace synchro::experiments::memcached {

class connection {
 public:
  connection() = default;
  explicit connection(int number) : number_{number} {}
  /// Throws std::system_error.
  explicit connection(const std::string& path) : number_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (number_ < 0 || connect(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      const int error = errno;
      close_it();
      throw std::system_error{error, std::generic_category(), "a client cannot reach the server"};
    }
  }
  ~connection() { close_it(); }
  connection(connection&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
  connection& operator=(connection&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  [[nodiscard]] int get() const { return number_; }

  void send(const std::string& text) const {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::send(number_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw std::system_error{errno, std::generic_category(), "the server takes no more requests"};
      done += static_cast<std::size_t>(n);
    }
  }
  /// Appends what is there; waits if there is nothing.
  void receive(std::string& text) const {
    char part[4096];
    ssize_t n = 0;
    while ((n = recv(number_, part, sizeof part, 0)) < 0 && errno == EINTR) continue;
    if (n < 0) throw std::system_error{errno, std::generic_category(), "the server gives no more answers"};
    if (n == 0) throw std::runtime_error{"the server has closed a connection"};
    text.append(part, static_cast<std::size_t>(n));
  }

 private:
  void close_it() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

  int number_ = -1;
};

}  // namespace synchro::experiments::memcached

#endif
