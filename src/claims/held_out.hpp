// The draw that keeps a model honest: which claims and tables its constants may be set from, and which only score it.
//
// It was made once, before the simulator's cores were written, and is not repeated. Each name is drawn on its own, by a
// recorded seed, so that a claim that comes later does not change what was drawn for those before it.

#ifndef SYNCHRO_CLAIMS_HELD_OUT_HPP
#define SYNCHRO_CLAIMS_HELD_OUT_HPP

#include <cstdint>
#include <span>
#include <string_view>

namespace synchro::claims {

/// The day of the draw: it was chosen before anybody knew what it gives.
inline constexpr std::uint64_t seed_of_the_draw = 20261126;

/// Tables besides the claims that a model of the paper's machines could be fitted to.
[[nodiscard]] std::span<const std::string_view> drawn_tables();

/// Measured curves of locks on the paper's machines, by another program. Never fitted.
inline constexpr std::string_view lock_curves = "mctop: curves of five locks";

/// Whether constants of a model may be set from this claim (by its id) or table; if not, it only scores.
[[nodiscard]] bool may_set_constants(std::string_view claim_or_table);

/// Two ends, and a server, of another port of the paper's library, measured on its Opteron.
inline constexpr std::string_view pairs_table = "ssmp-threads: one way and there and back on the Opteron";
inline constexpr std::string_view server_table = "ssmp-threads: a server and its clients on the Opteron";
/// The same of other machines; on the Tilera by its network.
inline constexpr std::string_view server_of_xeon = "ssmp-threads: a server and its clients on the Xeon";
inline constexpr std::string_view pairs_of_tilera = "ssmp-threads: one way and there and back on the Tilera";

/// The paper's hash table on its four machines.
inline constexpr std::string_view hash_tables = "CLHT: the paper's hash table";

/// Whether a claim or table that was held out revealed a fault that was mended in a model since: what it is compared with
/// is no prediction any more.
[[nodiscard]] bool has_shaped_a_model(std::string_view claim_or_table);

}  // namespace synchro::claims

#endif
