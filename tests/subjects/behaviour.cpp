#include "subjects/behaviour.hpp"

namespace synchro::tests {

[[maybe_unused]] static const bool subjects_added = (add_subjects(), true);

}  // namespace synchro::tests
