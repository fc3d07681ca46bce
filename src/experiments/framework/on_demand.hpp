// Bodies on demand. What the tour does not measure, it does not compile either: the bodies in the folders `on_demand` make a
// part of their own (platform/parts.hpp), which is loaded before the first of their cells is measured. Declarations, names
// and views stay in the program, so that listing, planning and showing need no part.
//
// A layer declares an on_demand<Signature> and calls it as a function; a file of its folder `on_demand` defines it. Tests,
// benchmarks and the program for Windows are linked with these files and load nothing.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_ON_DEMAND_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_ON_DEMAND_HPP

#include <stdexcept>

namespace synchro::experiments {

/// Loads the part, unless the bodies are here. Throws std::runtime_error with one sentence if it cannot be had.
void load_bodies();

/// Whether a body was defined: by the part, or by files that the program was linked with.
inline bool bodies_are_here = false;

template <class Signature>
class on_demand;

template <class Result, class... Arguments>
class on_demand<Result(Arguments...)> {
 public:
  /// What it is from now on. True, for who has to initialize something.
  bool is(Result (*body)(Arguments...)) {
    body_ = body;
    return bodies_are_here = true;
  }

  /// Throws what load_bodies() throws.
  Result operator()(Arguments... arguments) const {
    if (body_ == nullptr) load_bodies();
    if (body_ == nullptr) throw std::runtime_error{"this program and its part are of different builds"};
    return body_(arguments...);
  }

 private:
  Result (*body_)(Arguments...) = nullptr;
};

}  // namespace synchro::experiments

#endif
