// Messages by the network of the machine: a word is an access of its own, to a register.

#include <algorithm>
#include <stdexcept>

#include "simulator/world.hpp"

namespace synchro::simulator {

const network_costs& world::network_of_model() const {
  if (!model_.network()) throw std::logic_error{"the model has no network for messages"};
  return *model_.network();
}

void world::block() {
  running_->stalled = true;
  set_active(*running_, false);
  suspend();
  leave_blocked();
}

/// What it takes the core to send a word.
void world::into_network() {
  count_access();
  running_->cost = network_of_model().send;
  advance(running_->cost + unhidden(executed()));
}

void world::send(unsigned to, std::span<const std::uint64_t> words) {
  const unsigned from = running_->number;
  const ticks way = network_of_model().hop * model_.hops(model_.between(running_->core, threads_.at(to)->core));
  if (network_of_model().send_call != 0) advance(network_of_model().send_call);
  if (!network_.claim(from, to, words.size())) block();
  into_network();
  network_.open(from, to, words.size(), now_ + way);
  for (const std::uint64_t word : words) {
    into_network();
    network_.add(from, to, word, now_ + way);
    thread& receiver = *threads_[to];
    if (const auto at = network_.next_at(to); at && receiver.waits_for_word) resume_at(receiver, std::max(*at, now_));
  }
}

void world::received() {
  if (network_of_model().receive_call != 0) advance(network_of_model().receive_call);
}

std::uint64_t world::receive() {
  const ticks price = network_of_model().receive;
  thread& t = *running_;
  count_access();
  for (auto at = network_.next_at(t.number); !at || *at > now_; at = network_.next_at(t.number)) {
    t.waits_for_word = true;
    if (at) resume_at(t, *at);
    block();
    t.waits_for_word = false;
  }
  const std::uint64_t word = network_.take(t.number);
  while (const auto sender = network_.admitted(t.number)) resume_at(*threads_[*sender], now_);
  t.cost = price;
  advance(t.cost + unhidden(executed()));
  return word;
}

}  // namespace synchro::simulator
