#include "results/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "results/experiment_names.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

/// Why values are not sure, the most frequent reason first: each value has one.
std::string reasons(const document& d) {
  std::pair<std::size_t, const char*> all[] = {{0, "without an interval (fewer than 6 repetitions)"},
                                               {0, "with an interval whose half is 10 % or more"},
                                               {0, "shorter than the clock can tell"},
                                               {0, "of a cell that failed its self-check"}};
  for (const cell& c : d.cells)
    if (c.value) ++all[!c.valid ? 3 : !c.ci ? 0 : c.quality == flag::clock_limited ? 2 : 1].first;
  std::stable_sort(std::begin(all), std::end(all), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> said;
  for (const auto& [count, why] : all)
    if (count > 0) said.push_back(fmt::format("{} {}", count, why));
  return fmt::format("{}", fmt::join(said, ", "));
}

/// In the order of the file.
std::string experiments_of(const document& d) {
  std::vector<std::string> names;
  for (const cell& c : d.cells)
    if (c.value && std::find(names.begin(), names.end(), c.experiment) == names.end()) names.push_back(c.experiment);
  return printable(fmt::format("{}", fmt::join(names, " ")), 400);
}

/// A value that a shell and the command line take for one word of a list.
bool is_plain(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || (c != 0 && std::strchr("_./+:%@-", c) != nullptr);
  });
}

/// " --lock mcs,tas": the values of axes that the run was asked for. Nothing if it is not known, or one is no plain word.
std::string selection_of(const document& d) {
  const auto request = d.invocation.find("request");
  if (request == d.invocation.end() || !request->is_object()) return "";
  const auto axes = request->find("axes");
  if (axes == request->end() || !axes->is_object()) return "";
  std::string out;
  for (const auto& [axis, chosen] : axes->items()) {
    std::vector<std::string> words;
    for (const auto& v : chosen) words.push_back(v.is_string() ? v.get<std::string>() : v.dump());
    if (!is_plain(axis) || words.empty() || !std::all_of(words.begin(), words.end(), is_plain)) return "";
    out += fmt::format(" --{} {}", axis, fmt::join(words, ","));
  }
  return printable(out, 400);
}

/// What a lock yields to several threads, or how soon it passes between them.
bool is_contended(const cell& c) {
  if (c.experiment != experiment_names::locks_throughput) return false;
  if (c.metric != "throughput" && c.metric != "handoff_time") return false;
  const coordinate* const threads = c.at.find("threads");
  const auto* const n = threads == nullptr ? nullptr : std::get_if<std::int64_t>(threads);
  return n != nullptr && *n > 1;
}

}  // namespace

std::string how_to_repeat(const document& d, const std::string& what) {
  return is_simulated(d) ? "To simulate again with more repetitions: synchroscope simulate " + what
         : !d.complete   ? "The run was not complete; to go on: synchroscope run --resume FILE."
                         : "To measure again, when nothing else runs (synchroscope check): synchroscope run " + what;
}

std::optional<missing_contention> no_contended_lock_sure(const document& d) {
  const auto any = [&](auto is) { return std::any_of(d.cells.begin(), d.cells.end(), is); };
  if (!any([](const cell& c) { return c.experiment.starts_with("locks."); })) return std::nullopt;
  if (any([](const cell& c) { return is_contended(c) && is_precise(c); })) return std::nullopt;
  const bool measured = any([](const cell& c) { return is_contended(c) && c.value; });
  const std::string command = std::string{"synchroscope "} + (is_simulated(d) ? "simulate " : "run ");
  return missing_contention{
      std::string{measured ? "no value of such a lock is sure" : "there is no value of such a lock"},
      why_no_evidence(d) ? "" : command + experiment_names::locks_throughput};
}

std::optional<std::string> nothing_sure(const document& d) {
  const auto values = std::count_if(d.cells.begin(), d.cells.end(), [](const cell& c) { return c.value.has_value(); });
  if (values == 0 || std::any_of(d.cells.begin(), d.cells.end(), is_precise)) return std::nullopt;
  if (const auto why = why_no_evidence(d)) return fmt::format("No reliable finding: this {}.", *why);
  return fmt::format("No reliable finding: no value is sure; {}. {}", reasons(d),
                     how_to_repeat(d, experiments_of(d) + selection_of(d)));
}

}  // namespace synchro::results
