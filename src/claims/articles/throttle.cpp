// "Semaphore throttle".

#include <fmt/format.h>

#include <algorithm>

#include "claims/catalog.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

constexpr const char* throttle_command = "synchroscope run throttle.sum";
constexpr std::int64_t threads_of_the_article = 64, no_limit = 0;
/// The article's own times vary by up to a hundredth where it sees no difference.
constexpr double of_the_logs = 0.01;
const naming by_permits{"permits"};
const std::string not_all_permits =
    "64 threads were not measured with as many permits as cores, fewer, more, and without a limit";

/// Times by permits, of the article's 64 threads.
cells times(const evidence& e, const std::string& variant = "integer") {
  return e.find(results::experiment_names::throttle_sum, "time",
                {is("variant", variant), is("threads", threads_of_the_article)});
}

const cell* with_permits(const cells& all, std::int64_t permits) {
  const cells found = those(all, {is("permits", permits)});
  return found.empty() ? nullptr : found.front();
}

std::vector<std::pair<const cell*, const cell*>> each_against(const cells& all, const cell* one) {
  std::vector<std::pair<const cell*, const cell*>> pairs;
  for (const cell* c : all)
    if (c != one) pairs.emplace_back(c, one);
  return pairs;
}

/// Whether threads were interrupted many times, which the article's loss comes from: what is missing if not.
std::optional<finding> too_short(const evidence& e) {
  for (const cell* c :
       e.find(results::experiment_names::throttle_sum, "slices", {is("threads", threads_of_the_article)}))
    if (*c->value < results::experiment_names::throttle_fewest_slices)
      return missing(fmt::format(
          "a part of the sum took {:.2g} time slices alone: too few to be interrupted many times", *c->value));
  return std::nullopt;
}

/// The best number of permits against no limit: the article's gain is of time. Chosen by the repetitions that it is judged
/// by, it looks better than it is: how slow it may be has to be known as surely as of one of so many.
finding gain_of_the_best(const evidence& e, const range& r) {
  if (const auto why = too_short(e)) return *why;
  const cells all = times(e), limits = those(all, {between("permits", 1, threads_of_the_article)});
  const cell *const first = best(limits), *const free = with_permits(all, no_limit);
  finding f = compared(first, free, r, by_permits, not_all_permits);
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

constexpr claim on_throttling[] = {
    {.id = "T1",
     .says = "64 threads are fastest when as many run at a time as there are cores.",
     .rule = "Every other number of permits, and no limit, against as many as cores: slower. Fewer, more and no limit "
             "must have been measured.",
     .command = throttle_command,
     .judge =
         [](const evidence& e) {
           if (const auto why = too_short(e)) return *why;
           const cells all = times(e);
           const auto permits = numbers_of(all, "permits");
           const auto is_there = [&](std::int64_t from, std::int64_t to) {
             return std::any_of(permits.begin(), permits.end(), [&](std::int64_t n) { return n >= from && n <= to; });
           };
           const bool complete =
               e.cores() > 0 && with_permits(all, e.cores()) != nullptr && with_permits(all, no_limit) != nullptr &&
               (e.cores() == 1 || is_there(1, e.cores() - 1)) && is_there(e.cores() + 1, 2 * e.cores());
           if (!complete) return missing(not_all_permits);
           return compared(each_against(all, with_permits(all, e.cores())), from(1), by_permits, not_all_permits);
         }},
    {.id = "T2",
     .says = "From cores to twice the cores it gets slower, and no slower beyond.",
     .rule = "Twice the cores against the cores: slower; every larger number and no limit against twice the cores: no "
             "more than 1 % slower, by which the article's times vary.",
     .command = throttle_command,
     .judge =
         [](const evidence& e) {
           if (const auto why = too_short(e)) return *why;
           const cells all = times(e);
           const cell* const twice = e.cores() == 0 ? nullptr : with_permits(all, 2 * e.cores());
           cells beyond = those(all, {between("permits", 2 * e.cores() + 1, threads_of_the_article)});
           if (twice == nullptr || beyond.empty()) return missing(not_all_permits);
           if (const cell* const free = with_permits(all, no_limit)) beyond.push_back(free);
           return all_of({compared(twice, with_permits(all, e.cores()), from(1), by_permits, not_all_permits),
                          compared(each_against(beyond, twice), up_to(1 + of_the_logs), by_permits, not_all_permits)},
                         not_all_permits);
         }},
    {.id = "T3",
     .says = "The best number of permits gains 15 to 20 % over no limit.",
     .figure = "15 to 20 %",
     .rule = "The time with the best number of permits against that without a limit: 0.80 to 0.85 times.",
     .command = throttle_command,
     .judge =
         [](const evidence& e) {
           return gain_of_the_best(e, {1 - 0.20, 1 - 0.15});
         }},
    {.id = "T4",
     .says = "A comment: the loss comes from the caches rather than from switching.",
     .rule = "What no limit costs against as many permits as cores: a loss with terms in memory, and a larger one than "
             "with terms in registers.",
     .command = "synchroscope run throttle.sum --variant integer,memory",
     .judge =
         [](const evidence& e) {
           if (const auto why = too_short(e)) return *why;
           const std::string nothing =
               "64 threads were not measured with terms in memory and in registers, with and without a limit";
           const auto loss = [&](const std::string& variant) -> std::optional<estimate> {
             const cells all = times(e, variant);
             const cell* const free = with_permits(all, no_limit);
             const cell* const few = with_permits(all, e.cores());
             return free == nullptr || few == nullptr ? std::nullopt : ratio_of(*free, *few);
           };
           const auto memory = loss("memory"), registers = loss("integer");
           if (!memory || !registers) return missing(nothing);
           return all_of(
               {judged(memory, from(1), "no limit against one for each core, terms in memory: ratio ", nothing),
                judged(quotient(*memory, *registers), from(1), "that over the same with terms in registers: ratio ",
                       nothing)},
               nothing);
         }},
    {.id = "T5",
     .says = "A comment: a pool of n threads does as well as 64 threads with n permits.",
     .rule = "A pool of as many threads as cores against 64 threads with as many permits: no more than 1 % slower.",
     .command = "synchroscope run throttle.sum --variant integer,pool",
     .judge =
         [](const evidence& e) {
           return compared(with_permits(times(e, "pool"), e.cores()), with_permits(times(e), e.cores()),
                           up_to(1 + of_the_logs), {"variant", "permits"},
                           "a pool of as many threads as cores was not measured beside 64 threads");
         }},
    {.id = "T6",
     .says = "A comment: on another machine there is no gain at all.",
     .rule = "The best number of permits against no limit: no more than 1 % faster.",
     .command = throttle_command,
     .judge = [](const evidence& e) { return gain_of_the_best(e, from(1 - of_the_logs)); }},
};

}  // namespace

source throttle() { return {"T", "Semaphore throttle", "article", listed(on_throttling)}; }

}  // namespace synchro::claims
