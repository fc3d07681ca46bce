// "Comparing Synchronisation Methods on Windows": default priority, threads not pinned, a processor for each.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "claims/catalog.hpp"
#include "results/experiment_names.hpp"
#include "results/sleepers.hpp"

namespace synchro::claims {

namespace {

using results::experiment_names::wake_broadcast;

constexpr const char* waking_command = "synchroscope run wake.broadcast --placement unpinned";
constexpr const char* eleven_command = "synchroscope run wake.broadcast --placement unpinned --threads 11";
constexpr std::int64_t sleepers_of_the_article = 11;
const std::string not_unpinned = "not measured with unpinned sleepers that have a processor each";
const naming by_primitive{"primitive", "threads"};

/// Primitives by what the catalogs say of their waiting threads. A rendezvous is neither: it is late on purpose.
condition waiting(bool asleep) {
  return {"primitive", [asleep](const coordinate* c) {
            const auto* const word = c == nullptr ? nullptr : std::get_if<std::string>(c);
            return word != nullptr && !word->starts_with("rendezvous") && results::sleeps_by_catalog(*word) == asleep;
          }};
}
condition sleeping() { return waiting(true); }
condition burning() { return waiting(false); }

/// The sample that all primitives have; the article's larger one is there for few.
condition usual_sample() { return absent_or(is("sample", "usual")); }

/// The timer as the system has it: only Windows can be asked for another.
condition usual_timer() { return absent_or(is("timer", 0)); }

/// As the article's: the trigger and each sleeper have a processor that the scheduler chooses.
place usual_wakes(const evidence& e) {
  return {is("priority", "default"), is("placement", "unpinned"), between("threads", 1, e.processors() - 1),
          usual_sample(), usual_timer()};
}

cells woken(const evidence& e, const std::string& metric, const place& where = {}) {
  return e.find(wake_broadcast, metric, usual_wakes(e) + where);
}

/// The most sleepers that fit.
std::int64_t most_sleepers(const evidence& e, const std::string& metric = "wake_mean") {
  const auto counts = numbers_of(woken(e, metric), "threads");
  return counts.empty() ? 0 : counts.back();
}

/// The article's primitives: on Windows its own, on others what has their place there.
struct counterparts {
  std::vector<std::string> held;  ///< A flag behind a lock, the article's mutex first.
  std::vector<std::string> each;  ///< An object for each sleeper.
  std::string condition, event;
};

const counterparts& counterparts_on(const evidence& e) {
  static const counterparts windows{{"win32/mutex_flag", "win32/critical_section_flag",
                                     "win32/critical_section_flag_spin", "win32/srw_flag", "std/mutex_flag"},
                                    {"win32/event_each", "win32/semaphore_each", "win32/wait_on_address_each"},
                                    "win32/condition_cs",
                                    "win32/event"};
  static const counterparts others{{"pthread/mutex_flag", "std/mutex_flag"},
                                   {"linux/futex_each", "posix/sem_each", "std/atomic_wait_each", "linux/eventfd_each"},
                                   "pthread/cond",
                                   "event"};
  return e.system() == results::measured_on::windows_itself ? windows : others;
}

/// On this system, the event and the semaphore of the article, and what is made to start nobody early.
bool is_even(const std::string& p) {
  static const std::set<std::string> some{"linux/futex", "linux/futex_waitv", "linux/eventfd",
                                          "posix/sem",   "sysv/sem",          "std/counting_semaphore",
                                          "win32/event", "win32/semaphore",   "win32/wait_on_address"};
  return some.contains(p) || p.starts_with("event") || p.starts_with("auto_event") || p.starts_with("rendezvous");
}

struct evenness {
  std::string primitive;
  estimate last_over_first;
};

constexpr claim on_waking[] = {
    {.id = "W1",
     .says = "Spinning wakes fastest, and burns processor time.",
     .rule = "The fastest primitive that spins against all that sleep, with the most sleepers that have a processor "
             "each: sooner, and a larger share of the wait on the processor.",
     .command = waking_command,
     .judge =
         [](const evidence& e) {
           const place most{is("threads", most_sleepers(e))};
           const cell* const spin = best(woken(e, "wake_mean", most + place{burning()}));
           const finding fastest =
               contest(spin == nullptr ? cells{} : cells{spin}, woken(e, "wake_mean", most + place{sleeping()}), 1,
                       by_primitive, not_unpinned);
           if (spin == nullptr) return missing(not_unpinned);
           const cells burnt = woken(e, "cpu_share", most + place{is("primitive", word_at(*spin, "primitive"))});
           finding burns = compared(each_with_each(burnt, woken(e, "cpu_share", most + place{sleeping()})), from(1),
                                    by_primitive, "the processor time of sleepers is unknown");
           burns.sentence = "share of the wait that burns a processor: " + burns.sentence;
           return all_of({fastest, burns}, not_unpinned);
         }},
    {.id = "W2",
     .says = "Mutex and critical section without a condition variable wake slowest.",
     .rule = "The faster of pthread/mutex_flag and std/mutex_flag (on Windows of all flags behind a lock) against "
             "every other primitive that sleeps, with the most sleepers that have a processor each.",
     .command = waking_command,
     .judge =
         [](const evidence& e) {
           const cells all =
               woken(e, "wake_mean", {is("threads", std::max<std::int64_t>(2, most_sleepers(e))), sleeping()});
           const auto& held = counterparts_on(e).held;
           const cell* const slow = best(those(all, {one_of("primitive", held)}));
           return compared(
               each_with_each(slow == nullptr ? cells{} : cells{slow}, those(all, {none_of("primitive", held)})),
               from(1), by_primitive, not_unpinned);
         }},
    {.id = "W3",
     .says = "For every primitive the mean wake time grows with the number of threads, and fastest for those that wake "
             "slowest.",
     .rule = "The most sleepers against one, for every primitive that sleeps: more than once; and for "
             "pthread/mutex_flag (win32/mutex_flag) by more than for each other.",
     .command = waking_command,
     .judge =
         [](const evidence& e) {
           const std::int64_t most = most_sleepers(e);
           if (most < 2) return missing(not_unpinned);
           const auto growth = matched(woken(e, "wake_mean", {is("threads", most), sleeping()}),
                                       woken(e, "wake_mean", {is("threads", 1), sleeping()}), {"threads"});
           const auto& held = counterparts_on(e).held;
           std::vector<finding> faster;
           for (const auto& [many, one] : growth) {
             if (word_at(*many, "primitive") != held.front()) continue;
             const auto own = ratio_of(*many, *one);
             for (const auto& [others_many, others_one] : growth) {
               const std::string other = word_at(*others_many, "primitive");
               const auto theirs = ratio_of(*others_many, *others_one);
               if (std::find(held.begin(), held.end(), other) == held.end() && own && theirs)
                 faster.push_back(judged(quotient(*own, *theirs), from(1),
                                         held.front() + " grows faster than " + other + ": ratio ", not_unpinned));
             }
           }
           return all_of({compared(growth, from(1), by_primitive, not_unpinned), all_of(faster, not_unpinned)},
                         not_unpinned);
         }},
    {.id = "W4",
     .says = "Waking a single thread costs about the same with every primitive.",
     .rule = "The slowest against the fastest primitive that sleeps: up to 1.5 times (the article gives no figure).",
     .command = "synchroscope run wake.broadcast --placement unpinned --threads 1",
     .judge =
         [](const evidence& e) {
           const cells alone = woken(e, "wake_mean", {is("threads", 1), sleeping()});
           if (words_of(alone, "primitive").size() < 2) return missing(not_unpinned);
           return compared(worst(alone), best(alone), up_to(1.5), by_primitive, not_unpinned);
         }},
    {.id = "W5",
     .says = "The highest priority makes every primitive slower.",
     .rule = "Raised priority against the default, for every primitive: more than once.",
     .command = "synchroscope run wake.broadcast --full --placement unpinned",
     .judge =
         [](const evidence& e) {
           const place fit{is("placement", "unpinned"), between("threads", 1, e.processors() - 1), usual_sample(),
                           usual_timer()};
           return compared(
               matched(e.find(wake_broadcast, "wake_mean", fit + place{is("priority", "raised")}),
                       e.find(wake_broadcast, "wake_mean", fit + place{is("priority", "default")}), {"priority"}),
               from(1), {"primitive", "threads", "priority"}, not_unpinned + " at default and at raised priority");
         }},
    {.id = "W6",
     .says = "Pinning each thread has mixed results, and often none.",
     .rule = "compact against unpinned, for every primitive: it holds if some are resolved to gain and some to lose, "
             "or half are resolved to be within a tenth; it does not if all gain or all lose.",
     .command = "synchroscope run wake.broadcast --placement compact,unpinned",
     .judge = [](const evidence& e) -> finding {
       const cells pinned = e.find(wake_broadcast, "wake_mean",
                                   {is("priority", "default"), is("placement", "compact"),
                                    is("threads", most_sleepers(e)), usual_sample(), usual_timer()});
       const auto pairs = matched(pinned, woken(e, "wake_mean"), {"placement"});
       if (pairs.size() < 2) return missing(not_unpinned + " and pinned");
       // Gains, losses and likeness are all shown; what is not resolved shows nothing.
       std::size_t gains = 0, losses = 0, alike = 0;
       for (const auto& [a, b] : pairs) {
         if (compared(a, b, from(1), {}, "", pairs.size()).is == verdict::fails) ++gains;
         if (compared(a, b, up_to(1), {}, "", pairs.size()).is == verdict::fails) ++losses;
         if (compared(a, b, {0.9, 1.1}, {}, "").is == verdict::holds) ++alike;
       }
       const std::size_t all = pairs.size();
       const bool one_way = gains == all || losses == all;
       const bool mixed = (gains > 0 && losses > 0) || 2 * alike >= all;
       return {one_way ? verdict::fails
               : mixed ? verdict::holds
                       : verdict::unresolved,
               fmt::format("of {} comparisons pinning gains in {}, loses in {}, and is within a tenth in {}", all,
                           gains, losses, alike)};
     }},
    {.id = "W7",
     .says = "With an object for each thread, the thread triggered first wakes before the one triggered last.",
     .rule = "Wake time of the last thread against the first, for every primitive of the system with an object for "
             "each: more than once.",
     .command = waking_command,
     .judge = [](const evidence& e) -> finding {
       const cells all =
           woken(e, "wake_of_thread",
                 {one_of("primitive", counterparts_on(e).each), is("threads", most_sleepers(e, "wake_of_thread"))});
       const auto order = numbers_of(all, "thread");
       if (order.size() < 2) return missing(not_unpinned + ", an object for each");
       return compared(
           matched(those(all, {is("thread", order.back())}), those(all, {is("thread", order.front())}), {"thread"}),
           from(1), {"primitive", "thread"}, not_unpinned);
     }},
    {.id = "W8",
     .says = "A single event or semaphore is the most even from the first to the last woken.",
     .rule = "Last woken over first woken with the most sleepers that have a processor each: every other primitive "
             "that sleeps against the most even of events and semaphores.",
     .command = waking_command,
     .judge =
         [](const evidence& e) {
           const place most{is("threads", most_sleepers(e, "wake_first")), sleeping()};
           std::vector<evenness> even, others;
           for (const auto& [last, first] : matched(woken(e, "wake_last", most), woken(e, "wake_first", most), {}))
             if (const auto r = ratio_of(*last, *first)) {
               const std::string name = word_at(*last, "primitive");
               (is_even(name) ? even : others).push_back({name, *r});
             }
           if (even.empty() || others.empty() || most_sleepers(e, "wake_first") < 2) return missing(not_unpinned);
           const evenness& best = *std::min_element(even.begin(), even.end(), [](const evenness& a, const evenness& b) {
             return a.last_over_first.value < b.last_over_first.value;
           });
           std::vector<finding> all;
           all.reserve(others.size());
           for (const evenness& o : others)
             all.push_back(judged(quotient(o.last_over_first, best.last_over_first), from(1),
                                  fmt::format("last over first, {} against {}: ratio ", o.primitive, best.primitive),
                                  not_unpinned));
           return all_of(all, not_unpinned);
         }},
    {.id = "W9",
     .says = "A condition variable wakes the first of 11 threads after 6 us and the last after 30 us.",
     .figure = "6 to 30 us",
     .rule = "pthread/cond (win32/condition_cs) with 11 sleepers: the first after 5.5 to 6.5 us, the last after 25 to "
             "35 us, as the figures may be rounded.",
     .command = eleven_command,
     .judge =
         [](const evidence& e) {
           const std::string& condition = counterparts_on(e).condition;
           const place eleven{is("primitive", condition), is("threads", sleepers_of_the_article)};
           const std::string nothing =
               condition + " was not measured with 11 unpinned sleepers that have a processor each";
           const auto at = [&](const std::string& metric) -> std::optional<estimate> {
             const cells found = woken(e, metric, eleven);
             return found.empty() ? std::nullopt : estimate_of(*found.front());
           };
           // 6 to the microsecond; 30 in one digit.
           return all_of({judged(at("wake_first"), {5.5e3, 6.5e3}, "the first after ", nothing),
                          judged(at("wake_last"), {25e3, 35e3}, "the last after ", nothing)},
                         nothing);
         }},
    {.id = "W10",
     .says = "All but event and semaphore wake the first three threads sooner and the rest later.",
     .rule = "Against event (win32/event), with 11 sleepers, for every other primitive that sleeps: the first three "
             "sooner and the last later.",
     .command = eleven_command,
     .judge =
         [](const evidence& e) {
           const place eleven{is("threads", sleepers_of_the_article), sleeping()};
           const std::string nothing = "11 unpinned sleepers that have a processor each were not measured by order";
           const cells all = woken(e, "wake_of_order", eleven);
           const cells event = those(all, {is("primitive", counterparts_on(e).event)});
           std::vector<std::pair<const cell*, const cell*>> early, late;
           for (const auto& [a, b] : matched(all, event, {"primitive"})) {
             if (is_even(word_at(*a, "primitive"))) continue;
             const std::int64_t order = number_at(*a, "order");
             if (order <= 3) early.emplace_back(a, b);
             if (order == sleepers_of_the_article) late.emplace_back(a, b);
           }
           const naming by_order{"primitive", "order"};
           return all_of({compared(early, up_to(1), by_order, nothing), compared(late, from(1), by_order, nothing)},
                         nothing);
         }},
    {.id = "W11",
     .says = "An event for every five of eleven threads beats one event for all and one for each.",
     .figure = "5 threads an event",
     .rule = "Mean wake time of 11 sleepers with groups of five, against one event for all and one for each: less than "
             "both.",
     .command = "synchroscope run wake.groups --placement unpinned --threads 11",
     .judge =
         [](const evidence& e) {
           const std::string nothing =
               "groups of 5 of 11 unpinned sleepers that have a processor each were not measured";
           if (e.processors() <= sleepers_of_the_article) return missing(nothing);
           const auto of = [&](std::int64_t group) {
             return e.one(results::experiment_names::wake_groups, "wake_mean",
                          {is("primitive", counterparts_on(e).event), is("threads", sleepers_of_the_article),
                           is("placement", "unpinned"), is("group", group)});
           };
           const naming by_group{"primitive", "group"};
           return all_of({compared(of(sleepers_of_the_article), of(5), from(1), by_group, nothing),
                          compared(of(1), of(5), from(1), by_group, nothing)},
                         nothing);
         }},
    {.id = "W12",
     .says = "Open question: can other primitives be split as well?",
     .rule = "wake.groups tries all that can.",
     .command = "synchroscope run wake.groups",
     .what = kind::question},
    {.id = "W13",
     .says = "Open question: how is it with 192 logical processors?",
     .rule = "wake.groups on such a machine or a model of it.",
     .command = "synchroscope simulate wake.groups --machine MODEL --threads 191",
     .what = kind::question},
    {.id = "W14",
     .says = "Open question: what happens underneath?",
     .rule = "wake.broadcast counts the system calls of each primitive.",
     .command = "synchroscope run wake.broadcast",
     .what = kind::question},
    {.id = "W15",
     .says = "Open question: does a finer system timer (timeBeginPeriod) change anything?",
     .rule = "A timer of 1 ms against the timer as it is, for every primitive: it does if one is resolved to differ by "
             "more than a tenth; it does not if all are resolved to be within a tenth.",
     .command = waking_command,
     .judge = [](const evidence& e) -> finding {
       const place fit{is("priority", "default"), is("placement", "unpinned"),
                       between("threads", 1, e.processors() - 1), usual_sample(), sleeping()};
       const auto pairs = matched(e.find(wake_broadcast, "wake_mean", fit + place{is("timer", 1)}),
                                  e.find(wake_broadcast, "wake_mean", fit + place{is("timer", 0)}), {"timer"});
       if (pairs.empty()) return missing("sleepers were not measured with a timer of 1 ms and with the timer as it is");
       constexpr range alike{0.9, 1.1};
       std::size_t different = 0, same = 0;
       for (const auto& [a, b] : pairs) {
         const verdict is = compared(a, b, alike, {}, "", pairs.size()).is;
         if (is == verdict::fails) ++different;
         if (is == verdict::holds) ++same;
       }
       return {different > 0          ? verdict::holds
               : same == pairs.size() ? verdict::fails
                                      : verdict::unresolved,
               fmt::format(
                   "of {} comparisons a timer of 1 ms differs by more than a tenth in {}, and is within a tenth in {}",
                   pairs.size(), different, same)};
     }},
    {.id = "W16",
     .says = "Open question: how is it on Linux, with its own primitives?",
     .rule = "wake.broadcast measures them.",
     .command = "synchroscope run wake.broadcast",
     .what = kind::question},
    {.id = "W17",
     .says = "The set-up: 11 workers and a trigger, 32 000 runs of each primitive.",
     .rule = "wake.broadcast --full has as many.",
     .command = "synchroscope run wake.broadcast --full --threads 11",
     .what = kind::background},
};

}  // namespace

source windows_study() {
  source all{"W", "Comparing Synchronisation Methods on Windows", "article", listed(on_waking)};
  for (claim& c : all.claims) c.of_windows = true;
  return all;
}

}  // namespace synchro::claims
