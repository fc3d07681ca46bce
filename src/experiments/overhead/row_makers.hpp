// How rows of the table are made, on any system: a flow over objects that have the operations it needs.

#ifndef SYNCHRO_EXPERIMENTS_OVERHEAD_ROW_MAKERS_HPP
#define SYNCHRO_EXPERIMENTS_OVERHEAD_ROW_MAKERS_HPP

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/overhead/call_marks.hpp"
#include "experiments/overhead/call_rows.hpp"
#include "experiments/overhead/flows.hpp"
#include "synchro/wakes/event.hpp"

namespace synchro::experiments::overhead {

/// The library's.
struct own_event {
  void signal() { event.set(); }
  void wait() { event.wait(); }
  void rearm() { event.reset(); }
  synchro::event event;
};

inline constexpr unsigned batches = 200;
inline constexpr double batch_seconds = 6e-6;
inline constexpr unsigned handovers = 200;
inline constexpr double handover_seconds = 40e-6;
inline constexpr unsigned endings = 60;
inline constexpr double ending_seconds = 100e-6;

using row_unavailable = std::optional<std::string> (*)();
inline std::optional<std::string> no_unavailable() { return std::nullopt; }

inline call_row plain(std::string call, std::string primitive, std::string by,
                      std::function<call_result(const call_task&)> measure) {
  return {std::move(call), std::move(primitive), std::move(by), batches,
          batch_seconds,   std::move(measure),   no_unavailable};
}

inline call_row handover(std::string call, std::string primitive, std::string by, double threads,
                         std::function<call_result(const call_task&)> measure) {
  return {std::move(call),    std::move(primitive), std::move(by), handovers, threads * handover_seconds,
          std::move(measure), no_unavailable};
}

/// Locking a free lock, or unlocking with nobody waiting.
template <class Lock>
call_row lock_row(const char* call, direction which, const char* primitive, const char* by) {
  const auto act = []<class L>(std::in_place_type_t<L>, const call_task& task, direction d) {
    return operations<L>(
        task, d, [](L& l) { l.lock(); }, [](L& l) { l.unlock(); });
  };
  return plain(call, primitive, by, [=](const call_task& task) {
    return task.marked ? act(std::in_place_type<marked<Lock>>, task, which)
                       : act(std::in_place_type<Lock>, task, which);
  });
}

/// One instruction. Back is the decrement.
inline call_row atomic_row(const char* call, direction which, const char* primitive, const char* by) {
  return plain(call, primitive, by, [which](const call_task& t) {
    using word = std::atomic<std::uint32_t>;
    return operations<word>(
        t, which, [](word& w) { w.fetch_add(1, std::memory_order_seq_cst); },
        [](word& w) { w.fetch_sub(1, std::memory_order_seq_cst); });
  });
}

template <class Mutex>
call_row mutex_row(const char* call, direction which, const char* primitive, const char* by) {
  return handover(call, primitive, by, 2, [which](const call_task& t) {
    return t.marked ? ownership<marked<Mutex>>(t, which) : ownership<Mutex>(t, which);
  });
}

template <class Semaphore>
call_row semaphore_row(const char* call, direction which, const char* primitive, const char* by) {
  return handover(call, primitive, by, 2 * crowd_size, [which](const call_task& t) {
    return t.marked ? crowd<marked<Semaphore>>{t}.run(which) : crowd<Semaphore>{t}.run(which);
  });
}

template <class Event>
call_row event_row(const char* call, const char* primitive, const char* by,
                   row_unavailable unavailable = no_unavailable) {
  call_row row = handover(call, primitive, by, 2, [](const call_task& t) {
    return t.marked ? turns<marked<Event>>(t, direction::both) : turns<Event>(t, direction::both);
  });
  row.unavailable = unavailable;
  return row;
}

template <class Waiter>
call_row ending_row(const char* call, unsigned threads, const char* primitive, const char* by,
                    row_unavailable unavailable = no_unavailable) {
  return {call,
          primitive,
          by,
          endings,
          threads * ending_seconds,
          [threads](const call_task& t) {
            return t.marked ? ending<marked<Waiter>>(t, threads) : ending<Waiter>(t, threads);
          },
          unavailable};
}

}  // namespace synchro::experiments::overhead

#endif
