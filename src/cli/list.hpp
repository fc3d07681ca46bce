// What `list` takes, here and where models are known.

#ifndef SYNCHRO_CLI_LIST_HPP
#define SYNCHRO_CLI_LIST_HPP

#include <string>

#include "terminal/options.hpp"

namespace synchro::cli {

struct list_options {
  std::string what;  ///< Empty: what there is.
  bool as_json = false;

  void declare(terminal::options& its) {
    its.value("what", what, "experiments, locks, wakes or models").called("WHAT");
    its.flag("--json", as_json, "As an array of objects with a name");
  }
};

}  // namespace synchro::cli

#endif
