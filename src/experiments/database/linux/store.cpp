#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "experiments/database/answers.hpp"
#include "experiments/database/linux/guarded_folder.hpp"
#include "experiments/database/linux/protocol.hpp"
#include "platform/executable.hpp"
#include "platform/started_program.hpp"

namespace synchro::experiments::database {

namespace {

namespace fs = std::filesystem;

std::string packages() {
  if (const auto folder = platform::environment_variable("SYNCHRO_DATABASES")) return *folder;
  if (const auto data = platform::environment_variable("XDG_DATA_HOME"); data && !data->empty())
    return *data + "/synchroscope/databases";
  return platform::environment_variable("HOME").value_or("") + "/.local/share/synchroscope/databases";
}
std::string libraries() { return packages() + "/monetdbe.libs"; }
std::string generator() { return packages() + "/bin/tpchgen-cli"; }

std::string this_program() { return fs::read_symlink("/proc/self/exe").string(); }

platform::program_start other_words(const std::string& what, std::vector<std::string> words) {
  words.insert(words.begin(), {"synchroscope", protocol::mark, what, libraries()});
  return {this_program(), std::move(words)};
}

}  // namespace

struct store::state {
  guarded_folder folder{"tpch"};
  std::string scale;
  database::answers right = {};

  [[nodiscard]] std::string database() const { return folder.file("database"); }
};

store::store(const std::string& scale_factor) {
  state_ = std::make_unique<state>();
  state_->scale = scale_factor;
  const std::string data = state_->folder.file("data");
  static_cast<void>(
      output_of({generator(), {"tpchgen-cli", "-s", scale_factor, "--output-dir=" + data}}, "tpchgen-cli"));
  static_cast<void>(
      output_of(other_words(protocol::load, {state_->database(), data}), "the database, when it was made,"));
  fs::remove_all(data);
  state_->right = ask(1, 0, {});
}

store::~store() = default;

const answers& store::right() const { return state_->right; }

answers store::ask(unsigned threads, unsigned rounds,
                   const std::vector<std::pair<std::string, std::string>>& variables) const {
  platform::program_start start = other_words(
      protocol::answer, {state_->database(), state_->scale, std::to_string(threads), std::to_string(rounds)});
  start.variables = variables;
  std::istringstream lines{output_of(start, "the database")};
  answers all{};
  std::size_t number = 0;
  for (answer each; lines >> number >> each.digest >> each.rows >> each.ns;)
    if (number >= 1 && number <= all.size()) all[number - 1] = each;
  if (number != all.size()) throw std::runtime_error{"the database did not answer all queries"};
  return all;
}

std::optional<std::string> unavailable() {
  if (fs::is_directory(libraries()) && access(generator().c_str(), X_OK) == 0) return std::nullopt;
  return fmt::format(
      "not available here: MonetDB as a library and tpchgen-cli are not in {0}; python3 -m pip install --target {0} "
      "--no-deps --only-binary=:all: --python-version 3.10 monetdbe==0.11 tpchgen-cli puts them there",
      packages());
}

}  // namespace synchro::experiments::database
