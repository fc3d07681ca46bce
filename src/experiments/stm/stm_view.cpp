// How the experiments on transactional memory are shown.

#include <fmt/format.h>

#include "experiments/stm/stm.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// The largest team that has a processor for each thread, close together; one place for all that is compared.
cells largest_team(const cells& all, std::size_t processors) {
  std::int64_t most_threads = 0;
  for (const cell* c : all)
    if (const auto n = number_at(*c, "threads"); n && (processors == 0 || *n <= static_cast<std::int64_t>(processors)))
      most_threads = std::max(most_threads, *n);
  return contest(where(all, "threads", most_threads), "means");
}

sentences finding(const own_cells& own, const std::string& where_to) {
  const cells rivals_all =
      largest_team(only_precise(where(own.of("throughput"), "placement", "compact")), own.processors());
  if (rivals_all.empty()) return {};
  const cell& best = *most(rivals_all);
  const std::int64_t threads = best.at.number("threads");
  std::string text = fmt::format(
      "Several accesses to {} made atomic: among the ways to do that, {} does most{} with {} thread{}: {}{}", where_to,
      name_at(best, "means"), of_the_sure(own.left_out(best, {"means"}), extreme::most, best), threads,
      threads == 1 ? "" : "s", with_interval(best), rivals(tied_with(best, rivals_all), "means"));
  const cell* const lock = first_at(rivals_all, "means", "std/mutex");
  if (lock != nullptr && lock != &best && differ(best, *lock, rivals_all.size()))
    text += fmt::format("; one lock around everything does {}", with_interval(*lock));
  return {text + "."};
}

void present(experiment& e, const std::string& title, const std::string& where_to, const std::string& lead) {
  e.view = {{},
            [where_to](const own_cells& own) { return finding(own, where_to); },
            {},
            {{"threads",
              title,
              lead + " All of it happens at once or not at all: in transactions, which begin again when they meet, or "
                     "under one lock.",
              lines("threads", {"means"}),
              {},
              {"throughput", "aborts", "fairness"},
              {},
              {{"placement", "compact"}}}}};
  e.view.about = "accesses";
}

}  // namespace

void present_stm_bank(experiment& e) {
  present(e, "Transactions on a bank", "a bank", "Threads move money between accounts and add up all accounts.");
}

void present_stm_list(experiment& e) {
  present(e, "Transactions on a list", "a list", "Threads insert, erase and look up keys in one sorted list.");
}

void present_stm_hashtable(experiment& e) {
  present(e, "Transactions on a hash table", "a hash table", "Threads insert, erase and look up keys in a hash table.");
}

}  // namespace synchro::experiments
