#include "cli/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "advice/which_lock.hpp"
#include "experiments/framework/experiment.hpp"
#include "results/text.hpp"
#include "terminal/console.hpp"
#include "terminal/folded.hpp"
#include "views/answer.hpp"
#include "views/table.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using json = nlohmann::ordered_json;

std::string word(const json& facts, const char* name) {
  return facts.contains(name) && facts[name].is_string() ? results::printable(facts[name].get<std::string>(), 100) : "";
}

std::string tables_of(const results::document& d) {
  const views::style style = style_for(standard_output());
  std::string text = views::show(d, experiments::all_presentations(), style);
  for (const auto& w : d.warnings)
    text += folded(views::painted("warning: ", views::tone::warn, style) + results::printable(w.advice, 400) + "\n",
                   style.width);
  return text;
}

/// Where more is, and which warnings there were.
std::string pointers(const results::document& d, const std::optional<std::string>& file, bool with_tables,
                     std::size_t width) {
  std::string text;
  if (with_tables) return text;
  std::vector<std::string> ids;
  for (const auto& w : d.warnings)
    if (const std::string id = results::printable(w.id, 40); std::find(ids.begin(), ids.end(), id) == ids.end())
      ids.push_back(id);
  if (!ids.empty()) text += results::wrapped(fmt::format("Warnings: {}.", fmt::join(ids, ", ")), width);
  if (file)
    text += results::wrapped(fmt::format("Tables{}: synchroscope show {} --tables",
                                         ids.empty() ? "" : " and warnings in full", results::printable(*file)),
                             width);
  return text;
}

}  // namespace

std::string heading(const results::document& d) {
  std::vector<std::string> parts;
  const auto emulator = results::emulator_of(d);
  const std::string machine = (results::is_simulated(d) ? "simulated: "
                               : emulator               ? fmt::format("emulated ({}): ", *emulator)
                                                        : "") +
                              word(d.machine, "model_name");
  for (const std::string& part :
       {d.label ? results::printable(*d.label, 80) : "", machine, word(d.os, "kernel"), word(d.invocation, "started")})
    if (!part.empty()) parts.push_back(part);
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::size_t most_lines() {
  constexpr unsigned fewest = 10, elsewhere = 20;
  const auto height = standard_output().height;
  return height ? std::max(fewest, *height) - 1 : elsewhere;
}

std::size_t reading_width() { return std::clamp<std::size_t>(standard_output().width.value_or(100), 40, 100); }

void print_answer(const results::document& d, const std::optional<std::string>& file, bool with_tables) {
  if (with_tables) print_pages(tables_of(d) + "\n");
  views::style style = style_for(standard_output());
  style.width = reading_width();
  std::string title = results::wrapped(heading(d), style.width);
  const std::string last = pointers(d, file, with_tables, style.width);
  const std::size_t around = results::lines_in(title) + 1 + results::lines_in(last) + (last.empty() ? 0 : 1);
  const std::string answer = views::answer(d, experiments::all_presentations(), style,
                                           most_lines() - std::min(around, most_lines()), advice::which_lock);
  title.pop_back();
  print(views::painted(title, views::tone::heading, style) + "\n\n" + answer + (last.empty() ? "" : "\n") + last);
}

}  // namespace synchro::cli
