// Results files of many hosts, read: who answered, how often, and which files are none of a host's.

#ifndef SYNCHRO_FLEET_GATHERED_HPP
#define SYNCHRO_FLEET_GATHERED_HPP

#include <string>
#include <vector>

#include "fleet/host.hpp"

namespace synchro::fleet {

struct refusal {
  std::string file;
  std::string why;  ///< One sentence that names the file.
};

struct gathered {
  places known;
  std::vector<host> hosts;       ///< By name.
  std::vector<refusal> refused;  ///< In the order of the files.
  std::vector<std::string>
      doubts;  ///< Sentences: files of one name that overlap in time, as those of two machines would.
};

/// The files that are meant: a folder is all files in it, and in the folders in it, whose names end with .json, by name.
/// Throws std::runtime_error with a sentence if a folder cannot be read.
[[nodiscard]] std::vector<std::string> files_meant(const std::vector<std::string>& typed);

/// Reads all of them, as many at a time as there are processors.
void gather(const std::vector<std::string>& files, gathered& into);

}  // namespace synchro::fleet

#endif
