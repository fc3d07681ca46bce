#include "simulations/program_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "results/text.hpp"
#include "results/units.hpp"
#include "simulations/program.hpp"

namespace synchro::simulations {

extern const char* const program_errors_csv;  ///< Made by CMake.

/// One lock and number of threads of one program: a row.
struct program_errors::place {
  std::string program, recorded_lock, lock;
  std::int64_t recorded_threads = 1, threads = 1;
  double measured = 1;
  std::vector<double> runs;  ///< What was predicted.
};

/// The rows of a table, one after the other.
class program_errors::reader {
 public:
  reader(program_errors& to, std::string_view csv) : to_{to} {
    bool headed = false;
    for (std::size_t begin = 0; begin < csv.size();) {
      const std::size_t end = std::min(csv.find('\n', begin), csv.size());
      std::string_view text = csv.substr(begin, end - begin);
      begin = end + 1;
      ++line_;
      if (text.ends_with('\r')) text.remove_suffix(1);
      if (text.empty() || text.front() == '#') continue;
      if (headed) take(text);
      if (!headed && text != columns) fail(fmt::format("its columns must be {}", columns));
      headed = true;
    }
    if (!headed) throw std::runtime_error(fmt::format("it has no line of columns: {}", columns));
  }
  [[nodiscard]] const std::vector<place>& places() const { return places_; }

 private:
  static constexpr std::int64_t most_threads = 1'000'000;
  static constexpr std::size_t most_runs = 1000;

  [[noreturn]] void fail(const std::string& why) const {
    throw std::runtime_error(fmt::format("line {}: {}", line_, why));
  }

  template <class Number>
  Number number(const std::string& text, Number least, Number most) const {
    Number v{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc{} || end != text.data() + text.size() || !(v >= least && v <= most))
      fail(fmt::format("'{}' is no number from {} to {}", results::printable(text, 40), least, most));
    return v;
  }
  [[nodiscard]] std::int64_t count(const std::string& text) const {
    return number<std::int64_t>(text, 1, most_threads);
  }
  [[nodiscard]] double amount(const std::string& text) const { return number(text, 1e-100, 1e100); }

  void take(std::string_view text) {
    static const std::size_t many = results::split(columns).size();
    const std::vector<std::string> f = results::split(text);
    if (f.size() != many) fail(fmt::format("it has {} fields, not {}", f.size(), many));
    take_machine(f[0], static_cast<std::size_t>(count(f[1])), number(f[2], 1.0, 1e6));
    place p{f[3], f[4], f[6], count(f[5]), count(f[7]), amount(f[8]), {}};
    for (const std::string& run : results::split(f[9], ' ')) p.runs.push_back(amount(run));
    if (!places_.empty() && p.runs.size() != places_.front().runs.size()) fail("it has more or fewer runs than others");
    if (p.runs.size() > most_runs) fail(fmt::format("it has more than {} runs", most_runs));
    if (!seen_.insert(fmt::format("{},{},{}", p.program, p.lock, p.threads)).second) fail("it says the same again");
    places_.push_back(std::move(p));
  }

  void take_machine(const std::string& name, std::size_t processors, double model_error) {
    if (places_.empty())
      to_.machine_ = results::printable(name, 80), to_.processors_ = processors, to_.model_error_ = model_error;
    if (to_.machine_ != results::printable(name, 80) || to_.processors_ != processors ||
        to_.model_error_ != model_error)
      fail("it is of another machine or model than the first");
  }

  program_errors& to_;
  std::size_t line_ = 0;
  std::vector<place> places_;
  std::set<std::string> seen_;
};

namespace {

double needed(const spread& s, double measured) { return std::max({1.0, s.least / measured, measured / s.most}); }

std::string in_words(const error_kind& k) {
  static const std::map<told_of, const char*> locks{{told_of::recorded_lock, "the recorded lock"},
                                                    {told_of::other_lock, "another lock"},
                                                    {told_of::comparison, "another lock beside it"}};
  return fmt::format("{}, {}", simulations::in_words(k.threads), locks.at(k.what));
}

}  // namespace

const char* in_words(team_size threads) {
  static const std::map<team_size, const char*> all{{team_size::fewer, "fewer threads"},
                                                    {team_size::recorded, "as many threads as recorded"},
                                                    {team_size::more, "more threads, a processor each"},
                                                    {team_size::oversubscribed, "more threads than processors"}};
  return all.at(threads);
}

team_size team_size_of(std::int64_t threads, std::int64_t recorded, std::int64_t processors) {
  if (threads > processors) return team_size::oversubscribed;
  return threads < recorded ? team_size::fewer : threads > recorded ? team_size::more : team_size::recorded;
}

program_errors::program_errors(std::string_view csv) { compare(reader{*this, csv}.places()); }

void program_errors::compare(const std::vector<place>& all) {
  std::map<std::pair<std::string, std::int64_t>, const place*> with_its_own;
  for (const place& p : all)
    if (p.lock == p.recorded_lock) with_its_own[{p.program, p.threads}] = &p;
  for (const place& p : all) {
    const team_size threads = team_size_of(p.threads, p.recorded_threads, static_cast<std::int64_t>(processors_));
    const bool own = p.lock == p.recorded_lock;
    all_.push_back({{threads, own ? told_of::recorded_lock : told_of::other_lock},
                    p.program,
                    needed(spread_of(p.runs), p.measured)});
    const auto beside = with_its_own.find({p.program, p.threads});
    if (own || beside == with_its_own.end()) continue;
    const place& base = *beside->second;
    all_.push_back({{threads, told_of::comparison},
                    p.program,
                    needed(spread_between(p.runs, base.runs), p.measured / base.measured)});
  }
}

std::optional<widening> program_errors::measured(const error_kind& k, const std::string& without) const {
  std::map<std::string, double> most;
  for (const score& e : all_)
    if (e.of == k && e.program != without) most[e.program] = std::max(most[e.program], e.times);
  if (most.empty()) return std::nullopt;
  std::vector<double> ordered;
  for (const auto& [program, times] : most) ordered.push_back(times);
  std::sort(ordered.begin(), ordered.end());
  const std::size_t n = ordered.size(), rank = std::min(n, (wanted_of_ten * (n + 1) + 9) / 10);
  return widening{ordered[rank - 1], n, rank, true};
}

widening program_errors::widening_of(const error_kind& k) const {
  if (const auto its_own = measured(k)) return *its_own;
  widening widest{1, 0, 0, false};
  for (const team_size threads : all_team_sizes)
    if (const auto other = measured({threads, k.what}); other && other->times >= widest.times) widest = *other;
  widest.measured = false;
  return widest;
}

std::vector<program_errors::judged> program_errors::each_by_the_others() const {
  std::vector<judged> found;
  for (const team_size threads : all_team_sizes)
    for (const told_of what : all_told_of) {
      const error_kind k{threads, what};
      const auto all = measured(k);
      if (!all || all->programs < 2) continue;
      judged j{k, *all};
      std::map<std::string, bool> whole;
      for (const score& e : all_) {
        if (!(e.of == k)) continue;
        const bool inside = e.times <= measured(k, e.program)->times;
        ++j.places, j.inside += inside ? 1 : 0;
        bool& all_inside = whole.try_emplace(e.program, true).first->second;
        all_inside = all_inside && inside;
      }
      j.programs = whole.size();
      for (const auto& [program, all_of_it] : whole) j.wholly_inside += all_of_it ? 1 : 0;
      found.push_back(j);
    }
  return found;
}

const program_errors& measured_program_errors() {
  static const program_errors all{program_errors_csv};
  return all;
}

std::string program_errors_in_words(const program_errors& errors) {
  const auto all = errors.each_by_the_others();
  if (all.empty()) return "No two programs were measured, so none can be judged by the others.\n";
  std::string text = fmt::format(
      "Programs on {} with {} processors. Each is judged by the others alone: of its places, how many lie in the "
      "intervals that these give.\n\n",
      errors.machine(), errors.processors());
  text += fmt::format("{:<52} {:>8} {:>9} {:>18} {:>20}\n", "", "wider by", "holds in", "places inside",
                      "programs all inside");
  for (const auto& j : all)
    text +=
        fmt::format("{:<52} {:>8} {:>9} {:>18} {:>20}\n", in_words(j.of), results::digits(j.all.times),
                    fmt::format("{} of {}", j.all.rank, j.all.programs + 1),
                    fmt::format("{} of {}", j.inside, j.places), fmt::format("{} of {}", j.wholly_inside, j.programs));
  return text;
}

}  // namespace synchro::simulations
