// Which other programs use the processors: seen by looking twice at what the system has counted.

#ifndef SYNCHRO_PLATFORM_COMPANY_HPP
#define SYNCHRO_PLATFORM_COMPANY_HPP

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace synchro::platform {

/// What the system has counted up to now, in seconds of a processor.
struct used_time {
  struct program {
    std::string name;
    double seconds = 0;
  };
  double busy = 0;                   ///< Of the processors that were asked for, by whomever.
  std::map<long, program> programs;  ///< By process, without this one; empty where the system does not tell.
};
/// Nothing where the system does not tell. `root` is where its files are looked for.
[[nodiscard]] std::optional<used_time> time_used_so_far(const std::vector<unsigned>& cpus,
                                                        const std::string& root = "/");

/// What others took of the processors between two looks, as a number of processors.
struct company {
  struct program {
    std::string name;
    std::size_t processes;
    double processors;
  };
  double processors = 0;
  std::vector<program> programs;  ///< Programs that took a noticeable part, most first.
};
[[nodiscard]] company company_between(const used_time& first, const used_time& second, double seconds);

/// Whether measurements on so many processors suffer from it.
[[nodiscard]] bool disturbs(const company& others, std::size_t processors);

}  // namespace synchro::platform

#endif
