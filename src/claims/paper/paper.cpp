#include "claims/paper/paper.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "claims/catalog.hpp"

namespace synchro::claims {

std::int64_t full_team(const evidence& e, const cells& all, std::int64_t least) {
  std::int64_t found = 0;
  for (const std::int64_t n : numbers_of(all, "threads"))
    if (n >= least && (e.processors() == 0 || n <= e.processors())) found = n;
  return found;
}

finding compared_below_ceiling(const evidence& e, const cell* a, const cell* b, const range& r, const naming& axes,
                               const std::string& nothing) {
  finding f = compared(a, b, r, axes, nothing);
  for (const cell* c : {a, b}) {
    if (c == nullptr || f.is == verdict::unmeasured) continue;
    for (const cell* ceiling : e.find(c->experiment, "ceiling"))
      if (ceiling->at == c->at && *c->value > below_ceiling * *ceiling->value)
        return {.is = verdict::unresolved,
                .sentence = f.sentence + " (but with " + std::to_string(number_at(*c, "threads")) +
                            (number_at(*c, "threads") == 1 ? " thread" : " threads") +
                            " the pause takes longer than the operation)",
                .measured = f.measured,
                .by_the_protocol = true};
  }
  return f;
}

namespace {

/// "S5b" stands between "S5" and "S6".
std::pair<int, std::string_view> order_of(const claim& c) {
  const std::string_view place = c.id.substr(1);
  int number = 0;
  const char* const rest = std::from_chars(place.data(), place.data() + place.size(), number).ptr;
  return {number, place.substr(static_cast<std::size_t>(rest - place.data()))};
}

}  // namespace

source the_paper() {
  source all{"S",
             "Everything You Always Wanted to Know About Synchronization but Were Afraid to Ask",
             "David, Guerraoui, Trigonakis, SOSP 2013",
             {}};
  for (const auto& topic : {on_coherence(), on_atomics(), on_free_locks(), on_contended_locks(), on_messages(),
                            on_the_hash_table(), on_memcached(), on_other_systems()})
    all.claims.insert(all.claims.end(), topic.begin(), topic.end());
  // A topic has its claims from several sections.
  std::sort(all.claims.begin(), all.claims.end(),
            [](const claim& a, const claim& b) { return order_of(a) < order_of(b); });
  return all;
}

}  // namespace synchro::claims
