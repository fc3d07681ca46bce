#include "results/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
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
std::vector<std::string> experiments_of(const document& d) {
  std::vector<std::string> names;
  for (const cell& c : d.cells)
    if (c.value && std::find(names.begin(), names.end(), c.experiment) == names.end()) names.push_back(c.experiment);
  return names;
}

json member(const json& of, const char* name) { return of.is_object() && of.contains(name) ? of.at(name) : json(); }

std::string text_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// A value, or a list of them, as one word of the command line; what is neither text nor a number is left out.
std::string typed_list(const json& chosen) {
  std::vector<std::string> words;
  for (const json& v : chosen.is_array() ? chosen : json::array({chosen}))
    if (v.is_string() || v.is_number()) words.push_back(as_typed(text_of(v)));
  return fmt::format("{}", fmt::join(words, ","));
}

/// " --machine opteron": the models of a simulation. One that was a file stands in the request as a whole.
std::string machine_option(const document& d) {
  json names = json::array();
  for (const json& m : member(member(d.invocation, "request"), "machines"))
    names.push_back(m.is_object() ? member(m, "name") : m);
  const std::string machines = typed_list(names);
  const std::string named = machines.empty() ? typed_list(member(d.machine, "model_name")) : machines;
  return named.empty() ? "" : " --machine " + named;
}

std::string command(const document& d, const std::string& what) {
  return is_simulated(d) ? "synchroscope simulate " + what + machine_option(d) : "synchroscope run " + what;
}

/// Without values that only cells of other experiments have, which these may refuse (the protocols of locks
/// and messages); none if these have no such axis.
json values_of(const document& d, const std::vector<std::string>& experiments, const std::string& axis,
               const json& chosen) {
  std::set<std::string> own, others;
  for (const cell& c : d.cells)
    if (const coordinate* const value = c.at.find(axis))
      (std::find(experiments.begin(), experiments.end(), c.experiment) == experiments.end() ? others : own)
          .insert(to_string(*value));
  json left = json::array();
  if (own.empty()) return left;
  for (const json& v : chosen.is_array() ? chosen : json::array({chosen}))
    if (const std::string text = text_of(v); own.contains(text) || !others.contains(text)) left.push_back(v);
  return left;
}

/// The experiments, and the values of their axes that the run was asked for.
std::string what_was_asked(const document& d, const std::vector<std::string>& experiments) {
  const json request = member(d.invocation, "request"), axes = member(request, "axes");
  std::string out = as_typed(experiments);
  for (const auto& [axis, chosen] : axes.items())
    if (const std::string typed = typed_list(values_of(d, experiments, axis, chosen)); !typed.empty())
      out += " " + as_typed("--" + axis) + " " + typed;
  return out + (member(request, "oversubscribe") == true ? " --oversubscribe" : "");
}

bool is_of_locks(const std::string& experiment) { return experiment.starts_with("locks."); }

/// A run that was stopped may not have come to them.
bool asked_for_locks(const document& d) {
  const json names = member(member(d.invocation, "request"), "experiments");
  return std::any_of(names.begin(), names.end(),
                     [](const json& name) { return name.is_string() && is_of_locks(name.get<std::string>()); });
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

std::string repetition(const document& d, const std::vector<std::string>& experiments) {
  return command(d, what_was_asked(d, experiments));
}

std::string how_to_repeat(const document& d, const std::string& what) {
  return is_simulated(d) ? "To simulate again with more repetitions: " + command(d, what)
         : !d.complete   ? "The run was not complete; to go on: synchroscope run --resume FILE."
                         : "To measure again, when nothing else runs (synchroscope check): " + command(d, what);
}

std::optional<missing_contention> no_contended_lock_sure(const document& d) {
  const auto any = [&](auto is) { return std::any_of(d.cells.begin(), d.cells.end(), is); };
  if (!any([](const cell& c) { return is_of_locks(c.experiment); }) && !asked_for_locks(d)) return std::nullopt;
  if (any([](const cell& c) { return is_contended(c) && is_precise(c); })) return std::nullopt;
  const bool measured = any([](const cell& c) { return is_contended(c) && c.value; });
  return missing_contention{
      std::string{measured ? "no value of such a lock is sure" : "there is no value of such a lock"},
      why_no_evidence(d) ? "" : printable(command(d, experiment_names::locks_throughput), 800)};
}

std::optional<std::string> nothing_sure(const document& d) {
  const auto values = std::count_if(d.cells.begin(), d.cells.end(), [](const cell& c) { return c.value.has_value(); });
  if (values == 0 || member(d.machine, "kind") == "published" ||
      std::any_of(d.cells.begin(), d.cells.end(), is_precise))
    return std::nullopt;
  if (const auto why = why_no_evidence(d)) return fmt::format("No reliable finding: this {}.", *why);
  return fmt::format("No reliable finding: no value is sure; {}. {}", reasons(d),
                     printable(how_to_repeat(d, what_was_asked(d, experiments_of(d))), 800));
}

}  // namespace synchro::results
