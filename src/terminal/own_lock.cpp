#include "terminal/own_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "platform/module.hpp"
#include "results/file.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/failure.hpp"

namespace synchro::terminal {

namespace {

constexpr const char* recipe_of(own_lock_use use) {
  switch (use) {
    case own_lock_use::simulate:
      return "simulate";
    case own_lock_use::verify:
      return "verify";
    case own_lock_use::with:
      return "with";
    case own_lock_use::measure:
      break;
  }
  return "measure";
}

std::string content_of(const std::string& header) {
  try {
    return results::read_file(header);
  } catch (const std::runtime_error& e) {
    fail_usage(e.what());
  }
}

/// Among several locks the one named as the file: "basic_my_lock" in my.hpp or my_lock.hpp.
std::string stem_in(const std::string& text, const std::string& header) {
  static const std::regex lock_class{R"((?:class|struct|using)\s+basic_([a-z0-9_]+)_lock\b)"};
  const std::string file = std::filesystem::path{header}.stem().string();
  std::string first;
  for (std::sregex_iterator it{text.begin(), text.end(), lock_class}, end; it != end; ++it) {
    const std::string stem = (*it)[1];
    if (stem == file || stem + "_lock" == file) return stem;
    if (first.empty()) first = stem;
  }
  if (first.empty())
    fail_usage(
        fmt::format("{} defines no class template basic_<name>_lock<Machine, Waiting>, as a lock here has to be: "
                    "docs/own_lock.md shows one",
                    results::printable(header)));
  return first;
}

std::vector<std::string> policies_in(const std::string& text, const std::string& stem) {
  const std::regex line{"//\\s*lock\\s+" + stem + "\\s*:((?:[ \\t]+[a-z_]+)+)"};
  std::smatch found;
  if (!std::regex_search(text, found, line)) return {"spin"};
  std::istringstream named{found[1]};
  return {std::istream_iterator<std::string>{named}, {}};
}

/// The type of its line in the catalog.
std::string line_of(const own_lock& lock) {
  std::string line = fmt::format("synchro::catalog::lock_line<\"{0}\", synchro::basic_{0}_lock", lock.stem);
  for (const std::string& policy : lock.policies) line += ", synchro::" + policy;
  return line + ">";
}

/// What a compiler says of the first thing that it refuses; of an assertion the words that were written for who reads this.
std::string first_error_in(const std::string& said) {
  constexpr std::string_view mark = "error: ";
  const std::size_t found = said.find(mark);
  if (found == std::string::npos) return "the compiler says why";
  const std::size_t from = found + mark.size();
  const std::string words = said.substr(from, said.find('\n', from) - from);
  // GCC: static assertion failed: WORDS; clang: static_assert failed "WORDS", or due to requirement '...': WORDS.
  static const std::regex assertion{"static[ _]assert(?:ion)? failed(?: due to requirement '.*')?:? \"?(.*?)\"?"};
  std::smatch asserted;
  return results::printable(std::regex_match(words, asserted, assertion) ? asserted[1].str() : words, 200);
}

/// Where the header is tells locks of one stem apart.
std::string file_of(const own_lock& lock, own_lock_use use) {
  return fmt::format("{}-{:016x}.{}.so", lock.stem, std::uint64_t{std::hash<std::string>{}(lock.path)}, recipe_of(use));
}

}  // namespace

bool names_header(const std::string& word) { return word.ends_with(".hpp") || word.ends_with(".h"); }

own_lock read_own_lock(const std::string& header) {
  const std::string text = content_of(header);
  own_lock lock{std::filesystem::canonical(header).string(), stem_in(text, header), {}};
  lock.policies = policies_in(text, lock.stem);
  return lock;
}

void refuse_taken(const own_lock& lock, const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), lock.stem) != names.end())
    fail_usage(fmt::format("{}: a lock is called '{}' already; call its class basic_<another name>_lock",
                           results::printable(lock.path), lock.stem));
}

std::string module_of(const own_lock& lock, own_lock_use use) {
  const std::vector<std::string> definitions{fmt::format("-DSYNCHRO_OWN_HEADER=\"{}\"", lock.path),
                                             fmt::format("-DSYNCHRO_OWN_LINE={}", line_of(lock))};
  bool compiles = false;
  try {
    return platform::compiled_module({recipe_of(use), file_of(lock, use), definitions}, [&] {
      compiles = true;
      say(fmt::format("synchroscope: compiling {} to {}", results::printable(lock.path),
                      use == own_lock_use::with ? "put it in front of programs" : recipe_of(use)));
    });
  } catch (const std::runtime_error& e) {
    const std::string said = e.what();
    if (!compiles || said.find('\n') == std::string::npos) fail_cannot(said);
    std::istringstream lines{said};
    for (std::string line; std::getline(lines, line);) say(results::printable(line, 1000));
    fail_usage(fmt::format("{} does not compile: {}", results::printable(lock.path), first_error_in(said)));
  }
}

std::vector<std::string> load_own_lock(const std::string& header, own_lock_use use) {
  static std::map<std::string, std::vector<std::string>> loaded;
  const own_lock lock = read_own_lock(header);
  if (const auto there = loaded.find(lock.path); there != loaded.end()) return there->second;
  std::vector<std::string> names;
  try {
    void* const entry = platform::function_of_module(module_of(lock, use), own_lock_entry_name);
    reinterpret_cast<own_lock_entry>(entry)(names);
  } catch (const std::invalid_argument& e) {
    fail_usage(fmt::format("{}: {}", results::printable(header), e.what()));
  }
  return loaded[lock.path] = names;
}

}  // namespace synchro::terminal
