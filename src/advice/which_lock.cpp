#include "advice/which_lock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "advice/locks.hpp"
#include "results/doubt.hpp"
#include "results/experiment_names.hpp"
#include "views/places.hpp"

namespace synchro::advice {

using claims::number_at;
using claims::word_at;
using results::cell;

namespace {

bool is_free(const cell& c) { return c.experiment == results::experiment_names::locks_uncontested; }

/// "where 4 threads want it (protocol paused, with pauses in between)"
std::string where_wanted(const cell& c) {
  if (is_free(c))
    return fmt::format("where it is nearly always free, and {} thread had it last",
                       word_at(c, "distance") == "same_cpu" ? "the same" : "another");
  const std::string protocol = word(c, "protocol");
  return fmt::format("where {} threads want it{}", number_at(c, "threads"),
                     protocol.empty() || protocol == "saturated" ? "" : " (" + views::protocol_of(c) + ")");
}

std::string what_it_does(const cell& c) {
  if (is_free(c)) return "takes " + figure(c) + " to lock and unlock";
  return (c.metric == "throughput" ? "is taken " : "passes to another thread every ") + figure(c);
}

/// Whether it is about one lock that several threads want, or a free one.
bool is_asked_for(const cell& c) {
  return is_free(c) || (number_at(c, "threads") > 1 && number_at(c, "locks", 1) == 1);
}

std::optional<lock_choice> choice_by(const recommendation& r) {
  if (r.figures.empty()) return std::nullopt;
  const cell& c = r.figures.front();
  if (!results::is_precise(c) || !is_asked_for(c)) return std::nullopt;
  return lock_choice{word(c, "lock"), where_wanted(c), what_it_does(c), r.beside, r.matters, c};
}

constexpr const char* does_not_matter = "no difference worth having is resolved";

}  // namespace

std::string lock_choice::why() const { return does + beside + (matters ? "" : fmt::format("; {}", does_not_matter)); }

std::string lock_choice::words() const {
  return matters ? fmt::format("{}, {}, which {}{}", where, lock, does, beside)
                 : fmt::format("{}, {}: {} {}{}", where, does_not_matter, lock, does, beside);
}

std::vector<lock_choice> lock_choices(const results::document& run) {
  if (results::why_no_evidence(run)) return {};
  const known k{run};
  if (k.processors() == 0) return {};
  workload wanted;
  wanted.threads = k.processors();
  workload seldom = wanted;
  seldom.waiting = 0;
  std::vector<lock_choice> all;
  for (const workload& w : {wanted, seldom})
    if (auto choice = choice_by(lock_for(w, k))) all.push_back(std::move(*choice));
  return all;
}

bool is_choice_open(const results::document& run, const std::vector<lock_choice>& choices) {
  if (std::any_of(choices.begin(), choices.end(), [](const lock_choice& c) { return !is_free(c.by); })) return false;
  const auto most = static_cast<std::int64_t>(known{run}.processors());
  std::set<std::string> compared;
  for (const cell& c : run.cells)
    if (c.experiment == results::experiment_names::locks_throughput && c.value && is_asked_for(c) &&
        number_at(c, "threads") <= most && number_at(c, "readers", 0) == 0)
      compared.insert(word(c, "lock"));
  return compared.size() > 1;
}

std::string which_lock(const results::document& run) {
  std::string all;
  for (const lock_choice& c : lock_choices(run)) all += (all.empty() ? "" : "; ") + c.words();
  return all.empty() ? "" : "Which lock to take: " + all + ".";
}

}  // namespace synchro::advice
