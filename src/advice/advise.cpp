#include "advice/advise.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "advice/locks.hpp"
#include "advice/waking.hpp"
#include "results/doubt.hpp"
#include "results/text.hpp"

namespace synchro::advice {

using json = nlohmann::ordered_json;

counsel advise(const results::document& d, workload w) {
  if (const std::optional<std::string> doubt = results::nothing_sure(d)) {
    results::document bare = d;
    bare.cells.clear();  // What is measured but not sure counts as not measured.
    counsel c = advise(bare, w);
    c.doubt = doubt;
    return c;
  }
  const known k{d};
  if (k.processors() == 0) throw std::runtime_error{"the results do not say how many processors they are of"};
  if (w.threads == 0) w.threads = k.processors();
  return {w,
          k.processors(),
          std::nullopt,
          {lock_for(w, k), sharding_for(w, k), delegation_for(w, k), waking_for(w, k), group_for(w, k),
           permits_for(w, k), forking_for(w, k)}};
}

namespace {

json fact(const json& facts, const char* name) {
  return facts.is_object() && facts.contains(name) ? facts.at(name) : json(nullptr);
}

json to_json(const workload& w) {
  return {{"threads", w.threads}, {"critical_ns", w.critical_ns}, {"gap_ns", w.gap_ns},
          {"locks", w.locks},     {"readers", w.readers},         {"sleep", w.sleeps},
          {"fair", w.fair}};
}

json to_json(const recommendation& r) {
  const auto or_null = [](const std::string& text) { return text.empty() ? json(nullptr) : json(text); };
  json one{{"topic", r.topic},        {"take", r.take},
           {"matters", r.matters},    {"confidence", to_string(r.sure)},
           {"because", r.because},    {"runner_up", or_null(r.runner_up)},
           {"rule", or_null(r.rule)}, {"figures", json::array()}};
  for (const results::cell& c : r.figures) {
    json cell = to_json(c);
    for (const char* detail : {"samples", "quantiles", "noise"}) cell.erase(detail);
    one["figures"].push_back(std::move(cell));
  }
  return one;
}

std::string paragraph(const recommendation& r, std::size_t width) {
  constexpr std::size_t indent = 12;
  std::string because = r.because;
  if (r.sure != confidence::rule) because += fmt::format(" Confidence: {}.", to_string(r.sure));
  // The dots keep what wrapped() would take for blanks at the beginning of a line.
  std::string text = results::wrapped(std::string(indent, '.') + because, width, indent);
  return fmt::format("{:<{}}{}\n{}", r.topic, indent, results::printable(r.take, 80),
                     text.replace(0, indent, indent, ' '));
}

}  // namespace

json to_json(const counsel& c, const results::document& of) {
  json out{{"schema", "synchroscope-advice/1"},
           {"machine",
            {{"kind", fact(of.machine, "kind")},
             {"model_name", fact(of.machine, "model_name")},
             {"processors", c.processors}}},
           {"workload", to_json(c.of)},
           {"doubt", c.doubt ? json(*c.doubt) : json(nullptr)},
           {"advice", json::array()}};
  for (const recommendation& r : c.advice) out["advice"].push_back(to_json(r));
  return out;
}

std::string in_words(const counsel& c, std::size_t width) {
  std::string asked = "For " + in_words(place_of(c.of));
  asked += fmt::format(", on {} processor{}", c.processors, c.processors == 1 ? "" : "s");
  if (c.of.sleeps) asked += ", waiters asleep";
  if (c.of.fair) asked += ", none overtaken without bound";
  std::string text = results::wrapped(asked + ":", width);
  if (c.doubt) text = results::wrapped(*c.doubt, width) + "\n" + text;
  for (const recommendation& r : c.advice) text += paragraph(r, width);
  return text;
}

}  // namespace synchro::advice
