// The memory model: C++20 atomics as messages and views.
//
// Each atomic word is a list of messages in modification order. A thread has a view: for each word the earliest message
// that it may still read. It may read any message from there on; a write may be put anywhere behind it, except between
// a read-modify-write and the message that this one replaced. What is released with a message is the writer's view at
// that time; a read-modify-write passes on what the message it replaces has released (release sequences of C++20).
// Fences are sequentially consistent and share one view. There are no sequentially consistent accesses.
//
// Since threads take their steps in some order, reading only what has been written, the behaviours are those of RC11
// (Lahav, Vafeiadis, Kang, Hur, Dreyer: Repairing Sequential Consistency in C/C++11, PLDI 2017) in which program order,
// reads-from and the order of fences have no cycle between them. Excluded by that, and by RC11: load buffering.
//
// Views say what a thread may read. What happens before what is another matter (fences order views but do not
// synchronize by themselves), and is told by vector clocks beside them: they find data races.

#ifndef SYNCHRO_MODEL_CHECKER_MEMORY_HPP
#define SYNCHRO_MODEL_CHECKER_MEMORY_HPP

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "model_checker/arena.hpp"
#include "model_checker/limits.hpp"
#include "model_checker/order.hpp"

namespace synchro::model_checker {

inline constexpr unsigned all_threads = max_threads + 1;  ///< With the main one.

/// What a thread, or who reads a message, has seen: for each word a position in its modification order, and for each
/// thread a time up to which all it did happens before.
struct knowledge {
  std::array<std::uint8_t, max_words> seen{};
  std::array<std::uint16_t, all_threads> happened{};

  void join(const knowledge& other);
  /// Whether `other` has all of this.
  [[nodiscard]] bool is_within(const knowledge& other) const;
};

struct message {
  std::uint64_t value = 0;
  bool attached = false;  ///< Written by a read-modify-write, so nothing comes between it and the one before.
  knowledge released;
};

/// A moment of one thread.
struct moment {
  std::uint8_t thread = main_thread;
  std::uint16_t time = 0;  // 0: before everything
};

class memory {
 public:
  using position = unsigned;
  using word_id = unsigned;
  using field_id = unsigned;

  memory(const arena& names, bool with_fences) : names_{&names}, with_fences_{with_fences} {}

  // Words: the atomics.

  /// A new word, in the memory of a dead one or not; `name` is its name in hashes.
  word_id add_word(unsigned thread, std::uint64_t value, std::uint64_t name);
  void remove_word(word_id w) { words_[w].alive = false; }
  [[nodiscard]] bool is_alive(word_id w) const { return words_[w].alive; }
  [[nodiscard]] std::size_t words() const { return words_.size(); }

  /// Whether the word has been constructed, as far as this thread can know.
  [[nodiscard]] bool is_made(unsigned thread, word_id w) const { return knows(thread, words_[w].made); }

  [[nodiscard]] position first_readable(unsigned thread, word_id w) const { return threads_[thread].now.seen[w]; }
  /// The same after reading message `p` of `other` with this order.
  [[nodiscard]] position first_readable_after(word_id other, position p, std::memory_order o, word_id w) const;
  [[nodiscard]] position last(word_id w) const { return static_cast<position>(words_[w].messages.size() - 1); }
  [[nodiscard]] std::uint64_t value(word_id w, position p) const { return words_[w].messages[p].value; }
  /// Whether a message may be put directly behind this one, which a read-modify-write of it always does.
  [[nodiscard]] bool is_open(word_id w, position p) const {
    return p == last(w) || !words_[w].messages[p + 1].attached;
  }

  void read(unsigned thread, word_id w, position p, std::memory_order o);
  /// What the thread would know from reading these messages, one of each word, and what by a fence after that.
  struct lesson {
    knowledge now, acquired;
    [[nodiscard]] bool is_within(const lesson& other) const {
      return now.is_within(other.now) && acquired.is_within(other.acquired);
    }
  };
  template <class Words, class Positions>
  [[nodiscard]] lesson lesson_of(unsigned thread, const Words& words, const Positions& at, unsigned count,
                                 std::memory_order o) const {
    lesson l{threads_[thread].now, threads_[thread].acquired};
    for (unsigned i = 0; i < count; ++i) learn(l.now, l.acquired, words[i], at[i], o);
    return l;
  }
  /// Puts a message behind position `p`.
  void write(unsigned thread, word_id w, position p, std::uint64_t value, std::memory_order o);
  void read_modify_write(unsigned thread, word_id w, position p, std::uint64_t value, std::memory_order o);
  void fence(unsigned thread);
  /// The thread wakes who sleeps on the word: whoever comes to sleep there from now on finds what it has seen.
  void wake(unsigned thread, word_id w) { words_[w].woken = std::max(words_[w].woken, threads_[thread].now.seen[w]); }
  /// The earliest message that the system may find on behalf of a thread that wants to sleep.
  [[nodiscard]] position first_for_sleeper(unsigned thread, word_id w) const {
    return std::max<position>(words_[w].woken, first_readable(thread, w));
  }

  // Transactions. Only one is open at a time, for each is one step; it reads what is newest.

  /// Where a transaction has been.
  struct location {
    bool is_field;
    std::uint32_t id;
    bool operator==(const location&) const = default;
  };
  /// The open transaction goes there, and from now on knows all transactions that it conflicts with.
  void visit(unsigned thread, location at, bool writes);
  void read_in_transaction(unsigned thread, word_id w);
  void write_in_transaction(unsigned thread, word_id w, std::uint64_t value);
  /// What the thread knows at this point becomes known to whoever conflicts with the transaction later: to transactions,
  /// to who reads what it wrote, and, as if it had read that, to who writes what it read.
  void commit(unsigned thread);

  // Fields: the plain ones.

  field_id add_field(unsigned thread, void* address, std::uint32_t size, std::uint64_t name);
  void remove_field(field_id f) { fields_[f].alive = false; }
  [[nodiscard]] bool is_field_alive(field_id f) const { return fields_[f].alive; }
  [[nodiscard]] std::size_t fields() const { return fields_.size(); }
  /// False if this races with another thread's access.
  [[nodiscard]] bool read_field(unsigned thread, field_id f);
  [[nodiscard]] bool write_field(unsigned thread, field_id f);
  [[nodiscard]] moment last_write(field_id f) const { return fields_[f].written; }
  struct kept_field {
    unsigned char* address;
    std::vector<unsigned char> bytes;
  };
  /// The values of those that lie in memory of others than the arena, which does not keep them.
  [[nodiscard]] std::vector<kept_field> fields_outside() const;
  /// Calls f(address, size) for each field there ever was.
  template <class F>
  void each_field(F f) const {
    for (const field& each : fields_) f(each.address, each.size);
  }

  // Moments that somebody will ask about.

  /// Keeps this moment of the thread under a number below 64, which is its name in hashes.
  void keep_moment(unsigned thread, unsigned number) {
    kept_.push_back({number, {static_cast<std::uint8_t>(thread), threads_[thread].now.happened[thread]}});
  }
  /// Which of them happen before what the thread does now, a bit for each number.
  [[nodiscard]] std::uint64_t kept_before(unsigned thread) const;

  // Threads.

  /// What one thread knows becomes known to another, as when a thread is started or joined.
  void inform(unsigned thread, unsigned of);
  /// After each step: what comes later is not part of what was released in it.
  void advance(unsigned thread) { ++threads_[thread].now.happened[thread]; }
  void finish(unsigned thread) { threads_[thread].finished = true; }
  void start(unsigned thread);

  /// A hash of all that still matters, of the values and what is known of them: messages nobody can read any more are
  /// left out and positions are counted from the earliest that can be read.
  [[nodiscard]] std::uint64_t hash() const;

  void clear();

 private:
  struct word {
    std::uint64_t name = 0;
    moment made;
    bool alive = true;
    std::uint8_t woken = 0;  // a position: see wake
    std::vector<message> messages;
  };
  struct field {
    unsigned char* address;
    std::uint32_t size;
    std::uint64_t name;
    moment written;
    std::array<std::uint16_t, all_threads> read{};
    bool alive = true;
  };
  struct kept_moment {
    unsigned number;
    moment at;
  };
  struct visited {
    location at;
    bool writes;
    knowledge known;  // by who was there, after its commit
  };
  struct party {
    knowledge now;       // by acquire reads and its own steps
    knowledge acquired;  // what a fence would add to that
    knowledge released;  // what the last fence gave to relaxed writes
    bool finished = true;
  };
  class hasher;

  [[nodiscard]] bool knows(unsigned thread, moment m) const {
    return m.time <= threads_[thread].now.happened[m.thread];
  }
  void learn(knowledge& now, knowledge& acquired, word_id w, position p, std::memory_order o) const;
  message& insert(word_id w, position p);
  void publish(unsigned thread, message& m, std::memory_order o);
  void learn_of_transactions(unsigned thread, word_id w, std::memory_order o);

  const arena* names_;
  bool with_fences_;
  std::vector<word> words_;
  std::vector<field> fields_;
  std::vector<kept_moment> kept_;
  std::vector<visited> visited_;  // by transactions that have committed
  std::vector<visited> open_;     // by the one that is open
  std::array<party, all_threads> threads_{};
  knowledge fences_;
};

}  // namespace synchro::model_checker

#endif
