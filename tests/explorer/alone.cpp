#include "explorer/alone.hpp"

#include <algorithm>
#include <stdexcept>

#include "fibers/fiber.hpp"

namespace synchro::tests {

namespace {

constexpr std::size_t longest_way = 60;
/// A value may depend on one that another thread has written, and so on: so often.
constexpr int most_rounds = 8;

solo* now = nullptr;

std::uint32_t small(std::uint64_t value) {
  if (value >> 32 != 0) throw std::logic_error{"a word of such a program has values of 32 bits"};
  return static_cast<std::uint32_t>(value);
}

}  // namespace

solo& solo::current() { return *now; }

void solo::make(const void* word, std::uint64_t value) {
  if (!making_) stop();  // what threads share is made before
  places_[word] = static_cast<unsigned>(initial_.size());
  initial_.push_back(value);
}

void solo::add(instruction i) {
  if (way_.code.size() == longest_way) stop();
  way_.code.push_back(i);
}

std::size_t solo::choose(std::size_t n) {
  if (n == 0) stop();
  if (next_choice_ == choices_.size()) choices_.emplace_back(0, n);
  return choices_[next_choice_++].first;
}

std::uint64_t solo::peek(const void* word) {
  const unsigned place = at(word);
  if (making_) return initial_[place];
  return readable_[place][choose(readable_[place].size())];
}

void solo::note_read(const void* word, std::uint64_t seen, std::memory_order o) {
  if (!making_) add({instruction::load, at(word), 0, o, false, small(seen)});
}

void solo::note_exchange(const void* word, std::uint64_t seen, std::uint64_t value, std::memory_order o) {
  if (making_) {
    initial_[at(word)] = value;
    return;
  }
  written_[at(word)].insert(value);
  add({instruction::exchange, at(word), small(value), o, false, small(seen)});
}

std::uint64_t solo::read(const void* word, std::memory_order o, bool plain) {
  const std::uint64_t seen = peek(word);
  if (!making_) add({instruction::load, at(word), 0, o, plain, small(seen)});
  return seen;
}

void solo::write(const void* word, std::uint64_t value, std::memory_order o, bool plain) {
  if (making_) {
    initial_[at(word)] = value;
    return;
  }
  written_[at(word)].insert(value);
  add({instruction::store, at(word), small(value), o, plain});
}

void solo::fence() { add({instruction::fence}); }

void solo::stop() {
  for (;;) leave_();
}

void solo::sleep_once() {
  if (sleeps_++ != 0) stop();
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
  explicit ways_of_threads(const whole_program& what) : what_{what}, found_(what.threads) {
    for (int round = 0; round < most_rounds; ++round) {
      const auto before = written_;
      for (unsigned t = 0; t < what.threads; ++t) find(t);
      if (before == written_ && round != 0) break;
    }
  }

  [[nodiscard]] const std::vector<std::vector<way>>& found() const { return found_; }
  [[nodiscard]] const std::vector<std::uint64_t>& initial() const { return initial_; }

 private:
  void find(unsigned t) {
    found_[t].clear();
    std::vector<std::vector<std::uint64_t>> readable;
    for (const auto& values : written_) readable.emplace_back(values.begin(), values.end());
    for (std::vector<std::pair<std::size_t, std::size_t>> choices;;) {
      run(t, readable, choices);
      while (!choices.empty() && choices.back().first + 1 >= choices.back().second) choices.pop_back();
      if (choices.empty()) return;
      ++choices.back().first;
    }
  }

  /// One way, by these choices; adds those that it comes to besides.
  void run(unsigned t, const std::vector<std::vector<std::uint64_t>>& readable,
           std::vector<std::pair<std::size_t, std::size_t>>& choices) {
    solo one;
    now = &one;
    one.thread_ = t;
    const std::shared_ptr<void> shared = what_.make();
    initial_ = one.initial_;
    written_.resize(initial_.size());
    for (std::size_t i = 0; i < initial_.size(); ++i) written_[i].insert(initial_[i]);
    one.readable_ = readable;
    for (std::size_t i = readable.size(); i < initial_.size(); ++i) one.readable_.push_back({initial_[i]});
    one.written_.resize(initial_.size());
    one.choices_ = choices;
    one.making_ = false;
    fibers::fiber thread{stacks_, [&] { what_.body(shared.get(), t); }};
    one.leave_ = [&thread] { thread.suspend(); };
    thread.resume();
    if (thread.done()) found_[t].push_back(one.way_);
    for (std::size_t i = 0; i < one.written_.size(); ++i) written_[i].merge(one.written_[i]);
    choices = one.choices_;
    one.making_ = true;
  }

  const whole_program& what_;
  fibers::stack_pool stacks_;
  std::vector<std::vector<way>> found_;
  std::vector<std::uint64_t> initial_;
  std::vector<std::set<std::uint64_t>> written_;
};

namespace {

/// Puts one way of each thread together, in every combination, and asks the axioms.
class combinations {
 public:
  explicit combinations(const ways_of_threads& ways) : ways_{ways}, chosen_(ways.found().size()) {
    for (const std::uint64_t value : ways.initial()) test_.initial.push_back(small(value));
    test_.locations = static_cast<unsigned>(test_.initial.size());
    choose(0);
  }
  judged made;

 private:
  void choose(std::size_t t) {
    if (t == chosen_.size()) return ask();
    for (const way& one : ways_.found()[t]) {
      chosen_[t] = &one;
      choose(t + 1);
    }
  }

  [[nodiscard]] bool is_written(unsigned location, std::uint32_t value) const {
    return test_.initial[location] == value || std::any_of(chosen_.begin(), chosen_.end(), [=](const way* one) {
             return std::any_of(one->code.begin(), one->code.end(), [=](const instruction& i) {
               return i.location == location && i.value == value &&
                      (i.what == instruction::store || i.what == instruction::exchange);
             });
           });
  }

  void ask() {
    for (const way* one : chosen_)
      for (const instruction& i : one->code)
        if (i.reads && !is_written(i.location, *i.reads)) return;
    ++made.tried;
    result all;
    test_.threads.clear();
    for (const way* one : chosen_) {
      test_.threads.push_back(one->code);
      all.insert(all.end(), one->said.begin(), one->said.end());
    }
    const judgement is = judge(test_);
    made.races = made.races || is.races;
    if (is.is_allowed) made.said.insert(all);
  }

  const ways_of_threads& ways_;
  std::vector<const way*> chosen_;
  litmus test_{"whole", {}};
};

}  // namespace

judged judged_by_axioms(const whole_program& what) {
  const ways_of_threads ways{what};
  return combinations{ways}.made;
}

}  // namespace synchro::tests
