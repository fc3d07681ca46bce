// What a judge asks a document: which cells there are, and how they compare.

#ifndef SYNCHRO_CLAIMS_EVIDENCE_HPP
#define SYNCHRO_CLAIMS_EVIDENCE_HPP

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "claims/verdict.hpp"
#include "results/document.hpp"
#include "results/system.hpp"

namespace synchro::claims {

using results::cell;
using results::coordinate;
using cells = std::vector<const cell*>;

/// What a coordinate must be. A cell without it does not fit.
struct condition {
  std::string axis;
  std::function<bool(const coordinate*)> fits;
};
using place = std::vector<condition>;

[[nodiscard]] condition is(const std::string& axis, const std::string& word);
[[nodiscard]] condition is(const std::string& axis, std::int64_t number);
[[nodiscard]] condition one_of(const std::string& axis, const std::vector<std::string>& words);
[[nodiscard]] condition none_of(const std::string& axis, const std::vector<std::string>& words);
[[nodiscard]] condition between(const std::string& axis, std::int64_t least, std::int64_t most);
/// For axes that not every file has.
[[nodiscard]] condition absent_or(condition c);

[[nodiscard]] place operator+(place a, const place& b);

class evidence {
 public:
  explicit evidence(const results::document& d);

  /// Processors, cores, and sockets in the paper's sense (a memory node of a package) with the processors of the first;
  /// 0 if the document does not say.
  [[nodiscard]] std::int64_t processors() const { return processors_; }
  [[nodiscard]] std::int64_t cores() const { return cores_; }
  [[nodiscard]] std::int64_t sockets() const { return sockets_; }
  [[nodiscard]] std::int64_t socket() const { return socket_; }
  /// Whether two processors so far apart are of different sockets.
  [[nodiscard]] bool crosses_sockets(const std::string& distance) const;

  /// Whether so many threads share cores, at least some of them.
  [[nodiscard]] bool shares_cores(std::int64_t threads) const { return cores_ > 0 && threads > cores_; }
  [[nodiscard]] bool simulated() const { return simulated_; }
  /// Of a simulation, the name of its model.
  [[nodiscard]] const std::string& model() const { return model_; }

  /// The operating system, and what it calls itself.
  [[nodiscard]] results::measured_on system() const { return system_; }
  [[nodiscard]] const std::string& system_name() const { return system_name_; }

  /// Why no judge is asked (results::why_no_evidence).
  [[nodiscard]] const std::optional<std::string>& no_evidence() const { return no_evidence_; }

  /// Cells with a value, of the mode in which most of the experiment was measured.
  [[nodiscard]] cells find(const std::string& experiment, const std::string& metric, const place& where = {}) const;
  /// The first of them, or null.
  [[nodiscard]] const cell* one(const std::string& experiment, const std::string& metric, const place& where) const;

 private:
  [[nodiscard]] std::string usual_mode(const std::string& experiment) const;

  std::map<std::string, cells> sound_;  ///< The cells with a value, by experiment.
  results::measured_on system_;
  bool simulated_;
  std::string system_name_, model_;
  std::optional<std::string> no_evidence_;
  std::int64_t processors_ = 0, cores_ = 0, sockets_ = 0, socket_ = 0;
  mutable std::map<std::string, std::string> modes_;
};

[[nodiscard]] std::int64_t number_at(const cell& c, const std::string& axis, std::int64_t otherwise = 0);
[[nodiscard]] std::string word_at(const cell& c, const std::string& axis);
/// The cells that fit.
[[nodiscard]] cells those(const cells& all, const place& where);
/// The values of an axis: words in the order in which they appear, numbers rising.
[[nodiscard]] std::vector<std::string> words_of(const cells& all, const std::string& axis);
[[nodiscard]] std::vector<std::int64_t> numbers_of(const cells& all, const std::string& axis);

/// The best and the worst cell by value, in the direction of their metric; null if there are none.
[[nodiscard]] const cell* best(const cells& all);
[[nodiscard]] const cell* worst(const cells& all);

/// Pairs of a cell of `a` and one of `b` that agree in all coordinates but these.
[[nodiscard]] std::vector<std::pair<const cell*, const cell*>> matched(const cells& a, const cells& b,
                                                                       const std::vector<std::string>& but);

/// Each of some with each of others.
[[nodiscard]] std::vector<std::pair<const cell*, const cell*>> each_with_each(const cells& a, const cells& b);

/// Axes whose values name a cell in a sentence.
using naming = std::vector<std::string>;

/// a over b against a range. `family`: of how many comparisons one would refute the claim; the more they are, the surer
/// a counter-example has to be.
[[nodiscard]] finding compared(const cell* a, const cell* b, const range& r, const naming& axes,
                               const std::string& nothing, std::size_t family = 1);
/// Every such pair.
[[nodiscard]] finding compared(const std::vector<std::pair<const cell*, const cell*>>& pairs, const range& r,
                               const naming& axes, const std::string& nothing);

/// Whether the best of some is at least so many times as good as every one of the others. It is not if one of the
/// others is resolved to be ahead of each of them.
[[nodiscard]] finding contest(const cells& ours, const cells& theirs, double least, const naming& axes,
                              const std::string& nothing);

}  // namespace synchro::claims

#endif
