// The cache lines that are measured, and the order in which they are visited.

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_LINES_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_LINES_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "synchro/hardware.hpp"

namespace synchro::experiments::coherence {

/// One cache line. Everything a preparation or a timed access touches is in it.
template <class M>
struct alignas(cpu::cache_line) line {
  static constexpr std::uint64_t fresh = 6;  ///< What a timed access finds in the word,
  static constexpr std::uint64_t taken = 7;  ///< and what it leaves there: one more.

  typename M::template atomic<line*> next{nullptr};
  typename M::template atomic<std::uint64_t> word{taken};
  typename M::template atomic<bool> flag{true};  ///< For test-and-set: false is fresh.
};

/// 32 pages of lines: what the bodies that look at single lines take them from.
template <class M>
struct field {
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t lines_of_page = page_bytes / sizeof(line<M>);
  static constexpr std::size_t pages = 32;

  alignas(page_bytes) std::array<line<M>, pages * lines_of_page> lines{};
};

template <class M>
using field_lines = std::span<line<M>, field<M>::pages * field<M>::lines_of_page>;

template <class M>
using visit = std::vector<line<M>*>;

/// Two lines in each page, half a page apart, each at another offset as far as there are that many: no prefetcher that works
/// inside pages can help, and the lines do not compete for the sets of a cache. A processor keeps the translations of 48 pages
/// or more, and needs some for what is not measured: of 64 pages, one line in each, every access took 4 ns longer.
template <class M>
[[nodiscard]] visit<M> scattered(field_lines<M> lines, std::mt19937_64& random) {
  constexpr std::size_t half = field<M>::lines_of_page / 2;
  std::vector<std::size_t> offsets(field<M>::pages);
  std::iota(offsets.begin(), offsets.end(), std::size_t{0});
  std::shuffle(offsets.begin(), offsets.end(), random);
  visit<M> chosen;
  for (std::size_t page = 0; page < field<M>::pages; ++page)
    for (const std::size_t first : {std::size_t{0}, half})
      chosen.push_back(&lines[page * field<M>::lines_of_page + first + offsets[page] % half]);
  return chosen;
}

/// Neighbours, few enough to lie in half of any first-level cache: for lines that are in the requester's own.
template <class M>
[[nodiscard]] visit<M> packed(field_lines<M> lines) {
  visit<M> chosen;
  for (std::size_t i = 0; i < 16384 / sizeof(line<M>); ++i) chosen.push_back(&lines[i]);
  return chosen;
}

/// Links the lines into one cycle in a random order, and returns the order.
template <class M>
[[nodiscard]] std::vector<std::uint32_t> link(std::span<line<M>> lines, std::mt19937_64& random) {
  std::vector<std::uint32_t> order(lines.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  for (std::size_t i = 0; i < order.size(); ++i)
    lines[order[i]].next.store(&lines[order[(i + 1) % order.size()]], memory_order::relaxed);
  return order;
}

}  // namespace synchro::experiments::coherence

#endif
