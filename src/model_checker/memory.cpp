#include "model_checker/memory.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

std::string to_string(std::memory_order o) {
  switch (o) {
    case std::memory_order::acquire:
      return "acquire";
    case std::memory_order::release:
      return "release";
    case std::memory_order::acq_rel:
      return "acq_rel";
    case std::memory_order::seq_cst:
      return "seq_cst";
    default:
      return "relaxed";
  }
}

void knowledge::join(const knowledge& other) {
  for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = std::max(seen[i], other.seen[i]);
  for (std::size_t i = 0; i < happened.size(); ++i) happened[i] = std::max(happened[i], other.happened[i]);
}

bool knowledge::is_within(const knowledge& other) const {
  return std::equal(seen.begin(), seen.end(), other.seen.begin(), std::less_equal<>{}) &&
         std::equal(happened.begin(), happened.end(), other.happened.begin(), std::less_equal<>{});
}

// ---- words

memory::word_id memory::add_word(unsigned thread, std::uint64_t value, std::uint64_t name) {
  const auto w = static_cast<word_id>(words_.size());
  const moment made{static_cast<std::uint8_t>(thread), threads_[thread].now.happened[thread]};
  words_.push_back({scatter(name) | 1, made, true, 0, {}});
  words_.back().messages.push_back({value, false, {}});
  return w;
}

void memory::read(unsigned thread, word_id w, position p, std::memory_order o) {
  learn(threads_[thread].now, threads_[thread].acquired, w, p, o);
}

void memory::learn(knowledge& now, knowledge& acquired, word_id w, position p, std::memory_order o) const {
  const message& m = words_[w].messages[p];
  now.seen[w] = static_cast<std::uint8_t>(p);
  if (acquires(o)) now.join(m.released);
  if (!with_fences_) return;
  acquired.join(now);
  acquired.join(m.released);
}

memory::position memory::first_readable_after(word_id other, position p, std::memory_order o, word_id w) const {
  const position learned = acquires(o) ? words_[other].messages[p].released.seen[w] : 0;
  return other == w ? std::max(p, learned) : learned;
}

message& memory::insert(word_id w, position p) {
  auto& list = words_[w].messages;
  if (p + 1 != list.size()) {
    const auto shift = [w, p](knowledge& k) { k.seen[w] = static_cast<std::uint8_t>(k.seen[w] + (k.seen[w] > p)); };
    for (auto& each : words_)
      for (auto& m : each.messages) shift(m.released);
    words_[w].woken = static_cast<std::uint8_t>(words_[w].woken + (words_[w].woken > p));
    for (auto& t : threads_) {
      shift(t.now);
      shift(t.acquired);
      shift(t.released);
    }
    for (auto& v : visited_) shift(v.known);
    shift(fences_);
  }
  return *list.insert(list.begin() + p + 1, message{});
}

/// What the message releases of its writer's knowledge, on top of what it releases already.
void memory::publish(unsigned thread, message& m, std::memory_order o) {
  if (releases(o))
    m.released.join(threads_[thread].now);
  else if (with_fences_)
    m.released.join(threads_[thread].released);
}

void memory::write(unsigned thread, word_id w, position p, std::uint64_t value, std::memory_order o) {
  message& m = insert(w, p);
  m.value = value;
  auto& mine = threads_[thread];
  mine.now.seen[w] = static_cast<std::uint8_t>(p + 1);
  if (with_fences_) mine.acquired.seen[w] = std::max(mine.acquired.seen[w], mine.now.seen[w]);
  learn_of_transactions(thread, w, o);
  publish(thread, m, o);
}

void memory::read_modify_write(unsigned thread, word_id w, position p, std::uint64_t value, std::memory_order o) {
  read(thread, w, p, o);
  learn_of_transactions(thread, w, o);
  message& m = insert(w, p);
  m.value = value;
  m.attached = true;
  m.released = words_[w].messages[p].released;
  auto& mine = threads_[thread];
  mine.now.seen[w] = static_cast<std::uint8_t>(p + 1);
  if (with_fences_) mine.acquired.seen[w] = std::max(mine.acquired.seen[w], mine.now.seen[w]);
  publish(thread, m, o);
}

void memory::fence(unsigned thread) {
  auto& mine = threads_[thread];
  mine.now.join(mine.acquired);
  // What fences share is what may still be read; they do not synchronize by themselves.
  for (std::size_t i = 0; i < max_words; ++i)
    fences_.seen[i] = mine.now.seen[i] = std::max(mine.now.seen[i], fences_.seen[i]);
  mine.acquired = mine.now;
  mine.released = mine.now;
}

// ---- transactions

void memory::visit(unsigned thread, location at, bool writes) {
  party& mine = threads_[thread];
  for (const visited& v : visited_)
    if (v.at == at && (writes || v.writes)) mine.now.join(v.known);
  if (with_fences_) mine.acquired.join(mine.now);
  const auto known = std::find_if(open_.begin(), open_.end(), [at](const visited& v) { return v.at == at; });
  if (known == open_.end())
    open_.push_back({at, writes, {}});
  else
    known->writes = known->writes || writes;
}

void memory::read_in_transaction(unsigned thread, word_id w) {
  visit(thread, {false, w}, false);
  read(thread, w, last(w), std::memory_order::acquire);
}

/// Nothing comes between what it has read there and what it writes.
void memory::write_in_transaction(unsigned thread, word_id w, std::uint64_t value) {
  const location at{false, w};
  const bool has_been_there = std::any_of(open_.begin(), open_.end(), [at](const visited& v) { return v.at == at; });
  visit(thread, at, true);
  if (has_been_there)
    read_modify_write(thread, w, last(w), value, std::memory_order::acq_rel);
  else
    write(thread, w, last(w), value, std::memory_order::release);
}

void memory::commit(unsigned thread) {
  for (const visited& mine : open_) {
    if (mine.writes && !mine.at.is_field) words_[mine.at.id].messages.back().released.join(threads_[thread].now);
    auto before = std::find_if(visited_.begin(), visited_.end(),
                               [&mine](const visited& v) { return v.at == mine.at && v.writes == mine.writes; });
    if (before == visited_.end()) before = visited_.insert(visited_.end(), mine);
    before->known.join(threads_[thread].now);
  }
  open_.clear();
}

/// A thread that writes where a transaction has read would have aborted it: it comes after. To a processor it does so once
/// the write is to be seen, which a read-modify-write waits for and a store does not, unless there is a fence behind it.
void memory::learn_of_transactions(unsigned thread, word_id w, std::memory_order o) {
  for (const visited& v : visited_) {
    if (v.at != location{false, w}) continue;
    if (acquires(o)) threads_[thread].now.join(v.known);
    if (with_fences_) threads_[thread].acquired.join(v.known);
  }
}

// ---- fields

memory::field_id memory::add_field(unsigned thread, void* address, std::uint32_t size, std::uint64_t name) {
  const auto f = static_cast<field_id>(fields_.size());
  const moment made{static_cast<std::uint8_t>(thread), threads_[thread].now.happened[thread]};
  fields_.push_back({static_cast<unsigned char*>(address), size, scatter(name), made, {}, true});
  return f;
}

bool memory::read_field(unsigned thread, field_id f) {
  field& what = fields_[f];
  what.read[thread] = threads_[thread].now.happened[thread];
  return knows(thread, what.written);
}

bool memory::write_field(unsigned thread, field_id f) {
  field& what = fields_[f];
  bool ordered = knows(thread, what.written);
  for (unsigned t = 0; t < all_threads; ++t)
    ordered = ordered && knows(thread, {static_cast<std::uint8_t>(t), what.read[t]});
  what.written = {static_cast<std::uint8_t>(thread), threads_[thread].now.happened[thread]};
  what.read.fill(0);
  return ordered;
}

std::vector<memory::kept_field> memory::fields_outside() const {
  std::vector<kept_field> all;
  for (const field& f : fields_)
    if (f.alive && !names_->contains(reinterpret_cast<std::uint64_t>(f.address)))
      all.push_back({f.address, {f.address, f.address + f.size}});
  return all;
}

std::uint64_t memory::kept_before(unsigned thread) const {
  std::uint64_t numbers = 0;
  for (const kept_moment& k : kept_)
    if (knows(thread, k.at)) numbers |= std::uint64_t{1} << k.number;
  return numbers;
}

// ---- threads

void memory::inform(unsigned thread, unsigned of) {
  threads_[thread].now.join(threads_[of].now);
  if (with_fences_) threads_[thread].acquired.join(threads_[thread].now);
}

void memory::start(unsigned thread) {
  threads_[thread] = {};
  threads_[thread].finished = false;
  threads_[thread].now.happened[thread] = 1;
}

void memory::clear() {
  words_.clear();
  fields_.clear();
  kept_.clear();
  visited_.clear();
  open_.clear();
  fences_ = {};
  for (auto& t : threads_) t = {};
}

// ---- hashing

class memory::hasher {
 public:
  explicit hasher(const memory& m) : m_{m} {
    for (unsigned t = 0; t < all_threads; ++t)
      if (!m.threads_[t].finished) running_[count_++] = t;
    find_what_all_know();
    note_moments();
    for (unsigned t = 0; t < all_threads; ++t) {
      auto& list = times_[t];
      if (filled_[t] != 0) ranked_[ranks_++] = t;
      std::sort(list.begin(), list.begin() + filled_[t]);
      filled_[t] = static_cast<unsigned>(std::unique(list.begin(), list.begin() + filled_[t]) - list.begin());
    }
  }

  [[nodiscard]] std::uint64_t all() const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < m_.words_.size(); ++w)
      if (m_.words_[w].alive) sum += of_word(w);
    for (const field& f : m_.fields_)
      if (f.alive) sum += of_field(f);
    for (const kept_moment& k : m_.kept_) sum += chain(k.number + 1, of(k.at));
    for (const visited& v : m_.visited_) sum += of_visited(v);
    static std::uint64_t unlike_any = 0;
    std::uint64_t h = scatter(too_many_ ? ++unlike_any : sum);
    for (unsigned i = 0; i < count_; ++i) {
      const party& t = m_.threads_[running_[i]];
      h = chain(h, of(t.now));
      if (!m_.with_fences_) continue;
      h = chain(h, of(t.acquired));
      h = chain(h, of(t.released));
    }
    return m_.with_fences_ ? chain(h, of(m_.fences_)) : h;
  }

 private:
  /// All that run, that is; where nobody does, everything is known.
  void find_what_all_know() {
    for (std::size_t w = 0; w < m_.words_.size() && count_ == 0; ++w)
      base_[w] = static_cast<std::uint8_t>(m_.last(static_cast<word_id>(w)));
    known_.fill(std::numeric_limits<std::uint16_t>::max());
    for (unsigned i = 0; i < count_; ++i) {
      const knowledge& now = m_.threads_[running_[i]].now;
      for (std::size_t w = 0; w < max_words; ++w) base_[w] = i == 0 ? now.seen[w] : std::min(base_[w], now.seen[w]);
      for (unsigned t = 0; t < all_threads; ++t) known_[t] = std::min(known_[t], now.happened[t]);
    }
  }
  void note_moments() {
    for (const word& w : m_.words_)
      if (w.alive) note(w.made);
    for (const field& f : m_.fields_) {
      if (!f.alive) continue;
      note(f.written);
      for (unsigned t = 0; t < all_threads; ++t)
        if (f.read[t] != 0) note({static_cast<std::uint8_t>(t), f.read[t]});
    }
    for (const kept_moment& k : m_.kept_) note(k.at);
  }

  /// A moment matters while a running thread does not know it.
  [[nodiscard]] bool matters(moment m) const { return m.time > known_[m.thread]; }
  void note(moment m) {
    if (m.time == 0 || !matters(m)) return;
    auto& n = filled_[m.thread];
    if (n != 0 && times_[m.thread][n - 1] == m.time) return;
    if (n == times_[m.thread].size()) {
      too_many_ = true;
      return;
    }
    times_[m.thread][n++] = m.time;
  }
  /// How many of the moments that matter lie before this time: all that is asked of a time.
  [[nodiscard]] std::uint64_t rank(unsigned t, std::uint16_t time) const {
    std::uint64_t r = 0;
    while (r < filled_[t] && times_[t][r] <= time) ++r;
    return r;
  }

  [[nodiscard]] std::uint64_t of(const knowledge& k) const {
    constexpr std::size_t some = 8;  // of most words all know the same
    std::array<std::uint8_t, max_words> above;
    for (std::size_t w = 0; w < max_words; ++w)
      above[w] = static_cast<std::uint8_t>(std::max(k.seen[w], base_[w]) - base_[w]);
    std::uint64_t sum = 0;
    for (std::size_t first = 0; first < m_.words_.size(); first += some) {
      std::uint64_t any = 0;
      std::memcpy(&any, &above[first], some);
      for (std::size_t w = first; any != 0 && w < std::min(first + some, m_.words_.size()); ++w)
        sum += m_.words_[w].name * above[w];
    }
    for (unsigned i = 0; i < ranks_; ++i) sum += thread_names[ranked_[i]] * rank(ranked_[i], k.happened[ranked_[i]]);
    return scatter(sum);
  }

  [[nodiscard]] std::uint64_t of(moment m) const {
    return m.time == 0 || !matters(m) ? 0 : chain(m.thread + 1, rank(m.thread, m.time));
  }

  [[nodiscard]] std::uint64_t of_word(std::size_t i) const {
    const word& w = m_.words_[i];
    std::uint64_t h = chain(w.name, of(w.made));
    if (w.woken > base_[i]) h = chain(h, std::uint64_t{w.woken} - base_[i]);
    for (std::size_t p = base_[i]; p < w.messages.size(); ++p) {
      const message& m = w.messages[p];
      h = chain(h, m_.names_->canonical(m.value) * 2 + (m.attached && p != base_[i] ? 1 : 0));
      h = chain(h, of(m.released));
    }
    return h;
  }

  [[nodiscard]] std::uint64_t of_field(const field& f) const {
    std::uint64_t h = f.name;
    for (std::uint32_t at = 0; at < f.size; at += 8) {
      std::uint64_t part = 0;
      std::memcpy(&part, f.address + at, std::min<std::uint32_t>(8, f.size - at));
      h = chain(h, m_.names_->canonical(part));
    }
    h = chain(h, of(f.written));
    for (unsigned t = 0; t < all_threads; ++t)
      if (f.read[t] != 0) h = chain(h, of(moment{static_cast<std::uint8_t>(t), f.read[t]}) + t);
    return h;
  }

  /// Nothing if all that run know of it.
  [[nodiscard]] std::uint64_t of_visited(const visited& v) const {
    const std::uint64_t known = of(v.known);
    if (known == of(knowledge{})) return 0;
    const std::uint64_t name = v.at.is_field ? m_.fields_[v.at.id].name : m_.words_[v.at.id].name;
    return chain(name + (v.writes ? 1 : 0), known);
  }

  static constexpr auto thread_names = [] {
    std::array<std::uint64_t, all_threads> names{};
    for (unsigned t = 0; t < all_threads; ++t) names[t] = scatter(t + 77) | 1;
    return names;
  }();

  const memory& m_;
  std::array<unsigned, all_threads> running_{};
  unsigned count_ = 0;
  std::array<std::uint8_t, max_words> base_{};    // of each word what all can read from
  std::array<std::uint16_t, all_threads> known_;  // of each thread up to when all know of it
  std::array<unsigned, all_threads> ranked_{};    // who has moments that matter
  unsigned ranks_ = 0;
  std::array<std::array<std::uint16_t, 64>, all_threads> times_;
  std::array<unsigned, all_threads> filled_{};
  bool too_many_ = false;  // moments to rank: then this state is taken for a new one
};

std::uint64_t memory::hash() const { return hasher{*this}.all(); }

}  // namespace synchro::model_checker
