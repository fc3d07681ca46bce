// A tree of files that tells another story than this system's.

#ifndef SYNCHRO_TESTS_PLATFORM_FAKE_ROOT_HPP
#define SYNCHRO_TESTS_PLATFORM_FAKE_ROOT_HPP

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace synchro::platform {

class fake_root {
 public:
  fake_root() {
    std::string name = (std::filesystem::temp_directory_path() / "synchro-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~fake_root() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  fake_root(const fake_root&) = delete;
  fake_root& operator=(const fake_root&) = delete;

  fake_root& with(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((folder_ / path).parent_path());
    std::ofstream{folder_ / path} << text << '\n';
    return *this;
  }
  void without(const std::string& path) { std::filesystem::remove_all(folder_ / path); }

  [[nodiscard]] std::string path(const std::string& below = "") const { return (folder_ / below).string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace synchro::platform

#endif
