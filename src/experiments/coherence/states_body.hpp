// The body of coherence.states: prepare a batch of lines by steps, time one access to each of them, again and again.
//
// The requester conducts. Each other member of the team has a post: a word by which it is asked for its next step and a
// word by which it says that the step is done, both on lines that are not measured. So one thing happens at a time, and
// in the order of the setup, except where it says otherwise (all `others` at once; `compete`).

#ifndef SYNCHRO_EXPERIMENTS_COHERENCE_STATES_BODY_HPP
#define SYNCHRO_EXPERIMENTS_COHERENCE_STATES_BODY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "experiments/coherence/access.hpp"
#include "experiments/coherence/lines.hpp"
#include "experiments/coherence/setup_steps.hpp"
#include "measure/laboratory.hpp"
#include "measure/timing.hpp"

namespace synchro::experiments::coherence {

using measure::batches;
using measure::usual_empty_region;

template <measure::laboratory L>
class states_trial {
 public:
  using machine = typename L::machine;

  /// `who` has only the processors that the event needs. The lines are fresh, and live where they are to live.
  states_trial(const event& e, roles who, field_lines<machine> lines, unsigned batch_count, std::uint64_t seed,
               dirty_read how = dirty_read::copies)
      : event_{e}, who_{std::move(who)}, steps_{setup_steps(e, how)}, batches_{batch_count + warm_up} {
    std::mt19937_64 random{seed};
    visit<machine> chosen = stays_in_own_cache(e) ? packed<machine>(lines) : scattered<machine>(lines, random);
    for (visit<machine>& order : orders_) {
      std::shuffle(chosen.begin(), chosen.end(), random);
      order = chosen;
    }
    cpus_.push_back(who_.requester);
    if (who_.holder != who_.requester) cpus_.push_back(who_.holder);
    if (who_.sharer) cpus_.push_back(*who_.sharer);
    cpus_.insert(cpus_.end(), who_.others.begin(), who_.others.end());
    posts_ = std::vector<post>(cpus_.size());
  }

  [[nodiscard]] batches run() {
    const auto size = static_cast<unsigned>(cpus_.size());
    result_.team = L::team(cpus_, size, [this](unsigned i) { i == 0 ? conduct() : follow(i); });
    for (const post& p : posts_) result_.unexpected += p.unexpected;
    return result_;
  }

 private:
  static constexpr unsigned warm_up = 10;  // batches: translations, predictors, and the clock of an idle core

  struct post {
    alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> asked{0};
    alignas(2 * cpu::cache_line) typename machine::template atomic<std::uint32_t> done{0};
    alignas(2 * cpu::cache_line) std::uint64_t unexpected = 0;  // the member's own
  };

  /// These may be so fast that a batch must be long, and there is nothing to fetch.
  static bool stays_in_own_cache(const event& e) { return e.mine && e.on != state::invalid; }

  const visit<machine>& order_of(unsigned batch) const { return orders_[batch % orders_.size()]; }

  /// Members of the team that a step is for: [first, last).
  std::pair<std::size_t, std::size_t> members(actor who) const {
    const std::size_t holder = who_.holder == who_.requester ? 0 : 1;
    const std::size_t sharer = holder + 1;
    switch (who) {
      case actor::requester:
        break;
      case actor::holder:
        return {holder, holder + 1};
      case actor::sharer:
        return {sharer, sharer + 1};
      case actor::others:
        return {sharer + (who_.sharer ? 1 : 0), cpus_.size()};
    }
    return {0, 1};
  }

  void conduct() {
    const double empty_ns = usual_empty_region<L>();
    std::uint32_t asked = 0;
    for (unsigned batch = 0; batch < batches_; ++batch) {
      for (const step& s : steps_) ask(s, batch, ++asked);
      const std::span<line<machine>* const> order = order_of(batch);
      const std::uint64_t nothing = nothing_.load(memory_order::relaxed);
      const std::uint64_t start = L::now();
      const std::uint64_t unexpected = access_all(event_.what, order, nothing);
      const std::uint64_t stop = L::now();
      if (event_.on == state::contended)
        await_done(members(actor::holder), asked);
      else
        posts_[0].unexpected += unexpected;
      if (batch >= warm_up) result_.add(L::to_ns(stop - start), empty_ns, order.size());
    }
  }

  void ask(const step& s, unsigned batch, std::uint32_t number) {
    const auto range = members(s.who);
    if (range.first == 0) return perform(s.what, batch, posts_[0]);
    for (std::size_t i = range.first; i < range.second; ++i) posts_[i].asked.store(number, memory_order::release);
    if (s.what != deed::compete) await_done(range, number);
  }

  void await_done(std::pair<std::size_t, std::size_t> range, std::uint32_t number) {
    for (std::size_t i = range.first; i < range.second; ++i)
      machine::await(posts_[i].done, memory_order::acquire, [=](std::uint32_t done) { return done == number; });
  }

  void follow(std::size_t me) {
    std::uint32_t number = 0;
    for (unsigned batch = 0; batch < batches_; ++batch)
      for (const step& s : steps_) {
        ++number;
        const auto range = members(s.who);
        if (me < range.first || me >= range.second) continue;
        machine::await(posts_[me].asked, memory_order::acquire, [=](std::uint32_t asked) { return asked == number; });
        perform(s.what, batch, posts_[me]);
        posts_[me].done.store(number, memory_order::release);
      }
  }

  void perform(deed what, unsigned batch, post& mine) {
    const visit<machine>& order = order_of(batch);
    switch (what) {
      case deed::write:
        for (std::size_t i = 0; i < order.size(); ++i) renew(*order[i], order[(i + 1) % order.size()]);
        break;
      case deed::read:
        for (const line<machine>* const l : order)
          mine.unexpected += l->word.load(memory_order::relaxed) == line<machine>::fresh ? 0U : 1U;
        break;
      case deed::flush:
        for (const line<machine>* const l : order) L::flush(l);
        break;
      case deed::put_back:
        for (line<machine>* const l : order) mine.unexpected += put_back(event_.what, *l) ? 0U : 1U;
        break;
      case deed::compete:
        access_all(event_.what, std::span<line<machine>* const>{order}, nothing_.load(memory_order::relaxed));
        break;
    }
    machine::fence();  // done means that the caches have it, not that it waits in a store buffer
  }

  static void renew(line<machine>& l, line<machine>* next) {
    l.next.store(next, memory_order::relaxed);
    l.word.store(line<machine>::fresh, memory_order::relaxed);
    l.flag.store(false, memory_order::relaxed);
  }

  event event_;
  roles who_;
  std::vector<step> steps_;
  unsigned batches_;
  std::array<visit<machine>, 8> orders_;  // in turn, so that no predictor learns one
  std::vector<unsigned> cpus_;
  std::vector<post> posts_;
  typename machine::template atomic<std::uint64_t> nothing_{0};
  batches result_;
};

}  // namespace synchro::experiments::coherence

#endif
