// What is told of claims, bit by bit.

#ifndef SYNCHRO_SIMULATE_TELLER_HPP
#define SYNCHRO_SIMULATE_TELLER_HPP

#include <string>

#include "simulate/asked.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"

namespace synchro::simulate {

/// What is told so far goes to the file, or to standard output.
class teller {
 public:
  explicit teller(const simulate_options& o) : o_{o} {
    if (o.output_given) check_output(o.how.output);
  }
  void tell(const std::string& more) {
    all_ += more;
    if (o_.output_given)
      write_output(o_.how.output, all_);
    else
      print(more);
  }
  void progress(const std::string& line) const {
    if (o_.output_given && !o_.how.silent) say(line);
  }

 private:
  const simulate_options& o_;
  std::string all_;
};

}  // namespace synchro::simulate

#endif
