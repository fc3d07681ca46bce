// The experiments on messages between threads.

#ifndef SYNCHRO_EXPERIMENTS_MESSAGES_MESSAGES_HPP
#define SYNCHRO_EXPERIMENTS_MESSAGES_MESSAGES_HPP

#include "experiments/framework/experiment.hpp"

namespace synchro::experiments {

/// Two processors that exchange messages.
[[nodiscard]] experiment messages_pair();
/// One server and its clients.
[[nodiscard]] experiment messages_server();

// How their cells are shown.
/// Said below charts of simulated machines: the paper's figures of the Tilera are of its network for messages.
inline constexpr const char* over_coherence =
    "Simulated over coherence; hardware messages, of a model that has them, are the means network.";
void present_messages_pair(experiment& e);
void present_messages_server(experiment& e);

}  // namespace synchro::experiments

#endif
