// A server and its clients on the simulated machine.

#include <gtest/gtest.h>

#include "cells.hpp"
#include "experiments/messages/server.hpp"
#include "simulations/copying.hpp"
#include "synchro/waiting.hpp"

namespace synchro::tests {
namespace {

using experiments::messages::line_message, experiments::messages::server_task;
using simulations::copying_laboratory;

constexpr std::uint64_t seed = 1;

/// How many messages of its only client a server takes on an Opteron, by such a body.
template <class Body>
std::uint64_t served_by(Body body) {
  const auto machine = built_in("opteron");
  simulator::world w{*machine, seed};
  simulator::world::current().home_here();
  return body(server_task{{0, 1}, 1, 50'000, 0, false}).served;
}

template <std::size_t Room>
std::uint64_t with_room() {
  return served_by([](const server_task& task) {
    return experiments::messages::server_trial<copying_laboratory, line_message, Room, spin>{task}.run();
  });
}

TEST(SimulatedServer, OfOneClientLooksAtOneWord) {
  const std::uint64_t served = served_by([](const server_task& task) {
    return experiments::messages::serve_clients<copying_laboratory, line_message, spin>(task);
  });
  EXPECT_EQ(served, with_room<1>());
  EXPECT_NE(served, with_room<4>()) << "whoever looks at four words takes longer or shorter";
}

}  // namespace
}  // namespace synchro::tests
