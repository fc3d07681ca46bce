#include "measure/layout.hpp"

#include <cstddef>
#include <vector>

#include "platform/placement.hpp"
#include "statistics/random.hpp"

namespace synchro::measure {

void vary_layout(std::uint64_t seed) {
  constexpr std::size_t pieces = 256, largest = 4096, most_pages = 64, page = 4096;
  statistics::random_numbers numbers{seed};
  static std::vector<std::vector<std::byte>> kept;
  for (std::size_t i = 0; i < pieces; ++i) kept.emplace_back(16 + numbers.below(largest));
  for (std::size_t i = 0; i < pieces; ++i)
    if (numbers.below(2) == 0) kept[kept.size() - 1 - i] = {};
  static std::vector<platform::fresh_memory> mapped;  // whole pages come from another place than small pieces
  mapped.emplace_back(page * (1 + numbers.below(most_pages)));
}

}  // namespace synchro::measure
