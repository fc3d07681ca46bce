// Nested groups in the distances between things, such as the processors of a machine: hardware threads of a core, cores of a
// die, dies of a package.
//
// The problem. Times between processors scatter, some were not measured, and a few are far off. Groups must come out of all of
// them, and how many levels of groups there are is not known.
//
// The rule. Average linkage (Sokal and Michener 1958) joins the two groups whose members are nearest in the mean, until one
// group is left; each joining has a height, that mean. A level ends where the next height is `levels_apart` times as much or
// more. A few outliers must not make a level of their own: if less than half of all things have other company than in the level
// before, that level is dropped, and the coarser one stays.

#ifndef SYNCHRO_STATISTICS_LEVELS_HPP
#define SYNCHRO_STATISTICS_LEVELS_HPP

#include <cstddef>
#include <vector>

namespace synchro::statistics {

inline constexpr double levels_apart = 1.25;
/// Processors that hand a line over sooner share the first level of cache, as hardware threads of a core do: measured were
/// 4 to 12 ns between those, and 15 ns and more between cores.
inline constexpr double hardware_threads_ns = 14;

/// Distances between n things, the same both ways; above 0, or not known.
class distances {
 public:
  explicit distances(std::size_t n) : n_{n}, all_(n * n, not_known) {}

  [[nodiscard]] std::size_t size() const { return n_; }
  [[nodiscard]] double between(std::size_t a, std::size_t b) const { return all_[a * n_ + b]; }
  [[nodiscard]] bool known(std::size_t a, std::size_t b) const { return between(a, b) > 0; }
  void set(std::size_t a, std::size_t b, double d) { all_[a * n_ + b] = all_[b * n_ + a] = d; }

 private:
  static constexpr double not_known = 0;

  std::size_t n_;
  std::vector<double> all_;
};

/// What is not known becomes the least that the largest step of a way over others can be. False if there is no way.
[[nodiscard]] bool complete(distances& d);

struct level {
  std::vector<std::size_t> group_of;  ///< Each thing's group; groups are numbered by their first members.
  std::size_t groups = 0;
  double median = 0, least = 0, most = 0;  ///< Over the known distances that are within groups here and not before.

  /// The same number of members in each group.
  [[nodiscard]] bool regular() const;
};

/// From near to far; the last level is one group of all. A single thing has no level. Throws std::invalid_argument where no way
/// joins all.
[[nodiscard]] std::vector<level> levels_of(const distances& d);

}  // namespace synchro::statistics

#endif
