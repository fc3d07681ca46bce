// overhead.calls

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "experiments/framework/axes.hpp"
#include "experiments/overhead/call_process.hpp"
#include "experiments/overhead/call_rows.hpp"
#include "experiments/overhead/overhead.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments {

namespace {

using overhead::call_row;

const call_row* find_row(const coordinates& at) { return overhead::find_row(at.word("call"), at.word("primitive")); }

/// The different words that the rows have there, in their order.
std::vector<std::string> words(std::string call_row::*what) {
  std::vector<std::string> found;
  for (const call_row& row : overhead::call_rows())
    if (std::find(found.begin(), found.end(), row.*what) == found.end()) found.push_back(row.*what);
  return found;
}

unsigned rounds_of(const setting& s, const call_row& row) {
  return s.thoroughness == level::full ? 5 * row.rounds : row.rounds;
}

unsigned processor_of(const setting& s) { return s.machine.processors.front().cpu; }

repetition measure(const setting& s, const coordinates& at, std::uint64_t) {
  const call_row* const row = find_row(at);
  if (row == nullptr) throw std::invalid_argument{"there is no such call: " + at.to_string()};
  const overhead::call_task task{processor_of(s), rounds_of(s, *row), true};
  const auto seen = overhead::measure_alone(*row, task);
  repetition r;
  if (!seen) {
    r.broken = fmt::format("{} lost a wake-up: the threads of {} did not come to the end of a round within {} s",
                           row->primitive, row->call, overhead::patience.count());
    return r;
  }
  r.broken = seen->broken;
  r.bounded = row->by + "; " + overhead::calls_seen(*row, task.cpu);
  const measure::timed_singly call = measure::time_singly(seen->ns, measure::clock_step_ns() / seen->at_once);
  // What the clock cannot resolve may look less than nothing.
  r.observations = {{"delay", std::max(0.0, call.median), call.quantiles, call.too_short}};
  add_to(r, seen->team);
  return r;
}

}  // namespace

experiment overhead_calls() {
  experiment e;
  e.name = "overhead.calls";
  e.line =
      "the paper's thirteen calls, each by its flow: all threads on one processor, at the highest priority allowed";
  e.source = "Bogner, Schuetz, Wiesinger, 4.2, Table 1";
  e.axes = {word_axis("call", "the call, as the paper names it", words(&call_row::call)),
            word_axis("primitive", "what does the same on this system", words(&call_row::primitive))};
  e.metrics = {
      {"delay", "ns", better::lower,
       fmt::format("Median of one repetition. Critical section, spin lock, interlocked: one operation, by what a batch "
                   "of {} takes more than one of {}. Mutex, semaphore, event: from before the release or signal in "
                   "one thread to the ownership or recognition in another. Wait-functions: from the last thread's "
                   "last instruction to the recognition of its end.",
                   2 * overhead::batch, overhead::batch)}};
  e.unavailable = [](const setting&, const coordinates& at) {
    const auto why = find_row(at)->unavailable();
    return why ? std::optional{"not available here: " + *why} : std::nullopt;
  };
  e.skip = [](const setting&, const coordinates& at) { return find_row(at) == nullptr; };
  e.seconds = [](const setting& s, const coordinates& at) {
    const call_row& row = *find_row(at);
    return 0.001 + overhead::seconds_besides() + rounds_of(s, row) * row.seconds;
  };
  e.processors = [](const setting& s, const coordinates&) { return std::vector<unsigned>{processor_of(s)}; };
  e.once = [](const setting& s, const coordinates& at) { (void)overhead::calls_seen(*find_row(at), processor_of(s)); };
  e.measure = measure;
  present_overhead_calls(e);
  return e;
}

}  // namespace synchro::experiments
