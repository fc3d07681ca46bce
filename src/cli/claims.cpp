#include "cli/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "claims/claim.hpp"
#include "cli/request.hpp"
#include "results/text.hpp"
#include "terminal/folded.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::cli {

using namespace terminal;

namespace {

using ordered = nlohmann::ordered_json;

/// "synchroscope run a b --x y": if a and b are experiments of this program. Of a model: "synchroscope simulate a b --x y
/// --machine NAME".
std::optional<std::string> command_for(const claims::claim& c, const results::document& run) {
  const auto words = split(std::string{c.command}, ' ');
  const auto known = experiment_names();
  if (words.size() < 3 || words[1] != "run") return std::nullopt;
  for (std::size_t i = 2; i < words.size() && !words[i].starts_with('-'); ++i)
    if (matching(words[i], known).empty()) return std::nullopt;
  if (!results::is_simulated(run)) return std::string{c.command};
  const auto model = run.machine.find("model_name");
  if (!c.not_modelled.empty() || model == run.machine.end() || !model->is_string()) return std::nullopt;
  return fmt::format("synchroscope simulate {} --machine {}", fmt::join(words.begin() + 2, words.end(), " "),
                     as_typed(model->get<std::string>()));
}

/// Without what the sentence says of the command, which stands by itself.
std::string reason_of(const claims::finding& f) { return f.sentence.substr(0, f.sentence.find("; needs ")); }

ordered claim_json(const claims::claim& c, const results::document& run) {
  const claims::finding f = claims::finding_on(c, run);
  const bool helps = f.is == claims::verdict::unmeasured && !f.is_of_others;
  const auto command = helps ? command_for(c, run) : std::nullopt;
  const auto from = std::find_if(claims::sources().begin(), claims::sources().end(),
                                 [&](const claims::source& s) { return c.id.starts_with(s.letter); });
  return {{"id", c.id},
          {"source", from->by},
          {"where", c.section},
          {"says", c.says},
          {"verdict", to_string(f.is)},
          {"because", reason_of(f)},
          {"command", command ? ordered(*command) : ordered(nullptr)}};
}

std::string item_text(const ordered& c, const views::style& s) {
  const auto word = [&](const char* name) { return results::printable(c.at(name).get<std::string>(), 1000); };
  const std::string verdict = word("verdict");
  const std::string machine = c.at("machine").is_null() ? "" : " (" + word("machine") + ")";
  const views::tone tone = verdict == "does not hold"  ? views::tone::bad
                           : verdict == "not measured" ? views::tone::dim
                                                       : views::tone::heading;
  std::string text = views::painted(fmt::format("{} {}{}", word("id"), verdict, machine), tone, s) + "\n";
  constexpr std::size_t indent = 4;
  for (const char* part : {"says", "because"})
    text += results::wrapped(std::string(indent, '.') + word(part), s.width, indent).replace(0, indent, indent, ' ');
  if (!c.at("command").is_null()) text += folded("    " + word("command") + "\n", s.width);  // to be copied
  return text;
}

}  // namespace

ordered machine_or_null(const std::string& name) { return name.empty() ? ordered(nullptr) : ordered(name); }

ordered claims_json(const results::document& d) {
  const auto runs = results::runs_of(d);
  const auto machines = results::machines_of(d);
  ordered all = ordered::array();
  for (const claims::claim& c : claims::catalog()) {
    if (c.what != claims::kind::judged && c.what != claims::kind::waiting) continue;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      ordered one = claim_json(c, runs[i]);
      one["machine"] = machine_or_null(machines[i]);
      all.push_back(std::move(one));
    }
  }
  return all;
}

std::string claims_text(const results::document& d, const views::style& s) {
  std::string known, unknown;
  for (const ordered& c : claims_json(d)) (c.at("verdict") == "not measured" ? unknown : known) += item_text(c, s);
  return known + unknown;
}

}  // namespace synchro::cli
