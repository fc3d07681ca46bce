#include "experiments/throttle/parts.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "platform/placement.hpp"

namespace synchro::experiments::throttle {

namespace {

constexpr std::uint64_t terms_in_registers = 4096;
constexpr std::uint64_t private_bytes_if_unknown = std::uint64_t{1} << 20;

class integer_part final : public part {
 public:
  integer_part(std::uint64_t first, std::uint64_t count) : first_{first}, count_{count} {}
  [[nodiscard]] std::uint64_t sum() const override {
    std::uint64_t sum = 0;
    for (std::uint64_t term = first_ + 1; term <= first_ + count_; ++term) {
      sum += term;
      asm volatile("" : "+r"(sum));  // a compiler knows the formula
    }
    return sum;
  }

 private:
  std::uint64_t first_, count_;
};

class floating_part final : public part {
 public:
  floating_part(std::uint64_t first, std::uint64_t count) : first_{first}, count_{count} {}
  [[nodiscard]] std::uint64_t sum() const override {
    double sum = 0;
    auto term = static_cast<double>(first_);
    for (std::uint64_t i = 0; i != count_; ++i) {  // additions of doubles may not be reordered
      term += 1;
      sum += term;
    }
    return static_cast<std::uint64_t>(sum);
  }

 private:
  std::uint64_t first_, count_;
};

class memory_part final : public part {
 public:
  memory_part(std::uint64_t first, std::uint64_t count) : memory_{count * sizeof(std::uint64_t)}, count_{count} {
    for (std::uint64_t i = 0; i != count; ++i) terms()[i] = first + 1 + i;
  }
  [[nodiscard]] std::uint64_t sum() const override {
    // An odd step comes by every place of a power of two; this one is far beyond a line and a page.
    const std::uint64_t step = (count_ / 8 * 5) | 1;
    std::uint64_t sum = 0;
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i != count_; ++i) {
      sum += terms()[place];
      place = (place + step) & (count_ - 1);
    }
    return sum;
  }

 private:
  [[nodiscard]] std::uint64_t* terms() const { return static_cast<std::uint64_t*>(memory_.data()); }

  platform::fresh_memory memory_;
  std::uint64_t count_;
};

/// The largest cache that is not shared by more processors than the first level is.
std::uint64_t private_bytes(const platform::topology& machine) {
  std::uint64_t bytes = 0;
  unsigned fewest = std::numeric_limits<unsigned>::max();
  for (const platform::cache_level& c : machine.caches) fewest = std::min(fewest, c.sharers);
  for (const platform::cache_level& c : machine.caches)
    if (c.sharers == fewest && c.level < 3) bytes = std::max(bytes, c.bytes);
  return bytes == 0 ? private_bytes_if_unknown : bytes;
}

}  // namespace

std::unique_ptr<part> make_part(work kind, std::uint64_t first, std::uint64_t count) {
  if (kind == work::integer) return std::make_unique<integer_part>(first, count);
  if (kind == work::floating) return std::make_unique<floating_part>(first, count);
  return std::make_unique<memory_part>(first, count);
}

std::uint64_t terms_of(work kind, const platform::topology& machine) {
  if (kind != work::memory) return terms_in_registers;
  return std::bit_ceil(2 * private_bytes(machine) / sizeof(std::uint64_t));
}

}  // namespace synchro::experiments::throttle
