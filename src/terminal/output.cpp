#include "terminal/output.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "results/text.hpp"
#include "terminal/console.hpp"

namespace synchro::terminal {

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty()) fail_usage("--output needs the name of a file");
  for (const std::string& input : inputs)
    if (input == output || results::is_same_file(input, output))
      fail_usage(fmt::format("{} is an input file and would be overwritten; name another with -o",
                             results::printable(output)));
  try {
    results::check_replaceable(output);
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

void write_output(const std::string& output, std::string_view content, results::previous old) {
  try {
    report_kept(output, results::replace_file(output, content, old));
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

void report_kept(const std::string& output, const std::optional<std::string>& kept) {
  if (kept)
    say(fmt::format("note: what {} held before is kept as {}", results::printable(output), results::printable(*kept)));
}

}  // namespace synchro::terminal
