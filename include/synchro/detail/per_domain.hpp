// One object per cache domain.
//
// Locks that keep threads of one domain together have a queue or a counter for each domain. The domains come from a
// shape, which sizes and never limits: a thread whose domain() lies beyond it shares with another domain, which costs
// speed and nothing else. The table of pointers is written once, so its lines stay in every cache.

#ifndef SYNCHRO_DETAIL_PER_DOMAIN_HPP
#define SYNCHRO_DETAIL_PER_DOMAIN_HPP

#include <memory>
#include <vector>

#include "synchro/domains.hpp"  // Machine::domain() of hardware
#include "synchro/shape.hpp"
#include "synchro/version.hpp"

namespace synchro {
inline namespace SYNCHRO_ABI {

/// A `T`, aligned as T asks, for each domain of a shape; each is made from the same arguments.
template <class Machine, class T>
class per_domain {
 public:
  template <class... Args>
  explicit per_domain(const shape& team, const Args&... args) {
    objects_.reserve(team.domains());
    for (std::size_t i = 0; i < team.domains(); ++i) objects_.emplace_back(Machine::template make<T>(args...));
  }

  /// The calling thread's. Asked again it may be another, for threads migrate. Where there is one domain, nobody is asked.
  [[nodiscard]] T& mine() const { return objects_.size() == 1 ? *objects_.front() : (*this)[Machine::domain()]; }

  [[nodiscard]] T& operator[](unsigned domain) const {
    const auto known = static_cast<unsigned>(objects_.size());
    return *objects_[domain < known ? domain : domain % known];
  }

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(objects_.size()); }

 private:
  struct destroyer {
    void operator()(T* object) const { Machine::destroy(object); }
  };
  std::vector<std::unique_ptr<T, destroyer>> objects_;
};

}  // namespace SYNCHRO_ABI
}  // namespace synchro

#endif
