// The lines of the catalog that are other libraries' primitives, as types. They run on hardware only: their atomics are not
// ours to replace.

#ifndef SYNCHRO_PEERS_PEER_LINE_HPP
#define SYNCHRO_PEERS_PEER_LINE_HPP

#include "catalog/lock_line.hpp"

namespace synchro::peers {

template <catalog::fixed_string Name, class Adapter>
struct lock_peer_line {
  static constexpr const char* name = Name.text;
  using lock = Adapter;
};

/// `Table<Payload>` is made for a number of buckets and a shape, which it may ignore; it has get(key, payload&), put(key,
/// payload) and remove(key), which say whether the key was there (put: was not), and count(). `waits`: "spin", "yield" or
/// "park".
template <catalog::fixed_string Name, template <class> class Table>
struct table_peer_line {
  static constexpr const char* name = Name.text;
  template <class Payload>
  using table = Table<Payload>;
};

/// `Queue<Message>` is made for a number of messages; it has try_send(message) and try_receive(message&), which say whether
/// they did.
template <catalog::fixed_string Name, template <class> class Queue>
struct queue_peer_line {
  static constexpr const char* name = Name.text;
  template <class Message>
  using queue = Queue<Message>;
};

/// A wake primitive whose waiting threads sleep, or keep looking.
template <catalog::fixed_string Name, class Adapter, bool Sleeps>
struct wake_peer_line {
  static constexpr const char* name = Name.text;
  static constexpr bool sleeps = Sleeps;
  using wake = Adapter;
};

}  // namespace synchro::peers

#endif
