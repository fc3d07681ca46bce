// The laboratory on a simulated machine: what experiments ask beyond what algorithms do (measure/laboratory.hpp).

#ifndef SYNCHRO_SIMULATOR_LABORATORY_HPP
#define SYNCHRO_SIMULATOR_LABORATORY_HPP

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "measure/laboratory.hpp"
#include "simulator/simulated.hpp"
#include "synchro/os.hpp"

namespace synchro::simulator {

/// Works in the current world. Its clock is the simulated one, whose readings cost nothing.
struct laboratory {
  using machine = simulated;

  static measure::team_report team(const std::vector<unsigned>& processors, unsigned n,
                                   const std::function<void(unsigned)>& body) {
    world::current().team(processors, n, body);
    return {};
  }

  static std::uint64_t now() { return world::current().now(); }
  static double to_ns(std::uint64_t t) { return world::current().machine().ns_of(t); }
  static double cycles_to_ns(double cycles) { return cycles / world::current().machine().ghz(); }
  static void work(std::uint64_t cycles) {
    if (world::inside()) world::current().work(cycles * per_cycle);
  }
  /// The line of one of the next operations, which do not depend on this one; `operations_ahead` of them are known.
  static unsigned operations_ahead() { return world::current().ahead(); }
  static void expect(const void* p) {
    if (world::inside()) (void)world::current().ask_ahead(access::prefetch, p);
  }
  static void flush(const void* p) {
    if (world::inside()) world::current().flush(p);
  }
  static constexpr bool can_flush() noexcept { return true; }

  /// On lines of its own, and not beside another's; given back with the world. A thread that makes it has written it, as a
  /// system writes zeros where a page is touched first.
  class fresh_memory {
   public:
    explicit fresh_memory(std::size_t bytes) : data_{world::current().allocate(bytes, 2 * cpu::cache_line)} {
      if (world::inside()) world::current().has_written(data_, bytes);
    }
    [[nodiscard]] void* data() const noexcept { return data_; }

   private:
    void* data_;
  };
  template <class T>
  using fresh = measure::fresh_object<fresh_memory, T>;
};

static_assert(measure::laboratory<laboratory>);

}  // namespace synchro::simulator

#endif
