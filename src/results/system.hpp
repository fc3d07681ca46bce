// Which operating system a document's numbers are of. Wine, which answers Windows's calls on another system, is one of its
// own: its numbers are never taken for those of Windows.

#ifndef SYNCHRO_RESULTS_SYSTEM_HPP
#define SYNCHRO_RESULTS_SYSTEM_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "results/document.hpp"

namespace synchro::results {

enum class measured_on : std::uint8_t { unknown, linux_itself, windows_itself, wine };

/// Found by what the program was built for, and what the system said of itself. Simulated and published numbers are of none.
[[nodiscard]] measured_on system_of(const document& d);

/// "Debian GNU/Linux 12 (bookworm)", "Wine 8.0"; "an unknown system".
[[nodiscard]] std::string name_of_system(const document& d);

/// The primitives by which the paper's table of calls was measured, or what has their place on a system: each row of
/// that table, as measured here, has one for each system.
[[nodiscard]] const std::vector<std::string>& primitives_in_the_table_of_calls();
[[nodiscard]] bool as_in_the_table_of_calls(const std::string& primitive);

}  // namespace synchro::results

#endif
