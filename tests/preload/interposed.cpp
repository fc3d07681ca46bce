// interposed CASE...: runs these cases. Silent, exit status 0: all is as it should be.

#include <cstdio>
#include <cstring>

#include "cases.hpp"

namespace {

struct named {
  const char* name;
  void (*body)();
};

constexpr named cases[] = {
    {"kinds", tests::kinds},
    {"misuse", tests::misuse},
    {"replaced", tests::replaced},
    {"replaced_after_a_try", tests::replaced_after_a_try},
    {"overwritten", tests::overwritten},
    {"copied", tests::copied},
    {"left_undestroyed", tests::left_undestroyed},
    {"copied_rwlocks", tests::copied_rwlocks},
    {"unlocked_free", tests::unlocked_free},
    {"destroyed_held", tests::destroyed_held},
    {"unlocked_twice", tests::unlocked_twice},
    {"exclusion", tests::exclusion},
    {"timed", tests::timed},
    {"notified", tests::notified},
    {"queued", tests::queued},
    {"timed_waits", tests::timed_waits},
    {"cancelled", tests::cancelled},
    {"destroyed_awaited", tests::destroyed_awaited},
    {"forked", tests::forked},
    {"readers_and_writers", tests::readers_and_writers},
    {"left_alone", tests::left_alone},
    {"shared_memory", tests::shared_memory},
    {"read_handed_over", tests::read_handed_over},
    {"read_by_turns", tests::read_by_turns},
    {"read_across", tests::read_across},
    {"read_many", tests::read_many},
    {"read_and_made_again", tests::read_and_made_again},
    {"read_and_forked", tests::read_and_forked},
    {"every_call", tests::every_call},
    {"real_time", tests::real_time},
    {"many_waiting", tests::many_waiting},
    {"few_waiting", tests::few_waiting},
};

bool run(const char* name) {
  for (const named& c : cases)
    if (std::strcmp(c.name, name) == 0) return c.body(), true;
  std::fprintf(stderr, "no case %s\n", name);
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (!run(argv[i])) return 2;
  return 0;
}
