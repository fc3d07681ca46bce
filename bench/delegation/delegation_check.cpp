// Does delegation.throughput agree with a program that shares no code with it?
//
// One caller and a server, which is a round trip of a request, and two callers under a lock that passes in turn.
//
// Usage: delegation_check [PAIRS]. Exit 0 if nothing is resolved to disagree, 1 if something is, 3 with one processor.

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "../duel.hpp"
#include "bare.hpp"
#include "experiments/delegation/delegation.hpp"
#include "platform/clock.hpp"

namespace {

using namespace synchro;

class delegation_duels {
 public:
  delegation_duels() {
    setting_.machine = platform::read_topology();
    setting_.thoroughness = experiments::level::quick;
    if (setting_.machine.processors.size() < 2) return;
    const std::vector<unsigned> team = experiment_.processors(setting_, at("ticket", 2));
    pair_ = {team.at(0), team.at(1)};
    platform::tick_clock::calibrate({pair_->first, pair_->second});
  }

  [[nodiscard]] bool has_two() const { return pair_.has_value(); }

  [[nodiscard]] std::vector<bench::duel> all() const {
    const int a = static_cast<int>(pair_->first), b = static_cast<int>(pair_->second);
    std::vector<bench::duel> list = {
        {"delegation_server, 1 caller / bare", ns_of("delegation_server", 1), [a, b] { return bare::served(a, b); },
         0.7, 1.5},
        {"ticket, 2 callers / bare", ns_of("ticket", 2), [a, b] { return bare::in_turn(a, b); }, 0.5, 1.5}};
    for (bench::duel& d : list) d.processors = pair_;
    return list;
  }

 private:
  static experiments::coordinates at(const std::string& way, std::int64_t threads) {
    return {{"delegate", way},
            {"threads", threads},
            {"lines", std::int64_t{1}},
            {"gap", std::int64_t{0}},
            {"placement", "compact"}};
  }

  [[nodiscard]] std::function<double(std::uint64_t)> ns_of(const std::string& way, std::int64_t threads) const {
    return [this, way, threads](std::uint64_t seed) {
      const experiments::repetition r = experiment_.measure(setting_, at(way, threads), seed);
      return r.broken ? -1 : 1e9 / r.observations.front().value;
    };
  }

  experiments::experiment experiment_ = experiments::delegation_throughput();
  experiments::setting setting_;
  std::optional<std::pair<unsigned, unsigned>> pair_;
};

}  // namespace

int main(int argc, char** argv) try {
  const delegation_duels duels;
  if (!duels.has_two()) {
    fmt::print(stderr, "delegation_check: one processor has no second one to run a section on\n");
    return 3;
  }
  return bench::hold_all(duels.all(), argc > 1 ? std::stoul(argv[1]) : 15) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "delegation_check: {}\n", e.what());
  return 2;
}
