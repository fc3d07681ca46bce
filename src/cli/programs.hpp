// The programs that stand beside this one, by the names of their files.

#ifndef SYNCHRO_CLI_PROGRAMS_HPP
#define SYNCHRO_CLI_PROGRAMS_HPP

namespace synchro::cli {

inline constexpr const char* measure_program = "synchroscope-measure";  ///< This one with all bodies.
inline constexpr const char* simulate_program = "synchroscope-simulate";
inline constexpr const char* verify_program = "synchroscope-verify";
inline constexpr const char* interpose_program = "synchroscope-interpose";
inline constexpr const char* fleet_program = "synchroscope-fleet";

}  // namespace synchro::cli

#endif
