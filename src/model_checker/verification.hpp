// Verifying subjects, and showing by mutants that the verification notices what it should.

#ifndef SYNCHRO_MODEL_CHECKER_VERIFICATION_HPP
#define SYNCHRO_MODEL_CHECKER_VERIFICATION_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model_checker/mutation.hpp"
#include "model_checker/search.hpp"
#include "model_checker/subject.hpp"

namespace synchro::model_checker {

/// How much is spent on one program.
struct budget {
  std::uint64_t states = 150'000;       ///< Of a program that may be bounded; beyond it, fewer preemptions are tried.
  std::uint64_t exhausted = 4'000'000;  ///< Of one that may not.
  unsigned schedules = 0;               ///< Of each sample, at random.
  std::uint64_t seed = 1;
  unsigned processes = 0;  ///< Of mutants so many are tried at a time; 0: one on each processor.

  /// Whether it is the one for which fitting_bounds.txt says what fits.
  [[nodiscard]] bool is_standard() const {
    const budget standard{};
    return states == standard.states && exhausted == standard.exhausted;
  }
};
inline constexpr budget standard_budget{};
inline constexpr budget long_budget{4'000'000, 20'000'000, 20'000};

struct check_result {
  const program* what = nullptr;
  search_result outcome;
  std::optional<unsigned> preemptions;  ///< The bound under which it was explored; nothing: all schedules.
  bool sampled = false;
  double seconds = 0;  ///< With the attempts that did not fit.

  [[nodiscard]] bool holds() const { return outcome.result == search_result::proved || (sampled && !outcome.why); }
};

struct subject_result {
  const subject* of = nullptr;
  std::vector<check_result> checks;

  [[nodiscard]] bool holds() const;
  [[nodiscard]] std::uint64_t states() const;
  [[nodiscard]] double seconds() const;
  /// The first check that is refuted, or else the first that does not hold; null if there is none.
  [[nodiscard]] const check_result* failure() const;
};

/// Where a bound on preemptions is known to be the largest that fits, `fitting`, no other is tried unless it does not.
check_result verify(const check& c, const budget& b, std::optional<unsigned> fitting = {});
subject_result verify(const subject& s, const budget& b);

/// What became of a mutant.
struct mutant_result {
  mutation what;
  std::vector<std::string> subjects;  ///< That reach the site.
  std::string killed_by;              ///< Subject and program; empty if it survived.
  std::optional<refutation> why;
  std::string id;          ///< Of the counter-example.
  std::string argument;    ///< Why no program can kill one that survived; empty if nothing is argued.
  std::size_t number = 0;  ///< Among all mutants of the sites, not only those of the share.
};

/// Whether the mutant counts as one of orders (a store, a fence or a wake-up left out is); the others are of statements.
bool is_of_orders(const mutation& m);

/// One part of the mutants, of so many.
struct share {
  std::size_t part = 0;
  std::size_t of = 1;
};

/// All mutants of the sites that `some` reach. Which programs reach a site is looked for once, however many shares are tried.
class mutants {
 public:
  mutants(std::vector<const subject*> some, const budget& b);
  ~mutants();
  mutants(const mutants&) = delete;
  mutants& operator=(const mutants&) = delete;

  /// All of them or a share, split over the processors, each reported as soon as its result and that of those before it are
  /// known. One that their programs do not kill, and of which nothing is argued in equivalents.txt, is tried on all other
  /// subjects that reach it. Returns whether each is killed or argued.
  bool perform(const std::function<void(const mutant_result&)>& report, share which = {});

 private:
  struct reachable;
  std::unique_ptr<reachable> its_;
};

/// Those of one call.
inline bool mutate(const std::vector<const subject*>& some, const budget& b,
                   const std::function<void(const mutant_result&)>& report, share which = {}) {
  return mutants{some, b}.perform(report, which);
}

/// The sites that the subject's programs reach, by a short search.
std::set<site> sites_of(const subject& s, std::uint64_t states);

/// A counter-example's name: subject, program, schedule, and the mutant if there is one.
std::string id_of(const subject& s, const program& p, const std::vector<move>& schedule, const mutation* mutant);

struct counter_example {
  const subject* of = nullptr;
  const program* what = nullptr;
  std::optional<mutation> mutant;
  std::vector<move> schedule;
};
/// Nothing if the text names none; `why_not` says in a sentence what is wrong with it.
std::optional<counter_example> find_counter_example(std::string_view id, std::string& why_not);

}  // namespace synchro::model_checker

#endif
