// The phases of an execution, and the objects of the program. What steps do: world_steps.cpp; how they are told:
// world_text.cpp.

#include "model_checker/world.hpp"

#include <algorithm>
#include <cstring>

#include "model_checker/hashing.hpp"

namespace synchro::model_checker {

world::world(const program& what, world_options how) : program_{what}, options_{how}, mem_{arena_, how.with_fences} {
  arena_.reuses(how.freed);
}

world::~world() {
  if (!start_) return;
  restore();
  run_main(program_.abandon);
}

void world::thread::reset() {
  fiber.reset();
  stack = {};
  pending = nullptr;
  history = 0;
  now = 0;
  operations = 0;
  transactions = 0;
  touches = 0;
  spurious = 0;
  weak_failures = 0;
  away = false;
  woken = false;
  finished = false;
  outside = 0;
  locals.clear();
  exits.clear();
}

// ---- phases

void world::set_up() {
  arena_.clear();
  mem_.clear();
  book_.clear();
  globals_.clear();
  threads_[main_thread].reset();
  mem_.start(main_thread);
  const bool done = run_main([this] {
    const noting all{true};
    program_.set_up();
  });
  note_no_more();
  if (!done) return;
  mem_.finish(main_thread);
  arena_.keep();
  const thread& main = threads_[main_thread];
  start_.emplace(state{mem_, book_, globals_, main.locals, main.outside, main.now, mem_.fields_outside(), {}});
  if (start_->by_new.keep()) return;
  start_.reset();
  refuted_ = refutation{"too large", "the program takes too many pieces of memory by new", true};
}

void world::restore() {
  arena_.restore();
  for (const memory::kept_field& f : start_->outside) std::memcpy(f.address, f.bytes.data(), f.bytes.size());
  mem_ = start_->mem;
  book_ = start_->book;
  globals_ = start_->globals;
  thread& main = threads_[main_thread];
  main.locals = start_->main_locals;
  main.outside = start_->main_outside;
  main.now = start_->main_now;
  main.operations = 0;
}

bool world::run_main(const std::function<void()>& part) {
  refuted_.reset();
  impure_ = nullptr;
  exploring_ = false;
  self_ = main_thread;
  threads_[main_thread].operations = threads_[main_thread].touches = 0;
  threads_[main_thread].fiber.emplace(stacks_, part);
  return resume(main_thread);
}

bool world::resume(unsigned t) {
  world* const before = current_;
  current_ = this;
  self_ = t;
  threads_[t].fiber->resume();
  current_ = before;
  return !refuted_;
}

void world::live(unsigned t) {
  thread& mine = threads_[t];
  if (program_.warm_up) program_.warm_up(t);
  mine.fiber->suspend();  // the start line
  program_.body(t);
  if (is_in_transaction()) be_impossible();
  if (program_.explores_exits) run_exits();
  mine.finished = true;
  mem_.finish(t);
  mine.fiber->suspend();  // the finish line
  if (program_.cool_down) program_.cool_down(t);
  if (!program_.explores_exits) run_exits();
}

/// Hooks may ask for more while they run.
void world::run_exits() {
  auto& exits = threads_[self_].exits;
  while (!exits.empty()) {
    const auto [f, p] = exits.back();
    exits.pop_back();
    f(p);
  }
}

bool world::begin() {
  // What a thread has destroyed of it, in an execution that was not gone on with to its end, cannot be restored.
  if (start_ && !start_->by_new.is_whole()) start_.reset();
  if (start_)
    restore();
  else
    set_up();
  if (!start_) return false;
  refuted_.reset();
  impure_ = nullptr;
  monitor_ = {};
  calls_ = {};
  exploring_ = counts_ = impossible_ = false;
  for (unsigned t = 0; t < program_.threads; ++t) {
    thread& each = threads_[t];
    each.reset();
    each.fiber.emplace(stacks_, [this, t] { live(t); });
    each.stack = each.fiber->on();
    mem_.start(t);
    mem_.inform(t, main_thread);
  }
  return warm_up();
}

bool world::warm_up() {
  for (unsigned t = 0; t < program_.threads; ++t) {
    if (!resume(t)) return false;
    mem_.advance(t);
  }
  pass_line();
  exploring_ = true;
  for (unsigned t = 0; t < program_.threads; ++t) {
    mem_.advance(t);  // what follows is not known to the others
    threads_[t].operations = 0;
    settle_of(t, 0);
    if (!resume(t)) return false;
  }
  return true;
}

/// All wait for all.
void world::pass_line() {
  for (unsigned t = 0; t < program_.threads; ++t) mem_.inform(main_thread, t);
  for (unsigned t = 0; t < program_.threads; ++t) mem_.inform(t, main_thread);
}

bool world::end() {
  exploring_ = false;
  pass_line();
  for (unsigned t = 0; t < program_.threads; ++t) {
    if (!resume(t)) return false;
    mem_.advance(t);
    pass_line();
  }
  if (!nothing_else_changed()) return false;
  start_.reset();  // what it describes is about to be destroyed
  if (!run_main(program_.check)) return false;
  return !program_.counts_nodes || run_main([this] { count_nodes(); });
}

/// Whether what was set up has changed only where the machine knows of it: in its fields and in what threads have of
/// their own. A change elsewhere is one that no race would be found on.
bool world::nothing_else_changed() {
  std::vector<std::byte> expected = arena_.kept_bytes();
  const auto take_over = [&](const void* at, std::size_t size) {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(at) - arena_.begin());
    if (offset < expected.size()) std::memcpy(expected.data() + offset, at, std::min(size, expected.size() - offset));
  };
  mem_.each_field(take_over);
  arena_.each_freed_since_kept(take_over);
  for (unsigned t = 0; t < all_threads; ++t)
    for (const object& o : threads_[t].locals) take_over(o.at, o.bytes);
  if (start_->by_new.changed_apart_from([this](auto take) { mem_.each_field(take); }) != nullptr) {
    refuted_ = refutation{"memory", "shared memory that was taken by new is changed outside of atomic and plain"};
    return false;
  }
  const auto differs = std::mismatch(expected.begin(), expected.end(), arena_.begin());
  if (differs.first == expected.end()) return true;
  refuted_ = refutation{"memory", "shared memory is changed outside of atomic and plain: " +
                                      name(reinterpret_cast<std::uint64_t>(differs.second))};
  return false;
}

/// All nodes are in a pool: there is no other memory besides what threads and the machine keep for themselves.
void world::count_nodes() {
  counts_ = true;
  threads_[main_thread].touches = 0;
  std::size_t others = globals_.size() + threads_[main_thread].locals.size();
  for (unsigned t = 0; t < program_.threads; ++t) others += threads_[t].locals.size();
  const std::size_t made = arena_.blocks_alive();
  std::size_t pooled = 0;
  for (std::size_t i = 0; i < pools_.size(); ++i)
    for (std::size_t before = arena_.blocks_alive(); pooled <= made; ++pooled) {  // more if one is in a pool twice
      const std::size_t own = threads_[main_thread].locals.size() + globals_.size();
      pools_[i]();
      const std::size_t grown = threads_[main_thread].locals.size() + globals_.size() - own;
      if (arena_.blocks_alive() != before + grown) break;  // it had to make one
      before += grown;
    }
  if (made != others + pooled)
    fail("leak", std::to_string(made - others) + " nodes were made, and the pool has " + std::to_string(pooled));
}

bool world::all_finished() const {
  return std::all_of(threads_.begin(), threads_.begin() + program_.threads, [](const thread& t) { return t.finished; });
}

void world::fail(std::string what, std::string detail) {
  refuted_ = refutation{std::move(what), std::move(detail)};
  for (;;) threads_[self_].fiber->suspend();
}

void world::give_up(std::string what, std::string detail) {
  refuted_ = refutation{std::move(what), std::move(detail), true};
  for (;;) threads_[self_].fiber->suspend();
}

unsigned world::read_domain() {
  if (program_.moves && exploring_) {
    operation op;
    op.what = action::locate;
    op.count = 0;
    perform(op);
  }
  return domain_of(self_) + (threads_[self_].away ? 1 : 0);
}

// ---- calls

void world::begin_call(const call& made) {
  const noting none{false};
  if (!calls_.begin(self_, made, mem_.kept_before(self_)))
    give_up("bound exceeded",
            "a thread makes more than " + std::to_string(recorder::most_of_a_thread) + " calls that are recorded");
}

void world::end_call(std::optional<std::uint64_t> result) { mem_.keep_moment(self_, calls_.end(self_, result)); }

// ---- objects

std::uint64_t world::name_for(const void* address) {
  const auto value = reinterpret_cast<std::uint64_t>(address);
  if (arena_.contains(value)) return arena_.canonical(value);
  thread& mine = threads_[self_];
  const auto bottom = reinterpret_cast<std::uint64_t>(mine.stack.bottom);
  const std::uint64_t who = std::uint64_t{self_ + 1} << 32;
  if (value - bottom < mine.stack.size) return scatter(who | (value - bottom));
  return scatter(who << 16 | ++mine.outside);
}

void world::make_word(const void* address, std::uint64_t value) {
  const noting none{false};
  if (mem_.words() == max_words) give_up("too large", "more than " + std::to_string(max_words) + " atomics");
  book_.set(reinterpret_cast<std::uint64_t>(address), mem_.add_word(self_, value, name_for(address)) * 2);
}

void world::end_word(const void* address) {
  const noting none{false};
  const auto key = reinterpret_cast<std::uint64_t>(address);
  const std::uint32_t id = book_.find(key);
  if (id == address_book::nothing || id % 2 != 0) fail("memory", "an atomic is destroyed that is not there");
  mem_.remove_word(id / 2);
  book_.set(key, address_book::nothing);
}

void world::make_field(void* address, std::size_t size) {
  const noting none{false};
  const auto id = mem_.add_field(self_, address, static_cast<std::uint32_t>(size), name_for(address));
  book_.set(reinterpret_cast<std::uint64_t>(address), id * 2 + 1);
}

void world::end_field(const void* address) {
  const noting none{false};
  const auto key = reinterpret_cast<std::uint64_t>(address);
  const std::uint32_t id = book_.find(key);
  if (id == address_book::nothing || id % 2 != 1) fail("memory", "a field is destroyed that is not there");
  if (!mem_.write_field(self_, id / 2)) fail("data race", "a field is destroyed while another thread may access it");
  mem_.remove_field(id / 2);
  book_.set(key, address_book::nothing);
}

void world::bury(extent from, extent to) {
  for (auto w = from.words; w < to.words; ++w) mem_.remove_word(static_cast<memory::word_id>(w));
  for (auto i = from.fields; i < to.fields; ++i) {
    const auto f = static_cast<memory::field_id>(i);
    if (!mem_.write_field(self_, f)) fail("data race", "a field is destroyed while another thread may access it");
    mem_.remove_field(f);
  }
}

void world::touch(const void* field, bool writes) {
  const noting none{false};
  if (asking_) {
    impure_ = "it touches a field that threads share";
    return;
  }
  if (++threads_[self_].touches > max_touches) {  // a list that leads back into itself
    if (counts_) fail("leak", "a node is in a pool twice");
    give_up("bound exceeded", "a thread touches " + std::to_string(max_touches) + " fields between two steps");
  }
  const std::uint32_t id = book_.find(reinterpret_cast<std::uint64_t>(field));
  if (id == address_book::nothing || id % 2 != 1 || (exploring_ && !mem_.is_field_alive(id / 2)))
    fail("memory", std::string{writes ? "writes" : "reads"} +
                       " a field that is not there: " + name(reinterpret_cast<std::uint64_t>(field)));
  if (is_in_transaction()) mem_.visit(self_, {true, id / 2}, writes);
  if (writes ? mem_.write_field(self_, id / 2) : mem_.read_field(self_, id / 2)) return;
  fail("data race", std::string{"thread "} + static_cast<char>('a' + self_) + (writes ? " writes " : " reads ") +
                        name(reinterpret_cast<std::uint64_t>(field)) +
                        " while another thread's access does not happen before");
}

void world::after_read(const void* value, std::size_t size) {
  if (asking_) return;
  std::uint64_t& what_it_read = threads_[self_].history;
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t part = 0;
    std::memcpy(&part, static_cast<const char*>(value) + at, std::min<std::size_t>(8, size - at));
    what_it_read = chain(what_it_read, arena_.canonical(part));
  }
}

void* world::allocate(std::size_t bytes) {
  const noting none{false};
  void* const p = arena_.allocate(self_, bytes);
  if (p == nullptr) give_up("too large", "the program needs more memory than there is");
  return p;
}

void world::free(void* p) {
  const noting none{false};
  if (!arena_.alive(reinterpret_cast<std::uint64_t>(p))) fail("memory", "memory is freed twice");
  arena_.free(self_, p);
}

std::pair<void*, bool> world::local(const void* kind, std::size_t bytes) {
  const noting none{false};
  auto& mine = threads_[self_].locals;
  for (const object& o : mine)
    if (o.kind == kind) return {o.at, false};
  void* const p = allocate(bytes);
  mine.push_back({kind, p, static_cast<std::uint32_t>(bytes)});
  return {p, true};
}

/// A global object stands there before anybody runs: made by the main thread, and known to all.
std::pair<void*, bool> world::begin_global(const void* kind, std::size_t bytes) {
  const noting none{false};
  for (const object& o : globals_)
    if (o.kind == kind) return {o.at, false};
  self_before_global_ = self_;
  self_ = main_thread;
  void* const p = allocate(bytes);
  globals_.push_back({kind, p, static_cast<std::uint32_t>(bytes)});
  return {p, true};
}

void world::end_global() { self_ = self_before_global_; }

// ---- hashing

void world::settle_of(unsigned t, std::uint64_t next) {
  std::uint64_t h = chain(0x5e77'1e, next);
  for (const object& o : threads_[t].locals)
    for (std::uint32_t at = 0; at < o.bytes; at += 8) {
      std::uint64_t part = 0;
      std::memcpy(&part, static_cast<const char*>(o.at) + at, std::min<std::uint32_t>(8, o.bytes - at));
      h = chain(h, arena_.canonical(part));
    }
  threads_[t].history = h;
}

std::uint64_t world::hash() const {
  std::uint64_t h = mem_.hash();
  for (unsigned t = 0; t < program_.threads; ++t) {
    const thread& each = threads_[t];
    if (each.finished) {
      h = chain(h, 1);
      continue;
    }
    h = chain(h, each.history);
    const bool sleeps = each.pending->what == action::sleep;
    h = chain(h, static_cast<std::uint64_t>(each.now) << 16 | std::uint64_t{each.weak_failures} << 8 |
                     std::uint64_t{each.spurious} << 3 | std::uint64_t{each.away} << 2 |
                     std::uint64_t{each.woken} << 1 | std::uint64_t{sleeps});
    if (each.pending->what == action::exchange_until) h = chain(h, each.pending->expected);
  }
  if (const std::uint64_t of_calls = calls_.hash(); of_calls != 0) h = chain(h, of_calls);
  return program_.watches_order ? chain(h, monitor_.hash()) : h;
}

}  // namespace synchro::model_checker
