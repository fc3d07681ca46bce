// A lock of the user's own, in a header that is no part of this house: where a lock is named, the header may be.
//
// The header defines synchro::basic_<stem>_lock<Machine, Waiting>, as those of the library do. Which waiting policies it allows
// a comment says as the catalog would: "// lock <stem> : spin spin_yield"; without one it is tried under `spin`. It is compiled
// into a module for each program that asks for it (src/own_lock, platform/module.hpp).

#ifndef SYNCHRO_TERMINAL_OWN_LOCK_HPP
#define SYNCHRO_TERMINAL_OWN_LOCK_HPP

#include <string>
#include <vector>

namespace synchro::terminal {

/// What it is compiled for: a program of this house, or the interposer.
enum class own_lock_use { measure, simulate, verify, with };

struct own_lock {
  std::string path;  ///< The header's, from the root.
  std::string stem;  ///< What it is called by, as "mcs" is.
  std::vector<std::string> policies;
};

/// Whether a word names a header and no lock of the catalog.
[[nodiscard]] bool names_header(const std::string& word);

/// Throws failure (usage): the header is not there, or defines no lock.
[[nodiscard]] own_lock read_own_lock(const std::string& header);

/// Throws failure (usage) if its name is one of these: the catalog's lock would be taken in its place.
void refuse_taken(const own_lock& lock, const std::vector<std::string>& names);

/// The lock as a module for this use, which is compiled if need be. Throws failure: usage if it does not compile, cannot if
/// nothing can be compiled here.
[[nodiscard]] std::string module_of(const own_lock& lock, own_lock_use use);

/// Takes it into the program, once; the names that it has there, one for each policy. Throws failure.
[[nodiscard]] std::vector<std::string> load_own_lock(const std::string& header, own_lock_use use);

/// The function of a module that takes its lock into the program and adds its names.
using own_lock_entry = void (*)(std::vector<std::string>& names);
inline constexpr const char* own_lock_entry_name = "synchroscope_own_lock";

}  // namespace synchro::terminal

#endif
