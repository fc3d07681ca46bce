// How delegation.throughput is shown.

#include <fmt/format.h>

#include <algorithm>

#include "experiments/delegation/delegation.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

bool is_lock(const cell* c) {
  const std::string name = name_at(*c, "delegate");
  return name.find("synch") == std::string::npos && name.find("combining") == std::string::npos &&
         name.find("server") == std::string::npos;
}

/// One line, no other work, close together; of as many threads as there are processors, or the most below.
cells delegation_usual(const own_cells& own, cells all) {
  all = where(where(where(all, "lines", std::int64_t{1}), "gap", std::int64_t{0}), "placement", "compact");
  all = only_precise(all);
  const auto cpus = static_cast<std::int64_t>(own.processors());
  std::int64_t most_threads = 1;
  for (const cell* c : all)
    if (const auto n = number_at(*c, "threads"); n && (cpus == 0 || *n <= cpus))
      most_threads = std::max(most_threads, *n);
  return where(all, "threads", most_threads);
}

sentences delegation_findings(const own_cells& own) {
  const cells all = delegation_usual(own, own.of("throughput"));
  if (all.empty()) return {};
  cells locks = all, others = all;
  std::erase_if(locks, [](const cell* c) { return !is_lock(c); });
  std::erase_if(others, is_lock);
  if (locks.empty() || others.empty()) return {};
  const cell &lock = *most(locks), &other = *most(others);
  const std::int64_t threads = other.at.number("threads");
  if (threads < 2) return {};
  cells left_out = own.left_out(lock, {"delegate"});
  std::erase_if(left_out, [](const cell* c) { return !is_lock(c); });
  const std::string also = rivals(tied_with(other, others, all.size()), "delegate");
  const std::string text = fmt::format(
      "By delegation with {}{} a counter that {} threads want changed is changed {}; under {}, the best of the "
      "locks{}, {}{}{}",
      name_at(other, "delegate"), also + (also.empty() ? "" : ","), threads, with_interval(other),
      name_at(lock, "delegate"), holds_for(left_out, extreme::most, lock) ? "" : " that are sure", with_interval(lock),
      rivals(tied_with(lock, locks, all.size()), "delegate"),
      differ(other, lock, all.size()) ? "" : " (no difference between the two is resolved)");
  return {text + far_note(other) + "."};
}

std::optional<views::headline> delegation_headline(const own_cells& own) {
  const cells all = delegation_usual(own, own.of_any_mode("throughput"));
  if (all.empty()) return std::nullopt;
  const cell& best = *most(all);
  const std::int64_t threads = best.at.number("threads");
  return views::headline{rate_words(*best.value) + " / s",
                         fmt::format("short sections that {} done on one line, with {}{}",
                                     threads == 1 ? "one thread gets" : fmt::format("{} threads get", threads),
                                     name_at(best, "delegate"), rivals(tied_with(best, all), "delegate")),
                         details({interval_of(best)}, best), "threads"};
}

const coordinates one_line{{"lines", std::int64_t{1}}, {"gap", std::int64_t{0}}, {"placement", "compact"}};

}  // namespace

void present_delegation_throughput(experiment& e) {
  e.view = {{},
            delegation_findings,
            delegation_headline,
            {{"threads",
              "Who runs a critical section",
              "All threads want one line changed. Under a lock the line travels to each of them; with delegation the "
              "sections travel to the thread that has it.",
              lines("threads", {"delegate"}, {.ideal = true}),
              "",
              {"throughput", "fairness"},
              {},
              one_line,
              "threads"}}};
  e.view.about = "delegation";
}

}  // namespace synchro::experiments
