#include "views/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "results/doubt.hpp"
#include "results/text.hpp"
#include "views/findings.hpp"
#include "views/summary.hpp"

namespace synchro::views {

using namespace results;

namespace {

using name_list = std::vector<std::string>;

/// As they are presented; others behind them, in order of appearance.
name_list experiments_in(const document& d, const presentations& how) {
  name_list there, all;
  for (const cell& c : d.cells)
    if (there.empty() || there.back() != c.experiment)
      if (std::find(there.begin(), there.end(), c.experiment) == there.end()) there.push_back(c.experiment);
  for (const auto& [name, shown] : how)
    if (std::find(there.begin(), there.end(), name) != there.end()) all.push_back(name);
  for (const std::string& name : there)
    if (find(how, name) == nullptr) all.push_back(name);
  return all;
}

/// Where in the experiment: on the axes on which its cells differ. Others with the same interval, or one that overlaps,
/// are counted.
std::string place_of(const cell& c, const cells& all) {
  const auto others = std::count_if(all.begin(), all.end(), [&](const cell* other) {
    return other != &c && other->ci->first <= c.ci->second && c.ci->first <= other->ci->second;
  });
  coordinates at;
  for (const axis_values& a : axes_of(all))
    if (a.values.size() > 1) at.set(a.name, at_or_blank(c, a.name));
  return " at " + printable_ascii(at.to_string(), 80) + (others > 0 ? fmt::format(" (and at {} more)", others) : "");
}

/// "EXPERIMENT, latency: from 4.01 ns (4.00 to 4.02) at ... to 92.0 ns (91.0 to 93.0) at ...".
name_list range_of(const own_cells& own, const presentation* shown, const std::string& experiment,
                   const std::string& metric) {
  const cells all = without_baseline(only_precise(own.of(metric)), shown);
  const cell *const low = least(all), *const high = most(all);
  if (low == nullptr) return {};
  const cells left_out = without_baseline(only_unsure(own.of(metric)), shown);
  const bool all_of_them = holds_for(left_out, extreme::least, *low) && holds_for(left_out, extreme::most, *high);
  std::string text = fmt::format("{}, {}{}: ", printable_ascii(experiment, 40), printable_ascii(metric, 40),
                                 all_of_them ? "" : " of those that are sure");
  if (high->ci->first > low->ci->second && differ(*low, *high, all.size()))
    text += fmt::format("from {}{} to {}{}", with_interval(*low), place_of(*low, all), with_interval(*high),
                        place_of(*high, all));
  else
    text += with_interval(*low) + (all.size() > 1 ? fmt::format(", and {} other{} not clearly higher", all.size() - 1,
                                                                all.size() == 2 ? "" : "s")
                                                  : "");
  return {text + "."};
}

conclusion conclude(const document& d, const presentations& how, const std::string& experiment) {
  const presentation* const shown = find(how, experiment);
  const own_cells own{d, experiment};
  conclusion found{experiment, "", {}};
  if (nothing_sure(d)) return found;
  if (shown != nullptr && shown->findings) found.sentences = shown->findings(own);
  found.declared = !found.sentences.empty();
  const auto first =
      std::find_if(d.cells.begin(), d.cells.end(), [&](const cell& c) { return c.experiment == experiment; });
  if (found.sentences.empty() && first != d.cells.end())
    found.sentences = range_of(own, shown, experiment, first->metric);
  return found;
}

/// What is shown first where not all fits: a finding, what may not be left unsaid, a finding of each other experiment, those
/// that are declared before ranges, then the other remarks, at last what else was found.
enum class rank : std::uint8_t { needed, declared, range, remark, more };

/// A sentence as it is drawn: an item of a list.
struct item {
  std::string text;
  std::size_t lines;
  rank when;
  std::size_t turn = 0;  ///< The second sentence of each experiment comes before any third one.
  bool finding = true, taken = false;
};

item item_of(const std::string& sentence, const style& s, rank when, bool finding) {
  std::string text = wrapped("- " + sentence, s.width, 2);
  const std::size_t lines = results::lines_in(text);
  return {std::move(text), lines, when, 0, finding};
}

using items = std::vector<item>;

std::size_t lines_of(const items& all) {
  return std::accumulate(all.begin(), all.end(), std::size_t{0},
                         [](std::size_t sum, const item& i) { return sum + i.lines; });
}

/// Takes what fits, in the order of the ranks, but one finding before all.
void take(items& all, std::size_t room) {
  std::vector<item*> queue;
  for (item& i : all) queue.push_back(&i);
  const auto before = [](const item* a, const item* b) {
    return std::pair{a->when, a->turn} < std::pair{b->when, b->turn};
  };
  std::stable_sort(queue.begin(), queue.end(), before);
  const auto first =
      std::find_if(queue.begin(), queue.end(), [&](const item* i) { return i->finding && i->lines <= room; });
  if (first != queue.end()) std::rotate(queue.begin(), first, first + 1);
  for (item* i : queue) {
    i->taken = i->lines <= room;
    if (i->taken) room -= i->lines;
  }
}

struct kept {
  std::string text;
  std::size_t left = 0;  ///< How many were not taken.
};

kept kept_of(const items& all, bool findings) {
  kept k;
  for (const item& i : all)
    if (i.finding == findings && i.taken)
      k.text += i.text;
    else if (i.finding == findings)
      ++k.left;
  return k;
}

/// What was left out, counted; empty if nothing was.
std::string count_left_out(std::size_t findings, std::size_t remarks, const style& s) {
  const auto counted = [](std::size_t n, const char* what) {
    return n == 0 ? "" : fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  const std::string both = joined(counted(findings, "more finding"), " and ", counted(remarks, "remark"));
  if (both.empty()) return "";
  return wrapped(fmt::format("- {}: --experiment NAME shows those of one experiment.", both), s.width, 2);
}

/// "MACHINE, EXPERIMENT: " in front of a sentence, of which a range has the experiment's name.
std::string topic_of(const conclusion& c) {
  const std::string experiment = printable_ascii(c.experiment, 40);
  const std::string where = joined(printable_ascii(c.machine, 40), ", ", c.declared ? experiment : "");
  return where.empty() ? "" : where + ": ";
}

/// Why no cell of an experiment has a value, where all say the same; empty otherwise.
std::string reason_of_all(const document& d, const std::string& experiment) {
  std::string reason;
  for (const cell& c : d.cells) {
    if (c.experiment != experiment) continue;
    if (c.value || !c.reason || (!reason.empty() && *c.reason != reason)) return "";
    reason = *c.reason;
  }
  return reason;
}

/// Remarks behind the findings, which may be left out where there is no room.
name_list remarks_on(const document& d, const presentations& how, name_list without) {
  name_list out = doubts(d, how);
  std::erase_if(without, [&](const std::string& experiment) {
    const std::string reason = reason_of_all(d, experiment);
    if (!reason.empty()) out.push_back(fmt::format("{}: {}.", experiment, printable_ascii(reason, 400)));
    return !reason.empty();
  });
  if (!without.empty() && !nothing_sure(d))
    out.push_back(fmt::format("No reliable finding: {}.", fmt::join(without, ", ")));
  return out;
}

void add_remarks(items& all, const document& d, const presentations& how, const style& s, const name_list& without) {
  const auto add = [&](const std::string& text, rank when) { all.push_back(item_of(text, s, when, false)); };
  bool broken = std::any_of(d.cells.begin(), d.cells.end(), [](const cell& c) { return !c.valid; });
  for (const std::string& text : remarks_on(d, how, without))
    add(text, std::exchange(broken, false) ? rank::needed : rank::remark);  // the first doubt is of what is broken
  if (!d.complete) add("The run was stopped early: cells are missing or have fewer repetitions.", rank::needed);
}

std::vector<conclusion> conclusions_on(const std::vector<document>& runs, const document& d, const presentations& how) {
  const name_list machines = machines_of(d);
  std::vector<conclusion> all;
  for (const std::string& experiment : experiments_in(d, how))
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const auto has = [&](const cell& c) { return c.experiment == experiment; };
      if (std::none_of(runs[i].cells.begin(), runs[i].cells.end(), has)) continue;
      all.push_back(conclude(runs[i], how, experiment));
      all.back().machine = machines[i];
    }
  return all;
}

using first_words = std::function<std::string(const document& run)>;

/// And the experiments that have none.
items findings_in(const document& d, const presentations& how, const style& s, const first_words& first,
                  name_list& without) {
  const std::vector<document> runs = runs_of(d);
  const name_list machines = machines_of(d);
  items all;
  for (std::size_t i = 0; first && i < runs.size(); ++i)
    if (const std::string text = first(runs[i]); !text.empty())
      all.push_back(item_of(joined(printable_ascii(machines[i], 40), ": ", text), s, rank::declared, true));
  for (const conclusion& c : conclusions_on(runs, d, how)) {
    const std::string whose = c.machine.empty() ? "" : printable_ascii(c.machine, 40) + ": ";
    for (std::size_t i = 0; i < c.sentences.size(); ++i) {
      const rank when = i > 0 ? rank::more : c.declared ? rank::declared : rank::range;
      all.push_back(item_of(topic_of(c) + c.sentences[i], s, when, true));
      all.back().turn = i;
    }
    if (c.sentences.empty()) without.push_back(whose + printable_ascii(c.experiment, 40));
  }
  return all;
}

}  // namespace

std::vector<conclusion> conclusions(const document& d, const presentations& how) {
  return conclusions_on(runs_of(d), d, how);
}

std::string answer(const document& d, const presentations& how, const style& s, std::size_t most_lines,
                   const first_words& first) {
  if (d.cells.empty()) return "There are no measurements.\n";
  name_list without;
  items all = findings_in(d, how, s, first, without);
  const std::size_t findings = all.size();
  add_remarks(all, d, how, s, without);
  const std::string legend = findings == 0 ? "" : wrapped("- In brackets: the 95 % confidence interval.", s.width, 2);
  const bool fits = lines_of(all) + lines_in(legend) <= most_lines;
  const std::string rest = fits ? "" : count_left_out(findings, all.size() - findings, s);
  take(all, most_lines - std::min(most_lines, lines_in(legend + rest)));
  const kept told = kept_of(all, true), remarked = kept_of(all, false);
  return told.text + count_left_out(told.left, remarked.left, s) + legend + remarked.text;
}

}  // namespace synchro::views
