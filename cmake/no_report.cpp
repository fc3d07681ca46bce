// The template of a program without a report.
#include "report/template.hpp"

namespace synchro::report {

std::span<const std::string_view> before_data() { return {}; }
std::span<const std::string_view> after_data() { return {}; }

}  // namespace synchro::report
