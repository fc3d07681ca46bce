#include "platform/company.hpp"

#include <algorithm>

namespace synchro::platform {

company company_between(const used_time& first, const used_time& second, double seconds) {
  constexpr double noticeable = 0.05;  // processors
  if (!(seconds > 0)) return {};
  std::map<std::string, company::program> by_name;
  for (const auto& [process, now] : second.programs) {
    const auto before = first.programs.find(process);
    const bool same = before != first.programs.end() && before->second.seconds <= now.seconds;
    const double took = (now.seconds - (same ? before->second.seconds : 0)) / seconds;
    company::program& all = by_name.try_emplace(now.name, company::program{now.name, 0, 0}).first->second;
    all.processes += took >= noticeable ? 1 : 0;
    all.processors += took;
  }
  company found{std::max(0.0, second.busy - first.busy) / seconds, {}};
  for (auto& [name, program] : by_name)
    if (program.processes > 0) found.programs.push_back(std::move(program));
  std::stable_sort(found.programs.begin(), found.programs.end(),
                   [](const auto& a, const auto& b) { return a.processors > b.processors; });
  return found;
}

/// What a desktop does by itself is no disturbance; on a big machine a twentieth of it is little.
bool disturbs(const company& others, std::size_t processors) {
  return others.processors > 0.1 + 0.05 * static_cast<double>(processors);
}

}  // namespace synchro::platform
