// Where cells are: those that differ on some axes only, and a place as the page takes it.

#ifndef SYNCHRO_VIEWS_PLACES_HPP
#define SYNCHRO_VIEWS_PLACES_HPP

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/cell.hpp"
#include "views/pivot.hpp"

namespace synchro::views {

/// Of these cells those that differ from this one on these axes only, have a value and are not sure.
[[nodiscard]] cells left_out(const cells& among, const cell& c, const std::vector<std::string>& axes);

/// "protocol paused, with pauses in between"; nothing of a cell without a protocol.
[[nodiscard]] std::string protocol_of(const results::cell& c);

/// {"locks": 512, "protocol": "paused"}
[[nodiscard]] nlohmann::ordered_json place_json(const results::coordinates& at);

}  // namespace synchro::views

#endif
