#include "simulations/settled.hpp"

#include <fmt/format.h>

#include <optional>

namespace synchro::simulations {

namespace {

constexpr unsigned draws = 300, most_otherwise = draws / 100;

}  // namespace

settled_score settled(const std::function<score(unsigned)>& judged) {
  std::optional<claims::verdict> before;
  settled_score last{};
  for (const unsigned seeds : looks) {
    last = {judged(seeds), seeds};
    const claims::finding& found = last.is.found;
    const bool undecidable = found.is == claims::verdict::unresolved && found.by_the_protocol;
    if (last.is.letter == '-' || last.is.given() || undecidable) return last;
    if (found.is == before && found.is != claims::verdict::unresolved) return last;
    before = found.is;
  }
  claims::finding& found = last.is.found;
  if (found.is != claims::verdict::unresolved)
    found.sentence += fmt::format(" ({} by {} seeds, but not by half as many)", to_string(found.is), last.seeds);
  found.is = claims::verdict::unresolved;
  return last;
}

settled_score settled(const claims::claim& c, prover& p) {
  return settled([&](unsigned seeds) {
    p.take(seeds);
    return score_of(c, p, true);
  });
}

claims::finding sure_finding(const std::function<claims::finding(prover&)>& check, prover& p) {
  claims::finding found = check(p);
  unsigned otherwise = 0;
  for (unsigned i = 0; i < draws && found.is != claims::verdict::unresolved; ++i) {
    p.draw(i);
    if (check(p).is != found.is) ++otherwise;
  }
  p.draw({});
  if (otherwise <= most_otherwise) return found;
  found.sentence +=
      fmt::format(" ({}, but otherwise in {} of {} draws of the seeds)", to_string(found.is), otherwise, draws);
  found.is = claims::verdict::unresolved;
  return found;
}

}  // namespace synchro::simulations
