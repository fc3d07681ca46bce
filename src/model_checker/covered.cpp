// Runs a short search of all programs, and leaves which statements they have reached: a program for ./dev coverage, in a build whose
// programs count. The seeded bugs are not run: what only a mistake reaches is not proved.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "model_checker/split.hpp"
#include "model_checker/verification.hpp"

extern "C" int __llvm_profile_write_file();

namespace {

using namespace synchro::model_checker;

/// A statement is where threads pass, not in rare states: a short search reaches what a long one does.
constexpr budget enough{.states = 3'000, .exhausted = 30'000};

bool is_refuted(const subject& s) {
  const subject_result r = verify(s, enough);
  return std::any_of(r.checks.begin(), r.checks.end(), [](const check_result& c) { return c.outcome.why.has_value(); });
}

void leave_counts() { static_cast<void>(__llvm_profile_write_file()); }

}  // namespace

/// All subjects, or those of these names.
int main(int argc, char** argv) {
  std::at_quick_exit(leave_counts);  // of processes that do a part of the work
  std::vector<const subject*> some;
  for (const subject& s : all_subjects())
    if (argc == 1 || std::find(argv + 1, argv + argc, s.name) != argv + argc) some.push_back(&s);
  bool hold = true;
  in_processes(
      some.size(), 0, [&](std::size_t i) { return std::string{is_refuted(*some[i]) ? "-" : "+"}; },
      [&](std::size_t i, const std::string& text) {
        if (text == "+") return;
        hold = false;
        fmt::print(stderr, "{} is refuted: synchroscope verify says more\n", some[i]->name);
      });
  return hold ? 0 : 1;
}
