// A lock of the user's own in the interposer.

#include SYNCHRO_OWN_HEADER

#include "preload/operations.hpp"

namespace synchro::preload {

void look_for_own(sought_lock& lock) { add_line<SYNCHRO_OWN_LINE>(lock); }

}  // namespace synchro::preload
