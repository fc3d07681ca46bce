#include "experiments/stm/choices.hpp"

#include <algorithm>
#include <utility>

#include "statistics/random.hpp"

namespace synchro::experiments::transactions {

namespace {

/// 0 to n - 1, each as often as any other (as far as `count` allows), shuffled.
std::vector<std::uint32_t> evenly(std::uint32_t n, std::size_t count, statistics::random_numbers& random) {
  std::vector<std::uint32_t> all(count);
  for (std::size_t i = 0; i != count; ++i) all[i] = static_cast<std::uint32_t>(i * n / count);
  for (std::size_t left = count; left > 1; --left) std::swap(all[left - 1], all[random.below(left)]);
  return all;
}

}  // namespace

std::vector<choice> draw_choices(std::uint32_t places, std::uint64_t seed) {
  constexpr std::size_t least = 4096, most = std::size_t{1} << 20;
  const std::size_t count = std::clamp(2 * std::size_t{places}, least, most);
  statistics::random_numbers random{seed};
  const auto one = evenly(places, count, random), other = evenly(places, count, random);
  const auto kind = evenly(choice::kinds, count, random), amount = evenly(100, count, random);
  std::vector<choice> all(count);
  for (std::size_t i = 0; i != count; ++i)
    all[i] = {one[i], other[i], static_cast<std::uint16_t>(kind[i]), static_cast<std::uint16_t>(amount[i])};
  return all;
}

}  // namespace synchro::experiments::transactions
