// A brute-force enumerator of the axiomatic model that the explored machine declares: RC11 without sequentially
// consistent accesses, with the release sequences of C++20. It tries every reads-from and every modification order and
// keeps those that the axioms allow. Nothing here is shared with the machine.

#include <algorithm>
#include <bit>
#include <optional>

#include "model_checker/litmus.hpp"

namespace synchro::tests {

namespace {

using std::memory_order;

using id = std::size_t;
constexpr id most = 64;
constexpr id none = ~id{0};

/// A relation over so many events.
struct relation {
  explicit relation(id events) : size{events} {}

  id size;
  std::array<std::uint64_t, most> row{};

  [[nodiscard]] bool has(id a, id b) const { return (row[a] >> b & 1) != 0; }
  void set(id a, id b) { row[a] |= std::uint64_t{1} << b; }
  relation& add(const relation& other) {
    for (id a = 0; a < size; ++a) row[a] |= other.row[a];
    return *this;
  }
  [[nodiscard]] relation then(const relation& next) const {
    relation r{size};
    for (id a = 0; a < size; ++a)
      for (std::uint64_t left = row[a]; left != 0; left &= left - 1)
        r.row[a] |= next.row[static_cast<id>(std::countr_zero(left))];
    return r;
  }
  [[nodiscard]] relation closed() const {
    relation r = *this;
    for (id k = 0; k < size; ++k)
      for (id a = 0; a < size; ++a)
        if (r.has(a, k)) r.row[a] |= r.row[k];
    return r;
  }
  [[nodiscard]] bool reflexive_somewhere() const {
    for (id a = 0; a < size; ++a)
      if (has(a, a)) return true;
    return false;
  }
  [[nodiscard]] bool cyclic() const { return closed().reflexive_somewhere(); }
};

struct event {
  enum kind : std::uint8_t { initial, read, write, fence } what;
  int thread;  // -1: the initial writes
  unsigned location = 0;
  std::uint32_t value = 0;
  memory_order order = memory_order::relaxed;
  id partner = none;  // the other half of a read-modify-write
  bool adds = false;  // writes the sum of what it has read and its value
  bool plain = false;
  std::optional<std::uint32_t> reads = {};  // nothing else
};

bool acquires(memory_order o) { return o == memory_order::acquire || o == memory_order::acq_rel; }
bool releases(memory_order o) { return o == memory_order::release || o == memory_order::acq_rel; }

class enumerator {
 public:
  enumerator(const litmus& test, model which, bool one_is_enough = false)
      : test_{test}, which_{which}, one_is_enough_{one_is_enough} {
    for (unsigned l = 0; l < test.locations; ++l)
      events_.push_back({event::initial, -1, l, l < test.initial.size() ? test.initial[l] : 0});
    for (std::size_t t = 0; t < test.threads.size(); ++t) add_thread(static_cast<int>(t), test.threads[t]);
    const id n = events_.size();
    sb_.size = n;
    for (id a = 0; a < n; ++a)
      for (id b = 0; b < n; ++b)
        if (a != b &&
            (events_[a].thread == -1 ? events_[b].thread != -1 : events_[a].thread == events_[b].thread && a < b))
          sb_.set(a, b);
    orders_.resize(test.locations);
    for (id e = 0; e < test.locations; ++e) orders_[e].push_back(e);
    source_.assign(events_.size(), none);
  }

  results all() {
    choose_order(0);
    return std::move(found_);
  }
  [[nodiscard]] bool races() const { return races_; }

 private:
  void add_thread(int t, const std::vector<instruction>& code) {
    for (const instruction& i : code) {
      const id next = events_.size();
      const event read{event::read, t, i.location, 0, i.order, none, false, i.plain, i.reads};
      const event write{event::write, t, i.location, i.value, i.order, none, i.what == instruction::add, i.plain};
      switch (i.what) {
        case instruction::load:
          events_.push_back(read);
          break;
        case instruction::store:
          events_.push_back(write);
          break;
        case instruction::add:
        case instruction::exchange:
          events_.push_back(read);
          events_.back().partner = next + 1;
          events_.push_back(write);
          events_.back().partner = next;
          break;
        case instruction::fence:
          events_.push_back({event::fence, t});
          break;
      }
    }
  }

  [[nodiscard]] bool is_write(id e) const {
    return events_[e].what == event::write || events_[e].what == event::initial;
  }

  /// The initial write stays first; what one thread writes comes in its order, as the axioms ask for, too.
  void choose_order(unsigned location) {
    if (location == test_.locations) return choose_source(0);
    std::vector<std::vector<id>> left(test_.threads.size());
    for (id e = 0; e < events_.size(); ++e)
      if (events_[e].what == event::write && events_[e].location == location)
        left[static_cast<std::size_t>(events_[e].thread)].push_back(e);
    orders_[location].resize(1);
    extend_order(location, left, std::vector<std::size_t>(left.size(), 0));
  }

  void extend_order(unsigned location, const std::vector<std::vector<id>>& left, std::vector<std::size_t> done) {
    bool is_whole = true;
    for (std::size_t t = 0; t < left.size(); ++t) {
      if (done[t] == left[t].size()) continue;
      is_whole = false;
      const id next = left[t][done[t]];
      if (!may_follow(orders_[location].back(), next)) continue;
      orders_[location].push_back(next);
      ++done[t];
      extend_order(location, left, done);
      --done[t];
      orders_[location].pop_back();
    }
    if (is_whole) {
      const auto kept = orders_;  // those of later locations are chosen anew
      choose_order(location + 1);
      orders_ = kept;
    }
  }

  /// The write of a read-modify-write follows what it has read.
  [[nodiscard]] bool may_follow(id before, id next) const {
    const id read = events_[next].partner;
    return read == none || !events_[read].reads || !known_value(before) || known_value(before) == events_[read].reads;
  }

  void choose_source(std::size_t e) {
    if (one_is_enough_ && !found_.empty()) return;
    while (e < events_.size() && events_[e].what != event::read) ++e;
    if (e == events_.size()) return judge();
    for (const id w : orders_[events_[e].location]) {
      if (w == events_[e].partner || (events_[e].reads && known_value(w) != events_[e].reads)) continue;
      if (events_[e].partner != none && place(events_[e].partner) != place(w) + 1) continue;
      source_[e] = w;
      choose_source(e + 1);
    }
  }

  /// Nothing if it depends on what is read.
  [[nodiscard]] std::optional<std::uint32_t> known_value(id w) const {
    return events_[w].adds ? std::nullopt : std::optional{events_[w].value};
  }

  [[nodiscard]] std::ptrdiff_t place(id w) const {
    const auto& order = orders_[events_[w].location];
    return std::find(order.begin(), order.end(), w) - order.begin();
  }

  /// Who synchronizes with whom: from a release write, or a fence before a write, through the read-modify-writes that
  /// follow it, to an acquire read, or a fence behind a read.
  [[nodiscard]] relation synchronizes(const relation& rf) const {
    const id n = events_.size();
    relation sw{n};
    for (id head = 0; head < n; ++head) {
      if (events_[head].what != event::write) continue;
      std::vector<id> sequence{head};
      for (std::size_t i = 0; i < sequence.size(); ++i)
        for (id r = 0; r < n; ++r)
          if (rf.has(sequence[i], r) && events_[r].partner != none) sequence.push_back(events_[r].partner);
      for (const id w : sequence)
        for (id r = 0; r < n; ++r)
          if (rf.has(w, r)) connect(sw, head, r);
    }
    return sw;
  }

  void connect(relation& sw, id head, id read) const {
    std::vector<id> from, to;
    if (releases(events_[head].order)) from.push_back(head);
    if (acquires(events_[read].order)) to.push_back(read);
    for (id f = 0; f < events_.size(); ++f) {
      if (events_[f].what != event::fence) continue;
      if (sb_.has(f, head)) from.push_back(f);
      if (sb_.has(read, f)) to.push_back(f);
    }
    for (const id a : from)
      for (const id b : to) sw.set(a, b);
  }

  void judge() {
    const id n = events_.size();
    relation rf{n}, mo{n}, fr{n};
    for (id r = 0; r < n; ++r)
      if (events_[r].what == event::read) rf.set(source_[r], r);
    for (const auto& order : orders_)
      for (std::size_t i = 0; i < order.size(); ++i)
        for (std::size_t k = i + 1; k < order.size(); ++k) mo.set(order[i], order[k]);
    for (id r = 0; r < n; ++r)
      for (id w = 0; w < n; ++w)
        if (events_[r].what == event::read && is_write(w) && w != events_[r].partner && mo.has(source_[r], w))
          fr.set(r, w);
    for (id r = 0; r < n; ++r)  // the write half of a read-modify-write comes after what was read, too
      if (events_[r].what == event::read && events_[r].partner != none) fr.set(r, events_[r].partner);

    relation hb = sb_;
    hb = hb.add(synchronizes(rf)).closed();
    relation eco = rf;
    eco = eco.add(mo).add(fr).closed();
    if (hb.reflexive_somewhere() || hb.then(eco).reflexive_somewhere()) return;
    relation order = sb_;
    if (order.add(rf).cyclic()) return;
    relation psc = hb;
    psc.add(hb.then(eco).then(hb));
    std::uint64_t fences = 0;
    for (id e = 0; e < n; ++e)
      if (events_[e].what == event::fence) fences |= std::uint64_t{1} << e;
    for (id a = 0; a < n; ++a) psc.row[a] &= (fences >> a & 1) != 0 ? fences : 0;
    if (psc.cyclic()) return;
    if (which_ == model::declared && order.add(psc).cyclic()) return;
    races_ = races_ || has_race(hb);
    note();
  }

  /// Two threads touch a field at the same time, and one of them writes it.
  [[nodiscard]] bool has_race(const relation& hb) const {
    for (id a = 0; a < events_.size(); ++a)
      for (id b = 0; b < events_.size(); ++b)
        if (events_[a].plain && events_[a].what == event::write && events_[b].plain && a != b &&
            events_[a].location == events_[b].location && !hb.has(a, b) && !hb.has(b, a))
          return true;
    return false;
  }

  /// Values follow the sources, which have no cycle.
  std::uint32_t value_of(id e) const {
    const event& it = events_[e];
    if (it.what == event::read) return value_of(source_[e]);
    return it.adds ? value_of(it.partner) + it.value : it.value;
  }

  void note() {
    result one;
    for (std::size_t e = 0; e < events_.size(); ++e)
      if (events_[e].what == event::read) one.push_back(value_of(e));
    for (const auto& order : orders_) one.push_back(value_of(order.back()));
    found_.insert(one);
  }

  const litmus& test_;
  const model which_;
  const bool one_is_enough_;
  std::vector<event> events_;
  relation sb_{0};
  std::vector<std::vector<id>> orders_;  // modification order of each location
  std::vector<id> source_;               // of each read
  results found_;
  bool races_ = false;
};

}  // namespace

results allowed_results(const litmus& test, model which) { return enumerator{test, which}.all(); }

judgement judge(const litmus& test) {
  enumerator all{test, model::declared, true};
  const bool is_allowed = !all.all().empty();
  return {is_allowed, all.races()};
}

}  // namespace synchro::tests
