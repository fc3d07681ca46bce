// The cases of `interposed`, a program like any other.

#ifndef SYNCHRO_TESTS_PRELOAD_CASES_HPP
#define SYNCHRO_TESTS_PRELOAD_CASES_HPP

namespace tests {

void kinds();
void misuse();
void replaced();
void replaced_after_a_try();
void overwritten();
void copied();
void left_undestroyed();
void copied_rwlocks();
void unlocked_free();
void destroyed_held();
void unlocked_twice();
void exclusion();
void timed();
void notified();
void queued();
void timed_waits();
void cancelled();
void destroyed_awaited();
void forked();
void readers_and_writers();
void left_alone();
void shared_memory();
void read_handed_over();
void read_by_turns();
void read_across();
void read_many();
void read_and_made_again();
void read_and_forked();
void every_call();
void real_time();
void many_waiting();
void few_waiting();

}  // namespace tests

#endif
