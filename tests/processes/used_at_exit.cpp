// Locks that are used in a destructor that runs after everything else: what is made first is destroyed last.

#include "synchro/locks/big_reader.hpp"
#include "synchro/locks/clh.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/mutex.hpp"

namespace {

template <class Lock>
void use(Lock& lock) {
  lock.lock();
  lock.unlock();
}

struct last_user {
  ~last_user() {
    const synchro::shape two_domains{{0, 1}};
    synchro::mcs_lock queue;
    synchro::clh_lock cells;
    synchro::mutex word;
    synchro::big_reader_lock domains{two_domains};
    use(queue), use(cells), use(word), use(domains);
    domains.lock_shared();
    domains.unlock_shared();
    static_cast<void>(synchro::hardware::slot());
  }
};
last_user at_the_end;

}  // namespace

int main() {
  synchro::mcs_lock queue;
  synchro::big_reader_lock domains;
  use(queue), use(domains);
  static_cast<void>(synchro::hardware::slot());
}
