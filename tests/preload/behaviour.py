"""The cases of the program `interposed` (interposed.cpp) that any lock passes, and the C library alone."""

MISUSE = ("misuse", "replaced", "copied", "left_undestroyed", "unlocked_free", "destroyed_held", "unlocked_twice")
READERS = ("copied_rwlocks", "read_handed_over", "read_by_turns", "read_many", "read_and_made_again", "read_and_forked")
BEHAVIOUR = ("kinds", *MISUSE, "exclusion", "timed", "notified", "queued", "timed_waits", "cancelled",
             "destroyed_awaited", "forked", "readers_and_writers", *READERS, "read_across", "left_alone", "shared_memory",
             "every_call")
