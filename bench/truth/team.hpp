// Threads of a bare program that do the same thing again and again.

#ifndef BENCH_TRUTH_TEAM_HPP
#define BENCH_TRUTH_TEAM_HPP

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"

namespace plain {

/// A thread on each of these processors; all begin together, and each calls what make(me) gives it, `act()`, for 20 ms.
/// Nanoseconds from one call to the next, of all threads together; negative if a thread could not be pinned.
template <class Make>
double together(const std::vector<int>& cpus, Make make) {
  constexpr double window_ns = 20e6;
  constexpr int between_looks = 500;
  struct alignas(128) share {
    double begin = 0, end = 0, calls = 0;
  };
  std::vector<share> shares(cpus.size());
  std::atomic<std::size_t> there{0};
  std::atomic<bool> unpinned{false};
  std::vector<std::thread> team;
  for (std::size_t me = 0; me != cpus.size(); ++me)
    team.emplace_back([&, me] {
      if (!bare::pin(cpus[me])) unpinned = true;
      auto act = make(me);
      ++there;
      while (there.load() != cpus.size()) bare::rest();
      share mine;
      mine.begin = mine.end = bare::now_ns();
      for (; mine.end - mine.begin < window_ns; mine.end = bare::now_ns(), mine.calls += between_looks)
        for (int i = 0; i != between_looks; ++i) act();
      shares[me] = mine;
    });
  for (std::thread& t : team) t.join();
  double begin = shares[0].begin, end = 0, calls = 0;
  for (const share& s : shares) begin = std::min(begin, s.begin), end = std::max(end, s.end), calls += s.calls;
  return unpinned ? -1 : (end - begin) / calls;
}

/// Goes through a list again and again, and from round to round puts what is to be done beside the next place: the same again
/// would find done what it is about to do.
template <class T>
class round {
 public:
  struct errand {
    const T& where;
    const T& what;
  };

  explicit round(const std::vector<T>& all) : all_{all} {}
  errand next() {
    const errand one{all_[where_], all_[what_]};
    step(what_);
    step(where_);
    if (where_ == 0) step(what_);
    return one;
  }

 private:
  void step(std::size_t& at) const {
    if (++at == all_.size()) at = 0;
  }

  std::vector<T> all_;
  std::size_t where_ = 0, what_ = 0;
};

}  // namespace plain

#endif
