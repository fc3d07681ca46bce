// Objects of classes that a program does not know: the machine makes them, and destroys them where the object ends that has
// them.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_MADE_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_MADE_HPP

#include <memory>

#include "model_checker/harnesses/stage.hpp"

namespace synchro::model_checker {

class made_by_machine {
 public:
  made_by_machine() = default;
  made_by_machine(const made_by_machine&) = delete;
  made_by_machine& operator=(const made_by_machine&) = delete;
  virtual ~made_by_machine() = default;
};

/// Whose `Any`, derived from made_by_machine, this object is.
template <class Any>
class made {
 public:
  explicit made(Any* it) : it_{it} {}
  Any& operator*() const { return *it_; }

 private:
  struct by_machine {
    void operator()(Any* it) const { explored::destroy(it); }
  };
  std::unique_ptr<Any, by_machine> it_;
};

}  // namespace synchro::model_checker

#endif
