// How far predictions of whole programs were off where these programs ran, and how wide an interval must be for that.
//
// The problem. The seven runs of a cell (program.hpp) hold what the model may be off by, but neither the recording's error nor
// the system's: most measured medians lie outside of them. Places of one program are off together, so 18 places of seven
// programs are seven errors and not 126.
//
// The rule. Split conformal prediction with programs as groups (Vovk, Gammerman, Shafer 2005; for groups Dunn, Wasserman, Ramdas
// 2023), about intervals that are there already (Romano, Patterson, Candes 2019). A place needs its interval wider by as many
// times, both ways, as what was measured lies outside. A program counts once, by the place that needs most. If n programs and
// a further one are exchangeable, the further one needs no more than the kth of the n, in ascending order, with a chance of at
// least k / (n + 1). That is nine of ten from nine programs on; with fewer the largest is taken, and its chance told. It holds for all
// of a program's places of a kind at once, so a lock may be chosen by looking at all of them.
//
// What it does not give. Another machine is not exchangeable with the one of the errors.

#ifndef SYNCHRO_SIMULATIONS_PROGRAM_ERRORS_HPP
#define SYNCHRO_SIMULATIONS_PROGRAM_ERRORS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::simulations {

/// What a prediction is about, beside what was recorded. Errors of one kind are not those of another.
enum class team_size : std::uint8_t { fewer, recorded, more, oversubscribed };  ///< `more`: with a processor each.
enum class told_of : std::uint8_t { recorded_lock, other_lock, comparison };    ///< Of one lock with the recorded one.
inline constexpr std::array all_team_sizes{team_size::fewer, team_size::recorded, team_size::more,
                                           team_size::oversubscribed};
inline constexpr std::array all_told_of{told_of::recorded_lock, told_of::other_lock, told_of::comparison};

struct error_kind {
  team_size threads = team_size::recorded;
  told_of what = told_of::recorded_lock;
  bool operator==(const error_kind&) const = default;
};
/// "more threads, a processor each"
[[nodiscard]] const char* in_words(team_size threads);
[[nodiscard]] team_size team_size_of(std::int64_t threads, std::int64_t recorded, std::int64_t processors);

/// How many times wider an interval becomes, both ways.
struct widening {
  double times = 1;
  std::size_t programs = 0;  ///< That it is from;
  std::size_t rank = 0;      ///< of one more, an interval holds in so many.
  bool measured = true;      ///< False: none of this kind was, and the widest of the others is taken.
};

class program_errors {
 public:
  static constexpr const char* columns =
      "machine,processors,model_error,program,recorded_lock,recorded_threads,lock,threads,measured,runs";
  static constexpr std::size_t wanted_of_ten = 9;

  /// Lines that begin with # are passed over; the first other one is `columns`. Throws std::runtime_error with one sentence.
  explicit program_errors(std::string_view csv);

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::string& machine() const {
    return machine_;
  }  ///< Its processor's name, as the system has it.
  [[nodiscard]] std::size_t processors() const { return processors_; }
  /// What the runs held of the model's (model_error): runs that hold less are not what was held against the truth.
  [[nodiscard]] double model_error() const { return model_error_; }

  /// Of what was measured of this kind, or else of the kind that needs most; of nothing at all, 1 and no programs.
  [[nodiscard]] widening widening_of(const error_kind& k) const;

  /// Programs of a kind, each judged by the others alone.
  struct judged {
    error_kind of;
    widening all;  ///< By all of them.
    std::size_t places = 0, inside = 0, programs = 0, wholly_inside = 0;
  };
  [[nodiscard]] std::vector<judged> each_by_the_others() const;

 private:
  struct place;
  struct score {
    error_kind of;
    std::string program;
    double times;
  };
  class reader;

  [[nodiscard]] std::optional<widening> measured(const error_kind& k, const std::string& without = {}) const;
  void compare(const std::vector<place>& all);

  std::string machine_;
  std::size_t processors_ = 0;
  double model_error_ = 1;
  std::vector<score> all_;
};

/// What is part of this program: program_errors.csv, which says where it is from.
[[nodiscard]] const program_errors& measured_program_errors();

/// The kinds, and how many places and programs lie within the intervals that the other programs give.
[[nodiscard]] std::string program_errors_in_words(const program_errors& errors);

}  // namespace synchro::simulations

#endif
