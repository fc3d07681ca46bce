#include "platform/offset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <system_error>
#include <thread>

#include "platform/placement.hpp"
#include "platform/system_clock.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

constexpr std::uint32_t exchanges_wanted = 400;
constexpr std::uint64_t patience_ns = 100'000'000;  // other programs may hold one of the processors for a while

std::int64_t difference(std::uint64_t a, std::uint64_t b) noexcept { return static_cast<std::int64_t>(a - b); }

/// The two threads take turns: odd numbers are the first's messages, even ones the answers.
class exchange {
 public:
  explicit exchange(const std::function<std::uint64_t()>& now) : now_{now}, give_up_{system_clock_ns() + patience_ns} {}

  void ask(unsigned cpu) {
    if (!ready(cpu)) return;
    for (std::uint32_t i = 0; i < exchanges_wanted; ++i) {
      const std::uint64_t sent = now_();
      turn_.store(2 * i + 1, std::memory_order_release);
      if (!await(2 * i + 2)) return;
      const std::uint64_t received = now_();
      made_.push_back({sent, stamp_.load(std::memory_order_relaxed), received});
    }
  }

  void answer(unsigned cpu) {
    if (!ready(cpu)) return;
    for (std::uint32_t i = 0; i < exchanges_wanted; ++i) {
      if (!await(2 * i + 1)) return;
      stamp_.store(now_(), std::memory_order_relaxed);
      turn_.store(2 * i + 2, std::memory_order_release);
    }
  }

  [[nodiscard]] const std::vector<stamped_exchange>& made() const noexcept { return made_; }

 private:
  bool ready(unsigned cpu) {
    if (pin_this_thread(cpu)) return true;
    failed_.store(true, std::memory_order_relaxed);
    return false;
  }

  bool await(std::uint32_t turn) {
    for (std::uint32_t looks = 1; turn_.load(std::memory_order_acquire) != turn; ++looks) {
      cpu::pause();
      if (looks % 1024 != 0) continue;
      if (failed_.load(std::memory_order_relaxed) || system_clock_ns() > give_up_) return false;
    }
    return true;
  }

  const std::function<std::uint64_t()>& now_;
  std::uint64_t give_up_;
  std::vector<stamped_exchange> made_;
  std::atomic<bool> failed_{false};
  alignas(cpu::cache_line) std::atomic<std::uint32_t> turn_{0};  // with the stamp on its line: one transfer a message
  std::atomic<std::uint64_t> stamp_{0};
};

}  // namespace

std::uint64_t offset_bounds::largest() const noexcept {
  const auto size = [](std::int64_t x) { return static_cast<std::uint64_t>(x < 0 ? -x : x); };
  return std::max(size(low), size(high));
}

offset_bounds bounds_of(const std::vector<stamped_exchange>& exchanges) {
  offset_bounds b{std::numeric_limits<std::int64_t>::min() / 2, std::numeric_limits<std::int64_t>::max() / 2};
  for (const stamped_exchange& e : exchanges) {
    b.low = std::max(b.low, difference(e.stamped, e.received));
    b.high = std::min(b.high, difference(e.stamped, e.sent));
  }
  return b;
}

std::optional<offset_bounds> measure_offset(unsigned first, unsigned second,
                                            const std::function<std::uint64_t()>& now) {
  exchange e{now};
  try {
    std::thread answering{[&] { e.answer(second); }};
    try {
      std::thread asking{[&] { e.ask(first); }};
      asking.join();
    } catch (const std::system_error&) {  // the other one gives up by itself
    }
    answering.join();
  } catch (const std::system_error&) {
    return std::nullopt;
  }
  if (e.made().empty()) return std::nullopt;
  return bounds_of(e.made());
}

offset_estimate estimate_offset(const std::function<std::optional<offset_bounds>()>& measure, std::uint64_t widest,
                                double hz) {
  constexpr int most_tries = 5;
  std::optional<offset_bounds> known;
  for (int i = 0; i < most_tries; ++i) {
    const auto seen = measure();
    if (!seen) continue;
    known = known ? offset_bounds{std::max(known->low, seen->low), std::min(known->high, seen->high)} : *seen;
    if (known->width() <= widest) return {known, ""};
  }
  if (!known) return {{}, "their threads did not run at the same time"};
  return {{}, fmt::format("their messages took {:.3g} ms at least", static_cast<double>(known->width()) / hz * 1e3)};
}

std::vector<std::pair<unsigned, unsigned>> pairs_to_compare(const std::vector<unsigned>& cpus) {
  constexpr std::size_t few = 6;
  constexpr std::size_t most = 16;
  std::vector<std::pair<unsigned, unsigned>> pairs;
  if (cpus.size() <= few) {
    for (std::size_t i = 0; i < cpus.size(); ++i)
      for (std::size_t j = i + 1; j < cpus.size(); ++j) pairs.emplace_back(cpus[i], cpus[j]);
    return pairs;
  }
  const std::size_t others = cpus.size() - 1;
  const std::size_t n = std::min(others, most);
  for (std::size_t k = 1; k <= n; ++k) pairs.emplace_back(cpus[0], cpus[k * others / n]);
  return pairs;
}

}  // namespace synchro::platform
