// What `simulate --validate` says of each claim, and what all of them come to.

#ifndef SYNCHRO_SIMULATE_LEDGER_HPP
#define SYNCHRO_SIMULATE_LEDGER_HPP

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "simulations/claims.hpp"

namespace synchro::simulate {

/// A claim, what the models say to it and by how many seeds, and whether it hangs on what they assume.
struct row {
  const claims::claim& about;
  simulations::score nominal;
  unsigned seeds = 0;
  std::string over_ranges = "-";

  [[nodiscard]] bool judged() const { return nominal.letter != '-'; }
  /// More than a look-up of what went in.
  [[nodiscard]] bool simulated() const { return judged() && !nominal.given(); }
  [[nodiscard]] bool predicted() const;
  [[nodiscard]] std::string verdict() const { return to_string(nominal.found.is); }
  [[nodiscard]] std::string origin() const;
  /// Whether it is the same at every corner that was tried.
  [[nodiscard]] bool stands() const { return over_ranges == verdict(); }
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
  counts by_origin_, over_ranges_, by_class_;  ///< The first and the last of all rows.
  std::map<unsigned, std::size_t> by_seeds_;   ///< How many claims took so many; of what is simulated.
  std::vector<claims::deviation> off_;         ///< Of what is predicted.
};

/// How many constants of each kind the models hold.
[[nodiscard]] std::string constants_of(const std::vector<std::string>& machines);

}  // namespace synchro::simulate

#endif
