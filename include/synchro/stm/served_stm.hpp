// Transactional memory by message passing: the lock table belongs to servers, and transactions ask for what they access.
//
// Problem. On a machine of many cores the lines of a lock table that all threads share go from one cache to the other with
// every commit, and where caches are not coherent they cannot be shared at all. And a shared table (stm.hpp) cannot know who
// reads a variable, so it cannot let a long reader go on before a writer.
//
// Picture.   client 0 --read stripe 7-->  server 0 | stripe 0, 2, 4 ... : its readers, its writer |   a thread each
//            client 0 <----granted-----
//            client 1 --write stripe 7->  server 1 | stripe 1, 3, 5 ... |
//            client 1 <-refused for 0--
//
//            attempt of client 0, 1, ...   [ serial, state | rank ]   a line each
//                                          active -> decided (no return) -> over
//                                               \-> revoked (by a server) -> over
//
//   read     asks the stripe's server, once in an attempt, for leave to read. With it the transaction reads the word, and
//            then sees that it is still active: until then nobody has been allowed to write what it has read.
//   write    is kept in a log until the end.
//   commit   asks for leave to write each stripe that it writes, passes its point of no return, writes the words, and gives
//            all stripes back. A transaction that wrote nothing only does the last.
//   server   grants reading to many, writing to one who is alone. Where one is in the way of another, the contention manager
//            decides who goes on, a reader or a writer. The other's attempt is revoked, or the one that asks is refused.
//   refused  ends its attempt, gives all back, and begins again when the attempt in its way has ended. Nobody has anything
//            while it waits for another's attempt, so nobody waits in a circle.
//
// So all that an attempt has read may be written by nobody when it looks at its state, also in one that will begin again:
// it never sees two moments (opacity). In the words of the source: reads are visible, writes are acquired at the end.
//
// Managers (contention.hpp) decide between all that meet here:
//   back_off_retry   the one that asks begins again, after a rest that grows.
//   greedy           the one that began earlier goes on.
//   fair_commit      the one whose client has spent less time in attempts that committed.
//   wholly           the one whose client has committed fewer.
// Of equals, the client with the smaller number. A transaction that was begun `attempts` times (64) has precedence over
// those that were not, whatever the manager; it can be refused then only for one with a smaller number, or one that is
// writing what it has decided. So among clients that go on, someone commits, and client 0 always does.
//
// Choose it where threads can be spared for serving and shared locks cost more than round trips: many sockets, few
// lines wanted by all, and for managers that protect readers. Do not choose it otherwise: each stripe that a
// transaction touches first costs a round trip, and one more if it writes there; `stm` reads it in a few loads.
//
// Rules. Those of stm.hpp. A thread uses one client of a memory at a time. Unlike there: no retry, and no irrevocable
// transactions.
//
// Memory orders. Messages carry the rest (messages/channel.hpp).
//   access                          order     pairs with
//   begin, end: store of status     release   a server's look at it, and its revocation: it grants the stripe to another,
//                                             who sees the words
//   a server's look, revocation     acquire   the same
//   read: word                      acquire   commit's word: whoever reads it has the revocation before it, by the messages to
//                                             the writer, and sees it in its status
//   read: status                    relaxed   nothing: the word's acquire orders it
//   decide: compare-and-swap        relaxed   nothing: of it and the revocation one succeeds
//   commit: words                   release   read's word
//   rank                            relaxed   nothing: messages carry it; a server that sees an old one decides wrongly once
//   await that another has ended    relaxed   nothing: what follows asks
//
// Source: Gramoli, Guerraoui, Trigonakis: TM2C: a Software Transactional Memory for Many-Cores, EuroSys 2012 (service by
// messages, visible reads, late writes, the managers; there a client that is refused does not wait for the other's end, and greedy
// reckons with clocks that differ); greedy: Guerraoui, Herlihy, Pochon: Toward a Theory of Transactional Contention Managers,
// PODC 2005.

#ifndef SYNCHRO_STM_SERVED_STM_HPP
#define SYNCHRO_STM_SERVED_STM_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "synchro/detail/exceptions.hpp"
#include "synchro/hardware.hpp"
#include "synchro/stm/contention.hpp"
#include "synchro/stm/served_transaction.hpp"
#include "synchro/stm/tvar.hpp"
#include "synchro/version.hpp"
#include "synchro/waiting.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// How many threads serve (at most 64), and how many ask, and the rest of the memory.
struct served_stm_options {
  unsigned servers = 1;
  unsigned clients = 1;
  /// For all servers together, 1 to 2^30; rounded up to a power of two. Variables that are apart by a multiple of 32 bytes
  /// times this number share one.
  std::size_t stripes = std::size_t{1} << 14;
  /// Attempts of a transaction before it has precedence; 0: at once.
  unsigned attempts = 64;
};

/// `Most`: how many clients there can be, at most 64. Example:
///
///     synchro::served_stm<> bank{{.servers = 1, .clients = 3}};
///     synchro::tvar<long> a{100}, b{0};
///     // server s, until all clients have left     // client c
///     bank.serve(s);                               auto mine = bank.join(c);
///                                                  mine.atomically([&](auto& tx) {
///                                                    tx.write(a, tx.read(a) - 10);
///                                                    tx.write(b, tx.read(b) + 10);
///                                                  });
template <class Machine = hardware, class Waiting = spin_yield, class Manager = back_off_retry, std::size_t Most = 16>
class basic_served_stm {
  static_assert(!Waiting::parks, "nobody can sleep on several words");
  using state = detail::served_state<Machine, Waiting, Manager, Most>;
  using attempts = detail::served_attempts<state>;

 public:
  using transaction = basic_served_transaction<Machine, Waiting, Manager, Most>;
  using reader = basic_served_reader<Machine, Waiting, Manager, Most>;
  static constexpr std::size_t most_clients = Most;

  /// Throws std::length_error for a number of servers, clients or stripes that is out of range, and std::bad_alloc.
  explicit basic_served_stm(served_stm_options how) : state_{how.servers, how.clients, how.stripes, how.attempts} {}

  /// Answers what clients ask of this server, until all have left. One thread for each server; it may be called again.
  /// Throws std::out_of_range if there is no such server.
  void serve(unsigned server) { state_.serve(server); }

  /// One client's access. It leaves when it is destroyed. All servers must serve while it asks: it waits for them.
  class client {
   public:
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { leave(); }

    /// Runs fn(transaction&) as a transaction and returns what it returns, which is no reference. What fn throws is thrown
    /// here, and what it wrote is dropped. Within a transaction of the same client, fn is a part of that one. May also
    /// throw std::bad_alloc, of a transaction that accesses much. A client that has left gets std::logic_error.
    template <class F>
    std::invoke_result_t<F&, transaction&> atomically(F&& fn) {
      return run<transaction>(fn);
    }
    /// The same for fn(reader&), which cannot write.
    template <class F>
    std::invoke_result_t<F&, reader&> read_only(F&& fn) {
      return run<reader>(fn);
    }

    /// Asks no more, nor does anybody with this number. A second call does nothing.
    void leave() noexcept { attempt_.leave(); }

   private:
    friend basic_served_stm;
    client(state& of, unsigned number) : attempt_{of, number} {}

    template <class R>
    using returned = std::optional<std::conditional_t<std::is_void_v<R>, std::monostate, R>>;

    /// The value that fn has returned, if the attempt has committed. Handlers of exceptions do nothing but note them: no shared memory
    /// is touched before they have ended. If this attempt is not over, what was thrown may end one of another memory.
    template <class R, class Face, class F>
    returned<R> try_once(F& fn, std::exception_ptr& thrown) {
      return detail::or_if_thrown(
          [&]() -> returned<R> {
            returned<R> r;
            Face face{attempt_};
            if constexpr (std::is_void_v<R>)
              fn(face), r.emplace();
            else
              r.emplace(fn(face));
            if (!attempt_.commit()) r.reset();
            return r;
          },
          [&]() -> returned<R> {
            thrown = std::current_exception();
            return {};
          });
    }

    template <class Face, class F>
    std::invoke_result_t<F&, Face&> run(F& fn) {
      using R = std::invoke_result_t<F&, Face&>;
      static_assert(detail::has_exceptions || sizeof(F) == 0,
                    "an attempt that has to begin again is ended by an exception");
      static_assert(!std::is_reference_v<R>, "what a transaction refers to may be another's afterwards");
      if (attempt_.is_under_way()) {
        Face part{attempt_};
        return fn(part);
      }
      for (attempt_.begin_first();; attempt_.begin_next()) {
        std::exception_ptr thrown;
        auto r = try_once<R, Face>(fn, thrown);
        const bool is_over = attempt_.is_over();
        attempt_.end(r.has_value());
        if (r) return static_cast<R>(*std::move(r));
        if (thrown != nullptr && !is_over) std::rethrow_exception(thrown);
        ++Machine::template local<detail::stm_attempts>().begun_again;
        attempt_.give_way();
      }
    }

    attempts attempt_;
  };

  /// For one thread at a time with each number. Throws std::out_of_range if there is no such client, and std::bad_alloc.
  [[nodiscard]] client join(unsigned number) {
    if (number >= clients()) detail::raise(std::out_of_range{"served_stm: there is no such client"});
    return client{state_, number};
  }

  [[nodiscard]] unsigned servers() const { return static_cast<unsigned>(state_.offices.size()); }
  [[nodiscard]] unsigned clients() const { return state_.clients; }

 private:
  state state_;
};

template <class Manager = back_off_retry, std::size_t Most = 16>
using served_stm = basic_served_stm<hardware, spin_yield, Manager, Most>;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
