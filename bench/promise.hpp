// What a check defends, as a row of docs/truth.md, which is made of what the checks say here (docs/truth_table.py).

#ifndef SYNCHRO_BENCH_PROMISE_HPP
#define SYNCHRO_BENCH_PROMISE_HPP

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::bench {

struct promise {
  std::string says;     ///< What the tour or a page says.
  std::string by;       ///< The experiment, and its metric.
  std::string against;  ///< What the other program does.
};

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

inline std::string told_bounds(double least, double most) {
  if (most == unbounded) return "printed, not judged";
  if (least > 0) return fmt::format("{} to {}", least, most);
  return most == 1 ? "not resolved slower" : fmt::format("to {}", most);
}

struct promised {
  promise what;
  std::string bounds;
};

inline bool asks_for_table(int argc, char** argv) { return argc == 2 && std::string_view{argv[1]} == "--table"; }

/// A line for all that is promised alike, with the bounds that occur.
inline void print_table(const std::string& program, const std::vector<promised>& all) {
  std::vector<promised> rows;
  for (const promised& p : all) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const promised& r) {
      return r.what.says == p.what.says && r.what.by == p.what.by && r.what.against == p.what.against;
    });
    if (same == rows.end())
      rows.push_back(p);
    else if (same->bounds.find(p.bounds) == std::string::npos)
      same->bounds += "; " + p.bounds;
  }
  for (const promised& r : rows)
    fmt::print("| {} | {} | {} | `{}` | {} |\n", r.what.says, r.what.by, r.what.against, program, r.bounds);
}

}  // namespace synchro::bench

#endif
