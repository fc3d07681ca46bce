// The programs that try moments: of the machine's clock, of another one, in the past and without end; for locks, and for both ends of
// a channel.

#include <chrono>
#include <optional>
#include <string>

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/deadline.hpp"
#include "synchro/locks/tas.hpp"
#include "synchro/messages/channel.hpp"

namespace synchro::model_checker {

namespace {

/// A clock that is ahead of the machine's by an hour, with other ticks.
struct other_clock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<other_clock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    const auto here = explored::clock::now().time_since_epoch() + std::chrono::hours{1};
    return time_point{std::chrono::duration_cast<duration>(here)};
  }
};

/// Which moment of the machine's clock each is.
program converted() {
  struct nobody {};
  stage<nobody> s{"moments of another clock", 1};
  s.does([](nobody&, unsigned) {
    using namespace std::chrono;
    const auto now = explored::clock::now();
    const auto deadline = [](auto moment) { return deadline_of<explored>(moment); };
    expect(deadline(other_clock::now() + microseconds{3}) == now + microseconds{3},
           "a moment of another clock is another");
    expect(deadline(other_clock::now()) == now && deadline(other_clock::time_point::min()) == now,
           "a moment that has passed is not now");
    expect(deadline(other_clock::time_point::max()) == explored::never, "a moment without end comes");
    expect(deadline(now + nanoseconds{7}) == now + nanoseconds{7}, "a moment of the machine's clock is another");
    expect(deadline(nanoseconds{7}) == now + nanoseconds{7} && deadline(nanoseconds{-1}) == now, "a span is another");
    expect(deadline(hours{24 * 365 * 1000}) == explored::never, "a span without end comes to an end");
  });
  return s.done();
}

/// Who comes by a moment of another clock has the lock, or gives up; one without end does not pass.
program locked_by_another_clock(bool ends) {
  struct scene {
    basic_tas_lock<explored> lock;
    explored::plain<std::uint32_t> count{0};
    explored::plain<bool> failed{false};
  };
  stage<scene> s{ends ? "lock by a moment of another clock" : "lock by a moment that never comes", 2};
  s.does([ends](scene& it, unsigned t) {
    const auto moment = ends ? other_clock::now() + std::chrono::microseconds{1} : other_clock::time_point::max();
    if (t == 0)
      it.lock.lock();
    else if (!it.lock.try_lock_until(moment))
      return static_cast<void>(it.failed = true);
    it.count = it.count + 1;
    it.lock.unlock();
  });
  s.then_checks([ends](scene& it) {
    expect(it.count == (it.failed ? 1U : 2U), "a section was lost");
    expect(ends || !it.failed, "a moment without end has come");
  });
  return s.done();
}

/// Both ends of a channel come by moments: what was sent is received once, and what was not is not.
program channel_by_moments() {
  struct scene {
    basic_channel<std::uint32_t, explored, spin> line;
    explored::plain<std::uint32_t> sent{0};
  };
  stage<scene> s{"channel by moments", 2};
  s.does([](scene& it, unsigned t) {
    const auto moment = other_clock::now() + std::chrono::microseconds{1};
    if (t == 0) {
      expect(it.line.send_until(1, moment), "an empty channel refused a message");
      it.sent = it.line.send_until(2, moment) ? 2 : 1;
      it.line.close();
      it.line.close();
      expect(!it.line.send_until(9, moment), "a closed channel took a message");
      return;
    }
    std::uint32_t taken = 0;
    const auto take = [&taken](std::optional<std::uint32_t> n) { expect(*n == ++taken, "a message is another"); };
    if (const auto n = it.line.receive_until(moment)) take(n);
    while (const auto n = it.line.receive()) take(n);
    expect(!it.line.receive_until(explored::never), "a message came after the end");
    expect(taken == it.sent, "what was sent is not what was received");
  });
  return s.done();
}

}  // namespace

void add_moments(subjects& to);
void add_moments(subjects& to) {
  subject made{"deadline", "synchro/deadline.hpp", {}};
  for (program& p :
       std::vector{converted(), locked_by_another_clock(true), locked_by_another_clock(false), channel_by_moments()})
    made.checks.push_back({std::move(p), depth::exhausted});
  to.push_back(std::move(made));
}

}  // namespace synchro::model_checker
