// A folder of its own for a test, removed at its end.

#ifndef SYNCHRO_TESTS_RESULTS_TEMPORARY_HPP
#define SYNCHRO_TESTS_RESULTS_TEMPORARY_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace synchro::results::samples {

class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "synchroscope-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{path_}, {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream{path, std::ios::binary}.rdbuf();
  return out.str();
}

inline void put(const std::string& path, const std::string& content) {
  std::filesystem::remove(path);  // Some file systems write to the disk at once when a file is cut to nothing.
  std::ofstream{path, std::ios::binary | std::ios::trunc} << content;
}

/// What an action complains of; empty if it does not.
inline std::string complaint(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

/// Runs in a process of its own, which may change its limits; the wait status.
inline int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace synchro::results::samples

#endif
