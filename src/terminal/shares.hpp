// Parts of a command's work, for who shares it out among several processes.

#ifndef SYNCHRO_TERMINAL_SHARES_HPP
#define SYNCHRO_TERMINAL_SHARES_HPP

#include <cstddef>
#include <functional>
#include <string>

namespace synchro::terminal {

/// "-/4": which of four parts are wanted, the lines of standard input say.
[[nodiscard]] bool shares_come_by_lines(const std::string& share);

/// For each line of standard input, such as "0 a.json", `answer` writes the file for the part. The file's name is printed when
/// that is done. Whoever shares work out starts one process for each processor, and not one for each part. Ends with the
/// input, or when `answer` returns false. Throws failure (usage).
void answer_lines(const std::string& share,
                  const std::function<bool(std::size_t part, std::size_t of, const std::string& file)>& answer);

}  // namespace synchro::terminal

#endif
