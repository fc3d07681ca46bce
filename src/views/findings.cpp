#include "views/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "results/interval.hpp"
#include "results/paired.hpp"
#include "results/text.hpp"
#include "results/units.hpp"

namespace synchro::views {

using namespace results;

namespace {

constexpr std::size_t most_names = 3;

/// Rates are words in a sentence: "19.0 million times a second".
std::string spoken_unit(const std::string& unit) {
  static const std::map<std::string, std::string> words = {{"op/s", "times a second"},
                                                           {"kop/s", "thousand times a second"},
                                                           {"Mop/s", "million times a second"},
                                                           {"Gop/s", "billion times a second"}};
  const auto found = words.find(unit);
  return found == words.end() ? unit : found->second;
}

bool less(const cell* a, const cell* b) { return *a->value < *b->value; }

}  // namespace

cells only_precise(cells all) {
  std::erase_if(all, [](const cell* c) { return !is_precise(*c); });
  return all;
}

cells only_unsure(cells all) {
  std::erase_if(all, [](const cell* c) { return !c->value || is_precise(*c); });
  return all;
}

const cell* first_at(const cells& all, const std::string& axis, const coordinate& value) {
  const cells found = where(all, axis, value);
  return found.empty() ? nullptr : found.front();
}

const cell* first_precise(const cells& all, const std::string& axis, const coordinate& value) {
  return first_at(only_precise(all), axis, value);
}

const cell* least(const cells& all) { return all.empty() ? nullptr : *std::min_element(all.begin(), all.end(), less); }
const cell* most(const cells& all) { return all.empty() ? nullptr : *std::max_element(all.begin(), all.end(), less); }

bool holds_for(const cells& left_out, extreme e, const cell& c) {
  return std::all_of(left_out.begin(), left_out.end(), [&](const cell* other) {
    if (!has_interval(*other)) return false;
    return e == extreme::least ? other->ci->first > c.ci->second : other->ci->second < c.ci->first;
  });
}

std::string of_the_sure(const cells& left_out, extreme e, const cell& c) {
  return holds_for(left_out, e, c) ? "" : " of those that are sure";
}

bool is_telling(const cell& c) {
  constexpr double widest = 2;
  return has_interval(c) && c.quality != flag::clock_limited && c.ci->first > 0 && c.ci->second <= widest * c.ci->first;
}

cells only_telling(cells all) {
  std::erase_if(all, [](const cell* c) { return !is_telling(*c); });
  return all;
}

std::vector<std::string> too_uncertain(const std::string& what, const cells& all, bool (*may_be_told)(const cell&)) {
  if (std::any_of(all.begin(), all.end(), [&](const cell* c) { return may_be_told(*c); })) return {};
  const auto wide = std::find_if(all.begin(), all.end(), [](const cell* c) { return has_interval(*c); });
  if (wide == all.end()) return {};
  const cell& c = **wide;
  const std::string unit = printable_ascii(c.unit, 12), ends = interval(c.ci->first, c.ci->second, unit, false);
  return {fmt::format("Too uncertain: {}, {} with {}.", what, ends.empty() ? quantity(*c.value, unit, false) : ends,
                      name_at(c, "primitive"))};
}

std::optional<std::int64_t> number_at(const cell& c, const std::string& axis) {
  const coordinate* const found = c.at.find(axis);
  if (found == nullptr || !std::holds_alternative<std::int64_t>(*found)) return std::nullopt;
  return std::get<std::int64_t>(*found);
}

std::string name_at(const cell& c, const std::string& axis) {
  return printable_ascii(to_string(at_or_blank(c, axis)), 40);
}

namespace {

/// The value with its unit, and the ends of its interval without.
std::pair<std::string, std::string> told(const cell& c) {
  const scale in = scale_for(printable_ascii(c.unit, 12), {*c.value}, false);
  const auto number = [&](double v) { return digits(v / in.factor); };
  return {joined(number(*c.value), " ", spoken_unit(in.unit)), from_to(number(c.ci->first), number(c.ci->second))};
}

}  // namespace

std::string with_interval(const cell& c) {
  const auto [value, ends] = told(c);
  return results::with_interval(value, ends);
}

std::string with_doubt(const cell& c) {
  const auto [value, ends] = told(c);
  return with_doubt(c, value, ends);
}

std::string with_doubt(const cell& c, const std::string& value, const std::string& ends) {
  return results::with_interval(value, is_precise(c) ? ends : joined(ends, ", ", "doubtful"));
}

std::string time_text(double ns) {
  const scale in = scale_for("ns", {ns}, false);
  return joined(digits(ns / in.factor), " ", in.unit);
}

std::string more_than(double a, double b) {
  const double factor = a / b;
  return factor < 2 ? fmt::format("{:.0f} % more", 100 * (factor - 1))
                    : fmt::format("{} times as much", digits(factor));
}

std::string far_note(const cell& c) {
  return at_or_blank(c, "mode") == coordinate{"far"} ? ", while the processors were far from each other" : "";
}

bool differ(const cell& a, const cell& b, std::size_t looked_at) { return differ_among(a, b, looked_at); }

cells tied_with(const cell& best, const cells& some, std::size_t looked_at) {
  cells tied;
  for (const cell* c : some)
    if (c != &best && !differ(best, *c, looked_at)) tied.push_back(c);
  return tied;
}

cells tied_with(const cell& best, const cells& all) { return tied_with(best, all, all.size()); }

std::string rivals(const cells& tied, const std::string& axis) {
  if (tied.empty()) return "";
  const std::size_t shown = std::min(tied.size(), most_names), rest = tied.size() - shown;
  std::string list;
  for (std::size_t i = 0; i < shown; ++i)
    list = joined(list, rest == 0 && i + 1 == shown ? " and " : ", ", name_at(*tied[i], axis));
  return ", not distinguishable from " + list + (rest > 0 ? fmt::format(" and {} more", rest) : "");
}

std::string rivals_on(const std::string& axis, const std::string& other, const cell& best, const cells& all) {
  return rivals(tied_with(best, where(all, other, at_or_blank(best, other)), all.size()), axis);
}

cells contest(const cells& all, const std::string& axis) {
  std::vector<std::pair<coordinates, cells>> groups;
  for (const cell* c : all) {
    coordinates rest;
    for (const auto& [name, value] : c->at.entries())
      if (name != axis && name != "event") rest.set(name, value);
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

std::string figure_of(const cell& c) { return quantity(*c.value, c.unit, true); }

std::string interval_of(const cell& c, const std::string& whose) {
  const std::string ends = interval(c.ci->first, c.ci->second, c.unit, true);
  return ends.empty() ? "" : joined(whose, " ", ends);
}

std::string details(const std::vector<std::string>& parts, const cell& measured) {
  std::string text;
  for (const std::string& part : parts) text = joined(text, "; ", part);
  const std::string note = far_note(measured);
  return text.empty() && !note.empty() ? note.substr(2) : text + note;
}

std::string rate_words(double value) {
  constexpr std::array<std::pair<double, const char*>, 3> words{
      {{1e9, " billion"}, {1e6, " million"}, {1e3, " thousand"}}};
  for (const auto& [factor, word] : words)
    if (value >= factor) return digits(value / factor) + word;
  return digits(value);
}

}  // namespace synchro::views
