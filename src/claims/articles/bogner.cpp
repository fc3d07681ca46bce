// The price of calls, by Bogner, Schütz and Wiesinger.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "claims/catalog.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

constexpr const char* calls_command = "synchroscope run overhead.calls";
const std::vector<std::string> cheap_calls{"EnterCriticalSection",  "LeaveCriticalSection", "Interlocked Decrement",
                                           "Interlocked Increment", "Lock Spinlock",        "Unlock Spinlock"};
const std::string no_calls = "the calls were not measured";
const naming by_call{"call", "primitive"};

/// However it is spelt.
std::string letters(const std::string& name) {
  std::string found;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      found += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return found;
}

condition any_of_calls(const std::vector<std::string>& calls, bool wanted = true) {
  return {"call", [calls, wanted](const coordinate* c) {
            const auto* const word = c == nullptr ? nullptr : std::get_if<std::string>(c);
            const auto is_it = [&](const std::string& name) { return letters(name) == letters(*word); };
            return word != nullptr && std::any_of(calls.begin(), calls.end(), is_it) == wanted;
          }};
}

cells rows(const evidence& e, const std::vector<std::string>& calls, bool wanted = true) {
  return e.find(results::experiment_names::overhead_calls, "delay", {any_of_calls(calls, wanted)});
}

/// For each row of the table the cell by which the system stands in it.
std::vector<std::pair<const cell*, const cell*>> rows_of_both(const evidence& on_linux, const evidence& on_windows) {
  const auto in_the_table = [](const evidence& e) {
    cells own = e.find(results::experiment_names::overhead_calls, "delay");
    std::erase_if(own, [](const cell* c) { return !results::as_in_the_table_of_calls(word_at(*c, "primitive")); });
    return own;
  };
  return matched(in_the_table(on_linux), in_the_table(on_windows), {"primitive"});
}

/// The most acquisitions a second of one lock that so many threads want, by one of these.
const cell* best_of(const evidence& e, const std::vector<std::string>& locks, std::int64_t threads) {
  return best(e.find(results::experiment_names::locks_throughput, "throughput",
                     {is("protocol", "saturated"), is("placement", "compact"), is("locks", 1), is("threads", threads),
                      absent_or(is("hold", 0)), absent_or(is("readers", 0)), one_of("lock", locks)}));
}

finding sections_beyond_processors(const evidence& e) {
  const std::vector<std::string> spinning{"tas", "ttas", "ticket"}, sleeping{"pthread/mutex", "std/mutex", "mutex"};
  const std::string nothing = "locks were not measured with two threads that fit the processors and more that do not";
  std::int64_t fit = 0, beyond = 0;
  for (const std::int64_t n :
       numbers_of(e.find(results::experiment_names::locks_throughput, "throughput"), "threads")) {
    if (best_of(e, spinning, n) == nullptr || best_of(e, sleeping, n) == nullptr) continue;
    if (n >= 2 && n <= e.processors()) fit = n;
    if (n > e.processors()) beyond = n;
  }
  if (fit == 0 || beyond == 0) return missing(nothing);
  const auto over = [&](std::int64_t n) { return ratio_of(*best_of(e, spinning, n), *best_of(e, sleeping, n)); };
  const auto many = over(beyond), few = over(fit);
  return all_of(
      {compared(best_of(e, spinning, beyond), best_of(e, sleeping, beyond), up_to(1), {"lock", "threads"}, nothing),
       judged(many && few ? std::optional{quotient(*many, *few)} : std::nullopt, up_to(1),
              fmt::format("spinning over sleeping, {} threads against {}: ratio ", beyond, fit), nothing)},
      nothing);
}

constexpr claim on_calls[] = {
    {.id = "B1",
     .says = "Critical section, spin lock and interlocked operations cost 1 us or less, far less than all that enter "
             "the system.",
     .figure = "1 us",
     .rule = "The most expensive of those rows: up to 1 us; the cheapest of the other rows costs 11 times as much or "
             "more, the least that the table has between them.",
     .command = calls_command,
     .judge =
         [](const evidence& e) {
           const cell* const costliest = worst(rows(e, cheap_calls));
           const cell* const entering = best(rows(e, cheap_calls, false));
           if (costliest == nullptr) return missing(no_calls);
           // The least that the table has between both: 11 against 1 us.
           return all_of({judged(estimate_of(*costliest), up_to(1000),
                                 word_at(*costliest, "call") + ", the most expensive of those: ", no_calls),
                          compared(entering, costliest, from(11), by_call, no_calls)},
                         no_calls);
         }},
    {.id = "B2",
     .says = "Waiting for one object and for several costs the same.",
     .rule = "WaitForMultipleObjects against WaitForSingleObject: within 1.27 times, as the table's own rows differ.",
     .command = calls_command,
     .judge =
         [](const evidence& e) {
           // The table's own rows differ by up to this: 15 and 19 us.
           constexpr double same = 19.0 / 15;
           return compared(each_with_each(rows(e, {"WaitForMultipleObjects"}), rows(e, {"WaitForSingleObject"})),
                           {1 / same, same}, by_call, no_calls);
         }},
    {.id = "B3",
     .says = "Waiting for a semaphore is the most expensive row on every system.",
     .rule = "Waiting for Semaphore against every other row: more than once.",
     .command = calls_command,
     .judge =
         [](const evidence& e) {
           const std::string semaphore = "Waiting for Semaphore";
           return compared(each_with_each(rows(e, {semaphore}), rows(e, {semaphore}, false)), from(1), by_call,
                           no_calls);
         }},
    {.id = "B4",
     .says = "An event made from mutex and condition variable costs more than twice a native one.",
     .figure = "2 times",
     .rule = "SetEvent by pthread/cond_event against the library's event (else linux/eventfd): more than twice.",
     .command = calls_command,
     .judge =
         [](const evidence& e) {
           const cells events = rows(e, {"SetEvent"});
           cells native = those(events, {is("primitive", "event")});
           if (native.empty()) native = those(events, {is("primitive", "linux/eventfd")});
           return compared(each_with_each(those(events, {is("primitive", "pthread/cond_event")}), native), from(2),
                           by_call, no_calls);
         }},
    {.id = "B5",
     .says = "Linux costs less than Windows in most rows, but not for events.",
     .rule = "Each row of the table by each system's own call: Linux less in more than half of those that are resolved "
             "to differ, and SetEvent, from mutex and condition variable there, more.",
     .command = calls_command,
     .of_windows = true,
     .of_two_runs =
         [](const evidence& on_linux, const evidence& on_windows) {
           const auto both = rows_of_both(on_linux, on_windows);
           const auto is_event = [](const auto& pair) { return letters(word_at(*pair.first, "call")) == "setevent"; };
           const auto event = std::find_if(both.begin(), both.end(), is_event);
           if (event == both.end()) return missing(no_calls + " on both");
           std::size_t less = 0, more = 0;
           for (const auto& [a, b] : both) {
             if (compared(a, b, from(1), {}, "", both.size()).is == verdict::fails) ++less;
             if (compared(a, b, up_to(1), {}, "", both.size()).is == verdict::fails) ++more;
           }
           const std::size_t open = both.size() - less - more;
           const finding most{less > more + open    ? verdict::holds
                              : more >= less + open ? verdict::fails
                                                    : verdict::unresolved,
                              fmt::format("of {} rows {} cost less on Linux and {} more", both.size(), less, more)};
           return all_of({most, compared(event->first, event->second, from(1), by_call, no_calls)}, no_calls);
         }},
    {.id = "B6",
     .says = "Spin locks produce more overhead where critical sections are more than processors.",
     .rule = "With one lock, saturated and compact: the best of TAS, TTAS and ticket against the best lock that sleeps "
             "(pthread/mutex, std/mutex, mutex), with the most threads beyond the processors: below once; and its "
             "ratio there over its ratio with the most threads that fit (2 at least): below once.",
     .command = "synchroscope run locks.throughput --protocol saturated --placement compact",
     .judge = sections_beyond_processors},
    {.id = "B7",
     .says = "Different distributions of Linux with one kernel cost the same.",
     .rule = "A file says nothing of one machine under two distributions.",
     .what = kind::beyond},
};

}  // namespace

source bogner() {
  return {"B", "Retrieving the performance overhead of synchronization mechanisms of various popular operating systems",
          "Bogner, Schütz, Wiesinger", listed(on_calls)};
}

}  // namespace synchro::claims
