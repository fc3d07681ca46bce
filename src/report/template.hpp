// The page without its data, as report/build.mjs made it when the program was built.

#ifndef SYNCHRO_REPORT_TEMPLATE_HPP
#define SYNCHRO_REPORT_TEMPLATE_HPP

#include <span>
#include <string_view>

namespace synchro::report {

/// In pieces, because compilers bound the length of a string; both are empty in a program built without a report.
[[nodiscard]] std::span<const std::string_view> before_data();
[[nodiscard]] std::span<const std::string_view> after_data();

}  // namespace synchro::report

#endif
