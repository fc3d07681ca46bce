// What `simulate --validate` says of each claim, and what all of them come to.

#ifndef SYNCHRO_SIMULATE_LEDGER_HPP
#define SYNCHRO_SIMULATE_LEDGER_HPP

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "simulations/claims.hpp"

namespace synchro::simulate {

/// A claim, what the models say to it, whether they say the same by chance of another seed, and whether it hangs on what
/// they assume.
struct row {
  const claims::claim& about;
  simulations::score nominal;
  std::optional<claims::verdict> by_another_seed = {};  ///< Of what is simulated and not given.
  std::string over_ranges = "-";

  [[nodiscard]] bool judged() const { return nominal.letter != '-'; }
  /// More than a look-up of what went in.
  [[nodiscard]] bool simulated() const { return judged() && !nominal.given; }
  [[nodiscard]] bool predicted() const;
  [[nodiscard]] bool seeds_agree() const { return !by_another_seed || *by_another_seed == nominal.found.is; }
  /// As it is counted: what two seeds do not agree on neither holds nor fails.
  [[nodiscard]] std::string verdict() const;
  [[nodiscard]] std::string origin() const;
  /// "0.872 times the end of the range", or "-" where no figure is compared.
  [[nodiscard]] std::string off_by() const;
  [[nodiscard]] std::string text() const;
};

/// The head of the table that the rows make.
[[nodiscard]] std::string head_of_rows();

/// How many claims of each verdict, apart by where what decides them comes from, and by class.
class ledger {
 public:
  void add(const row& r);
  [[nodiscard]] std::string text() const;

 private:
  using counts = std::map<std::string, std::map<std::string, std::size_t>>;
  counts by_origin_, over_ranges_, by_class_;
  std::vector<claims::deviation> off_;  ///< Of what is predicted.
};

/// How many constants of each kind the models hold.
[[nodiscard]] std::string constants_of(const std::vector<std::string>& machines);

}  // namespace synchro::simulate

#endif
