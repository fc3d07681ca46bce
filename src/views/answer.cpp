#include "views/answer.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  if (shown != nullptr && shown->findings) found.sentences = shown->findings(own);
  found.declared = !found.sentences.empty();
  const auto first =
      std::find_if(d.cells.begin(), d.cells.end(), [&](const cell& c) { return c.experiment == experiment; });
  if (found.sentences.empty() && first != d.cells.end())
    found.sentences = range_of(own, shown, experiment, first->metric);
  return found;
}

/// Sentences as they are drawn: an item of a list each.
struct item {
  std::string text;
  std::size_t lines;
  bool taken = false;
};

item item_of(const std::string& sentence, const style& s) {
  std::string text = wrapped("- " + sentence, s.width, 2);
  const std::size_t lines = results::lines_in(text);
  return {std::move(text), lines};
}

/// The sentences of an experiment.
struct item_list {
  bool declared;
  std::vector<item> items = {};
};
using items = std::vector<item_list>;

/// Takes the first of each, then the second, ..., of those that are declared first, as long as they fit. How many do not.
std::size_t take(items& all, std::size_t room) {
  std::size_t longest = 0, left = 0;
  for (const item_list& list : all) longest = std::max(longest, list.items.size());
  const auto take_from = [&](item_list& list, std::size_t i) {
    if (i >= list.items.size()) return;
    item& one = list.items[i];
    one.taken = one.lines <= room;
    if (one.taken) room -= one.lines;
    if (!one.taken) ++left;
  };
  for (std::size_t i = 0; i < longest; ++i)
    for (const bool declared : {true, false})
      for (item_list& list : all)
        if (list.declared == declared) take_from(list, i);
  return left;
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

name_list remarks_on(const document& d, const presentations& how, name_list without, bool any) {
  name_list out;
  if (any) out.emplace_back("In brackets: the 95 % confidence interval.");
  for (std::string& doubt : doubts(d, how)) out.push_back(std::move(doubt));
  std::erase_if(without, [&](const std::string& experiment) {
    const std::string reason = reason_of_all(d, experiment);
    if (!reason.empty()) out.push_back(fmt::format("{}: {}.", experiment, printable_ascii(reason, 400)));
    return !reason.empty();
  });
  if (!without.empty() && !nothing_sure(d))
    out.push_back(fmt::format("No reliable finding: {}.", fmt::join(without, ", ")));
  if (!d.complete && !d.cells.empty())
    out.emplace_back("The run was stopped early: cells are missing or have fewer repetitions.");
  return out;
}

/// The machines of a document with several, in the order of runs_of(); one blank for any other.
name_list machines_in(const document& d) {
  name_list all;
  for (const cell& c : d.cells)
    if (const coordinate* const machine = c.at.find("machine"))
      if (std::string name = to_string(*machine); std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(std::move(name));
  return all.empty() ? name_list{""} : all;
}

}  // namespace

std::vector<conclusion> conclusions(const document& d, const presentations& how) {
  const std::vector<document> runs = runs_of(d);
  const name_list machines = machines_in(d);
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

std::string answer(const document& d, const presentations& how, const style& s, std::size_t most_lines) {
  if (d.cells.empty()) return "There are no measurements.\n";
  items all;
  name_list without;
  for (const conclusion& c : conclusions(d, how)) {
    const std::string whose = c.machine.empty() ? "" : printable_ascii(c.machine, 40) + ": ";
    item_list& list = all.emplace_back(item_list{c.declared});
    for (const std::string& sentence : c.sentences) list.items.push_back(item_of(topic_of(c) + sentence, s));
    if (c.sentences.empty()) without.push_back(whose + printable_ascii(c.experiment, 40));
  }
  std::string end;
  for (const std::string& remark : remarks_on(d, how, without, without.size() < all.size()))
    end += item_of(remark, s).text;
  const auto left = [&](std::size_t n) {
    return wrapped(
        fmt::format("- {} more finding{}: --experiment NAME shows those of one experiment.", n, n == 1 ? "" : "s"),
        s.width, 2);
  };
  const std::size_t fixed = results::lines_in(end) + results::lines_in(left(all.size()));
  const std::size_t untold = take(all, most_lines > fixed ? most_lines - fixed : 0);
  std::string text;
  for (const item_list& list : all)
    for (const item& i : list.items) text += i.taken ? i.text : "";
  if (untold > 0) text += left(untold);
  return text + end;
}

}  // namespace synchro::views
