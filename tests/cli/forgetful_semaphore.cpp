// A system whose semaphores forget to wake anybody: preloaded, it takes the place of the C library's sem_post.

#include <semaphore.h>

extern "C" int sem_post(sem_t*) noexcept { return 0; }
