#include "views/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "results/comparison.hpp"
#include "results/interval.hpp"
#include "results/text.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t most_named = 20;

using group = std::vector<const compared*>;

/// Cells of one experiment and metric, in order of appearance.
std::vector<group> groups_of(const comparison& c, bool changed_only) {
  std::vector<group> groups;
  const auto key = [](const compared* x) { return std::tie(x->a->experiment, x->a->metric, x->a->unit); };
  for (const compared& x : c.cells) {
    if (changed_only && x.what == verdict::unresolved) continue;
    const auto found =
        std::find_if(groups.begin(), groups.end(), [&](const group& g) { return key(g.front()) == key(&x); });
    if (found == groups.end())
      groups.push_back({&x});
    else
      found->push_back(&x);
  }
  return groups;
}

/// A time or a rate is called slower or faster.
bool is_speed(const cell& c) { return c.unit == "ns" || c.unit == "cycle" || c.unit.ends_with("/s"); }

std::string word_of(const compared& x, const char* samples) {
  switch (x.what) {
    case verdict::better:
      return is_speed(*x.a) ? "faster" : "better";
    case verdict::worse:
      return is_speed(*x.a) ? "slower" : "worse";
    case verdict::different:
      return "different";
    case verdict::unresolved:
      break;
  }
  if (x.as_runs_differ) return "no difference resolved: single runs differ as much";
  if (x.too_short) return "not compared: too short for the clock";
  return x.p ? "no difference resolved" : fmt::format("no difference resolved: too few {}", samples);
}

std::string words_of(const compared& x, const char* samples) {
  const auto doubt = x.what == verdict::unresolved ? std::nullopt : x.doubt();
  return word_of(x, samples) + (doubt ? fmt::format(" ({})", *doubt) : "");
}

tone tone_of(const compared& x) {
  return x.what == verdict::worse ? tone::bad : x.what == verdict::unresolved ? tone::dim : tone::plain;
}

std::string ratio_text(double r) { return r < 0.01 || r >= 1000 ? digits(r) : fmt::format("{:.3f}", r); }

entry ratio_entry(const compared& x) {
  entry e;
  e.number = x.ratio ? ratio_text(*x.ratio) : "-";
  const std::string ends = x.ratio_ci ? from_to(ratio_text(x.ratio_ci->first), ratio_text(x.ratio_ci->second)) : "";
  if (!ends.empty()) e.error = fmt::format("({})", ends);
  e.color = tone_of(x);
  return e;
}

std::string table_of(const group& g, sample of, const style& s) {
  cells all;
  for (const compared* x : g) all.push_back(x->a);
  const std::vector<axis_values> axes = axes_of(all);
  std::vector<std::string> names;
  for (const axis_values& axis : axes)
    if (axis.values.size() > 1) names.push_back(axis.name);
  if (names.empty() && !axes.empty()) names.push_back(axes.front().name);
  const scale in = scale_of(all, s);
  remarks notes{s};
  const bool with_error = of != sample::runs;  // In the table of the ratios; a side's few runs have no interval.
  std::vector<std::vector<coordinate>> rows;
  std::vector<column> columns = {{"", "A", {}}, {"", "B", {}}, {"", "B / A", {}}, {"", "", {}}};
  for (const compared* x : g) {
    rows.push_back(row_of(*x->a, names));
    columns[0].entries.push_back(notes.entry_for({x->a}, in, with_error));
    columns[1].entries.push_back(notes.entry_for({x->b}, in, with_error));
    columns[2].entries.push_back(ratio_entry(*x));
    columns[3].entries.push_back({"", "", words_of(*x, with_error ? "repetitions" : "runs"), tone_of(*x)});
  }
  const cell& first = *all.front();
  const std::string title = shown(first.experiment, s) + ": " + joined(shown(first.metric, s), ", ", in.unit) +
                            direction_words(first.direction);
  return heading(title, common_coordinates(axes, s), s) + render(label_columns(names, rows, s), columns, s) +
         lines_of(notes.sentences(), s);
}

std::string count_line(const comparison& c, const style& s) {
  const auto count = [&](verdict v) {
    return std::count_if(c.cells.begin(), c.cells.end(), [v](const compared& x) { return x.what == v; });
  };
  std::string line = fmt::format("{} measurements are in both files: ", c.cells.size());
  if (c.cells.size() == 1) line = "1 measurement is in both files: ";
  line += fmt::format("{} slower or worse, {} faster or better, ", count(verdict::worse), count(verdict::better));
  if (count(verdict::different) > 0) line += fmt::format("{} different, ", count(verdict::different));
  return wrapped(line + fmt::format("{} with no difference resolved.", count(verdict::unresolved)), s.width);
}

std::string more_of(std::size_t all, const style& s) {
  if (all <= most_named) return "";
  return "  " + wrapped(fmt::format("and {} more; --json names them all", all - most_named), s.width, 4);
}

/// As many nines as it takes.
std::string percent_text(double confidence) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(1 - confidence))) - 1, 0, 9);
  return fmt::format("{:.{}f}", 100 * confidence, decimals);
}

/// What the intervals have in them besides the scatter of the samples: "5 %", "5 to 300 %".
std::string allowed_words(const comparison& c) {
  if (c.of == sample::simulated) return "";
  if (c.of == sample::runs) return " Each run is one sample: the intervals include the differences between runs.";
  double least = 0, most = 0;
  for (const compared& x : c.cells) {
    if (!x.between_runs || !std::isfinite(*x.between_runs)) continue;
    least = least == 0 ? *x.between_runs : std::min(least, *x.between_runs);
    most = std::max(most, *x.between_runs);
  }
  const std::string range = digits(100 * least) == digits(100 * most)
                                ? digits(100 * most)
                                : fmt::format("{} to {}", digits(100 * least), digits(100 * most));
  return fmt::format(
      " Each side is one run, and runs differ: the intervals are therefore {} % wider, depending on the kind of cell.",
      range);
}

/// "Each interval has 99.98 %, ..."
std::string level_line(const comparison& c, const style& s) {
  if (std::none_of(c.cells.begin(), c.cells.end(), [](const compared& x) { return x.p.has_value(); })) return "";
  std::string line =
      fmt::format("Each interval holds the true ratio with {} % confidence: ", percent_text(c.confidence));
  line += "on average 2 in 100 of the differences called resolved are false.";
  line += allowed_words(c);
  return wrapped(line, s.width);
}

std::string incomparable(const std::vector<not_compared>& all, const style& s) {
  if (all.empty()) return "";
  std::string out = wrapped(fmt::format("Not comparable ({}):", all.size()), s.width);
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i)
    out += "  " + wrapped(shown(name_of(*all[i].a) + ": " + all[i].why, s, 300), s.width > 2 ? s.width - 2 : 0, 4);
  return out + more_of(all.size(), s);
}

std::string named(const std::vector<const cell*>& all, const std::string& what, const style& s, bool with_reason) {
  if (all.empty()) return "";
  std::string out = wrapped(fmt::format("{} ({}):", what, all.size()), s.width);
  for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i) {
    const std::string reason = with_reason && all[i]->reason ? " (" + *all[i]->reason + ")" : "";
    out += "  " + wrapped(shown(name_of(*all[i]) + reason, s, 300), s.width > 2 ? s.width - 2 : 0, 4);
  }
  return out + more_of(all.size(), s);
}

std::string names_of(const file_names& names, const style& s) {
  return wrapped("A: " + shown(names.a, s, 200), s.width, 3) + wrapped("B: " + shown(names.b, s, 200), s.width, 3);
}

/// What can be relied on comes first, then what is farther from 1, to either side.
std::pair<bool, double> rank_of(const compared& x) {
  return {x.doubt().has_value(), x.ratio ? -std::abs(std::log(*x.ratio)) : 0};
}

/// "slower: EXPERIMENT throughput lock=mcs: B / A 0.812 (0.790 to 0.834)"
std::string sentence_of(const compared& x, const style& s) {
  const entry ratio = ratio_entry(x);
  return fmt::format("{}: {}: B / A {}", words_of(x, ""), shown(name_of(*x.a), s, 300),
                     joined(ratio.number, " ", ratio.error));
}

/// What stands in one file only, or has no value in one.
std::string left_out(const comparison& c) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t n, const char* what) {
    if (n > 0) parts.push_back(fmt::format("{} {}", n, what));
  };
  add(c.not_comparable.size(), "measured under conditions that differ too much");
  add(c.only_a.size(), "only in A");
  add(c.only_b.size(), "only in B");
  add(c.without_value_a.size(), "without a value in A");
  add(c.without_value_b.size(), "without a value in B");
  add(c.without_value_both.size(), "without a value in either");
  return parts.empty() ? "" : fmt::format("Not compared: {}.", fmt::join(parts, ", "));
}

}  // namespace

std::string findings(const comparison& c, const file_names& names, const style& s, std::size_t most_lines) {
  group resolved;
  for (const compared& x : c.cells)
    if (x.what != verdict::unresolved) resolved.push_back(&x);
  std::stable_sort(resolved.begin(), resolved.end(),
                   [](const compared* x, const compared* y) { return rank_of(*x) < rank_of(*y); });
  const std::string begin = names_of(names, s) + "\n" + count_line(c, s);
  std::string end = level_line(c, s);
  if (const std::string out = left_out(c); !out.empty()) end += wrapped(out, s.width);
  const std::size_t fixed = results::lines_in(begin) + results::lines_in(end) + 1;
  std::size_t room = most_lines > fixed ? most_lines - fixed : 0, told = 0;
  std::string text;
  for (; told < resolved.size(); ++told) {
    const compared& x = *resolved[told];
    const std::string line = wrapped("- " + sentence_of(x, s), s.width, 2);
    if (results::lines_in(line) > room) break;
    room -= results::lines_in(line);
    text += painted(line.substr(0, line.size() - 1), tone_of(x), s) + "\n";
  }
  if (told < resolved.size()) text += fmt::format("- and {} more differences\n", resolved.size() - told);
  return begin + text + end;
}

std::string show(const comparison& c, const file_names& names, bool changed_only, const style& s) {
  std::string out = names_of(names, s);
  for (const group& g : groups_of(c, changed_only)) out += "\n" + table_of(g, c.of, s);
  out += "\n" + count_line(c, s) + level_line(c, s) + incomparable(c.not_comparable, s);
  out += named(c.only_a, "Only in A", s, false) + named(c.only_b, "Only in B", s, false);
  out += named(c.without_value_a, "Without a value in A", s, true) +
         named(c.without_value_b, "Without a value in B", s, true);
  if (!c.without_value_both.empty())
    out += wrapped(c.without_value_both.size() == 1
                       ? std::string{"1 cell has a value in neither file."}
                       : fmt::format("{} cells have a value in neither file.", c.without_value_both.size()),
                   s.width);
  return out;
}

}  // namespace synchro::views
