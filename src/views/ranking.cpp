#include "views/ranking.hpp"

#include <optional>
#include <utility>

namespace synchro::views {

namespace {

using json = nlohmann::ordered_json;

/// The rank of the machine without a name among those that have exactly one value there.
void add_rank(json& figure, const ranking& r, std::size_t number) {
  std::optional<double> own;
  std::size_t before = 0, of = 0;
  for (const ranking::machine& m : r.machines)
    if (m.name.empty() && m.values[number].size() == 1) own = m.values[number].front();
  for (const ranking::machine& m : r.machines) {
    if (m.values[number].size() != 1) continue;
    ++of;
    if (own && m.values[number].front() < *own) ++before;
  }
  if (own) figure["rank"] = before + 1, figure["of"] = of;
}

}  // namespace

json to_json(const ranking& r) {
  json all{{"title", r.title}, {"note", r.note}, {"figures", json::array()}, {"machines", json::array()}};
  for (std::size_t i = 0; i < r.figures.size(); ++i) {
    json figure{{"title", r.figures[i].title}};
    if (r.figures[i].ranked) add_rank(figure, r, i);
    all["figures"].push_back(std::move(figure));
  }
  for (const ranking::machine& m : r.machines)
    all["machines"].push_back({{"name", m.name}, {"processors", m.processors}, {"values", m.values}});
  return all;
}

}  // namespace synchro::views
