// The system's part of openmp.hpp: how a runtime is loaded, and what it leaves behind.

#ifndef SYNCHRO_PEERS_WAKES_OPENMP_SYSTEM_HPP
#define SYNCHRO_PEERS_WAKES_OPENMP_SYSTEM_HPP

#include <stdexcept>
#include <string>

namespace synchro::peers::detail {

/// The OpenMP runtimes.
enum class openmp { gnu, llvm, microsoft };

/// A runtime's shared library, loaded for good: its threads outlive any use of it. They are told to sleep between regions,
/// not to spin.
class openmp_library {
 public:
  /// Throws std::runtime_error if it is not installed.
  explicit openmp_library(openmp which);

  /// The function of that name in the runtime's binary interface. Throws std::runtime_error if there is none.
  template <class F>
  F* find(const char* symbol) const {
    void* const found = address_of(symbol);
    if (found == nullptr) throw std::runtime_error{std::string{"this OpenMP runtime has no "} + symbol};
    return reinterpret_cast<F*>(found);
  }

 private:
  [[nodiscard]] void* address_of(const char* symbol) const;

  void* handle_ = nullptr;
};

/// Removes the file by which LLVM's runtime announces itself to other copies of it in the process, if it makes one here: now,
/// and in each child that is forked.
void withdraw_announcement();

}  // namespace synchro::peers::detail

#endif
