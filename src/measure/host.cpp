#include "measure/host.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>
#include <system_error>
#include <thread>

#include "measure/too_few_threads.hpp"
#include "platform/scheduling.hpp"

namespace synchro::measure {

namespace {

/// Where a team gathers. First all wait to be complete, and may sleep: creating 500 threads takes a while. Then, awake,
/// they wait for each other once more without sleeping, so that those with a processor of their own start within a
/// few transfers of one line.
class start_line {
 public:
  explicit start_line(unsigned n) : n_{n} {}

  /// False if the team will never be complete.
  bool gather() {
    if (in_place_.fetch_add(1, std::memory_order_acq_rel) + 1 == n_) open(go);
    for (;;) {
      const auto seen = hardware::await_until(
          gate_, std::memory_order_acquire, [](std::uint32_t g) { return g != 0; }, looks{patience});
      if (seen) return *seen == go;
      hardware::park(gate_, 0, hardware::never);
    }
  }

  void start() {
    ready_.fetch_add(1, std::memory_order_acq_rel);
    hardware::await(ready_, std::memory_order_acquire, [this](std::uint32_t ready, std::uint32_t round) -> look {
      if (ready == n_) return true;
      return round < patience ? look::retry() : look::after_yield();
    });
  }

  void send_home() { open(home); }

 private:
  static constexpr std::uint32_t go = 1;
  static constexpr std::uint32_t home = 2;
  static constexpr std::uint32_t patience = 1000;  // looks: tens of microseconds

  void open(std::uint32_t how) {
    gate_.store(how, std::memory_order_release);
    hardware::unpark(&gate_, n_);
  }

  std::uint32_t n_;
  std::atomic<std::uint32_t> gate_{0};
  std::atomic<std::uint32_t> in_place_{0};
  alignas(cpu::cache_line) std::atomic<std::uint32_t> ready_{0};
};

/// What one thread of a team saw.
struct member {
  bool unpinned = false;
  bool migrated = false;
  std::uint64_t involuntary_switches = 0;
  std::uint64_t run_delay_ns = 0;
  platform::priority_outcome priority;
  std::exception_ptr thrown;
};

std::uint64_t grown(std::optional<std::uint64_t> before, std::optional<std::uint64_t> after) {
  return before && after && *after > *before ? *after - *before : 0;
}

void run_member(member& me, start_line& line, std::optional<unsigned> cpu, unsigned index,
                const std::function<void(unsigned)>& body, platform::urgency how) {
  if (cpu) me.unpinned = !platform::pin_this_thread(*cpu);
  const platform::raised_priority raised{how};
  me.priority = raised.outcome();
  if (!line.gather()) return;
  const platform::scheduler_counters before = platform::thread_counters();
  line.start();
  try {
    body(index);
  } catch (...) {
    me.thrown = std::current_exception();
  }
  const platform::scheduler_counters after = platform::thread_counters();
  me.involuntary_switches = grown(before.involuntary_switches, after.involuntary_switches);
  me.run_delay_ns = grown(before.run_delay_ns, after.run_delay_ns);
  me.migrated = cpu && !me.unpinned && platform::running_on() != *cpu;
}

team_report report_of(const std::vector<member>& members, const std::vector<unsigned>& cpus) {
  team_report report;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const member& m = members[i];
    if (m.unpinned)
      report.unpinned.push_back(fmt::format("thread {} could not be pinned to processor {}", i, cpus[i % cpus.size()]));
    report.involuntary_switches += m.involuntary_switches;
    report.run_delay_ns += m.run_delay_ns;
    report.migrations += m.migrated ? 1 : 0;
    if (i == 0 || m.priority.warning) report.priority = m.priority;
  }
  return report;
}

/// One dependent addition, one cycle. The addend is in a register: newer cores absorb additions of constants before
/// they execute.
inline void add(std::uint64_t& x, std::uint64_t y) noexcept {
  x += y;
  asm volatile("" : "+r"(x) : "r"(y));
}

}  // namespace

team_report host::team(const std::vector<unsigned>& cpus, unsigned n, const std::function<void(unsigned)>& body,
                       platform::urgency how) {
  std::vector<member> members(n);
  std::vector<std::thread> threads;
  threads.reserve(n);
  start_line line{n};
  const auto dismiss = [&] {
    line.send_home();
    for (std::thread& t : threads) t.join();
  };
  try {
    for (unsigned i = 0; i < n; ++i) {
      const auto cpu = cpus.empty() ? std::nullopt : std::optional{cpus[i % cpus.size()]};
      threads.emplace_back([&, i, cpu] { run_member(members[i], line, cpu, i, body, how); });
    }
  } catch (const std::system_error& e) {
    dismiss();
    throw too_few_threads(threads.size(), n, e.code());
  } catch (...) {
    dismiss();
    throw;
  }
  for (std::thread& t : threads) t.join();
  for (const member& m : members)
    if (m.thrown) std::rethrow_exception(m.thrown);
  return report_of(members, cpus);
}

double host::cycles_to_ns(double cycles) noexcept {
  static const double ns_per_cycle = 1e9 / platform::core_hz();
  return cycles * ns_per_cycle;
}

void host::work(std::uint64_t cycles) noexcept {
  std::uint64_t x = 0;
  std::uint64_t y = 1;
  asm volatile("" : "+r"(y));
  for (std::uint64_t eights = cycles / 8; eights != 0; --eights) {
    add(x, y), add(x, y), add(x, y), add(x, y);
    add(x, y), add(x, y), add(x, y), add(x, y);
  }
  for (std::uint64_t rest = cycles % 8; rest != 0; --rest) add(x, y);
}

static_assert(laboratory<host>);

}  // namespace synchro::measure
