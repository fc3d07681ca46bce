// Writes documents of many kinds into a folder, and reads one: what the test of the schema asks for.

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/document.hpp"
#include "results/samples.hpp"

namespace synchro::results {
namespace {

using samples::complete_document;
using samples::made;
using samples::whole;

cell broken_cell() {
  cell c =
      made("locks.throughput", {{"lock", "bad"}, {"threads", whole(2)}}, "throughput", "op/s", samples::around(1e7));
  c.valid = false;
  c.reason = "the counter is 17 short";
  summarize(c);
  return c;
}

cell full_cell() {
  cell c = made("wake.broadcast", {{"primitive", "futex"}, {"threads", whole(64)}, {"offset", whole(-3)}}, "latency",
                "ns", samples::around(5e4, 0.07), better::lower);
  c.quantiles = {{"p50", 5e4}, {"p99.99", 2e5}, {"max", 9e5}};
  c.noise = {{"involuntary_switches", 3}, {"core_hz", {2.4e9, nullptr}}, {"mode", "near"}};
  c.reason = "stopped after 2 s: 64 threads share 2 processors";
  return c;
}

cell strange_cell() {
  cell c = made("a.b", {{"word", "\x1b[31m\n\xff"}, {"huge", whole(std::numeric_limits<std::int64_t>::min())}}, "m",
                "1", {1, std::nan(""), 3, 4, 5, 6});
  c.quantiles = {{"p50", std::numeric_limits<double>::infinity()}};
  c.noise = {{"x", std::nan("")}};
  return c;
}

void write_all(const std::string& folder) {
  write_document(complete_document({}), folder + "/empty.json");
  write_document(
      complete_document({made("a.b", {}, "m", "ns", {1, 2, 3}), made("a.b", {}, "m", "J", samples::around(2))}),
      folder + "/few.json");
  write_document(complete_document({broken_cell(), full_cell(), strange_cell(),
                                    samples::without_value("coherence.states", {{"state", "owned"}}, "latency_cycles",
                                                           "cycle", "this processor has no state Owned")}),
                 folder + "/all.json");
  std::vector<cell> pairs;
  for (std::int64_t from = 0; from < 129; ++from)
    for (std::int64_t to = 0; to < 129; ++to)
      if (from != to)
        pairs.push_back(made("coherence.pairs", {{"from", from}, {"to", to}}, "latency", "ns",
                             samples::around(20 + double(from % 9))));
  write_document(complete_document(pairs), folder + "/matrix.json");
  document odd = complete_document({});
  odd.complete = false;
  odd.label.reset();
  odd.id = new_id();
  odd.invocation["seed"] = std::numeric_limits<std::uint64_t>::max();
  odd.clock = {{"source", nullptr}, {"hz", std::nan("")}};
  odd.machine = {{"kind", "simulated"}, {"model_name", "opteron"}, {"cores", 48}};
  write_document(odd, folder + "/odd.json");
}

}  // namespace
}  // namespace synchro::results

int main(int argc, char** argv) {
  const std::string verb = argc == 3 ? argv[1] : "";
  try {
    if (verb == "write") synchro::results::write_all(argv[2]);
    if (verb == "read") (void)synchro::results::read_document(argv[2]);
  } catch (const std::runtime_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
  return verb == "write" || verb == "read" ? 0 : 2;
}
