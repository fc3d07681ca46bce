#include "terminal/output.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "results/text.hpp"
#include "terminal/console.hpp"

namespace synchro::terminal {

namespace {

/// A name that nothing can have is a mistake of whoever typed it; all other errors are this machine's.
template <class Writing>
void trying(const Writing& writing) {
  try {
    writing();
  } catch (const results::impossible_name& e) {
    fail_usage(e.what());
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

}  // namespace

void check_output(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty()) fail_usage("--output needs the name of a file");
  for (const std::string& input : inputs)
    if (input == output || results::is_same_file(input, output))
      fail_usage(fmt::format("{} is an input file and would be overwritten; name another with -o",
                             results::printable(output)));
  trying([&] { results::check_replaceable(output); });
}

void write_output(const std::string& output, std::string_view content, results::previous old) {
  trying([&] { report_kept(output, results::replace_file(output, content, old)); });
}

void report_kept(const std::string& output, const std::optional<std::string>& kept) {
  if (kept)
    say(fmt::format("note: what {} held before is kept as {}", results::printable(output), results::printable(*kept)));
}

}  // namespace synchro::terminal
