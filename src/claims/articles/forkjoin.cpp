// "Multi-Threading for Experts": how workers start, and what that is worth.

#include "claims/catalog.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

using results::experiment_names::forkjoin_breakeven;
using results::experiment_names::wake_broadcast;

constexpr const char* timeline_command = "synchroscope run forkjoin.timeline --threads 4";
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

/// Until the last of the article's three workers runs, each on a processor of its own: in divided work, else by a bare
/// trigger.
cells started(const evidence& e, const std::vector<std::string>& primitives) {
  if (e.processors() <= workers_of_the_article) return {};
  cells divided = e.find(results::experiment_names::forkjoin_timeline, "invocation_delay",
                         {one_of("primitive", primitives), is("threads", workers_of_the_article + 1)});
  if (!divided.empty()) return divided;
  return e.find(
      wake_broadcast, "wake_last",
      {one_of("primitive", primitives), is("threads", workers_of_the_article), absent_or(is("priority", "default"))});
}

finding start(const evidence& e, const std::vector<std::string>& primitives, double figure) {
  const double reach = between_both - by_events;
  const cell* const found = best(started(e, primitives));
  const std::string nothing = primitives.front() + " was not measured with three workers that have a processor each";
  if (found == nullptr) return missing(nothing);
  return judged(estimate_of(*found), {figure - reach, figure + reach}, word_at(*found, "primitive") + ": ", nothing);
}

/// Default priority, threads that have a processor each.
place calm(const evidence& e) {
  return {absent_or(is("priority", "default")), between("threads", 2, e.processors() - 1)};
}

const std::vector<std::string> meetings{"rendezvous", "rendezvous/spin", "rendezvous/park", "rendezvous/yield"};

constexpr claim on_starting[] = {
    {.id = "E1",
     .says = "Starting three workers by asynchronous procedure calls takes 47 us.",
     .figure = "47 us",
     .rule = "signal/handler, this system's counterpart (on Windows win32/apc), until the last of three workers runs, "
             "each on a processor of its own: 40 to 54 us, which is nearer to 47 than to the 33 us of events.",
     .command = timeline_command,
     .judge = [](const evidence& e) { return start(e, {starters_on(e).call}, by_calls); }},
    {.id = "E2",
     .says = "Starting three workers by events takes 33 us.",
     .figure = "33 us",
     .rule = "event (win32/event), until the last of three workers runs, each on a processor of its own: 26 to 40 us, "
             "which is nearer to 33 than to the 47 us of procedure calls.",
     .command = timeline_command,
     .judge = [](const evidence& e) { return start(e, starters_on(e).events, by_events); }},
    {.id = "E3",
     .says = "Events and semaphores start workers alike; procedure calls are slower than both.",
     .rule = "signal/handler against linux/futex and posix/sem (on Windows win32/apc against win32/event and "
             "win32/semaphore), until the last of three workers runs: slower than both; these two within 1.21 times, "
             "which is half-way between the article's 33 and 47 us.",
     .command = timeline_command,
     .judge =
         [](const evidence& e) {
           const starters& by = starters_on(e);
           const cell* const call = best(started(e, {by.call}));
           const cell* const event = best(started(e, {by.event}));
           const cell* const semaphore = best(started(e, {by.semaphore}));
           const std::string nothing = by.call + ", " + by.event + " and " + by.semaphore +
                                       " were not all measured with three workers that have a processor each";
           const naming names{"primitive"};
           return all_of(
               {compared(call, event, from(1), names, nothing), compared(call, semaphore, from(1), names, nothing),
                compared(event, semaphore, {1 / alike_by, alike_by}, names, nothing)},
               nothing);
         }},
    {.id = "E4",
     .says = "A semaphore released for several waiters wakes them one after another, not together.",
     .rule = "The smallest gap between two starts after one release, with a processor for each sleeper, against that "
             "of rendezvous, whose sleepers start together: twice or more.",
     .command = "synchroscope run wake.broadcast --calls one",
     .judge =
         [](const evidence& e) {
           const std::string nothing =
               "no semaphore released by one call was measured beside rendezvous with a processor for each sleeper";
           std::vector<std::pair<const cell*, const cell*>> pairs;
           const cells together = e.find(wake_broadcast, "gap", place{one_of("primitive", meetings)} + calm(e));
           for (const cell* gap : e.find(
                    wake_broadcast, "gap",
                    place{one_of("primitive", {"sysv/sem", "std/counting_semaphore", "posix/sem", "win32/semaphore"}),
                          is("calls", "one")} +
                        calm(e)))
             if (const cell* const own = best(those(together, {is("threads", number_at(*gap, "threads"))})))
               pairs.emplace_back(gap, own);
           return compared(pairs, from(2), {"primitive", "threads"}, nothing);
         }},
    {.id = "E5",
     .says = "Splitting work pays only if its sequential time per processor is longer than the invocation delay.",
     .figure = "50 us",
     .rule = "Break-even time for each thread against the invocation delay, for every way of starting, with a "
             "processor for each thread: more than once.",
     .command = "synchroscope run forkjoin.breakeven",
     .judge =
         [](const evidence& e) {
           const place own{between("threads", 2, e.processors())};
           return compared(matched(e.find(forkjoin_breakeven, "per_thread", own),
                                   e.find(forkjoin_breakeven, "invocation_delay", own), {}),
                           from(1), {"primitive", "threads"},
                           "the break-even time was not measured with a processor for each of the threads");
         }},
    {.id = "E6",
     .says = "One call that releases all is better than a call for each.",
     .rule = "Wake time of the last sleeper, calls=each against calls=one, for every primitive that has both, with a "
             "processor for each sleeper: more than once.",
     .command = "synchroscope run wake.broadcast --calls one,each",
     .judge =
         [](const evidence& e) {
           const auto by = [&](const std::string& calls) {
             return e.find(wake_broadcast, "wake_last", place{is("calls", calls)} + calm(e));
           };
           return compared(
               matched(by("each"), by("one"), {"calls"}), from(1), {"primitive", "calls", "threads"},
               "no primitive was measured by one call and by a call for each, with a processor for each sleeper");
         }},
    {.id = "E7",
     .says = "No system offers a start of all threads at the same moment.",
     .rule = "rendezvous, which starts on a clock deadline, with a processor for each sleeper: it does not hold if all "
             "start within 1 us, the unit of the article's figures.",
     .command = "synchroscope run wake.broadcast --primitive rendezvous",
     .judge =
         [](const evidence& e) {
           const std::string nothing = "rendezvous was not measured with a processor for each sleeper";
           const cell* const found =
               best(e.find(wake_broadcast, "spread", place{one_of("primitive", meetings)} + calm(e)));
           if (found == nullptr) return missing(nothing);
           constexpr double as_the_article_reads = 1000;  // its figures are in whole microseconds
           return judged(estimate_of(*found), from(as_the_article_reads),
                         word_at(*found, "primitive") + ", from the first start to the last: ", nothing);
         }},
    {.id = "E8",
     .says = "Giving late starters less work makes up for their delay, most of all where the work is short.",
     .rule = "Time with equal shares over time with shares cut to the lag: more than once with the shortest work, and "
             "more than with the longest.",
     .command = "synchroscope run forkjoin.balance",
     .judge =
         [](const evidence& e) {
           const std::string nothing = "cutting shares was not measured with short and with long work";
           const cells all =
               e.find(results::experiment_names::forkjoin_balance, "gain", {between("threads", 2, e.processors())});
           const auto works = numbers_of(all, "work");
           if (works.size() < 2) return missing(nothing);
           std::vector<finding> parts;
           for (const auto& [brief, lengthy] :
                matched(those(all, {is("work", works.front())}), those(all, {is("work", works.back())}), {"work"})) {
             parts.push_back(judged(estimate_of(*brief), from(1),
                                    word_at(*brief, "primitive") + ", short work, times as fast: ", nothing));
             parts.push_back(compared(brief, lengthy, from(1), {"primitive", "threads", "work"}, nothing));
           }
           return all_of(parts, nothing);
         }},
};

}  // namespace

source forkjoin() {
  return {"E", "Multi-Threading for Experts: Synchronization", "Zheltov, Bratanov", listed(on_starting)};
}

}  // namespace synchro::claims
