// How atomics.throughput is shown.

#include <fmt/format.h>

#include <utility>

#include "experiments/atomics/atomics.hpp"
#include "experiments/framework/tour.hpp"
#include "results/units.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

/// One thread alone, and the largest team that has a processor for each thread. Teams are compared without a pause: else
/// the pause is what is seen.
struct pair_of_teams {
  const cell* alone = nullptr;
  const cell* together = nullptr;
};

pair_of_teams teams(const cells& successes, const std::string& operation, std::size_t processors) {
  const cells saturated = where(only_precise(successes), "protocol", "saturated");
  pair_of_teams found;
  for (const cell* c : where(saturated, "operation", operation)) {
    const auto n = number_at(*c, "threads");
    if (!n || (processors > 0 && *n > static_cast<std::int64_t>(processors))) continue;
    if (*n == 1 && found.alone == nullptr) found.alone = c;
    if (*n > 1 && (found.together == nullptr || *n > found.together->at.number("threads"))) found.together = c;
  }
  return found;
}

bool sharing_slows(const pair_of_teams& t) { return t.together->ci->second < t.alone->ci->first; }

sentences atomics_findings(const own_cells& own) {
  const pair_of_teams t = teams(own.of("successes"), "fai", own.processors());
  if (t.alone == nullptr || t.together == nullptr) return {};
  std::string text =
      fmt::format("To a counter one thread alone adds {}; {} threads together add to the same counter {}{}",
                  with_interval(*t.alone), t.together->at.number("threads"), with_interval(*t.together),
                  sharing_slows(t) ? fmt::format(": sharing is {} times slower than working alone",
                                                 results::digits(*t.alone->value / *t.together->value))
                                   : "");
  if (const cell* const passes = own.sure_beside(*t.together, "handoff_time"); passes != nullptr)
    text += fmt::format(". The counter passes from one thread to another every {}", with_interval(*passes));
  return {text + "."};
}

std::optional<views::headline> atomics_headline(const own_cells& own) {
  for (const auto& [operation, verb] :
       {std::pair{"fai", "add to one counter"}, std::pair{"swap", "exchange one value"}}) {
    const pair_of_teams t = teams(own.of_any_mode("successes"), operation, own.processors());
    if (t.alone == nullptr || t.together == nullptr) continue;
    const std::int64_t threads = t.together->at.number("threads");
    const double alone = *t.alone->value, together = *t.together->value;
    const bool slower = sharing_slows(t);
    return views::headline{
        slower ? "÷ " + results::digits(alone / together) : "× " + results::digits(together / alone),
        slower ? fmt::format("is what sharing does: {} threads together {} {} times a second, one alone {} times",
                             threads, verb, rate_words(together), rate_words(alone))
               : fmt::format("as much work when {} threads {} instead of one", threads, verb),
        details({interval_of(*t.together, "together"), interval_of(*t.alone, "alone")}, *t.together), "threads"};
  }
  return std::nullopt;
}

}  // namespace

void present_atomics_throughput(experiment& e) {
  e.tour = [](const setting& s) {
    std::vector<coordinate> threads = tour_crowds(s);
    threads.pop_back();
    return tour_stop{{{"operation", {"fai", "cas_fai"}}, {"threads", threads}, {"protocol", {"saturated"}}}};
  };
  const std::vector<std::string> metrics{"successes", "handoff_time", "handoff_share", "fairness",
                                         "attempts",  "ceiling",      "bound"};
  e.view = {{},
            atomics_findings,
            atomics_headline,
            {{"threads",
              "Many threads, one counter",
              "All threads change the same location. If sharing were free, the lines would follow the dotted ideal; in "
              "fact the line has to travel, and mostly only one thread works at a time.",
              lines("threads", {"operation"}, {.ideal = true}),
              "",
              metrics,
              {},
              {{"placement", "compact"}, {"protocol", "saturated"}}},
             {"paused",
              "One counter, by the paper’s protocol",
              "After each operation a thread pauses for longer than a transfer takes, so that none works many times in "
              "a row.",
              lines("threads", {"operation"}, {.ideal = true, .only = {{"protocol", {"paused"}}}}),
              "Fig. 4",
              metrics,
              {},
              {{"placement", "compact"}},
              "threads"}}};
  e.view.about = "counter";
}

}  // namespace synchro::experiments
