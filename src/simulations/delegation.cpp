// Sections that other threads run, on a model.

#include "experiments/delegation/delegation.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "experiments/delegation/delegates.hpp"
#include "simulations/copying.hpp"
#include "simulations/simulations.hpp"

namespace synchro::simulations {

using namespace experiments;

namespace {

/// What a call returns stands in its request as a value of any type, which the simulated machine does not see. Here it is
/// a word on a line of the caller's own: the caller writes it first, and whoever runs the call later. It is not on the
/// stack, for a store may still be in the buffer when the call has returned.
template <class Delegate>
class with_answer_line {
  struct alignas(cpu::cache_line) answer_line {
    simulated::plain<std::uint64_t> word{0};
  };

 public:
  template <class F>
  std::uint64_t execute(F&& fn) {
    answer_line& answer = simulated::local<answer_line>();
    answer.word = 0;
    delegate_.execute([&] { answer.word = fn(); });
    return answer.word;
  }
  void serve() requires delegation::is_served<Delegate> { delegate_.serve(); }
  void stop() requires delegation::is_served<Delegate> { delegate_.stop(); }

 private:
  Delegate delegate_;
};

double calls_window_cycles(level l) { return l == level::quick ? 1e5 : l == level::standard ? 2e5 : 1e6; }

repetition measure_calls(const simulator::model& m, const setting& s, const coordinates& at, std::uint64_t seed) {
  delegation::execute_task task = execute_task_of(s, at);
  const auto threads = std::max(task.callers, static_cast<unsigned>(task.cpus.size()));
  task.duration_ns = or_some_slices(m, threads, calls_window_cycles(s.thoroughness)) / m.ghz();
  task.cpus = or_all_of(m, std::move(task.cpus));
  simulator::world w{m, seed};
  return record_executions(
      delegation::delegates<copying_laboratory, with_answer_line>().at(at.word("delegate")).run(task));
}

}  // namespace

experiment delegation_throughput(const model_ptr& m) {
  return on_model(experiments::delegation_throughput(), m, 0.05, measure_calls);
}

}  // namespace synchro::simulations
