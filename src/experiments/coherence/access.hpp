// The timed accesses, one after the other: each one's address depends on what the one before it returned.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_ACCESS_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_ACCESS_HPP

#include <cstdint>
#include <span>

#include "experiments/coherence/lines.hpp"
#include "experiments/coherence/vocabulary.hpp"

namespace synchro::experiments::coherence {

/// Loads along the links, beginning at `start`. Returns where it ends.
template <class M>
line<M>* chase(line<M>* start, std::size_t steps) {
  for (; steps != 0; --steps) start = start->next.load(memory_order::relaxed);
  return start;
}

/// What an access other than a load did: a value that the next address is made to depend on, and whether it found what
/// it was to find.
struct found {
  std::uint64_t value;
  bool expected;
};

/// A store has no result to wait for, and behind a fence processors already fetch the lines of the stores to come. So it
/// is followed by a fetch-and-add of 0 on the same word: that cannot begin before the store has reached the cache. A
/// machine that can tell when its stores have reached the cache says so by settle(), and needs no second access.
template <operation What, class M>
found access(line<M>& l) {
  constexpr std::uint64_t fresh = line<M>::fresh;
  constexpr std::uint64_t taken = line<M>::taken;
  if constexpr (What == operation::store) {
    l.word.store(taken, memory_order::relaxed);
    if constexpr (requires { M::settle(); }) {
      M::settle();
      return {taken, true};
    }
    const std::uint64_t seen = l.word.fetch_add(0, memory_order::acq_rel);
    return {seen, seen == taken};
  } else if constexpr (What == operation::cas) {
    std::uint64_t seen = fresh;
    const bool swapped = l.word.compare_exchange_strong(seen, taken, memory_order::acq_rel, memory_order::relaxed);
    return {swapped, swapped};
  } else if constexpr (What == operation::fai) {
    const std::uint64_t seen = l.word.fetch_add(1, memory_order::acq_rel);
    return {seen, seen == fresh};
  } else if constexpr (What == operation::tas) {
    const bool seen = l.flag.exchange(true, memory_order::acq_rel);
    return {seen, !seen};
  } else {
    static_assert(What == operation::swap);
    const std::uint64_t seen = l.word.exchange(taken, memory_order::acq_rel);
    return {seen, seen == fresh};
  }
}

/// The same kind of access, from `taken` back to `fresh`.
template <class M>
bool put_back(operation what, line<M>& l) {
  std::uint64_t seen = line<M>::taken;
  if (what == operation::cas)
    return l.word.compare_exchange_strong(seen, line<M>::fresh, memory_order::acq_rel, memory_order::relaxed);
  if (what == operation::fai) return l.word.fetch_add(~std::uint64_t{0}, memory_order::acq_rel) == line<M>::taken;
  if (what == operation::tas) return l.flag.exchange(false, memory_order::acq_rel);
  return l.word.exchange(line<M>::fresh, memory_order::acq_rel) == line<M>::taken;
}

/// `nothing` is zero, which the compiler must not know: it masks what an access returned, so the next address depends
/// on it and is the same nevertheless. Returns how many did not find what they were to find.
template <operation What, class M>
std::uint64_t access_all(std::span<line<M>* const> order, std::uint64_t nothing) {
  if constexpr (What == operation::load) {
    return chase(order.front(), order.size()) == order.front() ? 0 : order.size();
  } else {
    std::uint64_t unexpected = 0;
    std::uint64_t offset = 0;
    for (line<M>* const l : order) {
      const found f = access<What>(l[offset]);
      offset = f.value & nothing;
      unexpected += f.expected ? 0U : 1U;
    }
    return unexpected;
  }
}

template <class M>
std::uint64_t access_all(operation what, std::span<line<M>* const> order, std::uint64_t nothing) {
  switch (what) {
    case operation::load:
      return access_all<operation::load>(order, nothing);
    case operation::store:
      return access_all<operation::store>(order, nothing);
    case operation::cas:
      return access_all<operation::cas>(order, nothing);
    case operation::fai:
      return access_all<operation::fai>(order, nothing);
    case operation::tas:
      return access_all<operation::tas>(order, nothing);
    default:
      return access_all<operation::swap>(order, nothing);
  }
}

}  // namespace synchro::experiments::coherence

#endif
