// What `list` takes, in each program that knows something to list.

#ifndef SYNCHRO_TERMINAL_LIST_OPTIONS_HPP
#define SYNCHRO_TERMINAL_LIST_OPTIONS_HPP

#include <string>

#include "terminal/options.hpp"

namespace synchro::terminal {

struct list_options {
  std::string what;  ///< Empty: what there is.
  bool as_json = false;

  void declare(options& its) {
    its.value("what", what, "experiments, locks, wakes, primitives or models").called("WHAT");
    its.flag("--json", as_json, "As an array of objects with a name");
  }
};

}  // namespace synchro::terminal

#endif
