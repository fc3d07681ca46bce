// Runs something in a process of its own, so that what it changes about itself does not outlive it.

#ifndef SYNCHRO_TESTS_PLATFORM_CHILD_HPP
#define SYNCHRO_TESTS_PLATFORM_CHILD_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <exception>

namespace synchro::platform {

/// The number that `body` returns, from 0 to 99; 100 if it throws, -1 if the process ends otherwise.
template <class Body>
int in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    int outcome = 100;
    try {
      outcome = body();
    } catch (const std::exception&) {
    }
    _exit(outcome);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace synchro::platform

#endif
