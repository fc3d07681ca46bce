// Builds programs around an object that threads share.

#ifndef SYNCHRO_MODEL_CHECKER_HARNESSES_STAGE_HPP
#define SYNCHRO_MODEL_CHECKER_HARNESSES_STAGE_HPP

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model_checker/explored.hpp"
#include "model_checker/program.hpp"

namespace synchro::model_checker {

/// A statement of the harness that has to hold.
inline void expect(bool holds, const char* what) {
  if (!holds) world::current().fail("wrong result", what);
}

/// Between two operations: all that the thread still knows is `next` and what stands in memory.
inline void settle(std::uint64_t next) { world::current().settle(next); }

/// Until every other thread has ended or waits and would not go on by itself.
inline void await_others() {
  operation op = on_nothing(action::mark, marks::awaits_others);
  world::current().perform(op);
}

/// A program whose threads share one Scene, which the machine makes from `arguments` and destroys after the check.
template <class Scene>
class stage {
 public:
  template <class... Arguments>
  stage(std::string name, unsigned threads, Arguments... arguments) : scene_{std::make_shared<Scene*>(nullptr)} {
    made_.name = std::move(name);
    made_.threads = threads;
    made_.set_up = [s = scene_, arguments...] { *s = explored::make<Scene>(arguments...); };
    made_.check = made_.abandon = [s = scene_] { explored::destroy(*s); };
  }

  stage& in_domains(std::vector<unsigned> domains) {
    made_.domains = std::move(domains);
    return *this;
  }
  template <class F>
  stage& warms_up(F f) {
    made_.warm_up = [s = scene_, f](unsigned t) { f(**s, t); };
    return *this;
  }
  template <class F>
  stage& does(F f) {
    made_.body = [s = scene_, f](unsigned t) { f(**s, t); };
    return *this;
  }
  template <class F>
  stage& cools_down(F f) {
    made_.cool_down = [s = scene_, f](unsigned t) { f(**s, t); };
    return *this;
  }
  template <class F>
  stage& then_checks(F f) {
    made_.check = [s = scene_, f] {
      f(**s);
      explored::destroy(*s);
    };
    return *this;
  }
  /// Anything else.
  program& with() { return made_; }
  [[nodiscard]] program done() const { return made_; }

 private:
  std::shared_ptr<Scene*> scene_;
  program made_;
};

/// The same program whose threads are not warm: each does everything for the first time.
inline program cold(program warm) {
  warm.name += ", cold";
  warm.warm_up = nullptr;
  return warm;
}

}  // namespace synchro::model_checker

#endif
