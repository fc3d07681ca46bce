// Bodies on demand. What the tour does not measure, the program that gives it does not compile: the bodies in the folders
// `on_demand`, and of the catalog's lines that the tour leaves out, are in a second program, which is the first one and these
// bodies. Declarations, names and views are in both, so that listing, planning and showing need no other program; before a cell
// with such a body is measured, the first program becomes the second one (cli/session.hpp).
//
// A layer declares an on_demand<Signature> and calls it as a function; a file of its folder `on_demand` defines it. Tests,
// benchmarks and the program for Windows are linked with these files.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_ON_DEMAND_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_ON_DEMAND_HPP

#include <stdexcept>

namespace synchro::experiments {

/// Whether the bodies on demand are in this program.
inline bool bodies_are_here = false;

template <class Signature>
class on_demand;

template <class Result, class... Arguments>
class on_demand<Result(Arguments...)> {
 public:
  on_demand() = default;
  on_demand(Result (*body)(Arguments...)) : body_{body} {}  // NOLINT(google-explicit-constructor)

  /// Defines it. True, for who has to initialize something.
  bool is(Result (*body)(Arguments...)) {
    body_ = body;
    return bodies_are_here = true;
  }

  [[nodiscard]] bool is_here() const { return body_ != nullptr; }

  /// Throws std::logic_error if the body is not in this program.
  Result operator()(Arguments... arguments) const {
    if (body_ == nullptr) throw std::logic_error{"this body is in another program"};
    return body_(arguments...);
  }

 private:
  Result (*body_)(Arguments...) = nullptr;
};

}  // namespace synchro::experiments

#endif
