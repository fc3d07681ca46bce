#include <fmt/format.h>

#include <array>
#include <memory>

#include "cli/commands.hpp"
#include "results/experiment_names.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/own_lock.hpp"

namespace synchro::cli {

namespace {

constexpr std::array all_uses{own_lock_use::measure, own_lock_use::simulate, own_lock_use::verify, own_lock_use::with};

/// What may be typed next.
std::string next_steps(const own_lock& lock, const std::string& header) {
  return fmt::format(
      "{0}, under {1}:\n"
      "  synchroscope verify {2}\n"
      "  synchroscope run {3} {4} --lock {2},mcs,mutex --quick\n"
      "  synchroscope simulate {4} --machine opteron --lock {2},mcs,mutex --quick\n"
      "  synchroscope with {2} -- COMMAND\n",
      lock.stem, fmt::join(lock.policies, ", "), results::printable(header),
      results::experiment_names::locks_uncontested, results::experiment_names::locks_throughput);
}

status build(const std::vector<std::string>& headers) {
  std::vector<own_lock> locks;
  for (const std::string& header : headers) {
    if (!names_header(header))
      fail_usage(fmt::format("build takes headers (.hpp), not '{}'", results::printable(header)));
    locks.push_back(read_own_lock(header));
  }
  for (std::size_t i = 0; i < locks.size(); ++i) {
    for (const own_lock_use use : all_uses) (void)module_of(locks[i], use);
    print(next_steps(locks[i], headers[i]));
  }
  return status::done;
}

deed declare_build(options& its) {
  const auto headers = std::make_shared<std::vector<std::string>>();
  its.values("headers", *headers, "Headers that define synchro::basic_<name>_lock<Machine, Waiting>")
      .required()
      .called("HEADER");
  its.ends_with(
      "Example:\n  synchroscope build my_lock.hpp\n"
      "The compiled lock is kept in the folder synchroscope of $XDG_CACHE_HOME or ~/.cache, and compiled again when "
      "the\n"
      "header, or one that it includes, is newer. docs/own_lock.md shows such a header.\n");
  return [headers](const words&) { return build(*headers); };
}

}  // namespace

command build_command() {
  return {"build", "Compile a lock of your own, in a header, for run, simulate, verify and with", declare_build,
          "build needs a header: synchroscope build my_lock.hpp"};
}

}  // namespace synchro::cli
