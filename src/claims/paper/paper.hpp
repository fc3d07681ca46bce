// What the paper (David, Guerraoui, Trigonakis, SOSP 2013) claims, a file for each topic, and what their judges have in common.

#ifndef SYNCHRO_CLAIMS_PAPER_PAPER_HPP
#define SYNCHRO_CLAIMS_PAPER_PAPER_HPP

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "claims/claim.hpp"

namespace synchro::claims {

[[nodiscard]] std::span<const claim> on_coherence();
[[nodiscard]] std::span<const claim> on_atomics();
[[nodiscard]] std::span<const claim> on_free_locks();
[[nodiscard]] std::span<const claim> on_contended_locks();
[[nodiscard]] std::span<const claim> on_messages();
[[nodiscard]] std::span<const claim> on_the_hash_table();
[[nodiscard]] std::span<const claim> on_memcached();
[[nodiscard]] std::span<const claim> on_other_systems();

inline constexpr const char* opteron = "On the model of the Opteron.";
inline constexpr const char* xeon = "On the model of the Xeon.";
inline constexpr const char* niagara = "On the model of the Niagara.";
inline constexpr const char* tilera = "On the model of the Tilera.";
inline constexpr const char* models = "On the models of the paper's machines.";

[[nodiscard]] constexpr claim proved(std::string_view id, std::string_view section, std::string_view says,
                                     std::string_view figure, std::string_view on) {
  return {.id = id,
          .section = section,
          .says = says,
          .figure = figure,
          .rule = on,
          .command = "synchroscope simulate --validate",
          .what = kind::proved};
}
[[nodiscard]] constexpr claim beyond(std::string_view id, std::string_view section, std::string_view says,
                                     std::string_view figure, std::string_view why) {
  return {.id = id, .section = section, .says = says, .figure = figure, .rule = why, .what = kind::beyond};
}

/// The paper's tables are of below 3 % deviation: what it says of them is no surer.
inline constexpr double of_the_paper = 0.03;
/// "A stable throughput close to 20": two figures that both round to 20 (15 to 25) differ by no more.
inline constexpr range stable{15.0 / 25, 25.0 / 15};
/// Ranges about a figure that the text gives in one digit: "2 times".
[[nodiscard]] inline range rounds_to(double figure) { return {figure - 0.5, figure + 0.5}; }

inline constexpr const char* own_processor = "same_cpu";
inline constexpr const char* not_several_sockets =
    "the claim is of machines with several sockets, and this one has one";

inline constexpr std::int64_t fewest_that_contend = 3;
/// The largest team of so many threads at least in which each has a processor; 0 if there is none.
[[nodiscard]] std::int64_t full_team(const evidence& e, const cells& all, std::int64_t least);

/// Above half of its ceiling a rate is set by the pause more than by the operation, and says nothing about what the threads
/// share.
inline constexpr double below_ceiling = 0.5;
/// The finding that says so, or else the comparison of both rates.
[[nodiscard]] finding compared_below_ceiling(const evidence& e, const cell* a, const cell* b, const range& r,
                                             const naming& axes, const std::string& nothing);

}  // namespace synchro::claims

#endif
