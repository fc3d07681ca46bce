#include "report/figure.hpp"

#include <fmt/format.h>

#include "platform/tool.hpp"
#include "report/template.hpp"
#include "results/json_fields.hpp"
#include "results/text.hpp"

namespace synchro::report {

namespace {

using json = nlohmann::ordered_json;

/// The script in the page: its last element of that kind.
std::string script_of_page() {
  std::string text;
  for (const std::string_view piece : after_data()) text += piece;
  constexpr std::string_view open = "<script>", close = "</script>";
  const std::size_t from = text.find(open) + open.size();
  return text.substr(from, text.rfind(close) - from);
}

/// What Node.js runs: the request, the page's script, and the answer written.
std::string program_for(const json& request) {
  return fmt::format(
      "globalThis.synchroscopeDeflate = require('zlib').deflateSync;\n"
      "globalThis.synchroscopeRequest = {};\n{}\n"
      "require('fs').writeSync(1, JSON.stringify(globalThis.synchroscopeAnswer));\n",
      results::dump(request), script_of_page());
}

std::string first_line(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \n");
  return from == std::string::npos ? "it said nothing"
                                   : results::printable(text.substr(from, text.find('\n', from) - from), 200);
}

json answer_to(const json& request) {
  const auto drawn = platform::run_tool("node", {"-"}, program_for(request));
  if (!drawn)
    throw std::runtime_error{
        "drawing a figure needs Node.js, which is not installed (package nodejs); the report in a browser draws it as "
        "well"};
  if (!drawn->well) throw std::runtime_error{"Node.js could not draw the figure: " + first_line(drawn->errors)};
  json answer = results::parse_json(drawn->out);
  if (answer.contains("trouble")) throw no_such_figure{answer["trouble"].get<std::string>()};
  return answer;
}

/// `zoom`: of a PNG, how many dots for each unit.
std::string converted(const std::string& svg, picture as, const char* zoom) {
  if (as == picture::svg) return svg;
  const std::string form = as == picture::png ? "png" : "pdf";
  const auto made = platform::run_tool(
      "rsvg-convert", {"--format", form, "--zoom", as == picture::png ? zoom : "1", "--unlimited"}, svg);
  if (!made)
    throw std::runtime_error{
        fmt::format("writing {} needs rsvg-convert, which is not installed (package librsvg2-bin); .svg "
                    "works without it",
                    form)};
  if (!made->well) throw std::runtime_error{"rsvg-convert could not convert the figure: " + first_line(made->errors)};
  return made->out;
}

}  // namespace

std::optional<picture> picture_for(const std::string& file) {
  if (file.ends_with(".svg")) return picture::svg;
  if (file.ends_with(".png")) return picture::png;
  if (file.ends_with(".pdf")) return picture::pdf;
  return std::nullopt;
}

std::string figure(const std::string& data, const std::string& figure, picture as) {
  const json answer = answer_to({{"data", data}, {"figure", figure}});
  return converted(answer.at("svg").get<std::string>(), as, "2");
}

std::string figure_data(const std::string& data, const std::string& figure) {
  return results::dump(answer_to({{"data", data}, {"figure", figure}, {"plot", true}}).at("plot")) + "\n";
}

card_parts card(const std::string& data) {
  const json answer = answer_to({{"data", data}});
  const auto text = [&](const char* part) { return answer.at(part).get<std::string>(); };
  return {text("svg"), text("caption"), text("name")};
}

std::string card_as(const card_parts& parts, picture as) { return converted(parts.svg, as, "1"); }

}  // namespace synchro::report
