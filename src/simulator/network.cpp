#include "simulator/network.hpp"

#include <algorithm>

namespace synchro::simulator {

bool network::claim(unsigned from, unsigned to, std::size_t words) {
  port& p = ports_[to];
  if (!p.line.empty() || !has_room(p, words)) {
    p.line.emplace_back(from, words);
    return false;
  }
  p.claimed += words;
  return true;
}

/// One that has arrived is never overtaken: what is opened later arrives later than now.
void network::open(unsigned from, unsigned to, std::size_t words, ticks arrives) {
  std::list<message>& all = ports_[to].messages;
  const auto later = std::find_if(all.begin(), all.end(), [&](const message& m) { return m.arrives > arrives; });
  all.insert(later, {from, words, arrives});
}

void network::add(unsigned from, unsigned to, std::uint64_t word, ticks arrives) {
  std::list<message>& all = ports_[to].messages;
  // The last of this sender: it has closed those before, by sending all their words.
  std::find_if(all.rbegin(), all.rend(), [&](const message& m) {
    return m.from == from;
  })->words.emplace_back(arrives, word);
}

std::optional<ticks> network::next_at(unsigned to) const {
  const std::list<message>& all = ports_[to].messages;
  if (all.empty() || all.front().words.empty()) return std::nullopt;
  return all.front().words.front().first;
}

std::uint64_t network::take(unsigned to) {
  port& p = ports_[to];
  message& m = p.messages.front();
  const std::uint64_t word = m.words.front().second;
  m.words.pop_front();
  --p.claimed;
  if (--m.left == 0) p.messages.pop_front();
  return word;
}

std::optional<unsigned> network::admitted(unsigned to) {
  port& p = ports_[to];
  if (p.line.empty() || !has_room(p, p.line.front().second)) return std::nullopt;
  const auto [from, words] = p.line.front();
  p.line.pop_front();
  p.claimed += words;
  return from;
}

}  // namespace synchro::simulator
