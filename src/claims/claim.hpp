// The catalog of what the paper and the articles claim, each with the one judge that puts it to cells.

#ifndef SYNCHRO_CLAIMS_CLAIM_HPP
#define SYNCHRO_CLAIMS_CLAIM_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "claims/evidence.hpp"
#include "claims/verdict.hpp"

namespace synchro::claims {

enum class kind : std::uint8_t {
  judged,      ///< Cells decide it, on any machine.
  proved,      ///< About one of the paper's machines alone: decided on its model (simulations/claims.hpp).
  waiting,     ///< What decides it is not there yet.
  beyond,      ///< About something that neither the experiments nor the models have.
  question,    ///< Open question of an article: no verdict.
  background,  ///< Describes an experiment, claims nothing: no verdict.
};

using judge = finding (*)(const evidence&);
/// For a claim about two systems: the run on Linux, and that on Windows.
using judge_of_two = finding (*)(const evidence&, const evidence&);

struct claim {
  std::string_view id = {};       ///< "S29": source and number.
  std::string_view section = {};  ///< Empty where the source has no sections.
  std::string_view says = {};     ///< The sentence.
  std::string_view figure = {};   ///< As published; empty if none.
  std::string_view rule =
      {};  ///< From when on it holds, in words; for others than judged ones why there is no verdict.
  std::string_view command = {};       ///< What measures it.
  std::string_view not_modelled = {};  ///< Why no model decides what a host's cells do; empty if one does.
  kind what = kind::judged;
  bool of_windows = false;  ///< Wine's cells decide nothing.
  claims::judge judge = nullptr;
  judge_of_two of_two_runs = nullptr;  ///< In place of `judge`.
};

struct source {
  std::string_view letter, title, by;
  std::vector<claim> claims;
};
[[nodiscard]] const std::vector<source>& sources();

/// All, by source and number.
[[nodiscard]] const std::vector<claim>& catalog();
/// Throws std::out_of_range if there is none of this id.
[[nodiscard]] const claim& claim_of(std::string_view id);

/// The verdict of a document on a claim. What is not measured says with which command it is, of a model which cells are
/// missing.
[[nodiscard]] finding finding_on(const claim& c, const results::document& d);
[[nodiscard]] finding finding_on(const claim& c, const evidence& e);
/// The verdict on a claim about Linux and Windows, of a run that is one of them; the other is the first among all.
[[nodiscard]] finding finding_on(const claim& c, const evidence& e, const std::vector<const evidence*>& all);

/// Sources and claims with a finding for each run (null for published tables), as the report's page takes them: a
/// document with several simulated machines is as many runs.
/// What only the paper's machines can show is left out.
[[nodiscard]] nlohmann::ordered_json findings_on(const std::vector<results::document>& documents);

}  // namespace synchro::claims

#endif
