// Request: a call that another thread may make for its caller.
//
// Everything in this folder has one interface, execute(fn): fn runs alone, as under a lock, on the calling thread or on
// another one; the caller has its result, or the exception it threw. So they stand beside the locks (locked.hpp is one):
//
//   locked           the caller's thread runs fn under any lock        the data travel to the caller
//   flat_combining   the holder of a lock runs what others posted      requests travel, the data stay for a while
//   cc_synch         a queue of cells; its head runs what follows      the same, first come, first served
//   dsm_synch        a queue of the callers' own nodes                 the same, waiting on one's own line
//   server           a thread of its own                               requests travel, the data never
//
// What fn may not rely on: thread-local things are those of the thread that runs it. It may not call execute of the same
// object; that waits for ever. An exception is caught where fn runs, kept, and thrown again at the caller; nobody else
// learns of it, and those who wait behind it are served as ever.

#ifndef SYNCHRO_DELEGATION_REQUEST_HPP
#define SYNCHRO_DELEGATION_REQUEST_HPP

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "synchro/detail/exceptions.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// Whatever runs calls one at a time.
template <class D>
concept delegate = requires(D& d, int (&fn)()) {
  { d.execute(fn) } -> std::same_as<int>;
};

namespace detail {

/// The type does not matter. It stands on its caller's stack until it was run.
template <class Machine>
class request {
 public:
  using runner = void (*)(request&) noexcept;

  void run() noexcept { static_cast<runner>(run_)(*this); }
  request(const request&) = delete;
  request& operator=(const request&) = delete;

 protected:
  explicit request(runner how) : run_{how} {}
  ~request() = default;

 private:
  typename Machine::template plain<runner> run_;
};

struct nothing {};

template <class Machine, class F>
class request_of : public request<Machine> {
  using result = std::invoke_result_t<F&>;
  static_assert(!std::is_reference_v<result>, "a result is handed back by value");
  static constexpr bool is_void = std::is_void_v<result>;

 public:
  explicit request_of(F& fn) : request<Machine>{run_it}, fn_{fn} {}

  /// After it was run: what fn returned, or what it threw.
  result take() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if constexpr (!is_void) return std::move(*kept_);
  }

 private:
  static void run_it(request<Machine>& it) noexcept {
    auto& me = static_cast<request_of&>(it);
    or_if_thrown(
        [&] {
          if constexpr (is_void)
            me.fn_();
          else
            me.kept_.emplace(me.fn_());
        },
        [&] { me.thrown_ = std::current_exception(); });
  }

  F& fn_;
  std::optional<std::conditional_t<is_void, nothing, result>> kept_;
  std::exception_ptr thrown_;
};

}  // namespace detail

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
