// Where and by what something was measured: the facts without which two measurements must not stand in one file.

#ifndef SYNCHRO_RESULTS_ORIGIN_HPP
#define SYNCHRO_RESULTS_ORIGIN_HPP

#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

/// Whether two machines have the same memory by their facts, within 5 %: what the firmware and the kernel keep for
/// themselves differs from one day to the next.
[[nodiscard]] bool same_memory(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);
[[nodiscard]] bool same_memory(double a, double b);

/// "model_name (X; Y)" for every fact that identifies the machine, the processors used or the system, and differs. What
/// may change while a machine runs (load, governor, temperature) is noise, and no part of this. Empty: the same.
[[nodiscard]] std::vector<std::string> other_machine(const document& a, const document& b);

/// The same for the program. Where its sources are those of no commit, its own bytes decide ("program").
[[nodiscard]] std::vector<std::string> other_program(const document& a, const document& b);

}  // namespace synchro::results

#endif
