// Independent jobs in as many processes as there are processors. Processes, for an explored world has its process to
// itself.

#ifndef SYNCHRO_MODEL_CHECKER_SPLIT_HPP
#define SYNCHRO_MODEL_CHECKER_SPLIT_HPP

#include <cstddef>
#include <functional>
#include <string>

namespace synchro::model_checker {

/// Runs jobs 0 to `jobs` - 1, each in some process, of so many (0: as many as there are processors), and reports what they return here, in order. The caller has one thread.
/// Throws std::runtime_error if a process ends before its jobs do.
void in_processes(std::size_t jobs, unsigned most, const std::function<std::string(std::size_t)>& run,
                  const std::function<void(std::size_t, const std::string&)>& report);

}  // namespace synchro::model_checker

#endif
