// A folder of an experiment's own, of which nothing stays however this process ends.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_LINUX_GUARDED_FOLDER_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_LINUX_GUARDED_FOLDER_HPP

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "platform/started_program.hpp"

namespace synchro::experiments::database {

/// It goes with this object, and with this process if that is killed: a shell outside of its group waits for the end of a
/// pipe, and removes it then. (What still writes there has been killed with the process.)
class guarded_folder {
 public:
  /// `name` is part of its name. Throws std::system_error.
  explicit guarded_folder(const std::string& name);
  ~guarded_folder();
  guarded_folder(const guarded_folder&) = delete;
  guarded_folder& operator=(const guarded_folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  void start_guard(int end);

  std::filesystem::path path_;
  int pipe_ = -1;
  pid_t guard_ = -1;
};

/// Runs it to its end, five minutes at most. What it wrote to standard output. Throws std::runtime_error with one sentence,
/// which calls it so.
std::string output_of(const platform::program_start& start, const std::string& what, double seconds = 300);

}  // namespace synchro::experiments::database

#endif
