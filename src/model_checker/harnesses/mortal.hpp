// An object that somebody destroys while others may still be on their way out of it. Its memory stays until the end.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_MORTAL_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_MORTAL_HPP

#include "model_checker/harnesses/stage.hpp"

namespace synchro::model_checker {

template <class Object>
class mortal_object {
 public:
  template <class... Arguments>
  explicit mortal_object(Arguments... arguments) : it{arguments...} {}
  void destroy() { world::current().bury(from_, to_); }

 private:
  const world::extent from_ = world::current().made();

 public:
  Object it;

 private:
  const world::extent to_ = world::current().made();
};

}  // namespace synchro::model_checker

#endif
