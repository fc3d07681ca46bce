#include "experiments/stm/means.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "experiments/stm/own_means.hpp"
#include "measure/host.hpp"

namespace synchro::experiments::transactions {

namespace {

bodies called(const std::string& name) {
  static const std::map<std::string, bodies> all = [] {
    std::map<std::string, bodies> here = own_means<measure::host>();
    here.emplace("stm", stm_bodies());
    here.emplace("std/mutex", bodies_of<measure::host, by_one_lock<std::mutex>>());
    if (const std::optional<bodies> compilers = libitm_bodies()) here.emplace("gcc/libitm", *compilers);
    return here;
  }();
  return all.at(name);
}

const bool defined = bodies_of_means.is(called);

}  // namespace

}  // namespace synchro::experiments::transactions
