#include "model_checker/litmus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model_checker/harnesses/stage.hpp"

namespace synchro::tests {

namespace {

using model_checker::max_threads;
using std::memory_order;
using word = explored::atomic<std::uint32_t>;

constexpr unsigned most_locations = 4;
constexpr unsigned most_reads = 6;

struct scene {
  std::array<word, most_locations> at;
  std::array<std::array<explored::plain<std::uint32_t>, most_reads>, max_threads> read;
};

std::uint32_t load(word& w, memory_order o) {
  return o == memory_order::acquire ? w.load(memory_order::acquire) : w.load(memory_order::relaxed);
}

void store(word& w, std::uint32_t v, memory_order o) {
  if (o == memory_order::release)
    w.store(v, memory_order::release);
  else
    w.store(v, memory_order::relaxed);
}

std::uint32_t add(word& w, std::uint32_t v, memory_order o) {
  switch (o) {
    case memory_order::acquire:
      return w.fetch_add(v, memory_order::acquire);
    case memory_order::release:
      return w.fetch_add(v, memory_order::release);
    case memory_order::acq_rel:
      return w.fetch_add(v, memory_order::acq_rel);
    default:
      return w.fetch_add(v, memory_order::relaxed);
  }
}

void run(scene& s, const std::vector<instruction>& code, unsigned t) {
  unsigned reads = 0;
  for (const instruction& i : code) {
    switch (i.what) {
      case instruction::load:
        s.read[t][reads++] = load(s.at[i.location], i.order);
        break;
      case instruction::store:
        store(s.at[i.location], i.value, i.order);
        break;
      case instruction::add:
        s.read[t][reads++] = add(s.at[i.location], i.value, i.order);
        break;
      case instruction::fence:
        explored::fence();
        break;
      case instruction::exchange:
        break;  // of ways that are known only
    }
  }
}

unsigned reads_of(const std::vector<instruction>& code) {
  unsigned n = 0;
  for (const instruction& i : code)
    if (i.what == instruction::load || i.what == instruction::add) ++n;
  return n;
}

}  // namespace

results explored_results(const litmus& test, const model_checker::search_options& how) {
  results all;
  model_checker::stage<scene> s{test.name, static_cast<unsigned>(test.threads.size())};
  s.does([&test](scene& it, unsigned t) { run(it, test.threads[t], t); });
  s.then_checks([&test, &all](scene& it) {
    result one;
    for (unsigned t = 0; t < test.threads.size(); ++t)
      for (unsigned r = 0; r < reads_of(test.threads[t]); ++r) one.push_back(it.read[t][r]);
    for (unsigned l = 0; l < test.locations; ++l) one.push_back(it.at[l].load(memory_order::relaxed));
    all.insert(one);
  });
  const model_checker::program p = s.done();
  model_checker::explore(p, how);
  return all;
}

std::string print(const results& some) {
  std::string text;
  for (const result& one : some) text += fmt::format("({}) ", fmt::join(one, " "));
  return text;
}

}  // namespace synchro::tests
