#include "experiments/delegation/delegates.hpp"

#include <string>

#include "measure/host.hpp"

namespace synchro::experiments::delegation {

namespace {

const bool defined = execute_by.is([](const std::string& delegate, const execute_task& t) {
  return delegates<measure::host>().at(delegate).run(t);
}) && is_served_by.is([](const std::string& delegate) { return delegates<measure::host>().at(delegate).served; });

}  // namespace

}  // namespace synchro::experiments::delegation
