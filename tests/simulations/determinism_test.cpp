// The same seed gives the same cells, byte for byte: whatever switches the fibers, whatever sanitizer and compiler built
// the program. The digest of some cells stands here, so that a build that gives others is seen.

#include <gtest/gtest.h>

#include "cells.hpp"

namespace synchro::tests {
namespace {

std::string text_of(const std::vector<results::cell>& cells) {
  std::string text;
  for (const results::cell& c : cells) {
    auto numbers = results::to_json(c);
    numbers.erase("reason");  // words
    text += numbers.dump() + "\n";
  }
  return text;
}

std::string everything(std::uint64_t seed) {
  std::string text;
  for (const char* machine : {"opteron", "niagara"}) {
    const auto m = built_in(machine);
    const auto add = [&](const std::string& experiment, const axes& chosen) {
      text += text_of(cells_of(m, experiment, chosen, seed));
    };
    add("coherence.states", {{"operation", {"load", "cas"}}, {"state", {"modified", "shared"}}});
    add("atomics.throughput", {{"threads", {1, 12}}, {"operation", {"fai", "cas_fai"}}, {"protocol", {"saturated"}}});
    add("locks.throughput", {{"lock", {"ticket", "mcs", "mutex", "mcs/park", "hclh/yield"}},
                             {"locks", {16}},
                             {"threads", {12}},
                             {"protocol", {"saturated"}}});
    add("locks.uncontested", {{"lock", {"clh", "array", "tas"}}});
    add("delegation.throughput", {{"delegate", {"mcs", "cc_synch/park", "flat_combining", "delegation_server"}},
                                  {"lines", {2}},
                                  {"gap", {0}},
                                  {"threads", {12}}});
    add("stm.bank", {{"means", {"stm", "stm/greedy", "stm/mcs", "messages"}}, {"elements", {16}}, {"threads", {12}}});
    add("wake.broadcast", {{"primitive", {"event", "cascade", "event/spin", "rendezvous"}}, {"threads", {11}}});
  }
  return text;
}

/// FNV-1a.
std::uint64_t digest(const std::string& text) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  return hash;
}

// Words, the reasons, are not in it. The digest changes with the rules of the simulator, the models, the library's algorithms and the form of a cell; then
// the new number belongs here. It does not change with the way of building.
TEST(Determinism, TheSameSeedGivesTheSameCellsInEveryBuild) {
  const std::string once = everything(5);
  EXPECT_EQ(digest(once), 13601771696737876159U);
  EXPECT_NE(once, everything(6));
}

}  // namespace
}  // namespace synchro::tests
