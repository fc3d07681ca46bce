#include "cli/plan.hpp"

#include "experiments/framework/tour.hpp"
#include "experiments/framework/usage_error.hpp"
#include "terminal/failure.hpp"

namespace synchro::cli {

using namespace terminal;

experiments::plan plan_for(const resolved_request& what, unknown_value says) {
  try {
    return what.tour ? experiments::tour_plan(what.setting) : experiments::make_plan(what.setting, what.which);
  } catch (const experiments::usage_error& e) {
    fail_usage(e.names.empty() ? e.what() : says(e.kind, e.word, e.names));
  }
}

}  // namespace synchro::cli
