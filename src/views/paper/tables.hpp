// The measured tables of David, Guerraoui, Trigonakis: Everything You Always Wanted to Know About Synchronization but
// Were Afraid to Ask, SOSP 2013, to stand beside this machine's numbers. The data is in the CSV files of this folder.

#ifndef SYNCHRO_VIEWS_PAPER_TABLES_HPP
#define SYNCHRO_VIEWS_PAPER_TABLES_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace synchro::views::paper {

extern const char* const table1;  ///< CSV: property, then one column for each platform.
extern const char* const table2;  ///< CSV: operation, state, platform, distance, cycles.
extern const char* const table3;  ///< CSV: level, then one column for each platform.

extern const char* const table4;             ///< CSV: call, then one column for each operating system, in microseconds.
extern const char* const figure_points_csv;  ///< CSV: its first lines say what its columns are.
extern const char* const throttle_logs_csv;  ///< CSV: machine, permits, seconds.
extern const char* const core_to_core_csv;   ///< CSV: its first lines say what it is; levels of machines, near to far.

/// A column of Table 2: a platform and a distance on it.
struct place {
  std::string platform;
  std::string distance;
};

/// "opteron", "xeon", "niagara", "tilera", as in the files; and the name people read.
[[nodiscard]] const std::vector<std::string>& platforms();
[[nodiscard]] std::string title(const std::string& platform);

/// A machine and the medians of its levels in nanoseconds, near to far.
struct core_levels {
  std::string machine;
  std::size_t processors;
  std::vector<double> medians;
};
[[nodiscard]] const std::vector<core_levels>& core_to_core();

/// Table 2's columns, in the paper's order.
[[nodiscard]] const std::vector<place>& places();
/// Cycles of Table 2; where it has one number for all atomic operations, that one. Nothing where it is empty.
[[nodiscard]] std::optional<double> remote_cycles(const std::string& operation, const std::string& state,
                                                  const place& where);
/// Cycles of Table 3.
[[nodiscard]] std::optional<double> local_cycles(const std::string& level, const std::string& platform);
/// A property of Table 1, empty if it is not there: platform_fact("opteron", "cores") is "48".
[[nodiscard]] std::string platform_fact(const std::string& platform, const std::string& property);

/// What the paper's text says of one of its figures, which were published as pictures.
struct figure_point {
  int figure;
  std::vector<std::string> platforms;  ///< "opteron"
  std::string section, words;          ///< "5.4"; a sentence without its full stop, or empty.
  /// A place in the figure: by metric, unit and values of axes as this program has them. Not every sentence has one.
  struct place {
    std::string metric, unit;
    std::map<std::string, std::vector<std::string>> at;  ///< Axes and their values, any of which is meant.
    std::optional<std::int64_t> x;                       ///< Threads or clients; nothing: a height of the whole figure.
    double value;
    double to;          ///< Where a range ends; a single number ends where it begins.
    std::string bound;  ///< "up to", "more than", or empty.
  };
  std::optional<place> drawn;
};
/// The points of the figures that a text names: "Fig. 5 (one lock) and Fig. 7 (512 locks)".
[[nodiscard]] std::vector<figure_point> figure_points(const std::string& figures);

/// The overhead paper's rows, as it names them, and its systems: "win7", "winxp", "ubuntu1004".
[[nodiscard]] const std::vector<std::string>& calls();
[[nodiscard]] const std::vector<std::string>& systems();
[[nodiscard]] std::string system_title(const std::string& system);
/// Which of the rows a call is, however it is spelt ("release_mutex" is "ReleaseMutex"); behind them all if it is none.
[[nodiscard]] std::size_t call_rank(const std::string& call);
[[nodiscard]] std::optional<double> call_microseconds(const std::string& call, const std::string& system);
[[nodiscard]] const char* calls_source();

/// The throttle article's logs: seconds by the number of permits, 0 being no semaphore.
struct throttle_log {
  std::string machine;  ///< "Core i3 M380 (2 cores 4 threads; Windows 7)"
  std::map<std::int64_t, double> seconds;
};
[[nodiscard]] const std::vector<throttle_log>& throttle_logs();

}  // namespace synchro::views::paper

#endif
