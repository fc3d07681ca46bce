#include "peers/behaviour.hpp"

namespace synchro::tests {

[[maybe_unused]] static const bool peers_added = (add_peers(), true);

}  // namespace synchro::tests
