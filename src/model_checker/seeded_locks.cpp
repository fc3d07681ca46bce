// Flawed locks that only the programs of the catalog's locks refute: by first use, numbers that wrap, ways in that may
// fail, threads that move and nodes.

#include "model_checker/harnesses/shared_harnesses.hpp"
#include "model_checker/harnesses/try_harnesses.hpp"
#include "model_checker/subject.hpp"
#include "synchro/locks/phase_fair.hpp"

namespace synchro::model_checker {

namespace {

using word = explored::atomic<std::uint32_t>;

constexpr lock_traits flawed{.judgement = "never", .citation = "none"};
constexpr auto is_zero = [](std::uint32_t v) { return v == 0; };
constexpr auto is_set = [](std::uint32_t v) { return v == 1; };

/// Slots are found by the rest of a division by three, which jumps where the number wraps: two have the same slot.
struct array_of_three {
  static constexpr lock_traits traits = flawed;
  explicit array_of_three(first_ticket first = {}) : next{first.number} {
    slots[first.number % 3].store(1, memory_order::relaxed);
  }
  void lock() {
    const std::uint32_t mine = next.fetch_add(1, memory_order::relaxed);
    explored::await(slots[mine % 3], memory_order::acquire, is_set);
    slots[mine % 3].store(0, memory_order::relaxed);
    holder = mine;
  }
  void unlock() { slots[(holder + 1) % 3].store(1, memory_order::release); }
  std::array<word, 3> slots;
  word next;
  explored::plain<std::uint32_t> holder{0};
};

/// Takes its turn when a number as large as its own is served: at the wrap all are.
struct ticket_that_compares {
  static constexpr lock_traits traits = flawed;
  explicit ticket_that_compares(first_ticket first = {}) : next{first.number}, serving{first.number} {}
  void lock() {
    const std::uint32_t mine = next.fetch_add(1, memory_order::relaxed);
    explored::await(serving, memory_order::acquire, [mine](std::uint32_t s) { return s >= mine; });
  }
  void unlock() { serving.store(serving.load(memory_order::relaxed) + 1, memory_order::release); }
  word next;
  word serving;
};

/// A lock that takes turns by one word.
struct simple {
  static constexpr lock_traits traits = flawed;
  void lock() { explored::exchange_until(held, 1, is_zero, memory_order::acquire); }
  bool try_lock() { return held.exchange(1, memory_order::acquire) == 0; }
  void unlock() { held.store(0, memory_order::release); }
  word held{0};
};

/// Whoever finds it new makes it free, though another may have done that and taken it.
struct made_at_first_use : simple {
  word ready{0};
  void lock() {
    if (ready.load(memory_order::acquire) == 0) {
      held.store(0, memory_order::relaxed);
      ready.store(1, memory_order::release);
    }
    simple::lock();
  }
};

/// Releases the queue of the domain in which the thread is by then.
struct reads_domain_twice {
  static constexpr lock_traits traits{.judgement = "never", .domain_aware = true, .citation = "none"};
  std::array<simple, 2> domains;
  simple all;
  void lock() {
    domains[explored::domain() % 2].lock();
    all.lock();
  }
  void unlock() {
    all.unlock();
    domains[explored::domain() % 2].unlock();
  }
};

/// The same, and asks so often that a thread that moves to and fro is always found where it was.
struct reads_domain_in_pairs : reads_domain_twice {
  void lock() {
    (void)explored::domain();
    reads_domain_twice::lock();
  }
  void unlock() {
    (void)explored::domain();
    reads_domain_twice::unlock();
  }
};

struct never_gives_up : simple {
  bool try_lock_for(std::chrono::nanoseconds) {
    lock();
    return true;
  }
};

/// By a moment it is had, and not taken.
struct takes_nothing_in_time : simple {
  bool try_lock_for(std::chrono::nanoseconds) { return try_lock(); }
  bool try_lock_until(explored::clock::time_point) { return held.load(memory_order::relaxed) == 0; }
};

struct never_succeeds : simple {
  bool try_lock() { return false; }
};

/// Is not had, now and then, though nobody has it.
struct tries_weakly : simple {
  bool try_lock() {
    std::uint32_t seen = 0;
    return held.compare_exchange_weak(seen, 1, memory_order::acquire, memory_order::relaxed);
  }
};

/// Goes to sleep after a number of looks and tells nobody.
struct sleeps_at_round_100 {
  static constexpr lock_traits traits = flawed;
  word state{0};
  void lock() {
    using answer = attempt<std::uint32_t>;
    const auto come_in = [](std::uint32_t v, std::uint32_t round) {
      if (v == 0) return answer::write(1);
      return round == 100 ? answer::decline() : answer::retry();
    };
    while (!explored::update(state, come_in, memory_order::acquire, memory_order::relaxed).written)
      explored::park(state, 1, explored::never);
  }
  void unlock() {
    if (state.exchange(0, memory_order::release) == 2) explored::unpark(&state, 1);
  }
};

/// A CLH queue that gives its own node to the pool, at which the next in line still looks, and not the one before it.
struct gives_its_node {
  struct node {
    word waiting{0};
    explored::plain<node*> pool_next{nullptr};
    explored::plain<node*> pool_batch{nullptr};
  };
  using pool = node_pool<explored, node>;
  static constexpr lock_traits traits = flawed;
  explored::atomic<node*> tail{pool::take()};
  explored::plain<node*> holder{nullptr};
  void lock() {
    node* const mine = pool::take();
    mine->waiting.store(1, memory_order::relaxed);
    node* const before = tail.exchange(mine, memory_order::acq_rel);
    explored::await(before->waiting, memory_order::acquire, is_zero);
    holder = mine;
  }
  void unlock() {
    node* const mine = holder;
    mine->waiting.store(0, memory_order::release);
    pool::give(mine);
  }
};

/// An MCS queue that gives its node to the pool and then releases by it. Nobody has it before the thread takes one again, unless
/// the thread is about to end: then the pool hands it on at once.
struct gives_before_it_releases {
  struct node {
    explored::atomic<node*> next{nullptr};
    word granted{0};
    explored::plain<node*> pool_next{nullptr};
    explored::plain<node*> pool_batch{nullptr};
  };
  using pool = node_pool<explored, node>;
  static constexpr lock_traits traits = flawed;
  explored::atomic<node*> tail{nullptr};
  explored::plain<node*> holder{nullptr};
  void lock() {
    node* const mine = pool::take();
    mine->next.store(nullptr, memory_order::relaxed);
    mine->granted.store(0, memory_order::relaxed);
    if (node* const before = tail.exchange(mine, memory_order::acq_rel); before != nullptr) {
      before->next.store(mine, memory_order::release);
      explored::await(mine->granted, memory_order::acquire, is_set);
    }
    holder = mine;
  }
  void unlock() {
    node* const mine = holder;
    pool::give(mine);
    node* last = mine;
    if (tail.compare_exchange_strong(last, nullptr, memory_order::release, memory_order::relaxed)) return;
    node* const next = explored::await(mine->next, memory_order::acquire, [](const node* n) { return n != nullptr; });
    next->granted.store(1, memory_order::release);
  }
};

/// Who gives up leaves a node, however many there are, until somebody unlocks.
struct abandons_for_ever : simple {
  struct node {
    explored::plain<node*> pool_next{nullptr};
    explored::plain<node*> pool_batch{nullptr};
    explored::plain<node*> before{nullptr};
  };
  using pool = node_pool<explored, node>;
  explored::plain<node*> abandoned{nullptr};  // the holder's; here only one thread gives up
  bool try_lock_for(std::chrono::nanoseconds) {
    if (try_lock()) return true;
    node* const mine = pool::take();
    mine->before = static_cast<node*>(abandoned);
    abandoned = mine;
    return false;
  }
  void unlock() {
    while (abandoned != nullptr) {
      node* const one = abandoned;
      abandoned = static_cast<node*>(one->before);
      pool::give(one);
    }
    simple::unlock();
  }
};

/// A phase-fair lock whose writers take their signs from their tickets. A try that fails spends one, so that two writers in a row
/// have the same sign: a reader that looks late waits for the second, and that one for the reader.
struct signs_of_tickets {
  using bits = detail::phase_word;
  static constexpr lock_traits traits = flawed;
  word in{0}, out{0}, next{0}, serving{0};

  void lock() {
    const std::uint32_t ticket = next.fetch_add(1, memory_order::relaxed);
    explored::await(serving, memory_order::acquire, [ticket](std::uint32_t s) { return s == ticket; });
    const std::uint32_t came = in.fetch_add(1 + ticket % 2, memory_order::relaxed);
    explored::await(out, memory_order::acquire, [came](std::uint32_t left) { return left == came; });
  }
  bool try_lock() {
    std::uint32_t ticket = serving.load(memory_order::acquire);
    if (!next.compare_exchange_strong(ticket, ticket + 1, memory_order::relaxed, memory_order::relaxed)) return false;
    std::uint32_t all = out.load(memory_order::acquire);
    const std::uint32_t closed = all | bits::sign_of_trial;
    if (in.compare_exchange_strong(all, closed, memory_order::relaxed, memory_order::relaxed)) return true;
    leave();
    return false;
  }
  void unlock() {
    in.fetch_and(~bits::sign, memory_order::release);
    leave();
  }
  void lock_shared() { bits::enter<explored, spin>(in); }
  void unlock_shared() { out.fetch_add(bits::reader, memory_order::release); }

 private:
  void leave() { serving.store(serving.load(memory_order::relaxed) + 1, memory_order::release); }
};

/// The one who opens asks whether somebody sleeps; nothing orders that behind the opening, so the system may find the
/// door closed on behalf of who comes to sleep next.
program parks_on_a_stale_value() {
  struct scene {
    word open{0};
    word sleepers{0};
  };
  stage<scene> s{"open for a sleeper", 2};
  s.does([](scene& it, unsigned t) {
    if (t == 0) {
      it.open.store(1, memory_order::relaxed);
      if (it.sleepers.fetch_add(0, memory_order::relaxed) != 0) explored::unpark(&it.open, 1);
      return;
    }
    it.sleepers.fetch_add(1, memory_order::relaxed);
    explored::park(it.open, 0, explored::never);
  });
  return s.done();
}

template <class Lock>
program play(const char* name, const parts& some, std::optional<first_ticket> first = {}) {
  program p =
      lock_programs{lock_type_of<Lock>()}.play(name, some, {.team = {}, .first = first, .pass_limit = {}}).done();
  p.counts_nodes = false;
  return p;
}

}  // namespace

void add_seeded_locks(subjects& to);
void add_seeded_locks(subjects& to) {
  const parts once_each{{deed::lock}, {deed::lock}};
  const parts twice_each{{deed::lock, deed::lock}, {deed::lock, deed::lock}};
  const parts three{{deed::lock}, {deed::lock}, {deed::lock}};
  const auto moving = [](program p) {
    p.moves = true;
    p.domains = {0, 0};
    return p;
  };
  to.push_back(
      seeded("array_of_three", cold(play<array_of_three>("lock 3x1, numbers wrap", three, first_ticket{~0U - 1}))));
  to.push_back(seeded("ticket_that_compares",
                      cold(play<ticket_that_compares>("lock 2x1, numbers wrap", once_each, first_ticket{~0U}))));
  to.push_back(seeded("made_at_first_use", cold(play<made_at_first_use>("lock 2x1", once_each))));
  to.push_back(seeded("reads_domain_twice", moving(play<reads_domain_twice>("lock 2x2, threads move", twice_each))));
  to.push_back(
      seeded("reads_domain_in_pairs", moving(play<reads_domain_in_pairs>("lock 2x2, threads move", twice_each))));
  to.push_back(seeded("never_gives_up", try_harnesses{lock_type_of<never_gives_up>()}.timed_beside_a_keeper()));
  to.push_back(seeded("takes_nothing_in_time", try_harnesses{lock_type_of<takes_nothing_in_time>()}.timed_alone()));
  to.push_back(seeded("never_succeeds", try_harnesses{lock_type_of<never_succeeds>()}.alone()));
  to.push_back(seeded("tries_weakly", try_harnesses{lock_type_of<tries_weakly>()}.alone()));
  to.push_back(seeded("sleeps_at_round_100", play<sleeps_at_round_100>("lock 2x1", once_each)));
  to.push_back(seeded("gives_its_node", play<gives_its_node>("lock 2x2", twice_each)));
  to.push_back(
      seeded("gives_before_it_releases", lock_programs{lock_type_of<gives_before_it_releases>()}.held_to_the_end()));
  to.push_back(seeded("abandons_for_ever", try_harnesses{lock_type_of<abandons_for_ever>()}.gives_up_often()));
  to.push_back(seeded("signs_of_tickets", shared_harnesses{lock_type_of<signs_of_tickets>()}.try_between_turns()));
  to.push_back(seeded("parks_on_a_stale_value", parks_on_a_stale_value()));
}

}  // namespace synchro::model_checker
