#include "profile/closed_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>

#include "profile/groups.hpp"
#include "profile/think_times.hpp"
#include "results/units.hpp"

namespace synchro::profile {

namespace {

// Beyond these a program is no closed system of threads that are alike. They are bounds of judgement, not of a theory.
constexpr std::uint64_t fewest_holds =
    100;                               ///< Whose mean scatters by a tenth where times are as long as they scatter.
constexpr double most_waiting = 0.1;   ///< Share of the threads' time in waits for conditions.
constexpr double most_off = 0.3;       ///< Share off the processors, of the time in which they do not wait for locks;
constexpr double most_think = 0.5;     ///< of that, beyond which the answer would be more about others than about them.
constexpr double most_reading = 0.05;  ///< Share of acquisitions.
constexpr double most_by_others = 0.05;  ///< Share of acquisitions by threads that take few locks.
constexpr double few = 0.1;              ///< A share of the busiest thread's.
constexpr double most_unlike = 2.5;      ///< Times the rate of the least busy of the others.
constexpr double most_tried = 0.1;       ///< Share of the acquisitions of a lock.
constexpr double longer = 1.5;           ///< With more threads;
constexpr double most_growth = 0.05;     ///< of a round, what its think time may grow by all the same.
constexpr double told = 0.01;            ///< Shares from here on are told.
constexpr std::size_t most_kinds = 512;
constexpr double few_alone = 10;         ///< Holds beyond which most of them should be followed by a gap.
constexpr double most_inside = 1000;     ///< Of one hold.
constexpr double longest_round = 1e10;   ///< ns
constexpr double most_in_a_round = 1e4;  ///< Holds.
constexpr std::size_t deepest = 32;      ///< Locks that a thread holds at a time.

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> why, Args&&... args) {
  throw std::runtime_error(fmt::format(why, std::forward<Args>(args)...));
}

double amount(std::uint64_t n) { return static_cast<double>(n); }
std::string percent(double share) { return results::significant(100 * share, 3) + " %"; }

std::uint64_t holds_of(const stored_process& p) {
  return std::accumulate(p.locks.begin(), p.locks.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const stored_lock& l) { return sum + l.holds; });
}

const stored_process& busiest(const stored& s) {
  const auto found = std::max_element(
      s.processes.begin(), s.processes.end(),
      [](const stored_process& a, const stored_process& b) { return holds_of(a) * a.every < holds_of(b) * b.every; });
  if (found == s.processes.end() || holds_of(*found) == 0) refuse("no lock was seen in it");
  if (!found->has_gaps)
    refuse("it was recorded by an earlier Synchroscope, without all that a prediction needs; record it again");
  if (const std::uint64_t n = holds_of(*found); n < fewest_holds)
    refuse("only {} acquisitions were sampled; record it for longer, or with --every 1", n);
  return *found;
}

/// The threads that take the locks; others take few.
struct team {
  double seconds = 0, worked = 0, conditions = 0;
  std::optional<double> queued = 0;  ///< For processors; nothing if it is not known of all.
  double on = 1;                     ///< As in closed_system.
  double off = 0;                    ///< The share of the time in which they did not wait for locks that is left out;
  double beside = 0;                 ///< That time, in seconds.
  std::optional<double> think;       ///< that was think time.
  std::uint64_t threads = 0;
  std::size_t others = 0;
};

team team_of(const stored_process& p) {
  std::uint64_t most = 0, all = 0, samples = 0, by_others = 0;
  for (const stored_thread& t : p.by_thread) most = std::max(most, t.samples), all += t.samples;
  for (const stored_lock& l : p.locks) samples += l.samples;
  if (2 * all < samples)
    refuse(
        "most of its locks were taken by threads that lived for less than a millisecond, or are beyond the first 4096");
  team of;
  double least_rate = INFINITY, most_rate = 0;
  for (const stored_thread& t : p.by_thread) {
    if (amount(t.samples) < few * amount(most)) {
      by_others += t.samples, ++of.others;
      continue;
    }
    ++of.threads, of.seconds += t.seconds, of.worked += t.worked_seconds, of.conditions += t.condition_seconds;
    of.queued = of.queued && t.queued_seconds ? std::optional{*of.queued + *t.queued_seconds} : std::nullopt;
    const double rate =
        amount(t.samples) / std::max(t.worked_seconds, 1e-6);  // other programs delay one more than another
    least_rate = std::min(least_rate, rate), most_rate = std::max(most_rate, rate);
  }
  if (amount(by_others) > most_by_others * amount(all))
    refuse(
        "its threads are not alike: {} of its locks are taken by threads that take less than a tenth of what the "
        "busiest takes",
        percent(amount(by_others) / amount(all)));
  if (most_rate > most_unlike * least_rate)
    refuse("its threads are not alike: the busiest takes locks {} times as often as the least busy",
           results::two_digits(most_rate / least_rate));
  if (of.threads < 2)
    refuse("one thread took its locks, so it cannot be seen which of them threads share; record it with two or more");
  return of;
}

double waited_ns(const stored_process& p, const stored_lock& l) {
  return amount(l.wait_ns) * amount(p.every) + amount(l.long_ns);
}

/// Where the system tells how long they waited for processors, the rest of the time off these is think time; waits for
/// conditions are in no hold and no gap. How much of the former came at the end of waits for locks is not known: all is
/// taken to lie beside these.
void part_time(team& of, double waits) {
  constexpr double least = 1e-9, rounding = 1e-9;
  const double worked = std::max(of.worked, 0.0);
  const double beside = of.beside = std::max({of.seconds - waits - (of.queued ? of.conditions : 0), worked, least});
  const double off = beside - worked, left_out = std::clamp(of.queued.value_or(off), 0.0, off);
  of.on = worked / (worked + left_out);
  of.off = left_out / beside;
  if (of.queued) of.think = off - left_out > rounding * beside ? (off - left_out) / beside : 0;
  if (!(of.off <= most_off))
    refuse("its threads {} for {} of their time beside waits for locks: they {}were more than the processors{}",
           of.queued ? "waited for a processor" : "were off the processors", percent(of.off),
           of.queued ? "" : "slept, waited for files or others, or ", of.queued ? ", or other programs ran" : "");
  if (of.think && !(*of.think <= most_think))
    refuse(
        "its threads slept, or waited for files or others, for {} of their time beside waits for locks: what they do "
        "depends more on that than on what is recorded",
        percent(*of.think));
}

void demand_work(const stored_process& p, team& of) {
  double waits = 0, reads = 0, all = 0;
  for (const stored_lock& l : p.locks) {
    waits += waited_ns(p, l) * 1e-9;
    all += amount(l.samples);
    if (l.side == "reading") reads += amount(l.samples);
  }
  if (const double share = of.conditions / of.seconds; share > most_waiting)
    refuse(
        "its threads wait for conditions for {} of their time, and how long depends on what others do: that is not a "
        "closed system",
        percent(std::min(share, 1.0)));
  part_time(of, waits);
  if (reads > most_reading * all)
    refuse("{} of its acquisitions only read, and what several readers do at a time is not replayed",
           percent(reads / all));
}

/// What is known of a lock_kind before its times are set.
struct counts {
  std::string name;
  std::uint64_t holds = 0, gaps = 0;
  double hold_ns = 0, gap_ns = 0, wait_ns = 0;
  bool one_thread_each = true;
  std::vector<double> of_each;
  std::vector<bucket> hold_times, gap_times;
  std::vector<double> follows, inside;
  double tried = 0;  ///< Holds, while another lock was held: the thread would not have waited for it.

  void add(const stored_process& p, const stored_lock& l) {
    holds += l.holds, gaps += l.gaps;
    hold_ns += amount(l.hold_ns), gap_ns += amount(l.gap_ns), wait_ns += waited_ns(p, l) / amount(p.every);
    one_thread_each = one_thread_each && l.threads <= 1;
    of_each.push_back(amount(l.holds));
    hold_times.insert(hold_times.end(), l.hold_times.begin(), l.hold_times.end());
    gap_times.insert(gap_times.end(), l.gap_times.begin(), l.gap_times.end());
  }
  /// A mean of so many, each read with two clocks.
  static double mean(double ns, std::uint64_t n, const stored_process& p) {
    return n == 0 ? 0 : std::max(0.0, ns / amount(n) - amount(p.clock_ns));
  }
};

/// Of each lock. Those of a variable that has many are one kind: each is called by its place there.
std::vector<std::string> names_of(const stored_process& p) {
  constexpr std::size_t many = 8;
  std::map<std::string, std::size_t> of_variable;
  for (const stored_lock& l : p.locks) ++of_variable[l.variable];
  std::vector<std::string> all;
  for (const stored_lock& l : p.locks)
    all.push_back(!l.variable.empty() && of_variable[l.variable] > many ? l.variable : l.name);
  return all;
}

std::vector<counts> kinds_in(const stored_process& p) {
  std::vector<counts> all;
  std::map<std::string, std::size_t> known;
  const std::vector<std::string> called = names_of(p);
  std::vector<std::size_t> kind_of(p.locks.size());
  for (std::size_t i = 0; i < p.locks.size(); ++i) {
    const stored_lock& l = p.locks[i];
    const std::string& name = called[i];
    kind_of[i] = known.try_emplace(name, all.size()).first->second;
    if (kind_of[i] == all.size()) all.emplace_back().name = name;
    all[kind_of[i]].add(p, l);
  }
  if (all.size() > most_kinds) refuse("its locks have {} names, and at most {} are replayed", all.size(), most_kinds);
  for (counts& c : all) c.follows.resize(all.size()), c.inside.resize(all.size());
  for (const stored_pair& two : p.pairs) {
    counts& c = all[kind_of[two.first]];
    c.follows[kind_of[two.second]] += amount(two.follows), c.inside[kind_of[two.second]] += amount(two.inside);
    all[kind_of[two.second]].tried += amount(two.tried);
  }
  return all;
}

/// How many there are. Who only tries waits for nobody, so tries make no order; a replay has none of them.
double few_tries(const std::vector<counts>& all) {
  double sum = 0;
  for (const counts& c : all) {
    sum += c.tried;
    if (c.tried >= few_alone && c.tried > most_tried * amount(c.holds))
      refuse("{} of the acquisitions of {} are tries while another lock is held, and tries are not replayed",
             percent(std::min(1.0, c.tried / amount(c.holds))), shown_name(c.name));
  }
  return sum;
}

/// In a cycle it is not known who takes what first, and threads of a replay would wait for each other for ever.
void demand_order(const std::vector<counts>& all) {
  enum : char { unseen, open, done };
  std::vector<char> state(all.size(), unseen);
  std::vector<std::size_t> depth(all.size(), 1);
  const std::function<void(std::size_t)> visit = [&](std::size_t i) {
    if (state[i] == open)
      refuse("{} is taken while another such lock is held, or in a cycle of locks: the order is not known",
             shown_name(all[i].name));
    if (state[i] == done) return;
    state[i] = open;
    for (std::size_t j = 0; j < all.size(); ++j)
      if (all[i].inside[j] > 0) visit(j), depth[i] = std::max(depth[i], depth[j] + 1);
    if (depth[i] > deepest) refuse("more than {} locks are held at a time, one in the other", deepest);
    state[i] = done;
  };
  for (std::size_t i = 0; i < all.size(); ++i) visit(i);
}

std::vector<double> normal(std::vector<double> all) {
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  if (sum == 0) return {};
  for (double& x : all) x /= sum;
  return all;
}

/// Without the longest, which other programs had lengthened: so many that this share of the time is left.
std::vector<bucket> shortest(std::vector<bucket> all, double share) {
  std::sort(all.begin(), all.end(), [](const bucket& a, const bucket& b) { return a.from_ns > b.from_ns; });
  const auto middle = [](const bucket& b) { return 1.5 * amount(std::max<std::uint64_t>(b.from_ns, 1)); };
  double left = 0;
  for (const bucket& b : all) left += amount(b.count) * middle(b) * (1 - share);
  for (bucket& b : all) {
    const auto gone = left < amount(b.count) * middle(b) ? static_cast<std::uint64_t>(left / middle(b)) : b.count;
    b.count -= gone, left -= amount(gone) * middle(b);
  }
  std::erase_if(all, [](const bucket& b) { return b.count == 0; });
  return all;
}

/// Of each kind a hold, without what is taken meanwhile, and the gap after it: what is left without think time, and that.
struct parted {
  recorded_times times;
  think_time think;
};
struct parted_kind {
  parted hold, gap;
};

/// How often it was taken while nothing else was held.
double alone(const std::vector<counts>& all, std::size_t which) {
  double n = amount(all[which].holds) - all[which].tried;
  for (const counts& outer : all) n -= outer.inside[which];
  return n;
}

std::vector<parted_kind> parted_kinds(const std::vector<counts>& all, const stored_process& p, const team& of) {
  std::vector<recorded_times> times;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const counts& c = all[i];
    double inner = 0;
    for (std::size_t j = 0; j < all.size(); ++j)
      if (c.holds != 0 && c.inside[j] > 0 && all[j].holds != 0)
        inner += c.inside[j] / amount(c.holds) *
                 (counts::mean(all[j].hold_ns, all[j].holds, p) + all[j].wait_ns / amount(all[j].holds));
    times.push_back({std::max(0.0, counts::mean(c.hold_ns, c.holds, p) - inner), amount(c.holds), c.hold_times});
    times.push_back({counts::mean(c.gap_ns, c.gaps, p), std::max(0.0, alone(all, i)), c.gap_times});
  }
  const double unit = of.beside * 1e9 / amount(p.every);  // of what samples are of
  const double think = of.think.value_or(0);
  const std::vector<think_time> thinks = take_think_times(times, think * unit, (1 - think) * unit);
  std::vector<parted_kind> kinds;
  for (std::size_t i = 0; i < times.size(); i += 2)
    kinds.push_back({{times[i], thinks[i]}, {times[i + 1], thinks[i + 1]}});
  return kinds;
}

/// What is left of it on a processor.
times worked(const recorded_times& t, double on) { return times{on * t.mean, shortest(t.buckets, on)}; }

lock_kind kind_of(const std::vector<counts>& all, const counts& c, const stored_process& p, const team& of,
                  const parted_kind& its) {
  lock_kind k;
  k.name = shown_name(c.name);
  k.shares = normal(c.of_each);
  if (k.shares.empty()) k.shares.assign(c.of_each.size(), 1.0 / amount(c.of_each.size()));
  k.own = c.one_thread_each;
  k.acquisitions = amount(c.holds) * amount(p.every) / of.seconds * amount(of.threads);
  for (std::size_t j = 0; j < all.size(); ++j) {
    const double each = c.holds == 0 ? 0 : c.inside[j] / amount(c.holds);
    if (each > most_inside)
      refuse("{} is taken {} times while {} is held once, and more than {} times are not replayed",
             shown_name(all[j].name), results::two_digits(each), k.name, most_inside);
    k.inside.push_back(each);
  }
  k.hold = worked(its.hold.times, of.on), k.hold_think = its.hold.think;
  k.gap = worked(its.gap.times, of.on), k.gap_think = its.gap.think;
  k.next = normal(c.follows);
  return k;
}

/// A replay makes each of them.
void demand_few_holds(const closed_system& c) {
  const std::vector<double> each = c.holds_in_a_round();
  if (const double all = std::accumulate(each.begin(), each.end(), 0.0); !(all <= most_in_a_round))
    refuse("a round takes {} locks, and rounds of more than {} are not replayed", results::two_digits(all),
           results::two_digits(most_in_a_round));
}

std::vector<std::string> simplified(const stored& s, const stored_process& p, const team& of, const closed_system& c) {
  std::vector<std::string> all;
  if (s.processes.size() > 1)
    all.push_back(fmt::format("Of the {} processes, this one took the most locks.", s.processes.size()));
  if (of.others != 0) all.push_back(fmt::format("{} of its threads took few locks and are left out.", of.others));
  if (of.off > told)
    all.push_back(fmt::format("{} of the threads' time beside waits for locks, in which they {}, is left out.",
                              percent(of.off), of.think ? "waited for a processor" : "were off the processors"));
  if (of.think > told)
    all.push_back(
        fmt::format("For {} of that time they slept, or waited for files, others or locks that are not recorded: this "
                    "is taken to last as "
                    "long with any number of threads.",
                    percent(*of.think)));
  if (p.lost_samples != 0) all.push_back(fmt::format("{} samples were of locks beyond the most.", p.lost_samples));
  const auto own = std::count_if(c.kinds.begin(), c.kinds.end(), [](const lock_kind& k) { return k.own; });
  if (own != 0) all.push_back(fmt::format("No two threads shared a lock of {} of its kinds: each has its own.", own));
  return all;
}

/// Of each of n the value that `of` finds by those of others, which it may ask for: each is found once. There is no circle.
std::vector<double> each_by_others(
    std::size_t n, const std::function<double(std::size_t, const std::function<double(std::size_t)>&)>& of) {
  std::vector<double> values(n);
  std::vector<bool> known(n);
  const std::function<double(std::size_t)> value = [&](std::size_t i) {
    if (!known[i]) values[i] = of(i, value), known[i] = true;
    return values[i];
  };
  for (std::size_t i = 0; i < n; ++i) static_cast<void>(value(i));
  return values;
}

}  // namespace

std::vector<double> closed_system::whole_holds() const {
  return each_by_others(kinds.size(), [&](std::size_t i, const auto& hold) {
    double ns = kinds[i].hold.mean() + kinds[i].hold_think.mean();
    for (std::size_t j = 0; j < kinds.size(); ++j)
      if (kinds[i].inside[j] > 0) ns += kinds[i].inside[j] * hold(j);
    return ns;
  });
}

std::vector<double> closed_system::holds_in_a_round() const {
  return each_by_others(kinds.size(), [&](std::size_t i, const auto& holds) {
    double n = first[i];
    for (std::size_t j = 0; j < kinds.size(); ++j)
      if (kinds[j].inside[i] > 0) n += kinds[j].inside[i] * holds(j);
    return n;
  });
}

double closed_system::round_ns() const {
  const std::vector<double> holds = whole_holds();
  double ns = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    ns += first[i] * (holds[i] + kinds[i].gap.mean() + kinds[i].gap_think.mean());
  return ns;
}

namespace {

/// The sum of this of all think times in a round.
template <class Of>
double of_thinks(const closed_system& c, Of of) {
  const std::vector<double> holds = c.holds_in_a_round();
  double sum = 0;
  for (std::size_t i = 0; i < c.kinds.size(); ++i)
    sum += holds[i] * of(c.kinds[i].hold_think) + c.first[i] * of(c.kinds[i].gap_think);
  return sum;
}

}  // namespace

double closed_system::think_ns() const {
  return of_thinks(*this, [](const think_time& t) { return t.mean(); });
}

double closed_system::thinks() const {
  return of_thinks(*this, [](const think_time& t) { return t.chance; });
}

closed_system closed_system_of(const stored& s) {
  const stored_process& p = busiest(s);
  team of = team_of(p);
  demand_work(p, of);
  const std::vector<counts> all = kinds_in(p);
  const double tried = few_tries(all);
  demand_order(all);
  closed_system c;
  c.program = shown_name(p.program), c.pid = p.pid, c.threads = of.threads, c.on = of.on, c.think = of.think;
  const std::vector<parted_kind> parts = parted_kinds(all, p, of);
  for (std::size_t i = 0; i < all.size(); ++i) {
    c.kinds.push_back(kind_of(all, all[i], p, of, parts[i]));
    const double its = alone(all, i);
    if (its >= few_alone && 2 * amount(all[i].gaps) < its)
      refuse("{} is mostly given back while another lock is held: what comes after it is not known",
             shown_name(all[i].name));
    c.first.push_back(std::max(0.0, its));
  }
  c.rounds = std::accumulate(c.first.begin(), c.first.end(), 0.0) * amount(p.every) / of.seconds * amount(of.threads);
  c.first = normal(c.first);
  if (c.first.empty())
    refuse("each of its locks was taken while another was held, and it is not known which was taken first");
  // What is never taken by itself does not come next: a few samples may say otherwise.
  for (lock_kind& k : c.kinds) {
    for (std::size_t j = 0; j < k.next.size(); ++j)
      if (c.first[j] == 0) k.next[j] = 0;
    k.next = normal(std::move(k.next));
  }
  demand_few_holds(c);
  if (const double ns = c.round_ns(); !(ns < longest_round))
    refuse("a round takes {:.3g} s, and rounds of more than {:.3g} s are not replayed", ns * 1e-9,
           longest_round * 1e-9);
  c.simplified = simplified(s, p, of, c);
  if (tried != 0)
    c.simplified.push_back(fmt::format("{} of what it took were tries while another lock was held, and are left out.",
                                       percent(tried / amount(holds_of(p)))));
  return c;
}

void demand_same_times(const closed_system& a, const closed_system& b) {
  const closed_system &few_threads = a.threads < b.threads ? a : b, &many = a.threads < b.threads ? b : a;
  const auto hold = [](const lock_kind& k) { return k.hold.mean() + k.hold_think.mean(); };
  const auto ns = [](double v) { return results::quantity(v, "ns", false); };
  for (const lock_kind& k : many.kinds)
    for (const lock_kind& before : few_threads.kinds)
      if (k.name == before.name && hold(before) > 0 && hold(k) > longer * hold(before))
        refuse("{} is held for {} by {} threads and for {} by {}: work that grows with the threads is not predicted",
               k.name, ns(hold(before)), few_threads.threads, ns(hold(k)), many.threads);
  if (!a.think || !b.think) return;
  if (const double before = few_threads.think_ns(), now = many.think_ns();
      now > longer * before && now - before > most_growth * few_threads.round_ns())
    refuse(
        "in a round {} threads sleep or wait for others for {} each, and {} for {}: what grows with the threads is not "
        "predicted",
        few_threads.threads, ns(before), many.threads, ns(now));
}

}  // namespace synchro::profile
