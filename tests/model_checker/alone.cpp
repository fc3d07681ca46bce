#include "model_checker/alone.hpp"

#include <algorithm>
#include <bitset>

#include "fibers/fiber.hpp"

namespace synchro::tests {

namespace {

/// A value may depend on one that another thread has written, and so on: so often.
constexpr int most_rounds = 4;

solo* now = nullptr;

/// A number for each value, itself if it is small: the axioms only ask which are the same.
std::uint32_t small(std::uint64_t value) {
  constexpr std::uint32_t first = 0x8000'0000;
  static std::map<std::uint64_t, std::uint32_t> large;
  if (value < first) return static_cast<std::uint32_t>(value);
  return large.try_emplace(value, first + static_cast<std::uint32_t>(large.size())).first->second;
}

}  // namespace

solo& solo::current() { return *now; }

void solo::make(const void* word, std::uint64_t value) {
  if (!making_) stop();  // what threads share is made before
  places_[word] = static_cast<unsigned>(own_.size());
  own_.push_back(value);
}

void solo::add(instruction i) {
  if (way_.code.size() == left_.steps) stop();
  way_.code.push_back(i);
}

std::size_t solo::choose(std::size_t n) {
  if (n == 0) stop();
  if (next_choice_ == choices_.size()) choices_.emplace_back(0, n);
  return choices_[next_choice_++].first;
}

std::uint64_t solo::peek(const void* word) {
  const unsigned place = at(word);
  if (making_) return own_[place];
  std::vector<std::uint64_t> values{own_[place]};
  for (const std::uint64_t other : readable_[place])
    if (other != own_[place]) values.push_back(other);
  return values.size() == 1 ? values[0] : values[choose(values.size())];
}

void solo::note_read(const void* word, std::uint64_t seen, std::memory_order o) {
  if (!making_) add({instruction::load, at(word), 0, o, false, small(seen)});
}

void solo::note_exchange(const void* word, std::uint64_t seen, std::uint64_t value, std::memory_order o) {
  own_[at(word)] = value;
  if (making_) return;
  written_[at(word)].insert(value);
  add({instruction::exchange, at(word), small(value), o, false, small(seen)});
}

std::uint64_t solo::read(const void* word, std::memory_order o, bool plain) {
  const std::uint64_t seen = peek(word);
  if (!making_) add({instruction::load, at(word), 0, o, plain, small(seen)});
  return seen;
}

void solo::write(const void* word, std::uint64_t value, std::memory_order o, bool plain) {
  own_[at(word)] = value;
  if (making_) return;
  written_[at(word)].insert(value);
  add({instruction::store, at(word), small(value), o, plain});
}

void solo::fence() { add({instruction::fence}); }

void solo::stop() {
  for (;;) leave_();
}

void solo::sleep() {
  if (left_.sleeps-- == 0) stop();
}

void* solo::local(const void* type, std::size_t size, bool& is_new) {
  auto& mine = locals_[type];
  is_new = mine == nullptr;
  if (is_new) mine = std::make_unique<char[]>(size);
  return mine.get();
}

/// Rounds of all ways of each thread, until nothing new is written.
class ways_of_threads {
 public:
  explicit ways_of_threads(const whole_program& what) : what_{what}, found_(what.threads), written_(what.threads) {
    for (int round = 0; round < most_rounds; ++round) {
      const auto before = written_;
      for (unsigned t = 0; t < what.threads; ++t) find(t);
      if (before == written_) break;
    }
  }

  [[nodiscard]] const std::vector<std::vector<way>>& found() const { return found_; }
  [[nodiscard]] const std::vector<std::uint64_t>& initial() const { return initial_; }

 private:
  using values_of_words = std::vector<std::set<std::uint64_t>>;

  void find(unsigned t) {
    found_[t].clear();
    values_of_words readable;
    for (unsigned other = 0; other < what_.threads; ++other)
      if (other != t) add(readable, written_[other]);
    for (std::vector<std::pair<std::size_t, std::size_t>> choices;;) {
      run(t, readable, choices);
      while (!choices.empty() && choices.back().first + 1 >= choices.back().second) choices.pop_back();
      if (choices.empty()) return;
      ++choices.back().first;
    }
  }

  static void add(values_of_words& to, const values_of_words& more) {
    to.resize(std::max(to.size(), more.size()));
    for (std::size_t i = 0; i < more.size(); ++i) to[i].insert(more[i].begin(), more[i].end());
  }

  /// One way, by these choices; adds those that it comes to besides.
  void run(unsigned t, const values_of_words& readable, std::vector<std::pair<std::size_t, std::size_t>>& choices) {
    solo one;
    now = &one;
    one.thread_ = t;
    one.left_ = what_.within;
    const std::shared_ptr<void> shared = what_.make();
    initial_ = one.own_;
    one.readable_ = readable;
    one.readable_.resize(initial_.size());
    one.written_.resize(initial_.size());
    one.choices_ = choices;
    one.making_ = false;
    fibers::fiber thread{stacks_, [&] { what_.body(shared.get(), t); }};
    one.leave_ = [&thread] { thread.suspend(); };
    thread.resume();
    if (thread.done()) found_[t].push_back(one.way_);
    add(written_[t], one.written_);
    choices = one.choices_;
    one.making_ = true;
  }

  const whole_program& what_;
  fibers::stack_pool stacks_;
  std::vector<std::vector<way>> found_;
  std::vector<std::uint64_t> initial_;
  std::vector<values_of_words> written_;  // by each thread
};

namespace {

/// Values of words, numbered as they are met.
class values {
 public:
  using set = std::bitset<1024>;
  std::size_t number(unsigned location, std::uint32_t value) {
    return numbers_.try_emplace({location, value}, numbers_.size()).first->second;
  }

 private:
  std::map<std::pair<unsigned, std::uint32_t>, std::size_t> numbers_;
};

bool writes(const instruction& i) { return i.what == instruction::store || i.what == instruction::exchange; }

/// Puts one way of each thread together, in every combination, and asks the axioms.
class combinations {
 public:
  explicit combinations(const ways_of_threads& ways) {
    for (const std::uint64_t value : ways.initial()) test_.initial.push_back(small(value));
    test_.locations = static_cast<unsigned>(test_.initial.size());
    for (unsigned l = 0; l < test_.locations; ++l) initial_.set(all_.number(l, test_.initial[l]));
    for (const auto& of_thread : ways.found()) {
      found_.emplace_back();
      for (const way& one : of_thread) found_.back().push_back(summed_up(one));
    }
    choose(initial_, {});
  }
  judged made;

 private:
  struct summary {
    const way* whole;
    values::set read, written;
  };

  summary summed_up(const way& one) {
    summary sum{&one, {}, {}};
    for (const instruction& i : one.code) {
      if (i.reads) sum.read.set(all_.number(i.location, *i.reads));
      if (writes(i)) sum.written.set(all_.number(i.location, i.value));
    }
    return sum;
  }

  void choose(const values::set& written, const values::set& read) {
    if (chosen_.size() == found_.size()) {
      if ((read & ~written).none() && follow_each_its_own()) ask();
      return;
    }
    for (const summary& one : found_[chosen_.size()]) {
      chosen_.push_back(one.whole);
      choose(written | one.written, read | one.read);
      chosen_.pop_back();
    }
  }

  /// No two read-modify-writes follow the same write.
  bool follow_each_its_own() {
    std::map<std::size_t, int> left;
    for (unsigned l = 0; l < test_.locations; ++l) ++left[all_.number(l, test_.initial[l])];
    for (const way* one : chosen_)
      for (const instruction& i : one->code)
        if (writes(i)) ++left[all_.number(i.location, i.value)];
    for (const way* one : chosen_)
      for (const instruction& i : one->code)
        if (i.what == instruction::exchange && --left[all_.number(i.location, *i.reads)] < 0) return false;
    return true;
  }

  void ask() {
    ++made.tried;
    result all;
    test_.threads.clear();
    for (const way* one : chosen_) {
      test_.threads.push_back(one->code);
      all.insert(all.end(), one->said.begin(), one->said.end());
    }
    if (made.said.count(all) != 0) return;
    const judgement is = judge(test_);
    made.races = made.races || is.races;
    if (is.is_allowed) made.said.insert(all);
  }

  values all_;
  values::set initial_;
  std::vector<std::vector<summary>> found_;
  std::vector<const way*> chosen_;
  litmus test_{"whole", {}};
};

}  // namespace

judged judged_by_axioms(const whole_program& what) {
  const ways_of_threads ways{what};
  return combinations{ways}.made;
}

}  // namespace synchro::tests
