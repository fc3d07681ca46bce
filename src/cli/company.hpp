// Before anything is measured: whether other programs have the processors, which they are, and what to do.

#ifndef SYNCHRO_CLI_COMPANY_HPP
#define SYNCHRO_CLI_COMPANY_HPP

#include <optional>
#include <string>

#include "platform/company.hpp"
#include "platform/topology.hpp"

namespace synchro::cli {

/// Looks for a second. Nothing where the system does not tell.
[[nodiscard]] std::optional<platform::company> company_now(const platform::topology& t);

/// "other programs use 1.4 of 2 processors: python3 (3 processes) 1.1, make 0.3"
[[nodiscard]] std::string company_text(const platform::company& others, std::size_t processors);

}  // namespace synchro::cli

#endif
