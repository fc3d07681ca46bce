// Requests to stop that come while a file has only its temporary name.

#ifndef SYNCHRO_RESULTS_HELD_SIGNALS_HPP
#define SYNCHRO_RESULTS_HELD_SIGNALS_HPP

#include <memory>

namespace synchro::results {

/// While alive, a request to stop waits, so that nothing is left behind; what is done meanwhile is short.
class held_signals {
 public:
  held_signals();
  ~held_signals();
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

 private:
  struct mask;
  std::unique_ptr<mask> before_;
};

}  // namespace synchro::results

#endif
