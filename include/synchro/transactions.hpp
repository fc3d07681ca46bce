// Transactions of the processor: what a machine may offer, and how an attempt to begin one turns out.
//
// A machine that has them has a member type `transactions` with these static functions; the contract of x86's RTM.
//
//   are_usable()        whether transactions commit here, as far as can be known.
//   attempts            how many are worth while for one section.
//   begin()             a transaction begins. If it is aborted, all that it did is taken back, and begin() returns a second
//                       time, with the reason. Within a transaction: one more commit() is due, and nothing else.
//   is_under_way()      whether the calling thread is in one.
//   commit()            at the end of the outermost one all that it wrote is there at once.
//   abort_to_retry()    aborts; begin() returns again. Nothing outside of a transaction.
//   abort_for_good()    the same; begin() returns hopeless.
//
// A transaction is aborted when another thread writes a line that it has read or written, or reads one that it has written:
// so nothing that it reads can be out of date. It is ordered behind those that it conflicts with, and so is whoever conflicts
// with it later: a transaction, a thread that reads what it wrote, one that writes what it read by a read-modify-write.

#ifndef SYNCHRO_TRANSACTIONS_HPP
#define SYNCHRO_TRANSACTIONS_HPP

#include <cstdint>

#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// The outcome of an attempt to begin a transaction.
enum class transaction_start : std::uint8_t {
  started,  ///< The transaction is under way.
  retry,    ///< It was aborted, and may succeed the next time: it has met another thread.
  hopeless  ///< It was aborted, and would be again: it is too large, or has called the system.
};

/// For machines that have none.
struct no_transactions {
  static constexpr unsigned attempts = 0;
  static constexpr bool are_usable() noexcept { return false; }
  static constexpr bool is_under_way() noexcept { return false; }
  static constexpr transaction_start begin() noexcept { return transaction_start::hopeless; }
  static constexpr void commit() noexcept {}
  static constexpr void abort_to_retry() noexcept {}
  static constexpr void abort_for_good() noexcept {}
};

namespace detail {

template <class Machine>
struct transactions_on {
  using type = no_transactions;
};
template <class Machine>
requires requires { sizeof(typename Machine::transactions); }
struct transactions_on<Machine> {
  using type = typename Machine::transactions;
};

}  // namespace detail

template <class Machine>
using transactions_of = typename detail::transactions_on<Machine>::type;

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
