// advice_judge KNOWN FRESH: advises from one results file for every place of another one, and says how good that was. A
// place counts where best and worst lock of the fresh file differ, resolved, by more than 10 %.

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

#include "advice/held_out.hpp"
#include "advice/locks.hpp"

int main(int argc, char** argv) {
  using namespace synchro;
  if (argc != 3) {
    fmt::print(stderr, "advice_judge takes two results files: what is known, and what was measured afterwards\n");
    return 2;
  }
  try {
    const results::document old = results::read_document(argv[1]);
    const advice::known k{old};
    const auto all = advice::held_out(results::read_document(argv[2]),
                                      [&](const advice::workload& w) { return lock_for(w, k).take; });
    if (all.empty())
      throw std::runtime_error{"at no place do the locks differ, resolved, by more than 10 %: nothing was judged"};
    fmt::print("{}", in_words(all));
    return 10 * fare_of(all, &advice::held_out_case::share).right >= 9 * all.size() ? 0 : 1;
  } catch (const std::runtime_error& e) {
    fmt::print(stderr, "advice_judge: {}\n", e.what());
    return 2;
  }
}
