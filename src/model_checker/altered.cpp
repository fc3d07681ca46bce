// altered_HARNESS: the programs of one harness, compiled with headers that have their alterations in them. tests/model_checker/
// plain_mutants.py calls it:
//
//   altered_HARNESS                      which program comes to which alterations: a line "place: numbers" for each program
//   altered_HARNESS NUMBER PLACES...     runs these programs while that one is on; prints by which it is noticed, and how, and fails
//                                       if by none

#include "model_checker/altered.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>
#include <vector>

#include "model_checker/search.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

void add_altered(subjects& to);  // those of the harness, which the build names

}  // namespace synchro::model_checker

namespace {

std::uint32_t is_on = 0;
std::set<std::uint32_t> met;

}  // namespace

bool altered::meet(std::uint32_t number) {
  if (is_on == 0) met.insert(number);
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

void list() {
  const auto all = all_programs();
  for (std::size_t i = 0; i < all.size(); ++i) {
    met.clear();
    explored(all[i].what, short_search);
    fmt::print("{}: {}\n", i, fmt::join(met, " "));
  }
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
  if (argc == 1) return list(), 0;
  const auto all = all_programs();
  std::vector<known_program> some;
  for (int i = 2; i < argc; ++i) some.push_back(all.at(std::strtoul(argv[i], nullptr, 10)));
  is_on = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  return is_noticed(some) ? 0 : 1;
}
