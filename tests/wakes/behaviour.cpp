#include "wakes/behaviour.hpp"

namespace synchro::tests {

[[maybe_unused]] static const bool wakes_added = (add_wakes(), true);

}  // namespace synchro::tests
