// "Comparing Synchronisation Methods on Windows": default priority, threads not pinned, a processor for each.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "claims/judges.hpp"
#include "results/measured.hpp"
#include "results/sleepers.hpp"

namespace synchro::claims::judges {

namespace {

const std::string wake = results::measured::wake_broadcast;
constexpr std::int64_t sleepers_of_the_article = 11;

bool starts_with(const std::string& text, const std::string& begin) { return text.rfind(begin, 0) == 0; }

/// Primitives by what the catalogs say of their waiting threads. A rendezvous is neither: it is late on purpose.
condition waiting(bool asleep) {
  return {"primitive", [asleep](const coordinate* c) {
            const auto* const word = c == nullptr ? nullptr : std::get_if<std::string>(c);
            return word != nullptr && !starts_with(*word, "rendezvous") && results::sleeps_by_catalog(*word) == asleep;
          }};
}
condition sleeping() { return waiting(true); }
condition burning() { return waiting(false); }

/// The sample that all primitives have; the article's larger one is there for few.
condition usual_sample() { return absent_or(is("sample", "usual")); }

/// As the article's: the trigger and each sleeper have a processor that the scheduler chooses.
/// The timer as the system has it: only Windows can be asked for another.
condition usual_timer() { return absent_or(is("timer", 0)); }

place usual(const evidence& e) {
  return {is("priority", "default"), is("placement", "unpinned"), between("threads", 1, e.processors() - 1),
          usual_sample(), usual_timer()};
}

cells woken(const evidence& e, const std::string& metric, const place& where = {}) {
  return e.find(wake, metric, usual(e) + where);
}

/// The most sleepers that fit.
std::int64_t team(const evidence& e, const std::string& metric = "wake_mean") {
  const auto counts = numbers_of(woken(e, metric), "threads");
  return counts.empty() ? 0 : counts.back();
}

const std::string not_so = "not measured with unpinned sleepers that have a processor each";
const naming names{"primitive", "threads"};

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

}  // namespace

finding w1(const evidence& e) {
  const place most{is("threads", team(e))};
  const cell* const spin = best(woken(e, "wake_mean", most + place{burning()}));
  const finding fastest = contest(spin == nullptr ? cells{} : cells{spin},
                                  woken(e, "wake_mean", most + place{sleeping()}), 1, names, not_so);
  if (spin == nullptr) return missing(not_so);
  const cells burnt = woken(e, "cpu_share", most + place{is("primitive", word_at(*spin, "primitive"))});
  finding burns = compared(each_with_each(burnt, woken(e, "cpu_share", most + place{sleeping()})), from(1), names,
                           "the processor time of sleepers is unknown");
  burns.sentence = "share of the wait that burns a processor: " + burns.sentence;
  return all_of({fastest, burns}, not_so);
}

finding w2(const evidence& e) {
  const cells all = woken(e, "wake_mean", {is("threads", std::max<std::int64_t>(2, team(e))), sleeping()});
  const auto& held = counterparts_on(e).held;
  const cell* const slow = best(those(all, {one_of("primitive", held)}));
  return compared(each_with_each(slow == nullptr ? cells{} : cells{slow}, those(all, {none_of("primitive", held)})),
                  from(1), names, not_so);
}

finding w3(const evidence& e) {
  const std::int64_t most = team(e);
  if (most < 2) return missing(not_so);
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
                                held.front() + " grows faster than " + other + ": ratio ", not_so));
    }
  }
  return all_of({compared(growth, from(1), names, not_so), all_of(faster, not_so)}, not_so);
}

finding w4(const evidence& e) {
  const cells alone = woken(e, "wake_mean", {is("threads", 1), sleeping()});
  if (words_of(alone, "primitive").size() < 2) return missing(not_so);
  return compared(worst(alone), best(alone), up_to(1.5), names, not_so);
}

finding w5(const evidence& e) {
  const place fit{is("placement", "unpinned"), between("threads", 1, e.processors() - 1), usual_sample(),
                  usual_timer()};
  return compared(matched(e.find(wake, "wake_mean", fit + place{is("priority", "raised")}),
                          e.find(wake, "wake_mean", fit + place{is("priority", "default")}), {"priority"}),
                  from(1), {"primitive", "threads", "priority"}, not_so + " at default and at raised priority");
}

finding w6(const evidence& e) {
  const cells pinned = e.find(
      wake, "wake_mean",
      {is("priority", "default"), is("placement", "compact"), is("threads", team(e)), usual_sample(), usual_timer()});
  const auto pairs = matched(pinned, woken(e, "wake_mean"), {"placement"});
  if (pairs.size() < 2) return missing(not_so + " and pinned");
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
          fmt::format("of {} comparisons pinning gains in {}, loses in {}, and is within a tenth in {}", all, gains,
                      losses, alike)};
}

finding w7(const evidence& e) {
  const cells all = woken(e, "wake_of_thread",
                          {one_of("primitive", counterparts_on(e).each), is("threads", team(e, "wake_of_thread"))});
  const auto order = numbers_of(all, "thread");
  if (order.size() < 2) return missing(not_so + ", an object for each");
  return compared(
      matched(those(all, {is("thread", order.back())}), those(all, {is("thread", order.front())}), {"thread"}), from(1),
      {"primitive", "thread"}, not_so);
}

namespace {

/// On this system, the event and the semaphore of the article, and what is made to start nobody early.
bool is_even(const std::string& p) {
  static const std::set<std::string> some{"linux/futex", "linux/futex_waitv", "linux/eventfd",
                                          "posix/sem",   "sysv/sem",          "std/counting_semaphore",
                                          "win32/event", "win32/semaphore",   "win32/wait_on_address"};
  return some.contains(p) || starts_with(p, "event") || starts_with(p, "auto_event") || starts_with(p, "rendezvous");
}

struct evenness {
  std::string primitive;
  estimate last_over_first;
};

}  // namespace

finding w8(const evidence& e) {
  const place most{is("threads", team(e, "wake_first")), sleeping()};
  std::vector<evenness> even, others;
  for (const auto& [last, first] : matched(woken(e, "wake_last", most), woken(e, "wake_first", most), {}))
    if (const auto r = ratio_of(*last, *first)) {
      const std::string name = word_at(*last, "primitive");
      (is_even(name) ? even : others).push_back({name, *r});
    }
  if (even.empty() || others.empty() || team(e, "wake_first") < 2) return missing(not_so);
  const evenness& best = *std::min_element(even.begin(), even.end(), [](const evenness& a, const evenness& b) {
    return a.last_over_first.value < b.last_over_first.value;
  });
  std::vector<finding> all;
  for (const evenness& o : others)
    all.push_back(judged(quotient(o.last_over_first, best.last_over_first), from(1),
                         fmt::format("last over first, {} against {}: ratio ", o.primitive, best.primitive), not_so));
  return all_of(all, not_so);
}

finding w9(const evidence& e) {
  const std::string& condition = counterparts_on(e).condition;
  const place eleven{is("primitive", condition), is("threads", sleepers_of_the_article)};
  const std::string nothing = condition + " was not measured with 11 unpinned sleepers that have a processor each";
  const auto at = [&](const std::string& metric) -> std::optional<estimate> {
    const cells found = woken(e, metric, eleven);
    return found.empty() ? std::nullopt : estimate_of(*found.front());
  };
  // 6 to the microsecond; 30 in one digit.
  return all_of({judged(at("wake_first"), {5.5e3, 6.5e3}, "the first after ", nothing),
                 judged(at("wake_last"), {25e3, 35e3}, "the last after ", nothing)},
                nothing);
}

finding w10(const evidence& e) {
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
  return all_of({compared(early, up_to(1), by_order, nothing), compared(late, from(1), by_order, nothing)}, nothing);
}

finding w11(const evidence& e) {
  const std::string nothing = "groups of 5 of 11 unpinned sleepers that have a processor each were not measured";
  if (e.processors() <= sleepers_of_the_article) return missing(nothing);
  const auto of = [&](std::int64_t group) {
    return e.one(results::measured::wake_groups, "wake_mean",
                 {is("primitive", counterparts_on(e).event), is("threads", sleepers_of_the_article),
                  is("placement", "unpinned"), is("group", group)});
  };
  const naming by_group{"primitive", "group"};
  return all_of({compared(of(sleepers_of_the_article), of(5), from(1), by_group, nothing),
                 compared(of(1), of(5), from(1), by_group, nothing)},
                nothing);
}

finding w15(const evidence& e) {
  const place fit{is("priority", "default"), is("placement", "unpinned"), between("threads", 1, e.processors() - 1),
                  usual_sample(), sleeping()};
  const auto pairs = matched(e.find(wake, "wake_mean", fit + place{is("timer", 1)}),
                             e.find(wake, "wake_mean", fit + place{is("timer", 0)}), {"timer"});
  if (pairs.empty()) return missing("sleepers were not measured with a timer of 1 ms and with the timer as it is");
  constexpr range alike{0.9, 1.1};
  std::size_t different = 0, same = 0;
  for (const auto& [a, b] : pairs) {
    const verdict is = compared(a, b, alike, {}, "", pairs.size()).is;
    if (is == verdict::fails) ++different;
    if (is == verdict::holds) ++same;
  }
  return {
      different > 0          ? verdict::holds
      : same == pairs.size() ? verdict::fails
                             : verdict::unresolved,
      fmt::format("of {} comparisons a timer of 1 ms differs by more than a tenth in {}, and is within a tenth in {}",
                  pairs.size(), different, same)};
}

}  // namespace synchro::claims::judges
