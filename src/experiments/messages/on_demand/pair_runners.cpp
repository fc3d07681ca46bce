#include <stdexcept>

#include "experiments/messages/pair.hpp"
#include "experiments/messages/peer_pairs.hpp"
#include "measure/host.hpp"
#include "synchro/messages/spin_fetching.hpp"

namespace synchro::experiments::messages {

namespace {

using measure::host;

pair_runner runner_of(const std::string& means, const std::string& size) {
  if (means == "channel") return pair_runner_of<host, channels<hardware, spin>>(size);
  if (means == "channel/fetch") return pair_runner_of<host, channels<hardware, spin_fetching>>(size);
  if (means == "channel/park") return pair_runner_of<host, channels<hardware, spin_park>>(size);
  if (means == "ring") return pair_runner_of<host, rings<hardware, spin>>(size);
  if (means == "ring/park") return pair_runner_of<host, rings<hardware, spin_park>>(size);
  for (const peer_pair& p : peer_pairs())
    if (p.name == means) return p.runner_of(size);
  throw std::invalid_argument("no means of passing messages is called '" + means + "'");
}

const bool defined = pair_runner_by.is(runner_of);

}  // namespace

}  // namespace synchro::experiments::messages
