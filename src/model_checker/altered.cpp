// altered_HARNESS: the programs of one harness, compiled with headers that have their alterations in them. tests/model_checker/
// plain_mutants.py calls it:
//
//   altered_HARNESS                      which program comes to which alterations: a line "place: numbers" for each program; fails if
//                                       one does not hold
//   altered_HARNESS NUMBER PLACES...     runs these programs while that one is on; prints by which it is noticed, and how, and fails
//                                       if by none

#include "model_checker/altered.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "model_checker/search.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

void add_altered(subjects& to);  // those of the harness, which the build names

}  // namespace synchro::model_checker

namespace {

std::uint32_t is_on = 0;
/// By number. A set would take memory while a program makes what it tries, which the explored machine would watch as that one's, and
/// end the search.
std::vector<bool> met(1'000'000);

}  // namespace

bool altered::meet(std::uint32_t number) {
  if (is_on == 0) met.at(number) = true;
  return number == is_on;
}

namespace {

using namespace synchro::model_checker;

/// A statement is where threads pass, not in rare states.
constexpr std::uint64_t short_search = 3'000;
constexpr std::uint64_t medium_search = 10'000;

struct known_program {
  std::string name;
  program what;
};

std::vector<known_program> all_programs() {
  subjects made;
  add_altered(made);
  std::vector<known_program> all;
  for (const subject& s : made)
    for (const check& c : s.checks) all.push_back({s.name + ", " + c.what.name, c.what});
  return all;
}

search_result explored(const program& what, std::uint64_t states, std::optional<unsigned> preemptions = {}) {
  search_options how;
  how.most_states = states;
  how.preemptions = preemptions;
  return explore(what, how);
}

/// Whether all hold while none is on: what ends a search early comes to less than it could.
bool list() {
  const auto all = all_programs();
  bool hold = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    met.assign(met.size(), false);
    const search_result r = explored(all[i].what, short_search);
    fmt::print("{}:", i);
    for (std::size_t number = 0; number != met.size(); ++number)
      if (met[number]) fmt::print(" {}", number);
    fmt::print("\n");
    if (!r.why) continue;
    hold = false;
    fmt::print(stderr, "{}: {}, with no alteration\n", all[i].name, r.why->what);
  }
  return hold;
}

bool is_noticed(const known_program& by, const search_result& r) {
  if (r.result != search_result::refuted && r.result != search_result::undecided) return false;
  fmt::print("{}: {}\n", by.name, r.why ? r.why->what : "");
  return true;
}

/// A small search in each program before a large one in any; what does not fit that is searched in schedules of one preemption.
bool is_noticed(const std::vector<known_program>& some) {
  std::vector<const known_program*> larger;
  for (const known_program& p : some) {
    const search_result r = explored(p.what, short_search);
    if (is_noticed(p, r)) return true;
    if (r.result == search_result::unfinished) larger.push_back(&p);
  }
  for (const known_program* p : larger) {
    const search_result r = explored(p->what, medium_search);
    if (is_noticed(*p, r)) return true;
    if (r.result != search_result::unfinished) continue;
    for (const unsigned preemptions : {1U, 0U})
      if (is_noticed(*p, explored(p->what, medium_search, preemptions))) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) return list() ? 0 : 1;
  const auto all = all_programs();
  std::vector<known_program> some;
  for (int i = 2; i < argc; ++i) some.push_back(all.at(std::strtoul(argv[i], nullptr, 10)));
  is_on = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  return is_noticed(some) ? 0 : 1;
}
