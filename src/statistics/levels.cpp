#include "statistics/levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>

#include "statistics/statistics.hpp"

namespace synchro::statistics {

namespace {

struct edge {
  std::size_t to;
  double length;
};

/// Prim's: the tree of least edges, by things; empty if it does not reach all.
std::vector<std::vector<edge>> least_tree(const distances& d) {
  const std::size_t n = d.size();
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<std::vector<edge>> tree(n);
  std::vector<double> nearest(n, never);
  std::vector<std::size_t> from(n, 0);
  std::vector<bool> reached(n, false);
  std::size_t last = 0;
  for (std::size_t step = 1; step < n; ++step) {
    reached[last] = true;
    std::size_t next = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (reached[i]) continue;
      if (d.known(last, i) && d.between(last, i) < nearest[i]) nearest[i] = d.between(last, i), from[i] = last;
      if (nearest[i] < never && (next == n || nearest[i] < nearest[next])) next = i;
    }
    if (next == n) return {};
    tree[next].push_back({from[next], nearest[next]});
    tree[from[next]].push_back({next, nearest[next]});
    last = next;
  }
  return tree;
}

/// From one thing along the tree to all: the largest step on the way.
std::vector<double> largest_steps(const std::vector<std::vector<edge>>& tree, std::size_t from) {
  std::vector<double> largest(tree.size(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> open{{from, from}};
  while (!open.empty()) {
    const auto [at, before] = open.back();
    open.pop_back();
    for (const edge& e : tree[at])
      if (e.to != before) {
        largest[e.to] = std::max(largest[at], e.length);
        open.emplace_back(e.to, at);
      }
  }
  return largest;
}

struct joining {
  std::size_t a, b;
  double height;
};

/// Average linkage by chains of nearest neighbours, in the order of heights.
class linkage {
 public:
  explicit linkage(distances d) : d_{std::move(d)}, members_(d_.size(), 1) {}

  std::vector<joining> all() {
    std::vector<joining> found;
    std::vector<std::size_t> chain;
    while (found.size() + 1 < d_.size()) {
      if (chain.empty()) chain.push_back(first_open());
      const std::size_t last = chain.back(), near = nearest(last, chain.size() > 1 ? chain[chain.size() - 2] : last);
      if (chain.size() < 2 || near != chain[chain.size() - 2]) {
        chain.push_back(near);
        continue;
      }
      found.push_back({near, last, d_.between(near, last)});
      join(near, last);
      chain.resize(chain.size() - 2);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const joining& x, const joining& y) { return x.height < y.height; });
    return found;
  }

 private:
  std::size_t first_open() const {
    return static_cast<std::size_t>(std::find_if(members_.begin(), members_.end(), [](double m) { return m > 0; }) -
                                    members_.begin());
  }
  /// Among those that are equally near it is `preferred`, or a chain would never end.
  std::size_t nearest(std::size_t of, std::size_t preferred) const {
    std::size_t best = preferred;
    for (std::size_t i = 0; i < d_.size(); ++i)
      if (i != of && members_[i] > 0 && (best == of || d_.between(of, i) < d_.between(of, best))) best = i;
    return best;
  }
  void join(std::size_t kept, std::size_t gone) {
    const double k = members_[kept], g = members_[gone];
    for (std::size_t i = 0; i < d_.size(); ++i)
      if (i != kept && i != gone && members_[i] > 0)
        d_.set(kept, i, (k * d_.between(kept, i) + g * d_.between(gone, i)) / (k + g));
    members_[kept] += members_[gone];
    members_[gone] = 0;
  }

  distances d_;
  std::vector<double> members_;
};

/// Groups after the first `count` joinings.
level groups_after(const std::vector<joining>& joinings, std::size_t count, std::size_t n) {
  std::vector<std::size_t> parent(n);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (std::size_t i = 0; i < count; ++i) parent[root(joinings[i].b)] = root(joinings[i].a);
  level l;
  std::vector<std::size_t> number(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t& of_root = number[root(i)];
    if (of_root == n) of_root = l.groups++;
    l.group_of.push_back(of_root);
  }
  return l;
}

std::vector<std::size_t> sizes_of(const level& l) {
  std::vector<std::size_t> sizes(l.groups, 0);
  for (const std::size_t g : l.group_of) ++sizes[g];
  return sizes;
}

/// How many things have other company in the coarser level. Levels are nested, so groups differ if their sizes do.
std::size_t moved(const level& fine, const level& coarse) {
  const auto before = sizes_of(fine), after = sizes_of(coarse);
  std::size_t count = 0;
  for (std::size_t i = 0; i < fine.group_of.size(); ++i)
    if (before[fine.group_of[i]] != after[coarse.group_of[i]]) ++count;
  return count;
}

void add_distances(std::vector<level>& levels, const distances& d) {
  std::vector<std::vector<double>> within(levels.size());
  for (std::size_t a = 0; a < d.size(); ++a)
    for (std::size_t b = a + 1; b < d.size(); ++b) {
      if (!d.known(a, b)) continue;
      const auto joins = [&](const level& l) { return l.group_of[a] == l.group_of[b]; };
      const auto first = std::find_if(levels.begin(), levels.end(), joins);
      within[static_cast<std::size_t>(first - levels.begin())].push_back(d.between(a, b));
    }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (within[i].empty()) continue;
    const auto [least, most] = std::minmax_element(within[i].begin(), within[i].end());
    levels[i].least = *least;
    levels[i].most = *most;
    levels[i].median = results::median(within[i]);
  }
}

}  // namespace

bool level::regular() const {
  const auto sizes = sizes_of(*this);
  return std::all_of(sizes.begin(), sizes.end(), [&](std::size_t s) { return s == sizes.front(); });
}

bool complete(distances& d) {
  const auto tree = least_tree(d);
  if (tree.empty()) return d.size() < 2;
  for (std::size_t a = 0; a < d.size(); ++a) {
    std::vector<double> steps;
    for (std::size_t b = a + 1; b < d.size(); ++b) {
      if (d.known(a, b)) continue;
      if (steps.empty()) steps = largest_steps(tree, a);
      d.set(a, b, steps[b]);
    }
  }
  return true;
}

std::vector<level> levels_of(const distances& d) {
  const std::size_t n = d.size();
  if (n < 2) return {};
  distances whole = d;
  if (!complete(whole)) throw std::invalid_argument{"no way joins all"};
  const std::vector<joining> joinings = linkage{std::move(whole)}.all();
  std::vector<level> levels;
  for (std::size_t i = 0; i < joinings.size(); ++i) {
    const bool last = i + 1 == joinings.size();
    if (!last && joinings[i + 1].height < levels_apart * joinings[i].height) continue;
    level l = groups_after(joinings, i + 1, n);
    const bool same = !levels.empty() && 2 * moved(levels.back(), l) < n;
    if (same) levels.pop_back();
    levels.push_back(std::move(l));
  }
  add_distances(levels, d);
  return levels;
}

}  // namespace synchro::statistics
