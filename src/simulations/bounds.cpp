#include "simulations/bounds.hpp"

#include <functional>
#include <queue>

namespace synchro::simulations {

using simulator::operation;
using simulator::state;

double mean_transfer(const simulator::model& m, operation o, const std::vector<unsigned>& processors) {
  double sum = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < processors.size(); ++i)
    for (std::size_t j = 0; j < processors.size(); ++j) {
      if (i == j) continue;
      const unsigned a = m.core_of(processors[i]), b = m.core_of(processors[j]);
      sum += static_cast<double>(m.latency(o, state::modified, m.between(a, b)));
      ++pairs;
    }
  if (pairs != 0) return sum / pairs / simulator::per_cycle;
  const unsigned own = processors.empty() ? 0 : m.core_of(processors.front());
  const simulator::ticks alone = o == operation::load ? m.cache(simulator::level::l1)
                                 : m.writes_at_home() ? m.latency(o, state::modified, m.between(own, own))
                                                      : m.local_atomic();
  return static_cast<double>(alone) / simulator::per_cycle;
}

double line_bound(const simulator::model& m, operation o, const std::vector<unsigned>& processors) {
  return m.ghz() * 1e9 / mean_transfer(m, o, processors);
}

simulator::ticks last_by_calls(const simulator::wake_costs& w, unsigned n) {
  // When each of those awake is ready to wake the next one. A call is made once by each who helps.
  std::priority_queue<simulator::ticks, std::vector<simulator::ticks>, std::greater<>> ready;
  ready.push(w.call);
  simulator::ticks last = 0;
  for (unsigned i = 0; i < n; ++i) {
    const simulator::ticks done = ready.top() + w.each;
    ready.pop();
    last = std::max(last, done + w.latency);
    ready.push(done);
    ready.push(done + w.latency + w.call);
  }
  return last;
}

simulator::ticks last_by_interrupt(const simulator::wake_costs& w, unsigned n) {
  constexpr unsigned reached_at_once = 16;
  return w.call + (n + reached_at_once - 1) / reached_at_once * w.interrupt_each + w.latency;
}

}  // namespace synchro::simulations
