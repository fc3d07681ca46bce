// Files that commands write: what is refused before any work is done, and what is said when it is done.

#ifndef SYNCHRO_TERMINAL_OUTPUT_HPP
#define SYNCHRO_TERMINAL_OUTPUT_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/file.hpp"

namespace synchro::terminal {

/// Throws failure: (usage) if the output has no name or one that no file can have (a folder's, in a folder that does not exist), or
/// is one of the files it is made from; (cannot) if it cannot be written.
void check_output(const std::string& output, const std::vector<std::string>& inputs = {});

/// Writes it whole. Measurements that the file held are kept beside it, with a note. Throws failure as check_output().
void write_output(const std::string& output, std::string_view content,
                  results::previous old = results::previous::kept_if_measured);

/// The note about what results::replace_file() and the like have kept.
void report_kept(const std::string& output, const std::optional<std::string>& kept);

}  // namespace synchro::terminal

#endif
