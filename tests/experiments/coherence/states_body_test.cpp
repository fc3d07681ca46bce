// The body, watched: every timed access comes when the line is in the state of its cell, says a model that is fed with
// what the threads really did.

#include "experiments/coherence/states_body.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "coherence_model.hpp"
#include "spy.hpp"

namespace synchro::experiments::coherence {
namespace {

using tests::note;
using tests::notebook;
using tests::spying_laboratory;
using tests::touch;

using spied_line = line<tests::spying_machine>;
using spied_field = field<tests::spying_machine>;

struct watched {
  std::vector<note> notes;
  batches result;
  std::size_t members;
};

watched watch(const event& e, spied_field& f, dirty_read how = dirty_read::copies) {
  roles who{0, e.mine ? 0U : 1U, 2U, {3U, 4U}};
  who = only_needed(who, e);
  const std::size_t members = 1U + (e.mine ? 0U : 1U) + (who.sharer ? 1U : 0U) + who.others.size();
  states_trial<spying_laboratory> trial{e, who, field_lines<tests::spying_machine>{f.lines}, 2, 42, how};
  notebook::open(f.lines.data(), f.lines.data() + f.lines.size());
  const batches result = trial.run();
  return {notebook::close(), result, members};
}

/// Replays the notes line by line, and tells what the timed accesses found.
class replay {
 public:
  explicit replay(const watched& w, dirty_read how = dirty_read::copies) : members_{w.members}, how_{how} {
    int stamps = 0;
    for (const note& n : w.notes) {
      if (n.how == touch::stamp) {
        // The first one ends the clock's own calibration; then batches begin and end by turns.
        if (++stamps > 1 && stamps % 2 == 0) timed_in_batch_.emplace_back();
        last_timed_ = nullptr;
        continue;
      }
      const bool timed = stamps >= 2 && stamps % 2 == 0;
      if (timed && n.member == 0) look_at(n);
      apply(n);
    }
  }

  [[nodiscard]] const std::set<std::string>& found() const { return found_; }
  [[nodiscard]] const std::vector<std::multiset<const void*>>& timed_in_batch() const { return timed_in_batch_; }

 private:
  static const void* line_of(const void* where) {
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(where) / sizeof(spied_line) *
                                         sizeof(spied_line));
  }
  tests::modelled_line& model_of(const note& n) {
    return lines_.try_emplace(line_of(n.where), members_, how_).first->second;
  }
  /// Of a store only the first touch counts: the one after it waits for it.
  void look_at(const note& n) {
    if (line_of(n.where) == last_timed_) return;
    last_timed_ = line_of(n.where);
    found_.insert(model_of(n).states());
    timed_in_batch_.back().insert(last_timed_);
  }
  void apply(const note& n) {
    tests::modelled_line& m = model_of(n);
    if (n.how == touch::read) m.read(n.member);
    if (n.how == touch::write) m.write(n.member);
    if (n.how == touch::flush) m.flush();
  }

  std::size_t members_;
  dirty_read how_;
  std::map<const void*, tests::modelled_line> lines_;
  std::set<std::string> found_;
  const void* last_timed_ = nullptr;
  std::vector<std::multiset<const void*>> timed_in_batch_;
};

class StatesBody : public testing::TestWithParam<event> {};

TEST_P(StatesBody, TimesEachLineOnceAndInItsState) {
  const auto f = std::make_unique<spied_field>();
  const event& e = GetParam();
  const watched w = watch(e, *f);
  const replay r{w};

  EXPECT_EQ(w.result.each_ns.size(), 2U);
  EXPECT_EQ(w.result.unexpected, 0U);
  ASSERT_GE(r.timed_in_batch().size(), 2U);
  for (const auto& batch : r.timed_in_batch()) {
    EXPECT_GE(batch.size(), 64U);
    EXPECT_EQ(std::set<const void*>(batch.begin(), batch.end()).size(), batch.size());
  }
  if (e.on == state::contended) return;  // the two run through each other: there is no one state
  EXPECT_EQ(r.found(), std::set<std::string>{tests::expected_states(e, w.members)});
}

std::vector<event> events_on_lines() {
  std::vector<event> some;
  for (const event& e : events())
    if (e.on != state::none && e.on != state::working_set) some.push_back(e);
  return some;
}

INSTANTIATE_TEST_SUITE_P(Every, StatesBody, testing::ValuesIn(events_on_lines()),
                         [](const auto& tested) { return tested.param.name; });

TEST(StatesBody, OwnedIsReachedAlsoWhereReadingMovesDirtyLines) {
  for (const char* const name : {"load_from_owned", "load_from_owned_mine", "store_on_owned", "cas_on_owned_mine"}) {
    const auto f = std::make_unique<spied_field>();
    const event& e = *find_event(name);
    const watched w = watch(e, *f, dirty_read::moves);
    EXPECT_EQ(w.result.unexpected, 0U);
    EXPECT_EQ(replay(w, dirty_read::moves).found(), std::set<std::string>{tests::expected_states(e, w.members)});
  }
}

TEST(StatesBody, ContendersBothWorkThroughEveryLine) {
  const auto f = std::make_unique<spied_field>();
  const watched w = watch(*find_event("fai_concurrent"), *f);
  std::map<unsigned, std::size_t> touches;
  for (const note& n : w.notes) ++touches[n.member];
  EXPECT_EQ(touches.size(), 2U);
  std::uint64_t sum = 0;
  std::size_t used = 0;
  for (const spied_line& l : f->lines) {
    const std::uint64_t word = l.word.std::atomic<std::uint64_t>::load();
    used += word != spied_line::taken ? 1U : 0U;
    if (word != spied_line::taken) sum += word - spied_line::fresh;
  }
  EXPECT_EQ(used, 64U);
  EXPECT_EQ(sum, 2U * 64U);  // each of the two added one to each line
}

TEST(StatesBody, AWrongStateIsNotedByTheSelfCheck) {
  const auto f = std::make_unique<spied_field>();
  for (spied_line& l : f->lines) l.word.std::atomic<std::uint64_t>::store(1234);
  const watched w = watch(*find_event("cas"), *f);  // takes turns from the first batch on
  EXPECT_GT(w.result.unexpected, 0U);
}

}  // namespace
}  // namespace synchro::experiments::coherence
