#include "platform/clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>

#include "cpu/this_cpu.hpp"
#include "platform/clock_step.hpp"
#include "platform/offset.hpp"
#include "platform/system_clock.hpp"
#include "statistics/statistics.hpp"
#include "synchro/os.hpp"

namespace synchro::platform {

namespace {

using results::median;

struct rate {
  double hz;
  double spread_ppm;
};

/// The two clocks read at the same moment, as nearly as the best of some tries comes.
struct moment {
  std::uint64_t system_ns;
  std::uint64_t ticks;
};

moment both_clocks() {
  moment best{};
  std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < 32; ++i) {
    const std::uint64_t before = this_cpu::counter();
    const std::uint64_t ns = system_clock_ns();
    const std::uint64_t after = this_cpu::counter();
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best = {ns, before + (after - before) / 2};
  }
  return best;
}

/// Overlapping intervals, so that each is long and there are several in 50 ms.
rate counter_rate() {
  constexpr std::size_t moments = 10;
  constexpr std::size_t apart = moments / 2;
  std::vector<moment> seen;
  for (std::size_t i = 0; i < moments; ++i) {
    if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    seen.push_back(both_clocks());
  }
  std::vector<double> hz;
  for (std::size_t i = 0; i + apart < moments; ++i)
    hz.push_back(static_cast<double>(seen[i + apart].ticks - seen[i].ticks) * 1e9 /
                 static_cast<double>(seen[i + apart].system_ns - seen[i].system_ns));
  const auto [low, high] = std::minmax_element(hz.begin(), hz.end());
  const double middle = median(hz);
  return {middle, (*high - *low) / middle * 1e6};
}

/// Why the counter is not to be used; nothing if it is.
std::optional<std::string> objection(const counter_opinion& system, bool steady) {
  if (!this_cpu::has_counter) return "this processor has no known counter";
  if (system.reject) return *system.reject;
  if (!steady) return "neither the processor nor the system guarantees a constant rate";
  return std::nullopt;
}

inline void add(std::uint64_t& x, std::uint64_t y) noexcept {
  x += y;
  asm volatile("" : "+r"(x));
}

/// `n` dependent additions; by eights, so that the loop itself costs nothing on cores that take a branch every other
/// cycle.
void spend(std::uint64_t n) noexcept {
  std::uint64_t x = 0;
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));  // in a register: newer cores absorb additions of constants before they execute
  for (std::uint64_t eights = n / 8; eights != 0; --eights) {
    add(x, one), add(x, one), add(x, one), add(x, one);
    add(x, one), add(x, one), add(x, one), add(x, one);
  }
  for (std::uint64_t rest = n % 8; rest != 0; --rest) add(x, one);
}

/// Intervals of many lengths, as the clock tells them. Steps under two ticks are left out: some processors add one to
/// a counter that has not moved since it was last read.
std::vector<std::uint64_t> varied_intervals(const tick_clock& clock) {
  std::vector<std::uint64_t> intervals;
  for (std::uint64_t i = 0; i < 4096; ++i) {
    const std::uint64_t begin = clock.now();
    spend(i * 37 % 101);
    const std::uint64_t ticks = clock.now() - begin;
    if (ticks >= 2) intervals.push_back(ticks);
  }
  return intervals;
}

double cost_of_reading_ns(const tick_clock& clock) {
  constexpr int batch = 1000;
  std::vector<double> costs;
  for (int i = 0; i < 15; ++i) {
    const std::uint64_t begin = system_clock_ns();
    for (int k = 0; k < batch; ++k) static_cast<void>(clock.now());
    costs.push_back(static_cast<double>(system_clock_ns() - begin) / batch);
  }
  return median(costs);
}

/// What the comparison of processors came to, in ticks.
struct comparison {
  std::optional<std::uint64_t> largest;  ///< Offset that cannot be excluded; only if all pairs could be compared.
  std::optional<std::string> fault;      ///< That the clocks do differ, as a part of a sentence.
  std::size_t silent = 0;                ///< Pairs that could not be compared,
  std::string why;                       ///< and the first of them, as a sentence.
};

/// A round trip between running threads takes a microsecond at most. Longer: somebody slept.
constexpr double widest_ns = 5000;

comparison compare(const std::vector<unsigned>& cpus, const tick_clock& clock, double hz) {
  comparison c;
  std::vector<std::uint64_t> sizes;
  const auto pairs = pairs_to_compare(cpus);
  for (const auto& [one, other] : pairs) {
    const unsigned first = one, second = other;
    const offset_estimate found =
        estimate_offset([&] { return measure_offset(first, second, [&] { return clock.now(); }); },
                        static_cast<std::uint64_t>(widest_ns * hz / 1e9), hz);
    if (!found.bounds) {
      if (c.silent++ == 0)
        c.why = fmt::format("processors {} and {} could not be compared: {}", first, second, found.doubt);
      continue;
    }
    if (!found.bounds->possible())
      c.fault = fmt::format("the clocks of processors {} and {} do not keep a constant offset", first, second);
    else if (!found.bounds->includes_zero())
      c.fault = fmt::format("the clocks of processors {} and {} differ", first, second);
    sizes.push_back(found.bounds->largest());
  }
  if (sizes.empty() || c.silent != 0) return c;
  std::sort(sizes.rbegin(), sizes.rend());
  const bool all_pairs = pairs.size() == cpus.size() * (cpus.size() - 1) / 2;
  // Compared with the first processor only, two others may be apart by what each is apart from the first.
  c.largest = sizes[0] + (all_pairs || sizes.size() < 2 ? 0 : sizes[1]);
  return c;
}

/// The current clock; earlier ones are kept, for somebody may hold a reference.
std::atomic<const tick_clock*> current{nullptr};

}  // namespace

const tick_clock& tick_clock::calibrate(const std::vector<unsigned>& cpus) {
  static std::mutex one_at_a_time;
  const std::lock_guard hold{one_at_a_time};

  tick_clock clock;
  clock_facts& f = clock.facts_;
  const auto use_system_clock = [&](const std::string& why) {
    clock.counter_ = false;
    f.warnings.push_back(fmt::format("Times are read from {}: {}.", system_clock_name(), why));
  };
  const counter_opinion system = opinion_on_counter();
  f.invariant = this_cpu::counter_is_invariant() || system.steady.value_or(false);

  if (const auto why = objection(system, f.invariant)) {
    use_system_clock(*why);
  } else {
    constexpr double unsteady_ppm = 500;
    const rate r = counter_rate();
    clock.use_counter(r.hz, r.spread_ppm);
    if (r.spread_ppm > unsteady_ppm && !system.keeps_time)
      use_system_clock(fmt::format("the counter's rate varied by {:.0f} ppm while it was calibrated", r.spread_ppm));
  }
  const auto compared = [&] { return compare(cpus, clock, clock.counter_ ? f.hz : 1e9); };
  comparison between = compared();
  if (between.fault && clock.counter_ && !system.keeps_time) {
    use_system_clock("read from the counter, " + *between.fault);
    between = compared();
  }
  clock.settle();
  if (between.fault) f.warnings.push_back(fmt::format("Times between processors are unreliable: {}.", *between.fault));
  if (between.silent > 0)
    f.warnings.push_back(fmt::format("The clocks of {} pairs of processors could not be compared.", between.silent));
  if (between.largest)
    f.cross_cpu_offset_ns = clock.to_ns(*between.largest);
  else
    f.offset_unknown = between.silent > 0 ? between.why : "no two processors could be compared";

  return keep(clock);
}

const tick_clock& tick_clock::adopt(const clock_facts& calibrated) {
  tick_clock clock;
  clock.facts_ = calibrated;
  clock.counter_ = calibrated.source == this_cpu::counter_name;
  clock.ns_per_tick_ = 1e9 / calibrated.hz;
  return keep(clock);
}

const tick_clock& tick_clock::keep(const tick_clock& clock) {
  static std::mutex one_at_a_time;
  static std::deque<tick_clock> all;
  const std::lock_guard hold{one_at_a_time};
  all.push_back(clock);
  current.store(&all.back(), std::memory_order_release);
  return all.back();
}

void tick_clock::use_counter(double hz, double spread_ppm) {
  counter_ = true;
  facts_.hz = hz;
  facts_.calibration_ppm = spread_ppm;
}

void tick_clock::settle() {
  if (!counter_) {
    facts_.hz = 1e9;
    facts_.calibration_ppm = 0;
  }
  facts_.source = counter_ ? this_cpu::counter_name : system_clock_name();
  ns_per_tick_ = 1e9 / facts_.hz;
  facts_.read_cost_ns = cost_of_reading_ns(*this);
  facts_.resolution_ns = step_of(varied_intervals(*this)) * ns_per_tick_;
}

const tick_clock& tick_clock::get() {
  if (const tick_clock* clock = current.load(std::memory_order_acquire)) return *clock;
  return calibrate({os::current_cpu()});
}

double core_hz() {
  constexpr int chunks = 9;
  constexpr std::uint64_t additions = 256'000;
  std::vector<double> hz;
  for (int i = 0; i < chunks; ++i) {
    const std::uint64_t begin = system_clock_ns();
    spend(additions);
    const std::uint64_t ns = std::max<std::uint64_t>(1, system_clock_ns() - begin);
    hz.push_back(static_cast<double>(additions) * 1e9 / static_cast<double>(ns));
  }
  return median(hz);
}

double additions_at_once() {
  constexpr std::uint64_t rounds = 12'800;
  constexpr int chunks = 5, chains = 6;
  std::uint64_t one = 1;
  asm volatile("" : "+r"(one));
  std::vector<double> at_once;  // in the median, as this thread may be interrupted
  for (int chunk = 0; chunk != chunks; ++chunk) {
    std::uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;  // no array: little optimisation would leave it in memory
    const std::uint64_t begin = system_clock_ns();
    spend(rounds);
    const std::uint64_t between = system_clock_ns();
    for (std::uint64_t i = 0; i != rounds; ++i)
      add(a, one), add(b, one), add(c, one), add(d, one), add(e, one), add(f, one);
    const std::uint64_t end = std::max(system_clock_ns(), between + 1);
    at_once.push_back(chains * static_cast<double>(between - begin) / static_cast<double>(end - between));
  }
  return median(at_once);
}

}  // namespace synchro::platform
