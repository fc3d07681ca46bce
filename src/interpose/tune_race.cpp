#include "interpose/tune_race.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "platform/interposer.hpp"
#include "platform/program_run.hpp"
#include "results/text.hpp"
#include "statistics/random.hpp"
#include "terminal/failure.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

using namespace terminal;

namespace {

using wall_clock = std::chrono::steady_clock;

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin + 1) + 1);
}

/// Whether any process of a run locked something that a lock of ours served. A program may have another user's rights, so
/// anybody who knows the name may write there.
class use_mark {
 public:
  use_mark() {
    namespace fs = std::filesystem;
    fs::permissions(folder_.path(), fs::perms{0711});
    if (!std::ofstream{path_}.put(0).flush()) throw std::runtime_error{fmt::format("{} cannot be written", path_)};
    fs::permissions(path_, fs::perms{0666});
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool is_set() const { return std::ifstream{path_}.get() == 1; }

 private:
  platform::mapped_folder folder_;
  std::string path_ = folder_.path() + "/used";
};

class rounds {
 public:
  explicit rounds(const tuning_task& task)
      : task_{task}, found_{{{"native"}}, {}, statistics::race{task.locks.size() + 1}, false}, random_{task.seed} {
    for (const std::string& lock : task.locks) found_.entries.push_back({lock});
  }

  tuning run() {
    const reading first = run_once(0);
    if (found_.interrupted) return std::move(found_);
    if (!first.value) fail_cannot("with its own locks " + first.why_not);
    const auto begin = wall_clock::now();
    const auto time_is_up = [&] {
      return task_.seconds > 0 && std::chrono::duration<double>{wall_clock::now() - begin}.count() >= task_.seconds;
    };
    while (found_.race.rounds() < task_.rounds && !found_.race.over() && !time_is_up())
      if (!run_round()) break;
    return std::move(found_);
  }

 private:
  /// False if it came to no end: interrupted, or the yardstick failed. Then it does not count.
  bool run_round() {
    const std::size_t control = found_.entries.size();
    std::vector<std::optional<double>> values(control + 1);
    for (const std::size_t i : order()) {
      const reading seen = run_once(i == control ? 0 : i);
      if (found_.interrupted) return false;
      values[i] = seen.value;
      if (seen.value) continue;
      found_.entries[i == control ? 0 : i].failed = seen.why_not;
      if (i == 0 || i == control) return false;
      found_.race.disqualify(i);
      task_.tell(fmt::format("{} failed: {}", found_.entries[i].name, seen.why_not));
    }
    found_.control.push_back(*values[control]);
    statistics::round_of_race logs(control);
    for (std::size_t i = 0; i < control; ++i)
      if (values[i]) {
        found_.entries[i].values.push_back(*values[i]);
        logs[i] = task_.metric.logarithm(*values[i]);
      }
    found_.race.add(logs, task_.metric.logarithm(*values[control]));
    tell_of_round();
    return true;
  }

  /// The contestants of this round, in random order; the number after the last is the control.
  std::vector<std::size_t> order() {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < found_.entries.size(); ++i)
      if (found_.race.runs(i)) all.push_back(i);
    all.push_back(found_.entries.size());
    for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[random_.below(left)]);
    return all;
  }

  reading run_once(std::size_t i) {
    platform::program_start start{task_.command.path, task_.command.words};
    if (i != 0) {
      start.variables = task_.command.variables;
      start.variables.emplace_back(platform::interposer::lock_variable, found_.entries[i].name);
      start.variables.emplace_back(platform::interposer::seen_variable, used_.path());
    }
    try {
      platform::started_program run{start};
      const double limit = limit_of_a_run();
      const auto end = run.wait(limit, task_.stop);
      if (!end && task_.stop()) {
        found_.interrupted = true;
        return {};
      }
      if (!end) return {{}, fmt::format("it did not end within {}", duration_text(limit))};
      if (!end->well()) return {{}, fmt::format("{}: {}", end->in_words(), said_last(run))};
      if (i != 0) demand_use();
      if (i == 0) longest_ = std::max(longest_, end->seconds);
      return task_.metric.read(*end, run.out(), run.errors());
    } catch (const failure&) {
      throw;
    } catch (const std::runtime_error& e) {
      return {{}, e.what()};
    }
  }

  /// After a whole run with a lock of ours.
  void demand_use() const {
    if (used_.is_set()) return;
    fail_cannot(
        fmt::format("{} locks no pthread mutex or spin lock that could be replaced, and its threads no readers-writers "
                    "lock, so no lock of ours can change what it takes",
                    results::printable(task_.command.words.front())));
  }

  static std::string said_last(const platform::started_program& run) {
    const std::string line = results::printable(last_line(run.errors()), 160);
    return line.empty() ? "it said nothing on standard error" : line;
  }

  [[nodiscard]] double limit_of_a_run() const {
    if (task_.limit > 0) return task_.limit;
    return longest_ > 0 ? std::max(10.0, 10 * longest_) : std::numeric_limits<double>::max();
  }

  void tell_of_round() {
    const std::size_t n = found_.race.rounds();
    std::size_t left = 0;
    for (std::size_t i = 0; i < found_.entries.size(); ++i) {
      const auto& beaten = found_.race.beaten(i);
      if (beaten && beaten->round == n)
        task_.tell(fmt::format("{} is out: behind {}", found_.entries[i].name, found_.entries[beaten->by].name));
      left += found_.race.in(i) ? 1U : 0U;
    }
    task_.tell(fmt::format("round {} is done; {} of {} remain", n, left, found_.entries.size()));
  }

  const tuning_task& task_;
  tuning found_;
  statistics::random_numbers random_;
  use_mark used_;
  double longest_ = 0;  ///< The longest run under its own locks.
};

}  // namespace

std::optional<std::size_t> tuning::winner() const {
  std::optional<std::size_t> best;
  const auto value = [&](std::size_t i) { return race.difference(i, 0).value; };
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (race.in(i) && race.difference(i, 0).below_zero() && (!best || value(i) < value(*best))) best = i;
  return best;
}

bool tuning::own_are_best() const {
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (!entries[i].failed && !race.difference(i, 0).above_zero()) return false;
  return !all_failed();
}

bool tuning::all_failed() const {
  return std::all_of(entries.begin() + 1, entries.end(), [](const tuning_entry& e) { return e.failed.has_value(); });
}

tuning tune_in_rounds(const tuning_task& task) { return rounds{task}.run(); }

unsigned fewest_rounds(std::size_t contestants) {
  statistics::race r{contestants};
  while (r.rounds() < 100 && !std::isfinite(r.difference(0, 0).reach))
    r.add(statistics::round_of_race(contestants, 0.0), 0);
  return static_cast<unsigned>(r.rounds());
}

}  // namespace synchro::interpose
