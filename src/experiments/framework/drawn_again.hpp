// Going through a list of drawn operations over and over.

#ifndef SYNCHRO_EXPERIMENTS_FRAMEWORK_DRAWN_AGAIN_HPP
#define SYNCHRO_EXPERIMENTS_FRAMEWORK_DRAWN_AGAIN_HPP

#include <cstddef>
#include <vector>

namespace synchro::experiments {

/// Takes where something is done from one entry and what is done from another. Both are the same in the first round; in each
/// further round the second is one entry further on. If both stayed together, a place whose entries only insert would be full
/// after the first round, and nearly no later update would change anything.
template <class T>
class drawn_again {
 public:
  struct entries {
    const T& where;
    const T& what;
  };

  /// The list is not empty, and outlives this.
  explicit drawn_again(const std::vector<T>& all)
      : first_{all.data()}, end_{first_ + all.size()}, where_{first_}, what_{first_} {}

  entries next() {
    const entries now{*where_, *what_};
    step(what_);
    if (++where_ == end_) [[unlikely]] {
      where_ = first_;
      step(what_);
    }
    return now;
  }

 private:
  void step(const T*& at) const {
    if (++at == end_) [[unlikely]]
      at = first_;
  }

  const T *first_, *end_, *where_, *what_;
};

}  // namespace synchro::experiments

#endif
