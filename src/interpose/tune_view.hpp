// What `tune` found, as text and as JSON.

#ifndef SYNCHRO_INTERPOSE_TUNE_VIEW_HPP
#define SYNCHRO_INTERPOSE_TUNE_VIEW_HPP

#include <nlohmann/json.hpp>
#include <string>

#include "interpose/tune_race.hpp"

namespace synchro::interpose {

/// The table and the verdict.
[[nodiscard]] std::string text_of(const tuning& found, const tuning_task& task);
[[nodiscard]] nlohmann::ordered_json json_of(const tuning& found, const tuning_task& task);

}  // namespace synchro::interpose

#endif
