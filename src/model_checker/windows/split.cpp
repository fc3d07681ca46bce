#include "model_checker/split.hpp"

namespace synchro::model_checker {

/// Processes cannot be copied here, so the jobs are done one after another in this one.
void in_processes(std::size_t jobs, unsigned, const std::function<std::string(std::size_t)>& run,
                  const std::function<void(std::size_t, const std::string&)>& report) {
  for (std::size_t job = 0; job < jobs; ++job) report(job, run(job));
}

}  // namespace synchro::model_checker
