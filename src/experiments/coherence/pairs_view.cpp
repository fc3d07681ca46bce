// How coherence.pairs is shown.

#include <fmt/format.h>

#include <array>
#include <utility>

#include "experiments/coherence/coherence.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

struct protocol_words {
  const char *name, *how, *briefly;
};
constexpr std::array<protocol_words, 2> protocols{
    {{"cas", "two processors take turns on one line by compare-and-swap",
      "the two take turns on it by compare-and-swap"},
     {"handover", "stores and loads on two lines", "by stores and loads on two lines"}}};

sentences pairs_findings(const own_cells& own) {
  sentences out;
  for (const protocol_words& protocol : protocols) {
    const cells all = only_precise(where(own.of("latency"), "protocol", protocol.name));
    const cell *const nearest = least(all), *const farthest = most(all);
    if (nearest == nullptr) continue;
    const auto pair = [](const cell& c) {
      return fmt::format("processor {} to {}", name_at(c, "from"), name_at(c, "to"));
    };
    std::string text = fmt::format("Moving a cache line, the unit in which processors share memory, from {} takes {}",
                                   pair(*nearest), with_interval(*nearest));
    if (farthest->ci->first > nearest->ci->second && differ(*nearest, *farthest, all.size()))
      text += fmt::format("; from {}, the farthest, {}", pair(*farthest), with_interval(*farthest));
    out.push_back(fmt::format("{} (protocol {}: {}).", text, protocol.name, protocol.how));
  }
  return out;
}

std::optional<views::headline> pairs_headline(const own_cells& own) {
  for (const protocol_words& protocol : protocols) {
    const cells all = only_precise(where(own.of_any_mode("latency"), "protocol", protocol.name));
    const cell *const near = least(all), *const far = most(all);
    if (near == nullptr) continue;
    const bool apart = far->ci->first > near->ci->second && differ(*near, *far, all.size());
    return views::headline{figure_of(*near),
                           "to move a cache line to the nearest processor" +
                               (apart ? "; to the farthest, " + figure_of(*far) : std::string{}),
                           fmt::format("{}; {}{}", interval_of(*near), protocol.briefly, far_note(*near)), "map"};
  }
  return std::nullopt;
}

/// On a large machine there are too many pairs: one at each distance shows most.
bool is_extra_pair(const setting& s, const coordinates& at) {
  if (s.machine.processors.size() <= 4) return false;
  const auto from = static_cast<unsigned>(at.number("from")), to = static_cast<unsigned>(at.number("to"));
  return s.machine.pair_at(s.machine.between(from, to)) != std::pair{from, to};
}

}  // namespace

void present_coherence_pairs(experiment& e) {
  e.tour = [](const setting&) { return tour_stop{{{"protocol", {"cas", "handover"}}}, is_extra_pair}; };
  e.view = {
      {},
      pairs_findings,
      pairs_headline,
      {{"map", "How far apart the processors are",
        "Memory travels between processors in lines of usually 64 bytes. Each field is the time that one line takes "
        "from the processor of its row to that of its column: near ones share a cache, far ones sit in other "
        "packages.",
        heat_map("to", "from")}}};
}

}  // namespace synchro::experiments
