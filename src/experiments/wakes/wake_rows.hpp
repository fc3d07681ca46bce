// Makes the rows of the table of wake primitives. Included by the generated units only.

#ifndef SYNCHRO_EXPERIMENTS_WAKES_WAKE_ROWS_HPP
#define SYNCHRO_EXPERIMENTS_WAKES_WAKE_ROWS_HPP

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "catalog/wake_line.hpp"
#include "experiments/wakes/wake_table.hpp"
#include "peers/wakes/wake_peer.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments {

template <class P>
std::unique_ptr<any_wake> make_wake(unsigned sleepers) {
  return std::make_unique<wake_holder<P>>(sleepers);
}

template <class P>
std::unique_ptr<any_wake> make_wake_groups(unsigned sleepers, unsigned group) {
  if constexpr (std::is_constructible_v<P, unsigned, unsigned>)
    return std::make_unique<wake_holder<P>>(sleepers, group);
  else
    return std::make_unique<wake_holder<peers::split<P>>>(sleepers, group);
}

/// "linux/futex" is of the family linux.
template <class P>
wake_row wake_row_of(std::string name, bool sleeps) {
  wake_row row;
  row.family = name.substr(0, name.find('/'));
  row.name = std::move(name);
  row.words = P::traits;
  row.sleeps = sleeps;
  row.region = region_primitive<P>;
  row.has_each = P::traits.one_call && requires(P & p) { p.trigger_each(); };
  row.make = &make_wake<P>;
  if constexpr (P::traits.splittable) row.make_groups = &make_wake_groups<P>;
  if constexpr (requires { P::unavailable(); }) row.unavailable = &P::unavailable;
  return row;
}

/// One row for each waiting policy of a line of our catalog; it says whether they sleep.
template <class Line, class Machine = hardware>
void add_own(std::vector<wake_row>& rows) {
  Line::each([&]<class Variant>(const Variant& variant) {
    using wake = typename Variant::template wake<Machine>;
    wake_row row = wake_row_of<wake>(variant.name, wake::parks);
    row.runtime = "synchro";
    rows.push_back(std::move(row));
  });
}

/// One for what a system, a language or a runtime offers.
template <class Line>
void add_peer(std::vector<wake_row>& rows) {
  wake_row row = wake_row_of<typename Line::wake>(Line::name, Line::sleeps);
  row.kind = primitive_kind::peer;
  row.runtime = Line::wake::traits.runtime;
  rows.push_back(std::move(row));
}

template <class Line>
void add_line(std::vector<wake_row>& rows) {
  if constexpr (requires { Line::sleeps; })
    add_peer<Line>(rows);
  else
    add_own<Line>(rows);
}

}  // namespace synchro::experiments

#endif
