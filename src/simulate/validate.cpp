#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "claims/held_out.hpp"
#include "results/text.hpp"
#include "simulate/asked.hpp"
#include "simulations/claims.hpp"
#include "simulations/lock_curves.hpp"
#include "simulations/ranges.hpp"
#include "terminal/console.hpp"
#include "terminal/output.hpp"

namespace synchro::simulate {

using namespace cli;

namespace {

constexpr const char* title =
    "| # | section | platform | claim | class | verdict | over the ranges | the simulation says |\n"
    "|--:|---|---|---|---|---|---|---|\n";

/// A claim, what the models say to it, and whether it hangs on what they assume.
struct row {
  const claims::claim& about;
  simulations::score nominal;
  std::string over_ranges;

  [[nodiscard]] bool judged() const { return nominal.letter != '-'; }
  [[nodiscard]] bool predicted() const { return judged() && !nominal.given; }
  [[nodiscard]] std::string origin() const {
    if (!judged()) return "not put to a model";
    if (nominal.given) return "given to the models";
    return claims::may_set_constants(about.id) ? "predicted, though a constant may be set from it"
                                               : "predicted, and held out";
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("| {} | {} | {} | {} | {}{} | {} | {} | {} |\n", about.id, about.section, nominal.platform,
                       about.says, nominal.letter,
                       nominal.given                                         ? ", given"
                       : !predicted() || claims::may_set_constants(about.id) ? ""
                                                                             : ", held out",
                       to_string(nominal.found.is), over_ranges, nominal.found.sentence);
  }
};

/// The claims one by one, with the models as they are and at four corners of the ranges of their constants.
class scorer {
 public:
  explicit scorer(std::uint64_t seed) : as_they_are_{seed} {
    for (const simulations::corner& c : simulations::corners) at_corners_.emplace_back(seed, c);
  }

  /// The models that claims were put to so far.
  [[nodiscard]] std::vector<std::string> machines() const {
    std::vector<std::string> names = simulator::built_in_models();
    std::erase_if(names, [this](const std::string& name) { return !as_they_are_.has_asked(name); });
    return names;
  }

  row operator()(const claims::claim& c) {
    row r{c, simulations::score_of(c, as_they_are_), "-"};
    if (!r.predicted()) return r;
    std::array<claims::verdict, simulations::corners.size()> at{};
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = simulations::score_of(c, at_corners_[i]).found.is;
    r.over_ranges = simulations::over_ranges(r.nominal.found.is, at);
    return r;
  }

 private:
  simulations::prover as_they_are_;
  std::vector<simulations::prover> at_corners_;
};

/// How many claims of each verdict, apart by where what decides them comes from, and by class.
class ledger {
 public:
  void add(const row& r) {
    const std::string verdict = to_string(r.nominal.found.is);
    ++by_origin_[r.origin()][verdict];
    if (!r.predicted()) return;
    ++by_class_[fmt::format("class {}, predicted", r.nominal.letter)][verdict];
    ++over_ranges_[r.origin() + ", at all four corners that were tried"]
                  [r.over_ranges == verdict ? verdict : "depends on assumed constants"];
  }
  [[nodiscard]] std::string text(const std::vector<std::string>& machines) const {
    return lines(by_origin_) + "\n" + lines(over_ranges_) + "\n" + lines(by_class_) + "\n" + constants(machines);
  }

 private:
  using counts = std::map<std::string, std::map<std::string, std::size_t>>;

  static std::string line(const std::string& what, const std::map<std::string, std::size_t>& parts) {
    std::string text = what;
    for (const auto& [name, n] : parts)
      text += fmt::format("{} {} {}", &name == &parts.begin()->first ? ":" : ",", name, n);
    return text + "\n";
  }
  static std::string lines(const counts& all) {
    std::string text;
    for (const auto& [what, parts] : all) text += line(what, parts);
    return text;
  }
  static std::string constants(const std::vector<std::string>& machines) {
    std::string text;
    for (const std::string& name : machines) {
      std::map<std::string, std::size_t> kinds;
      const simulator::model m = simulator::load_model(name);
      for (const simulator::knob& k : m.knobs()) ++kinds[k.kind];
      text += line("constants of " + name, kinds);
    }
    return text;
  }

  counts by_origin_, over_ranges_, by_class_;
};

/// What is told so far goes to the file, or to standard output.
class teller {
 public:
  explicit teller(const simulate_options& o) : o_{o} {
    if (o.output_given) check_output(o.how.output);
  }
  void tell(const std::string& more) {
    all_ += more;
    if (o_.output_given)
      write_output(o_.how.output, all_);
    else
      print(more);
  }
  void progress(const std::string& line) const {
    if (o_.output_given && !o_.how.silent) say(line);
  }

 private:
  const simulate_options& o_;
  std::string all_;
};

}  // namespace

/// The table of the paper's claims, which docs/simulation.md shows, too: each row as soon as it is known, for all of them
/// take minutes, and whoever stops it keeps what there is. Then what they come to, and curves that nothing was fitted to.
status validate(const simulate_options& o) {
  teller out{o};
  const std::uint64_t seed = o.asked.seed.value_or(1);
  scorer score{seed};
  ledger sums;
  out.tell(title);
  for (const claims::claim& c : claims::catalog()) {
    if (!c.id.starts_with('S')) continue;
    out.progress(fmt::format("{}: {}", c.id, c.says));
    const row r = score(c);
    sums.add(r);
    out.tell(r.text());
  }
  out.tell("\n" + sums.text(score.machines()));
  out.progress("measured curves of locks");
  out.tell("\n" + simulations::lock_curves_in_words(simulations::predicted_curves(seed)));
  if (o.output_given) {
    say("written: " + results::printable(o.how.output));
    print(sums.text(score.machines()));
  }
  return status::done;
}

}  // namespace synchro::simulate
