// Hosts for the tests: alike, but for what is drawn and what a test makes worse.

#ifndef SYNCHRO_TESTS_FLEET_MADE_HOSTS_HPP
#define SYNCHRO_TESTS_FLEET_MADE_HOSTS_HPP

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "fleet/judgement.hpp"
#include "statistics/random.hpp"

namespace synchro::fleet::made {

/// From 0 to 1, without both.
inline double uniform(statistics::random_numbers& r) { return (static_cast<double>(r.next() >> 11) + 0.5) * 0x1p-53; }

inline double normal(statistics::random_numbers& r) {
  const double radius = std::sqrt(-2 * std::log(uniform(r)));
  return radius * std::cos(2 * std::numbers::pi * uniform(r));
}

/// Of variance 1, where it has one: it takes more than two degrees of freedom.
inline double student(statistics::random_numbers& r, int freedom) {
  double squares = 0;
  for (int i = 0; i < freedom; ++i) squares += std::pow(normal(r), 2);
  const double unit = freedom > 2 ? std::sqrt((freedom - 2.0) / freedom) : 1;
  return normal(r) / std::sqrt(squares / freedom) * unit;
}

struct size {
  std::size_t hosts = 60, experiments = 6, cells = 10;
};

/// What hosts of one kind differ by, as multiples of a cell's spread.
using draw = std::function<double(statistics::random_numbers&, std::size_t cell)>;

/// What a whole host, and a host in one experiment, differ by, as multiples of a percent.
using shared_draw = std::function<double(statistics::random_numbers&)>;

/// One file of a host of a processor "P" with two processors; all its values are 1 times what is drawn.
inline answer file_of(const std::string& name, const size& of, places& known, statistics::random_numbers& r,
                      const draw& next, const shared_draw& shared) {
  constexpr double percent = 0.01;
  std::vector<results::cell> cells;
  answer a;
  a.file = name + ".json";
  a.id = a.host = name;
  a.started = "2026-11-26T01:00:00Z";
  a.model = "P";
  a.processors = 2;
  a.memory = 0x1p34;
  a.facts = {{"governor", "performance"}, {"kernel", "6.1"}};
  const double whole = percent * shared(r);
  for (std::size_t e = 0; e < of.experiments; ++e) {
    const double experiment = percent * shared(r);
    for (std::size_t c = 0; c < of.cells; ++c) {
      results::cell& cell = cells.emplace_back();
      cell.experiment = fmt::format("family.e{}", e);
      cell.metric = "latency";
      cell.unit = "ns";
      cell.direction = results::better::lower;
      cell.at.set("place", static_cast<std::int64_t>(c));
      // From 1 % to 16 %, the same for all hosts.
      const double spread = 0.01 * std::pow(2.0, static_cast<double>((7 * e + c) % 5));
      a.cells.push_back({0, whole + experiment + spread * next(r, c), std::log(0.02) + 0.3 * normal(r), 50});
    }
  }
  const std::vector<std::uint32_t> numbers = known.of(cells);
  for (std::size_t i = 0; i < numbers.size(); ++i) a.cells[i].place = numbers[i];
  return a;
}

/// Of each host a file, or several of as many days.
inline void fill(gathered& all, const size& of, std::uint64_t seed, const draw& next,
                 const shared_draw& shared = normal, std::size_t days = 1) {
  statistics::random_numbers r{seed};
  for (std::size_t i = 0; i < of.hosts; ++i) {
    all.hosts.push_back({fmt::format("host-{:03}", i), {}});
    host& h = all.hosts.back();
    for (std::size_t day = 1; day <= days; ++day) {
      h.answers.push_back(file_of(h.name, of, all.known, r, next, shared));
      h.answers.back().started = fmt::format("2026-11-{:02}T01:00:00Z", day);
    }
  }
}

/// Makes worse, by a logarithm, what the place says yes to.
inline void worsen(const gathered& all, host& h, double by, const std::function<bool(const cell_key&)>& which) {
  for (measured& m : h.answers.back().cells)
    if (which(all.known[m.place])) m.value += by;
}

}  // namespace synchro::fleet::made

#endif
