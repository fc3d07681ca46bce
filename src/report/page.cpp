#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

#include "claims/claim.hpp"
#include "report/maps.hpp"
#include "report/published.hpp"
#include "report/template.hpp"
#include "results/json_fields.hpp"

namespace synchro::report {

namespace {

using results::document;
using results::dump;
using json = nlohmann::ordered_json;

/// `maps`: as `all`, but large maps in short; `values`: besides, no single repetitions.
enum class detail : std::uint8_t { all, maps, values };

std::string cell_text(const results::cell& c, detail how) {
  json j = results::to_json(c);
  if (how == detail::values)
    for (const char* part : {"samples", "noise", "quantiles"}) j.erase(part);
  return dump(j);
}

/// The processors as the topology orders them.
std::vector<std::int64_t> order_of(const document& d) {
  std::vector<std::int64_t> order;
  if (!d.topology.contains("cpus") || !d.topology["cpus"].is_array()) return order;
  for (const json& p : d.topology["cpus"])
    if (p.is_object() && p.contains("cpu") && p["cpu"].is_number_integer()) order.push_back(p["cpu"]);
  return order;
}

/// Documents as text.
struct told {
  std::string text;
  std::optional<int> digits = std::nullopt;  ///< The fewest that a number of their maps is rounded to, if any is.
};

/// The fewest that this map's numbers are rounded to (packed.hpp).
std::optional<int> digits_of(const json& map) {
  if (!map.contains("digits")) return std::nullopt;
  int digits = map["digits"];
  for (int step = map["step"]; step > 1; step /= 10) --digits;
  return digits;
}

std::optional<int> fewer(std::optional<int> a, std::optional<int> b) { return a && b ? std::min(*a, *b) : a ? a : b; }

/// Cell by cell, so that a large document is never in memory twice.
told document_text(const document& d, detail how, std::size_t most) {
  document about = d;
  about.cells.clear();
  std::string text = dump(results::to_json(about));
  const std::string empty = "\"cells\":[]";
  const std::size_t end = text.rfind(empty) + empty.size() - 1;
  told cells;
  const std::vector<std::int64_t> order = order_of(d);
  for (std::span<const results::cell> rest{d.cells}; !rest.empty() && cells.text.size() <= most;) {
    const stretch next = how == detail::all ? stretch{} : first_stretch(rest);
    if (!cells.text.empty()) cells.text += ",";
    if (next.is_map) {
      const json map = map_json(rest.first(next.cells), order);
      cells.text += dump(map);
      cells.digits = fewer(cells.digits, digits_of(map));
    }
    for (std::size_t i = 0; !next.is_map && i < next.cells && cells.text.size() <= most; ++i)
      cells.text += (i == 0 ? "" : ",") + cell_text(rest[i], how);
    rest = rest.subspan(next.cells);
  }
  return {text.insert(end, cells.text), cells.digits};
}

told array_text(const std::vector<document>& documents, detail how, std::size_t most) {
  told all{"["};
  for (const document& d : documents) {
    if (all.text.size() > most) break;
    if (all.text.size() > 1) all.text += ",\n";
    const told one = document_text(d, how, most);
    all.text += one.text;
    all.digits = fewer(all.digits, one.digits);
  }
  all.text += "]";
  return all;
}

struct data {
  std::string documents;
  json remarks = json::array();
};

data without_repetitions(told documents, const char* what) {
  std::string said = fmt::format(
      "To keep this page small it holds {} with its interval, but not the single repetitions behind it, nor the "
      "evidence of noise: the results file has them.",
      what);
  if (documents.digits)
    said += fmt::format(" In its largest maps numbers are rounded, to {} digits or more.", *documents.digits);
  return {std::move(documents.text), json::array({said})};
}

data fitting(const std::vector<document>& documents, const limits& bounds) {
  told all = array_text(documents, detail::all, bounds.detailed);
  if (all.text.size() <= bounds.detailed) return {std::move(all.text)};
  all = array_text(documents, detail::maps, bounds.detailed);
  if (all.text.size() <= bounds.detailed)
    return without_repetitions(std::move(all), "of the maps of many processors each value");
  all = array_text(documents, detail::values, bounds.most);
  if (all.text.size() > bounds.most)
    throw std::runtime_error(
        fmt::format("the data is too large for a page in a browser: more than {} MiB even "
                    "without single repetitions; report fewer files, or parts of them",
                    bounds.most >> 20));
  return without_repetitions(std::move(all), "each value");
}

/// `<` as an escape that JSON reads back: then no text in the data can end the element it stands in.
void append_harmless(std::string& page, std::string_view text) {
  for (const char c : text)
    if (c == '<')
      page += "\\u003c";
    else
      page += c;
}

std::string page_around(const std::string& data) {
  std::string text;
  for (const std::string_view piece : before_data()) text += piece;
  text += data;
  for (const std::string_view piece : after_data()) text += piece;
  return text;
}

}  // namespace

bool available() { return !before_data().empty(); }

std::string data_text(const std::vector<document>& documents, const page_words& words, const limits& bounds) {
  const data in = fitting(documents, bounds);
  std::string text;
  text.reserve(in.documents.size() + in.documents.size() / 16 + (std::size_t{1} << 20));
  text += "{\"documents\":";
  append_harmless(text, in.documents);
  const auto add = [&](const char* name, const std::string& value) {
    text += fmt::format(",\n\"{}\":", name);
    append_harmless(text, value);
  };
  add("published", array_text(published(), detail::values, bounds.most).text);
  add("claims", dump(claims::findings_on(documents)));
  add("experiments", dump(words.experiments));
  add("layers", dump(words.layers));
  add("headlines", dump(words.headlines));
  add("rankings", dump(words.rankings));
  add("findings", dump(words.findings));
  add("unsure", dump(words.unsure));
  add("locks", dump(words.locks));
  add("choices", dump(words.choices));
  add("comparisons", dump(words.comparisons));
  add("remarks", dump(in.remarks));
  if (words.only) add("only", dump(json(*words.only)));
  return text + "}";
}

std::string page(const std::vector<document>& documents, const page_words& words, const limits& bounds) {
  return page_around(data_text(documents, words, bounds));
}

std::string profile_page(const json& profile, const json& verdict, const limits& bounds) {
  const std::string data = dump(profile);
  if (data.size() > bounds.most)
    throw std::runtime_error(fmt::format(
        "the profile is too large for a page in a browser: more than {} MiB; its JSON document holds it all",
        bounds.most >> 20));
  std::string text = "{\"profile\":";
  append_harmless(text, data);
  text += ",\n\"verdict\":";
  append_harmless(text, dump(verdict));
  return page_around(text + "}");
}

std::string fleet_page(const json& fleet, const limits& bounds) {
  const std::string data = dump(fleet);
  if (data.size() > bounds.most)
    throw std::runtime_error(fmt::format(
        "the fleet is too large for a page in a browser: more than {} MiB; --json prints it all", bounds.most >> 20));
  std::string text = "{\"fleet\":";
  append_harmless(text, data);
  return page_around(text + "}");
}

}  // namespace synchro::report
