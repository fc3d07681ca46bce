// "Multi-Threading for Experts": how workers start, and what that is worth.

#include <algorithm>

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

const std::string timeline = results::measured::forkjoin_timeline, wake = results::measured::wake_broadcast,
                  breakeven = results::measured::forkjoin_breakeven;
constexpr std::int64_t workers_of_the_article = 3;

/// What the article starts workers by, and what has its place on other systems than its own.
struct starters {
  std::string call;
  std::vector<std::string> events;  ///< Of which the best counts.
  std::string event, semaphore;     ///< The system's own.
};

const starters& starters_on(const evidence& e) {
  static const starters windows{"win32/apc", {"win32/event", "win32/event_each"}, "win32/event", "win32/semaphore"};
  static const starters others{
      "signal/handler", {"event", "event/park", "event/spin_park"}, "linux/futex", "posix/sem"};
  return e.system() == results::measured_on::windows_itself ? windows : others;
}

/// What lies nearer to one of the article's two figures, 33 us by events and 47 us by procedure calls, than to the other.
constexpr double by_events = 33e3, by_calls = 47e3, between_both = (by_events + by_calls) / 2;
constexpr double alike_by = between_both / by_events;

bool fits(const evidence& e, std::int64_t workers) { return workers < e.processors(); }

/// Until the last of the article's three workers runs, each on a processor of its own: in divided work, else by a bare
/// trigger.
cells started(const evidence& e, const std::vector<std::string>& primitives) {
  if (!fits(e, workers_of_the_article)) return {};
  const cells divided = e.find(timeline, "invocation_delay",
                               {one_of("primitive", primitives), is("threads", workers_of_the_article + 1)});
  if (!divided.empty()) return divided;
  return e.find(
      wake, "wake_last",
      {one_of("primitive", primitives), is("threads", workers_of_the_article), absent_or(is("priority", "default"))});
}

finding start(const evidence& e, const std::vector<std::string>& primitives, double figure) {
  const double reach = between_both - by_events;
  const cell* const found = best(started(e, primitives));
  const std::string nothing = primitives.front() + " was not measured with three workers that have a processor each";
  if (found == nullptr) return missing(nothing);
  return judged(estimate_of(*found), {figure - reach, figure + reach}, word_at(*found, "primitive") + ": ", nothing);
}

}  // namespace

finding e1(const evidence& e) { return start(e, {starters_on(e).call}, by_calls); }
finding e2(const evidence& e) { return start(e, starters_on(e).events, by_events); }

finding e3(const evidence& e) {
  const starters& by = starters_on(e);
  const cell* const call = best(started(e, {by.call}));
  const cell* const event = best(started(e, {by.event}));
  const cell* const semaphore = best(started(e, {by.semaphore}));
  const std::string nothing = by.call + ", " + by.event + " and " + by.semaphore +
                              " were not all measured with three workers that have a processor each";
  const naming names{"primitive"};
  return all_of({compared(call, event, from(1), names, nothing), compared(call, semaphore, from(1), names, nothing),
                 compared(event, semaphore, {1 / alike_by, alike_by}, names, nothing)},
                nothing);
}

namespace {

/// Default priority, threads that have a processor each.
place calm(const evidence& e) {
  return {absent_or(is("priority", "default")), between("threads", 2, e.processors() - 1)};
}

const std::vector<std::string> meetings{"rendezvous", "rendezvous/spin", "rendezvous/park", "rendezvous/yield"};

}  // namespace

finding e4(const evidence& e) {
  const std::string nothing =
      "no semaphore released by one call was measured beside rendezvous with a processor for each sleeper";
  std::vector<std::pair<const cell*, const cell*>> pairs;
  const cells together = e.find(wake, "gap", place{one_of("primitive", meetings)} + calm(e));
  for (const cell* gap :
       e.find(wake, "gap",
              place{one_of("primitive", {"sysv/sem", "std/counting_semaphore", "posix/sem", "win32/semaphore"}),
                    is("calls", "one")} +
                  calm(e)))
    if (const cell* const own = best(those(together, {is("threads", number_at(*gap, "threads"))})))
      pairs.emplace_back(gap, own);
  return compared(pairs, from(2), {"primitive", "threads"}, nothing);
}

finding e5(const evidence& e) {
  const place own{between("threads", 2, e.processors())};
  return compared(matched(e.find(breakeven, "per_thread", own), e.find(breakeven, "invocation_delay", own), {}),
                  from(1), {"primitive", "threads"},
                  "the break-even time was not measured with a processor for each of the threads");
}

finding e6(const evidence& e) {
  const auto by = [&](const std::string& calls) {
    return e.find(wake, "wake_last", place{is("calls", calls)} + calm(e));
  };
  return compared(matched(by("each"), by("one"), {"calls"}), from(1), {"primitive", "calls", "threads"},
                  "no primitive was measured by one call and by a call for each, with a processor for each sleeper");
}

finding e7(const evidence& e) {
  const std::string nothing = "rendezvous was not measured with a processor for each sleeper";
  const cell* const found = best(e.find(wake, "spread", place{one_of("primitive", meetings)} + calm(e)));
  if (found == nullptr) return missing(nothing);
  constexpr double as_the_article_reads = 1000;  // its figures are in whole microseconds
  return judged(estimate_of(*found), from(as_the_article_reads),
                word_at(*found, "primitive") + ", from the first start to the last: ", nothing);
}

finding e8(const evidence& e) {
  const std::string nothing = "cutting shares was not measured with short and with long work";
  const cells all = e.find(results::measured::forkjoin_balance, "gain", {between("threads", 2, e.processors())});
  const auto works = numbers_of(all, "work");
  if (works.size() < 2) return missing(nothing);
  std::vector<finding> parts;
  for (const auto& [brief, lengthy] :
       matched(those(all, {is("work", works.front())}), those(all, {is("work", works.back())}), {"work"})) {
    parts.push_back(
        judged(estimate_of(*brief), from(1), word_at(*brief, "primitive") + ", short work, times as fast: ", nothing));
    parts.push_back(compared(brief, lengthy, from(1), {"primitive", "threads", "work"}, nothing));
  }
  return all_of(parts, nothing);
}

}  // namespace synchro::claims::judges
