// The measured tables of David, Guerraoui, Trigonakis: Everything You Always Wanted to Know About Synchronization but
// Were Afraid to Ask, SOSP 2013, to stand beside this machine's numbers. The data is in the CSV files of this folder.

#ifndef SYNCHRO_RESULTS_PAPER_TABLES_HPP
#define SYNCHRO_RESULTS_PAPER_TABLES_HPP

#include <optional>
#include <string>
#include <vector>

namespace synchro::results::paper {

extern const char* const table1;  ///< CSV: property, then one column for each platform.
extern const char* const table2;  ///< CSV: operation, state, platform, distance, cycles.
extern const char* const table3;  ///< CSV: level, then one column for each platform.

/// A column of Table 2: a platform and a distance on it.
struct place {
  std::string platform;
  std::string distance;
};

/// "opteron", "xeon", "niagara", "tilera", as in the files; and the name people read.
[[nodiscard]] const std::vector<std::string>& platforms();
[[nodiscard]] std::string title(const std::string& platform);

/// Table 2's columns, in the paper's order.
[[nodiscard]] const std::vector<place>& places();
/// Cycles of Table 2; where it has one number for all atomic operations, that one. Nothing where it is empty.
[[nodiscard]] std::optional<double> remote_cycles(const std::string& operation, const std::string& state,
                                                  const place& where);
/// Cycles of Table 3.
[[nodiscard]] std::optional<double> local_cycles(const std::string& level, const std::string& platform);
/// A property of Table 1, empty if it is not there: platform_fact("opteron", "cores") is "48".
[[nodiscard]] std::string platform_fact(const std::string& platform, const std::string& property);

}  // namespace synchro::results::paper

#endif
