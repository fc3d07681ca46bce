// The house against a program of its own that does the same and shares no code with it: by turns in one run, for these
// machines drift, and compared by the ratios of what ran beside each other.

#ifndef SYNCHRO_BENCH_DUEL_HPP
#define SYNCHRO_BENCH_DUEL_HPP

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "argument.hpp"
#include "measure/layout.hpp"
#include "measure/mode.hpp"
#include "promise.hpp"
#include "shared_core.hpp"
#include "statistics/statistics.hpp"

namespace synchro::bench {

struct duel {
  std::string name;
  std::function<double(std::uint64_t seed)> house;  ///< In `unit`; not above 0: nothing was measured.
  std::function<double()> other;
  double least, most;                                            ///< What the ratio house / other may be.
  std::optional<std::pair<unsigned, unsigned>> processors = {};  ///< Pairs during which these moved apart are dropped.
  promise defends = {};
  std::vector<int> alone_on = {};  ///< Pairs count while nobody else uses these processors' cores.
  std::string unit = "ns";
};

/// The same, all for one promise.
inline std::vector<duel> defending(const promise& p, std::vector<duel> some) {
  for (duel& d : some) d.defends = p;
  return some;
}

inline void add(std::vector<duel>& to, std::vector<duel> some) {
  for (duel& d : some) to.push_back(std::move(d));
}

enum class outcome : std::uint8_t { agrees, disagrees, not_resolved };

inline outcome judge(const results::ratio& r, double least, double most) {
  if (!r.ci) return outcome::not_resolved;
  if (r.ci->first > most || r.ci->second < least) return outcome::disagrees;
  return r.ci->first >= least && r.ci->second <= most ? outcome::agrees : outcome::not_resolved;
}

/// Whether a pair counts: nothing moved meanwhile, and nobody else used a core.
class undisturbed {
 public:
  explicit undisturbed(const duel& d) : duel_{d} { look(); }
  void look() {
    const auto probed =
        duel_.processors ? measure::probe_pair(duel_.processors->first, duel_.processors->second) : std::nullopt;
    moved_ = moved_ || (last_ && probed && std::abs(std::log(*probed / *last_)) > std::log(1.3));
    last_ = probed;
    shared_ = shared_ || !std::all_of(duel_.alone_on.begin(), duel_.alone_on.end(), bare::has_its_core_alone);
  }
  [[nodiscard]] bool holds() const { return !moved_ && !shared_; }

 private:
  const duel& duel_;
  std::optional<double> last_;
  bool moved_ = false, shared_ = false;
};

struct times {
  std::vector<double> house, other;
};

/// Why pairs did not count, and how many.
struct left_out {
  std::size_t not_quiet = 0, without_time = 0;
};

/// What the house and the other took, by turns. Where nobody else may use the core the other is before and after, and has to agree
/// with itself. Nothing if the pair is not to count.
inline std::optional<std::pair<double, double>> one_pair(const duel& d, std::size_t i, left_out& why) {
  constexpr double agrees_within = 0.02;
  const auto not_for = [](std::size_t& reason) { return ++reason, std::nullopt; };
  undisturbed calm{d};
  if (!calm.holds()) return not_for(why.not_quiet);
  const bool alone = !d.alone_on.empty(), house_first = !alone && i % 2 == 0;
  double ours = house_first ? d.house(i + 1) : 0;
  double theirs = d.other();
  if (!house_first) ours = d.house(i + 1);
  if (alone) {
    const double after = d.other();
    if (after > 0 && theirs > 0 && std::abs(std::log(after / theirs)) > agrees_within) return not_for(why.not_quiet);
    theirs = std::min(theirs, after) > 0 ? std::sqrt(theirs * after) : 0;
  }
  calm.look();
  if (ours <= 0 || theirs <= 0) return not_for(why.without_time);
  if (!calm.holds()) return not_for(why.not_quiet);
  return std::pair{ours, theirs};
}

/// A duel in the making. It ends with so many pairs; with fewer after as many tries and 20 s of its own, all in vain.
class under_way {
 public:
  under_way(const duel& d, std::size_t pairs) : duel_{&d}, pairs_{pairs} {}

  [[nodiscard]] bool has_ended() const {
    constexpr double patience_ns = 20e9;  // to wait for quiet
    return seen_.house.size() == pairs_ || (tries_ >= pairs_ && took_ns_ > patience_ns);
  }
  void try_once() {
    const double begin = bare::now_ns();
    // Where both have their memory decides as well. A pair that did not count is tried again where it was: each time takes memory.
    if (layouts_ == seen_.house.size()) measure::vary_layout(++layouts_);
    if (const auto pair = one_pair(*duel_, tries_++, why_)) {
      seen_.house.push_back(pair->first);
      seen_.other.push_back(pair->second);
    }
    took_ns_ += bare::now_ns() - begin;
  }
  [[nodiscard]] const duel& of() const { return *duel_; }
  [[nodiscard]] const times& seen() const { return seen_; }
  [[nodiscard]] const left_out& why() const { return why_; }

 private:
  const duel* duel_;
  std::size_t pairs_, tries_ = 0, layouts_ = 0;
  double took_ns_ = 0;
  times seen_;
  left_out why_;
};

inline std::string in_words(const left_out& why) {
  std::string words;
  if (why.not_quiet != 0) words = fmt::format("the processor was not quiet in {} pairs", why.not_quiet);
  if (why.without_time != 0)
    words += fmt::format("{}a time was too short for the clock, or found wrong, in {} pairs", words.empty() ? "" : ", ",
                         why.without_time);
  return words;
}

/// Prints one line.
inline outcome tell(const duel& d, const times& seen, const left_out& why) {
  const auto& [house, other] = seen;
  if (house.empty()) {
    fmt::print("{:<44} nothing was measured: {}\n", d.name, in_words(why));
    return outcome::not_resolved;
  }
  const results::ratio r = results::paired_ratio(house, other);
  const outcome o = judge(r, d.least, d.most);
  const char* const words = d.most == unbounded       ? "not judged"
                            : o == outcome::agrees    ? "agrees"
                            : o == outcome::disagrees ? "DISAGREES"
                                                      : "not resolved";
  fmt::print("{:<44} n {:>3}  house {:>9.2f} {}  other {:>9.2f} {}  ratio {:.3f} [{}]  {}\n", d.name, house.size(),
             results::median(house), d.unit, results::median(other), d.unit, r.value,
             r.ci ? fmt::format("{:.3f}, {:.3f}", r.ci->first, r.ci->second) : "too few", words);
  return o;
}

/// Prints a line for each when it has its pairs; false if one disagrees. They take turns, so that a quiet moment serves all that
/// still lack pairs.
inline bool hold_all(const std::vector<duel>& all, std::size_t pairs) {
  std::vector<under_way> left;
  for (const duel& d : all) left.emplace_back(d, pairs);
  bool good = true;
  while (!left.empty()) {
    for (under_way& one : left) one.try_once();
    std::erase_if(left, [&](const under_way& one) {
      if (one.has_ended()) good = tell(one.of(), one.seen(), one.why()) != outcome::disagrees && good;
      return one.has_ended();
    });
  }
  return good;
}

inline bool hold(const duel& d, std::size_t pairs) { return hold_all({d}, pairs); }

/// How many pairs the first argument asks for. Throws std::invalid_argument.
inline std::size_t pairs_of(const std::string& program, int argc, char** argv, std::size_t otherwise) {
  return argc < 2 ? otherwise : number_in(argv[1], program + " [PAIRS [NAME]]");
}

/// What a check does: `PROGRAM [PAIRS [NAME]]` holds all, or those that have NAME in their names; `PROGRAM --table` only says what
/// it defends. Returns whether none disagrees; throws if one defends nothing, or if PAIRS is no number.
inline bool answer(const std::string& program, std::vector<duel> all, int argc, char** argv, std::size_t pairs = 15) {
  if (asks_for_table(argc, argv)) {
    std::vector<promised> rows;
    for (const duel& d : all) {
      if (d.defends.says.empty()) throw std::logic_error{d.name + " defends nothing"};
      rows.push_back({d.defends, told_bounds(d.least, d.most)});
    }
    print_table(program, rows);
    return true;
  }
  const std::size_t asked = pairs_of(program, argc, argv, pairs);
  if (argc > 2) std::erase_if(all, [&](const duel& d) { return d.name.find(argv[2]) == std::string::npos; });
  return hold_all(all, asked);
}

}  // namespace synchro::bench

#endif
