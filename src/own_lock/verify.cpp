// A lock of the user's own in the program that proves.

#include SYNCHRO_OWN_HEADER

#include "catalog/lock_line.hpp"
#include "model_checker/harnesses/lock_harnesses.hpp"
#include "terminal/own_lock.hpp"

extern "C" void synchroscope_own_lock(std::vector<std::string>& names) {
  using namespace synchro::model_checker;
  subjects made;
  add_line<SYNCHRO_OWN_LINE>(made);
  for (subject& s : made) {
    s.header = SYNCHRO_OWN_HEADER;
    names.push_back(s.name);
    names.insert(names.end(), s.also.begin(), s.also.end());
  }
  take_subjects(made);
}

static_assert(std::is_same_v<decltype(&synchroscope_own_lock), synchro::terminal::own_lock_entry>);
