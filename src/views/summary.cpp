#include "views/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "results/paired.hpp"
#include "results/text.hpp"
#include "results/units.hpp"
#include "statistics/statistics.hpp"
#include "views/pivot.hpp"
#include "views/throttle.hpp"

namespace synchro::views {

using namespace results;

namespace {

using sentences = std::vector<std::string>;

constexpr std::size_t most_names = 3;

bool resolved(const cell& c) {
  return c.valid && c.value && c.ci && (c.quality == flag::ok || c.quality == flag::noisy);
}

/// Waking and starting threads takes an uncertain time by its nature: the interval says how uncertain.
bool known(const cell& c) { return c.valid && c.value && c.ci; }

std::string name_of(const coordinate& c) { return printable_ascii(to_string(c), 40); }

/// In the summary, rates are words: "19.0 million times a second".
std::string spoken_unit(const std::string& unit) {
  static const std::map<std::string, std::string> words = {{"op/s", "times a second"},
                                                           {"kop/s", "thousand times a second"},
                                                           {"Mop/s", "million times a second"},
                                                           {"Gop/s", "billion times a second"}};
  const auto found = words.find(unit);
  return found == words.end() ? unit : found->second;
}

/// "26.1 ns (25.8 to 26.4)"
std::string told(const cell& c) {
  const scale in = scale_for(printable_ascii(c.unit, 12), {*c.value}, false);
  const auto number = [&](double v) { return digits(v / in.factor); };
  return fmt::format("{} ({} to {})", joined(number(*c.value), " ", spoken_unit(in.unit)), number(c.ci->first),
                     number(c.ci->second));
}

/// "100 us"
std::string time_text(double ns) {
  const scale in = scale_for("ns", {ns}, false);
  return joined(digits(ns / in.factor), " ", in.unit);
}

/// "3.2 times", "40 % more": how much larger a is than b.
std::string times(double a, double b) {
  const double factor = a / b;
  return factor < 2 ? fmt::format("{:.0f} % more", 100 * (factor - 1))
                    : fmt::format("{} times as much", digits(factor));
}

cells cells_of(const document& d, const std::string& experiment, const std::string& metric) {
  cells found;
  for (const cell& c : d.cells)
    if (c.experiment == experiment && c.metric == metric) found.push_back(&c);
  return where(found, "mode", "near");
}

/// The near mode, or if nothing was measured in it the other one.
cells cells_of_any_mode(const document& d, const std::string& experiment, const std::string& metric) {
  cells all;
  for (const cell& c : d.cells)
    if (c.experiment == experiment && c.metric == metric && known(c)) all.push_back(&c);
  const cells near = where(all, "mode", "near");
  return near.empty() ? all : near;
}

/// What has to be said of a number that was measured in the other mode.
std::string from_afar(const cell& c) {
  return at_or_blank(c, "mode") == coordinate{"far"} ? ", while the processors were far from each other" : "";
}

const cell* first_at(const cells& all, const std::string& axis, const coordinate& value) {
  const cells found = where(all, axis, value);
  return found.empty() ? nullptr : found.front();
}

const cell* resolved_at(const cells& all, const std::string& axis, const coordinate& value) {
  for (const cell* c : where(all, axis, value))
    if (resolved(*c)) return c;
  return nullptr;
}

cells only_resolved(cells all) {
  std::erase_if(all, [](const cell* c) { return !resolved(*c); });
  return all;
}

/// Processors the run could use; 0 if the file does not say.
std::size_t processors(const document& d) {
  for (const char* name : {"processors", "cpus"})
    if (const auto found = d.topology.find(name); found != d.topology.end() && found->is_array()) return found->size();
  return 0;
}

void tell_memory(const document& d, sentences& out) {
  const cells all = cells_of(d, "coherence.local", "latency");
  const cell* const near = resolved_at(all, "level", "l1");
  const cell* const far = resolved_at(all, "level", "ram");
  if (near == nullptr) return;
  std::string text = "Reading a value from the processor's first cache takes " + told(*near);
  if (far != nullptr) text += "; from main memory " + told(*far) + ", " + times(*far->value, *near->value);
  out.push_back(text + ".");
}

void tell_pairs(const document& d, const std::string& protocol, const std::string& how, sentences& out) {
  cells all = only_resolved(where(cells_of(d, "coherence.pairs", "latency"), "protocol", protocol));
  if (all.empty()) return;
  const auto [least, most] =
      std::minmax_element(all.begin(), all.end(), [](const cell* a, const cell* b) { return *a->value < *b->value; });
  const auto pair = [](const cell& c) {
    return fmt::format("processor {} to {}", name_of(at_or_blank(c, "from")), name_of(at_or_blank(c, "to")));
  };
  std::string text = fmt::format("Handing a cache line, the unit in which processors share memory, from {} costs {}",
                                 pair(**least), told(**least));
  if ((*most)->ci->first > (*least)->ci->second)
    text += fmt::format("; from {}, the farthest, {}", pair(**most), told(**most));
  out.push_back(fmt::format("{} (protocol {}: {}).", text, protocol, how));
}

void tell_free_lock(const document& d, sentences& out) {
  const cells all = only_resolved(where(cells_of(d, "locks.uncontested", "pair"), "distance", "same_cpu"));
  if (all.empty()) return;
  const cell& best =
      **std::min_element(all.begin(), all.end(), [](const cell* a, const cell* b) { return *a->value < *b->value; });
  const auto lock = [](const cell& c) { return name_of(at_or_blank(c, "lock")); };
  const cell* const usual = resolved_at(all, "lock", "std/mutex");
  if (usual == nullptr || usual == &best)
    out.push_back(fmt::format("Taking and giving back a lock that nobody else wants costs least with {}: {}.",
                              lock(best), told(best)));
  else
    out.push_back(
        fmt::format("Taking and giving back a std/mutex that nobody else wants costs {}; the cheapest lock, "
                    "{}, costs {}.",
                    told(*usual), lock(best), told(best)));
}

/// Whether paired repetitions show a difference between two cells.
bool told_apart(const cell& a, const cell& b) {
  const std::optional<ratio> r = paired_ratio(a, b);
  return r && r->resolved();
}

/// ", not distinguishable from mcs, clh and 2 more"
std::string rivals(const cell& best, const cells& all) {
  sentences names;
  for (const cell* c : all)
    if (c != &best && !told_apart(best, *c)) names.push_back(name_of(at_or_blank(*c, "lock")));
  if (names.empty()) return "";
  const std::size_t rest = names.size() - std::min(names.size(), most_names);
  if (rest > 0) names.resize(most_names);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list = joined(list, rest == 0 && i + 1 == names.size() ? " and " : ", ", names[i]);
  return ", not distinguishable from " + list + (rest > 0 ? fmt::format(" and {} more", rest) : "");
}

/// Cells that differ in the lock only: those at the coordinates of the first that has company.
cells contest(const cells& all) {
  std::vector<std::pair<coordinates, cells>> groups;
  for (const cell* c : all) {
    coordinates rest;
    for (const auto& [axis, value] : c->at.entries())
      if (axis != "lock" && axis != "event") rest.set(axis, value);
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == rest; });
    if (found == groups.end())
      groups.push_back({rest, {c}});
    else
      found->second.push_back(c);
  }
  for (const auto& [at, group] : groups)
    if (group.size() > 1) return group;
  return {};
}

/// Where else a number was taken: the same cell with another metric.
const cell* beside(const document& d, const cell& c, const std::string& metric) {
  for (const cell& other : d.cells)
    if (other.experiment == c.experiment && other.metric == metric && other.at == c.at && known(other)) return &other;
  return nullptr;
}

cells saturated(const document& d, const std::string& experiment, const std::string& metric) {
  return where(cells_of(d, experiment, metric), "protocol", std::string{"saturated"});
}

cells on_one_lock(const document& d, const std::string& metric, std::int64_t threads) {
  const cells one_lock = where(saturated(d, "locks.throughput", metric), "locks", std::int64_t{1});
  return contest(only_resolved(where(one_lock, "threads", threads)));
}

bool less(const cell* a, const cell* b) { return *a->value < *b->value; }

/// The lock that does most, if it does so by staying with one thread: ". Taken most often is ..."
std::string most_taken(const document& d, std::int64_t threads, const cell& soonest) {
  const cells all = on_one_lock(d, "throughput", threads);
  const cell* const other = beside(d, soonest, "throughput");
  if (all.empty() || other == nullptr) return "";
  const cell& most = **std::max_element(all.begin(), all.end(), less);
  if (&most == other || !told_apart(most, *other)) return "; it is taken " + told(*other);
  std::string text = "; it is taken " + told(*other) + ". Taken most often is " + name_of(at_or_blank(most, "lock")) +
                     ", " + told(most);
  if (const cell* const moved = beside(d, most, "hand_off"); moved != nullptr)
    text += fmt::format(", {} of 100 times by the thread that had it last", digits(100 * (1 - *moved->value)));
  return text;
}

/// By the time of a hand-over: a lock that one thread keeps is fast, but the others wait.
void tell_contest(const document& d, std::int64_t threads, sentences& out) {
  const cells all = on_one_lock(d, "hand_over", threads);
  if (all.empty()) return;
  const cell& best = **std::min_element(all.begin(), all.end(), less);
  const cell& worst = **std::max_element(all.begin(), all.end(), less);
  const std::size_t cpus = processors(d);
  const bool crowded = cpus > 0 && static_cast<std::size_t>(threads) > cpus;
  std::string text =
      fmt::format("With {} threads{} that all want one lock it passes to another thread every {} with {}{}", threads,
                  crowded ? fmt::format(" for {} processors", cpus) : "", told(best),
                  name_of(at_or_blank(best, "lock")), rivals(best, all));
  if (told_apart(best, worst))
    text += fmt::format(", every {} with {}", told(worst), name_of(at_or_blank(worst, "lock")));
  out.push_back(text + most_taken(d, threads, best) + ".");
}

/// The largest team that fits the processors, and the largest of all.
void tell_contests(const document& d, sentences& out) {
  std::vector<std::int64_t> teams;
  for (const cell* c : saturated(d, "locks.throughput", "hand_over"))
    if (const coordinate n = at_or_blank(*c, "threads"); std::holds_alternative<std::int64_t>(n))
      if (std::get<std::int64_t>(n) > 1) teams.push_back(std::get<std::int64_t>(n));
  if (teams.empty()) return;
  std::sort(teams.begin(), teams.end());
  const auto cpus = static_cast<std::int64_t>(processors(d));
  const auto beyond = cpus == 0 ? teams.end() : std::upper_bound(teams.begin(), teams.end(), cpus);
  if (beyond != teams.begin()) tell_contest(d, *std::prev(beyond), out);
  if (beyond != teams.end()) tell_contest(d, teams.back(), out);
}

void tell_counter(const document& d, sentences& out) {
  const cells all =
      only_resolved(where(saturated(d, "atomics.throughput", "successes"), "operation", std::string{"fai"}));
  const cell* alone = nullptr;
  const cell* many = nullptr;
  const auto cpus = static_cast<std::int64_t>(processors(d));
  for (const cell* c : all) {
    const coordinate threads = at_or_blank(*c, "threads");
    const auto* const n = std::get_if<std::int64_t>(&threads);
    if (n == nullptr || (cpus > 0 && *n > cpus)) continue;
    if (*n == 1) alone = alone == nullptr ? c : alone;
    if (*n > 1 && (many == nullptr || *n > many->at.number("threads"))) many = c;
  }
  if (alone == nullptr || many == nullptr) return;
  const bool slower = many->ci->second < alone->ci->first;
  std::string text = fmt::format(
      "One thread alone adds to a counter {}; {} threads together add to the same counter {}{}", told(*alone),
      many->at.number("threads"), told(*many),
      slower ? fmt::format(": sharing is {} times slower than working alone", digits(*alone->value / *many->value))
             : "");
  if (const cell* const passes = beside(d, *many, "hand_over"); passes != nullptr)
    text += fmt::format(". The counter passes from one to another every {}", told(*passes));
  out.push_back(text + ".");
}

/// "wake.broadcast" with one sleeper: asleep, and spinning.
void tell_waking(const document& d, sentences& out) {
  const cells alone = where(cells_of_any_mode(d, "wake.broadcast", "wake_mean"), "threads", std::int64_t{1});
  const cell* const asleep = first_at(alone, "primitive", "event");
  const cell* const spinning = first_at(alone, "primitive", "spin/pause");
  if (asleep == nullptr) return;
  std::string text = "A sleeping thread runs " + told(*asleep) + " after another has woken it through an event";
  if (spinning != nullptr)
    text += "; one that spins on a flag and burns its processor meanwhile, after " + told(*spinning);
  out.push_back(text + from_afar(*asleep) + ".");
}

void tell_groups(const document& d, sentences& out) {
  for (const cell* c : where(cells_of_any_mode(d, "wake.groups", "best_group"), "primitive", std::string{"event"})) {
    const cell* const gain = beside(d, *c, "gain");
    const coordinate threads = at_or_blank(*c, "threads");
    const auto* const number = std::get_if<std::int64_t>(&threads);
    if (gain == nullptr || number == nullptr) continue;
    const std::int64_t sleepers = *number;
    if (gain->ci->first > 1)
      out.push_back(
          fmt::format("To wake {} threads, an event for each {:.0f} of them ({:.0f} to {:.0f}) is best: {:.0f} % "
                      "faster on average than one for all or one for each.",
                      sleepers, *c->value, c->ci->first, c->ci->second, 100 * (*gain->value - 1)));
    else
      out.push_back(fmt::format(
          "To wake {} threads, no size of a group is shown to be better than one event for all or one for each.",
          sleepers));
    return;
  }
}

void tell_idle(const document& d, sentences& out) {
  const cells all = where(cells_of_any_mode(d, "wake.idle", "wake"), "primitive", std::string{"event"});
  const cell* const soon = first_at(all, "idle", std::int64_t{100'000});
  const cell* const late = first_at(all, "idle", std::int64_t{100'000'000});
  if (soon == nullptr || late == nullptr) return;
  out.push_back(fmt::format(
      "After 0.1 ms of sleep a thread wakes in {}, after 100 ms in {}{}{}.", told(*soon), told(*late), from_afar(*late),
      soon->ci->second < late->ci->first || late->ci->second < soon->ci->first ? "" : ": no difference resolved"));
}

/// "overhead.calls": what enters the system against what does not, by one and the same mutex.
void tell_calls(const document& d, sentences& out) {
  const cells all = where(cells_of_any_mode(d, "overhead.calls", "delay"), "primitive", std::string{"pthread/mutex"});
  const cell* const free = first_at(all, "call", "EnterCriticalSection");
  const cell* const handed = first_at(all, "call", "ReleaseMutex");
  if (free == nullptr || handed == nullptr) return;
  out.push_back(fmt::format("To take a mutex that is free costs {}; to hand it to a thread that sleeps {}, {}.",
                            told(*free), told(*handed), times(*handed->value, *free->value)));
}

/// "forkjoin.breakeven" for one way of starting, with the fewest threads.
void tell_dividing(const document& d, sentences& out) {
  const cells all = where(cells_of_any_mode(d, "forkjoin.breakeven", "breakeven"), "primitive", std::string{"event"});
  if (all.empty()) return;
  const auto threads = [](const cell* c) {
    const coordinate n = at_or_blank(*c, "threads");
    return std::holds_alternative<std::int64_t>(n) ? std::get<std::int64_t>(n) : 0;
  };
  const cell* const found =
      *std::min_element(all.begin(), all.end(), [&](const cell* a, const cell* b) { return threads(a) < threads(b); });
  std::string text = fmt::format("Work is worth dividing among {} threads if it takes one thread more than {}",
                                 threads(found), told(*found));
  if (const cell* const delay = beside(d, *found, "invocation_delay"); delay != nullptr)
    text += fmt::format(": the last of them starts after {}", told(*delay));
  out.push_back(text + from_afar(*found) + ".");
}

/// "forkjoin.timeline" for one way of starting.
void tell_starting(const document& d, sentences& out) {
  const cells all =
      where(cells_of_any_mode(d, "forkjoin.timeline", "invocation_delay"), "primitive", std::string{"event"});
  if (all.empty()) return;
  const cell& delay = *all.front();
  const coordinate work = at_or_blank(delay, "work");
  if (!std::holds_alternative<std::int64_t>(work)) return;
  std::string text = fmt::format("Where {} threads divide work of {}, the last starts {} after the first trigger",
                                 name_of(at_or_blank(delay, "threads")),
                                 time_text(static_cast<double>(std::get<std::int64_t>(work))), told(delay));
  if (const cell* const share = beside(d, delay, "parallel_share"); share != nullptr && resolved(*share))
    text += fmt::format(", and two or more truly run at once for {:.0f} % of the time", 100 * *share->value);
  out.push_back(text + from_afar(delay) + ".");
}

/// "forkjoin.balance" for one way of starting, with the shortest work.
void tell_balance(const document& d, sentences& out) {
  const cells all = where(cells_of_any_mode(d, "forkjoin.balance", "gain"), "primitive", std::string{"event"});
  if (all.empty()) return;
  const cell& gain = *all.front();
  if (gain.ci->first > 1)
    out.push_back(
        fmt::format("Giving less work to those who start late makes divided work {:.0f} % faster ({:.0f} % to "
                    "{:.0f} %).",
                    100 * (*gain.value - 1), 100 * (gain.ci->first - 1), 100 * (gain.ci->second - 1)));
  else if (gain.ci->second < 1)
    out.emplace_back("Giving less work to those who start late makes divided work slower here.");
  else
    out.emplace_back("Whether divided work is done sooner if those who start late get less of it is not resolved.");
}

void tell_throttle(const document& d, sentences& out) {
  const cells all = where(cells_of(d, "throttle.sum", "time"), "variant", std::string{"integer"});
  if (const auto found = best_throttle(all)) out.push_back(told(*found));
}

void tell_doubts(const document& d, sentences& out) {
  const auto count = [&](auto is) { return std::count_if(d.cells.begin(), d.cells.end(), is); };
  const auto broken = count([](const cell& c) { return !c.valid; });
  const auto unsure = count([](const cell& c) { return c.value && !resolved(c); });
  if (broken == 1) out.emplace_back("1 cell failed its self-check: what it measured is broken.");
  if (broken > 1) out.push_back(fmt::format("{} cells failed their self-check: what they measured is broken.", broken));
  if (unsure > 0)
    out.push_back(fmt::format("{} of {} numbers {} too uncertain to be relied on; see the tables.", unsure,
                              count([](const cell& c) { return c.value.has_value(); }), unsure == 1 ? "is" : "are"));
}

}  // namespace

std::vector<std::string> summary(const document& d) {
  sentences out;
  tell_memory(d, out);
  tell_pairs(d, "cas", "two processors take turns on one line by compare-and-swap", out);
  tell_pairs(d, "handover", "stores and loads on two lines", out);
  tell_counter(d, out);
  tell_free_lock(d, out);
  tell_contests(d, out);
  tell_waking(d, out);
  tell_groups(d, out);
  tell_idle(d, out);
  tell_calls(d, out);
  tell_throttle(d, out);
  tell_starting(d, out);
  tell_dividing(d, out);
  tell_balance(d, out);
  if (!out.empty()) out.push_back("In brackets: where the true value lies, with 95 % confidence.");
  tell_doubts(d, out);
  return out;
}

}  // namespace synchro::views
