// A plugin that arms a hook of its host's: the call is the host's, and only the arming is done here.

#include "processes/armed.hpp"

extern "C" __attribute__((visibility("default"))) unsigned use() {
  synchro::tests::host_s_hook.arm();
  return 1;
}
