// The words by which this program is told to answer queries for another process.

#ifndef SYNCHRO_EXPERIMENTS_DATABASE_LINUX_PROTOCOL_HPP
#define SYNCHRO_EXPERIMENTS_DATABASE_LINUX_PROTOCOL_HPP

namespace synchro::experiments::database::protocol {

inline constexpr const char* mark = "tpch-for-another-process";
inline constexpr const char* load = "load";      ///< LIBRARIES DATABASE DATA
inline constexpr const char* answer = "answer";  ///< LIBRARIES DATABASE SCALE THREADS ROUNDS

}  // namespace synchro::experiments::database::protocol

#endif
