// The body of delegation.throughput: threads that call execute on one object, for a while.
//
// A call adds one to a counter on each of some lines, and returns what the first one was. Each caller goes on until its own
// clock says that the time is over, looked at between batches (measure/batch.hpp). What a server serves is one thread more;
// the last caller to come out stops it.
//
// The counters are plain: two calls at a time, one that is dropped and one that runs twice leave a wrong sum, and a caller
// that is told less than before has been told what is not so.

#ifndef SYNCHRO_EXPERIMENTS_DELEGATION_THROUGHPUT_HPP
#define SYNCHRO_EXPERIMENTS_DELEGATION_THROUGHPUT_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/on_demand.hpp"
#include "measure/batch.hpp"
#include "measure/laboratory.hpp"
#include "synchro/hardware.hpp"

namespace synchro::experiments::delegation {

inline constexpr unsigned most_lines = 64;

struct execute_task {
  std::vector<unsigned> cpus;  ///< The server's first, if there is one; as for a laboratory's team.
  unsigned callers;
  unsigned lines;  ///< 1 to most_lines that a call writes.
  double duration_ns;
  std::uint64_t gap;  ///< Cycles of work after each call.
};

struct execute_outcome {
  std::vector<std::uint64_t> calls;    ///< Of each caller.
  std::vector<std::uint64_t> counted;  ///< What each line says.
  std::uint64_t backwards = 0;         ///< Calls that were told less than their caller knew.
  double elapsed_ns = 0;               ///< From the first caller's start to the last one's end.
  measure::team_report team = {};
};

/// Executes by the delegate of this name; it is in the part.
inline on_demand<execute_outcome(const std::string&, const execute_task&)> execute_by;

/// Whether that one has a thread of its own that serves: what the program plans with is held against it.
inline on_demand<bool(const std::string&)> is_served_by;

/// Whether a thread of its own has to serve.
template <class Delegate>
inline constexpr bool is_served = requires(Delegate& d) {
  d.serve();
};

template <measure::laboratory Lab, class Delegate>
class execute_trial {
 public:
  explicit execute_trial(const execute_task& task)
      : task_{task}, calls_(task.callers), backwards_(task.callers), begun_(task.callers), ended_(task.callers) {}

  [[nodiscard]] execute_outcome run() {
    std::optional<typename Lab::template fresh<scene>> memory;
    Lab::team(task_.cpus, 1, [&](unsigned) {
      memory.emplace();
      (*memory)->left.store(task_.callers, memory_order::relaxed);
    });
    constexpr unsigned servers = is_served<Delegate> ? 1 : 0;
    execute_outcome seen;
    seen.team = Lab::team(task_.cpus, task_.callers + servers, [&](unsigned index) {
      if constexpr (is_served<Delegate>)
        if (index == 0) return (*memory)->shared.serve();
      call(**memory, index - servers);
    });
    seen.calls = calls_;
    for (const std::uint64_t n : backwards_) seen.backwards += n;
    for (unsigned i = 0; i != task_.lines; ++i) seen.counted.push_back((*memory)->data[i].count);
    seen.elapsed_ns =
        Lab::to_ns(*std::max_element(ended_.begin(), ended_.end()) - *std::min_element(begun_.begin(), begun_.end()));
    return seen;
  }

 private:
  using machine = typename Lab::machine;
  struct alignas(2 * cpu::cache_line) line {
    typename machine::template plain<std::uint64_t> count{0};
  };
  struct scene {
    alignas(2 * cpu::cache_line) Delegate shared;
    std::array<line, most_lines> data;
    alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> left{0};
  };

  void call(scene& it, unsigned caller) {
    const double ns_per_tick = Lab::to_ns(1);
    const auto window = static_cast<std::uint64_t>(task_.duration_ns / ns_per_tick);
    measure::batch batch{static_cast<std::uint64_t>(std::min(5000.0, task_.duration_ns / 1000) / ns_per_tick)};
    std::uint64_t calls = 0, next = 0, backwards = 0;
    const std::uint64_t begin = Lab::now();
    std::uint64_t now = begin;
    while (now - begin < window) {
      for (std::uint64_t left = batch.size(); left != 0; --left, ++calls) {
        const std::uint64_t before = it.shared.execute([&it, lines = task_.lines] { return add_one(it, lines); });
        backwards += before < next ? 1U : 0U;
        next = before + 1;
        if (task_.gap != 0) Lab::work(task_.gap);
      }
      const std::uint64_t then = Lab::now();
      batch.took(then - now);
      now = then;
    }
    calls_[caller] = calls;
    backwards_[caller] = backwards;
    begun_[caller] = begin;
    ended_[caller] = now;
    if constexpr (is_served<Delegate>)
      if (it.left.fetch_sub(1, memory_order::acq_rel) == 1) it.shared.stop();
  }

  static std::uint64_t add_one(scene& it, unsigned lines) {
    const std::uint64_t before = it.data[0].count;
    for (unsigned i = 0; i != lines; ++i) it.data[i].count = it.data[i].count + 1;
    return before;
  }

  execute_task task_;
  std::vector<std::uint64_t> calls_, backwards_, begun_, ended_;
};

}  // namespace synchro::experiments::delegation

namespace synchro::experiments {

/// What an outcome says; `broken` if the counters are not what the calls should have made of them.
[[nodiscard]] repetition record_executions(const delegation::execute_outcome& o);

/// What a cell asks for: of as many callers as it has `threads`, and of a server if its delegate has one.
[[nodiscard]] delegation::execute_task execute_task_of(const setting& s, const coordinates& at);

}  // namespace synchro::experiments

#endif
