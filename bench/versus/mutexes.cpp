#include <mutex>

#include "../rust/rust.hpp"
#include "contenders.hpp"
#include "peers.hpp"
#include "synchro/locks/fair_mutex.hpp"
#include "synchro/locks/mutex.hpp"

namespace synchro::bench {

void add_mutexes(std::vector<contest>& all, const situation& where) {
  using ours = plain_form<basic_mutex_lock<>>;
  using fair = plain_form<basic_fair_mutex_lock<>>;
  meet<ours, plain_form<std::mutex>>(all, "mutex", "std/mutex", where);
  meet<fair, plain_form<std::mutex>>(all, "fair_mutex", "std/mutex", where);
  meet<fair, ours>(all, "fair_mutex", "mutex, ours too", where);
#ifdef SYNCHRO_RUST
  situation behind_calls = where;
  behind_calls.name += ", called";
  all.push_back(make_contest<called<ours>, plain_form<parking_lot>>("mutex", "parking_lot", behind_calls));
  all.push_back(make_contest<called<fair>, plain_form<parking_lot>>("fair_mutex", "parking_lot", behind_calls));
#endif
}

}  // namespace synchro::bench
