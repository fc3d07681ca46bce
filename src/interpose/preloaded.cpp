#include "interpose/preloaded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "platform/emulator.hpp"
#include "platform/executable.hpp"
#include "platform/interposer.hpp"
#include "platform/preloading.hpp"
#include "results/of_others.hpp"
#include "terminal/command.hpp"
#include "terminal/failure.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

using namespace terminal;

namespace agreed = platform::interposer;

namespace {

std::vector<std::pair<std::string, std::string>> preloading(const std::string& library) {
  try {
    return platform::preloading(library.empty() ? platform::interposer_library() : library);
  } catch (const std::runtime_error& e) {
    fail_cannot(e.what());
  }
}

}  // namespace

preloaded prepare_preloaded(const std::vector<std::string>& words, const std::string& verb, const std::string& example,
                            const std::string& library) {
  if (words.empty()) fail_usage(fmt::format("{} needs a command: {}", verb, example));
  const auto path = platform::find_executable(words.front());
  if (!path) fail_usage(fmt::format("there is no program '{}'", words.front()));
  if (const auto unavailable = platform::preload_unavailable(*path, "pthread_mutex_lock"))
    fail_cannot(fmt::format("{} {}", *path, *unavailable));
  return {*path, words, preloading(library)};
}

void refuse_to_measure_under_an_emulator(const std::string& verb) {
  if (const auto by = platform::emulator())
    fail_cannot(fmt::format("{} says nothing under an emulator ({}): what it would find is the emulator's", verb, *by));
}

void demand_lock(const std::string& lock, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), lock) == known.end())
    fail_usage(results::no_such_of_ours("lock", lock, known));
}

unsigned recorder_options::samples_one_in() const {
  return every.empty() ? agreed::default_every : parse_number(every, "--every", "whole number", 1U, 999'999U);
}

void declare_recorder(options& its, recorder_options& typed) {
  its.value("--every", typed.every,
            fmt::format("Sample one acquisition in K ({}); 1 samples each", agreed::default_every))
      .called("K");
  its.value("--lock", typed.lock, "Replace the program's locks by this lock; native: keep its own").called("LOCK");
}

void demand_lock(const recorder_options& options) {
  auto locks = names_of_own_locks();
  locks.emplace_back(agreed::native_lock);
  demand_lock(options.lock, locks);
}

void record_locks(preloaded& command, const recorder_options& options, const std::string& folder) {
  command.variables.emplace_back(agreed::lock_variable, options.lock);
  command.variables.emplace_back(agreed::profile_variable, folder);
  command.variables.emplace_back(agreed::every_variable, fmt::format("{}", options.samples_one_in()));
}

}  // namespace synchro::interpose
