// "Semaphore throttle", and Bogner, Schütz and Wiesinger's table of calls.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "claims/judges.hpp"
#include "results/measured.hpp"

namespace synchro::claims::judges {

namespace {

const std::string throttle = results::measured::throttle_sum;
constexpr std::int64_t threads_of_the_article = 64, no_limit = 0;
/// The article's own times vary by up to a hundredth where it sees no difference.
constexpr double of_the_logs = 0.01;
const naming by_permits{"permits"};

/// Times by permits, of the article's 64 threads.
cells times(const evidence& e, const std::string& variant = "integer") {
  return e.find(throttle, "time", {is("variant", variant), is("threads", threads_of_the_article)});
}

const cell* with(const cells& all, std::int64_t permits) {
  const cells found = those(all, {is("permits", permits)});
  return found.empty() ? nullptr : found.front();
}

const std::string not_so =
    "64 threads were not measured with as many permits as cores, fewer, more, and without a limit";

std::vector<std::pair<const cell*, const cell*>> against(const cells& all, const cell* one) {
  std::vector<std::pair<const cell*, const cell*>> pairs;
  for (const cell* c : all)
    if (c != one) pairs.emplace_back(c, one);
  return pairs;
}

/// The best number of permits against no limit: the article's gain is of time. Chosen by the repetitions that it is judged
/// by, it looks better than it is: how slow it may be has to be known as surely as of one of so many.
finding gain(const evidence& e, const range& r) {
  const cells all = times(e), limits = those(all, {between("permits", 1, threads_of_the_article)});
  const cell *const first = best(limits), *const free = with(all, no_limit);
  finding f = compared(first, free, r, by_permits, not_so);
  if (f.is != verdict::holds && f.is != verdict::fails) return f;
  const auto surer = ratio_of(*first, *free, 1 - 0.05 / static_cast<double>(limits.size()));
  estimate ratio = *f.measured;
  if (surer && surer->ci)
    ratio.ci->second = std::max(ratio.ci->second, surer->ci->second);
  else
    ratio.ci.reset();
  if (within(ratio, r) == f.is) return f;
  f.is = verdict::unresolved;
  f.sentence += fmt::format(" (the best of {}: too few repetitions to be sure that it is no chance)", limits.size());
  return f;
}

}  // namespace

finding t1(const evidence& e) {
  const cells all = times(e);
  const auto permits = numbers_of(all, "permits");
  const auto is_there = [&](std::int64_t from, std::int64_t to) {
    return std::any_of(permits.begin(), permits.end(), [&](std::int64_t n) { return n >= from && n <= to; });
  };
  const bool complete = e.cores() > 0 && with(all, e.cores()) != nullptr && with(all, no_limit) != nullptr &&
                        (e.cores() == 1 || is_there(1, e.cores() - 1)) && is_there(e.cores() + 1, 2 * e.cores());
  if (!complete) return missing(not_so);
  return compared(against(all, with(all, e.cores())), from(1), by_permits, not_so);
}

finding t2(const evidence& e) {
  const cells all = times(e);
  const cell* const twice = e.cores() == 0 ? nullptr : with(all, 2 * e.cores());
  cells beyond = those(all, {between("permits", 2 * e.cores() + 1, threads_of_the_article)});
  if (twice == nullptr || beyond.empty()) return missing(not_so);
  if (const cell* const free = with(all, no_limit)) beyond.push_back(free);
  return all_of({compared(twice, with(all, e.cores()), from(1), by_permits, not_so),
                 compared(against(beyond, twice), up_to(1 + of_the_logs), by_permits, not_so)},
                not_so);
}

finding t3(const evidence& e) { return gain(e, {1 - 0.20, 1 - 0.15}); }
finding t6(const evidence& e) { return gain(e, from(1 - of_the_logs)); }

finding t4(const evidence& e) {
  const std::string nothing =
      "64 threads were not measured with terms in memory and in registers, with and without a limit";
  const auto loss = [&](const std::string& variant) -> std::optional<estimate> {
    const cells all = times(e, variant);
    const cell* const free = with(all, no_limit);
    const cell* const few = with(all, e.cores());
    return free == nullptr || few == nullptr ? std::nullopt : ratio_of(*free, *few);
  };
  const auto memory = loss("memory"), registers = loss("integer");
  if (!memory || !registers) return missing(nothing);
  return all_of(
      {judged(memory, from(1), "no limit against one for each core, terms in memory: ratio ", nothing),
       judged(quotient(*memory, *registers), from(1), "that over the same with terms in registers: ratio ", nothing)},
      nothing);
}

finding t5(const evidence& e) {
  return compared(with(times(e, "pool"), e.cores()), with(times(e), e.cores()), up_to(1 + of_the_logs),
                  {"variant", "permits"}, "a pool of as many threads as cores was not measured beside 64 threads");
}

// ---- calls

namespace {

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
  return e.find(results::measured::overhead_calls, "delay", {any_of_calls(calls, wanted)});
}

const std::vector<std::string> cheap{"EnterCriticalSection",  "LeaveCriticalSection", "Interlocked Decrement",
                                     "Interlocked Increment", "Lock Spinlock",        "Unlock Spinlock"};
const std::string no_calls = "the calls were not measured";
const naming by_call{"call", "primitive"};

}  // namespace

finding b1(const evidence& e) {
  const cell* const costliest = worst(rows(e, cheap));
  const cell* const entering = best(rows(e, cheap, false));
  if (costliest == nullptr) return missing(no_calls);
  // The least that the table has between both: 11 against 1 us.
  return all_of({judged(estimate_of(*costliest), up_to(1000),
                        word_at(*costliest, "call") + ", the most expensive of those: ", no_calls),
                 compared(entering, costliest, from(11), by_call, no_calls)},
                no_calls);
}

finding b2(const evidence& e) {
  // The table's own rows differ by up to this: 15 and 19 us.
  constexpr double same = 19.0 / 15;
  return compared(each_with_each(rows(e, {"WaitForMultipleObjects"}), rows(e, {"WaitForSingleObject"})),
                  {1 / same, same}, by_call, no_calls);
}

finding b3(const evidence& e) {
  const std::string semaphore = "Waiting for Semaphore";
  return compared(each_with_each(rows(e, {semaphore}), rows(e, {semaphore}, false)), from(1), by_call, no_calls);
}

finding b4(const evidence& e) {
  const cells events = rows(e, {"SetEvent"});
  cells native = those(events, {is("primitive", "event")});
  if (native.empty()) native = those(events, {is("primitive", "linux/eventfd")});
  return compared(each_with_each(those(events, {is("primitive", "pthread/cond_event")}), native), from(2), by_call,
                  no_calls);
}

namespace {

/// Of each row of the table the cell by which the system stands in it.
std::vector<std::pair<const cell*, const cell*>> rows_of_both(const evidence& on_linux, const evidence& on_windows) {
  const auto in_the_table = [](const evidence& e) {
    cells own = e.find(results::measured::overhead_calls, "delay");
    std::erase_if(own, [](const cell* c) { return !results::as_in_the_table_of_calls(word_at(*c, "primitive")); });
    return own;
  };
  return matched(in_the_table(on_linux), in_the_table(on_windows), {"primitive"});
}

}  // namespace

finding b5(const evidence& on_linux, const evidence& on_windows) {
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
}

}  // namespace synchro::claims::judges
