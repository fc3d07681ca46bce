#include "interpose/tune_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/interval.hpp"
#include "results/text.hpp"
#include "statistics/statistics.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

using namespace terminal;

namespace {

using json = nlohmann::ordered_json;

/// How many times as good as the program's own locks: above 1 is better.
struct factor {
  double value;
  std::optional<std::pair<double, double>> ci;
};

factor factor_of(const statistics::bounded_mean& difference) {
  factor f{std::exp(-difference.value), {}};
  if (std::isfinite(difference.reach))
    f.ci = {std::exp(-difference.value - difference.reach), std::exp(-difference.value + difference.reach)};
  return f;
}

std::string factor_in_words(const factor& f) {
  if (!f.ci) return fmt::format("{:.3f} (too few)", f.value);
  const auto text = [](double v) { return fmt::format("{:.3f}", v); };
  return results::with_interval(f.value, f.ci->first, f.ci->second, text);
}

/// The other locks still in: they are not distinguishable from the winner.
std::vector<std::string> tied(const tuning& t, std::size_t winner) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < t.entries.size(); ++i)
    if (i != winner && t.race.in(i)) names.push_back(t.entries[i].name);
  return names;
}

const char* standing_of(const tuning& t, std::size_t i) {
  if (t.entries[i].failed) return "failed";
  return t.race.in(i) ? "in" : "dropped";
}

std::string remark_on(const tuning& t, std::size_t i) {
  if (t.entries[i].failed) return "failed: " + *t.entries[i].failed;
  if (const auto& beaten = t.race.beaten(i))
    return fmt::format("dropped after round {}: behind {}", beaten->round, t.entries[beaten->by].name);
  return t.winner() == i ? "the winner" : "";
}

std::string row_of(const std::string& name, const std::string& against, std::size_t runs, const std::string& median,
                   const std::string& remark) {
  std::string text = fmt::format("{:<18} {:<24} {:>4}  {:>10}  {}", name, against, runs, median, remark);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string median_of(const std::vector<double>& values, const tuning_task& task) {
  return values.empty() ? "-" : task.metric.in_words(results::median(values));
}

/// Best first; those that failed last.
std::vector<std::size_t> by_merit(const tuning& t) {
  std::vector<std::size_t> all(t.entries.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto rank = [&](std::size_t i) {
    const bool known = !t.entries[i].values.empty();
    return std::pair{t.entries[i].failed ? 1 : 0, known ? t.race.difference(i, 0).value : 1e300};
  };
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return all;
}

std::string sentence_of(const tuning& t) {
  if (t.entries[0].failed) return "No verdict: with its own locks the command failed: " + *t.entries[0].failed;
  if (t.all_failed()) return "No verdict: the command failed with every lock.";
  if (t.race.rounds() == 0) return "No verdict: no round was completed.";
  if (const auto w = t.winner()) {
    const auto others = tied(t, *w);
    return fmt::format("The winner is {}: {} times as good as the program's own locks{}.", t.entries[*w].name,
                       factor_in_words(factor_of(t.race.difference(*w, 0))),
                       others.empty() ? "" : ", not distinguishable from " + enumerate(others));
  }
  if (t.own_are_best()) return "The program's own locks are best: every other lock is resolved to be behind them.";
  return "No difference resolved: no lock is shown to be better than the program's own.";
}

const char* word_for_verdict(const tuning& t) {
  if (t.entries[0].failed || t.all_failed() || t.race.rounds() == 0) return "none";
  if (t.winner()) return "winner";
  return t.own_are_best() ? "own" : "unresolved";
}

json interval_of_factor(const factor& f) { return f.ci ? json::array({f.ci->first, f.ci->second}) : json(nullptr); }

json lock_of(const tuning& t, std::size_t i) {
  const tuning_entry& e = t.entries[i];
  const bool known = !e.values.empty();
  const factor f = factor_of(t.race.difference(i, 0));
  json one{{"name", e.name}, {"status", standing_of(t, i)}};
  one["remark"] = remark_on(t, i).empty() ? json(nullptr) : json(remark_on(t, i));
  one["ratio"] = known ? json(f.value) : json(nullptr);
  one["ci"] = known && i != 0 ? interval_of_factor(f) : json(nullptr);
  one["median"] = known ? json(results::median(e.values)) : json(nullptr);
  one["values"] = e.values;
  return one;
}

}  // namespace

std::string text_of(const tuning& t, const tuning_task& task) {
  std::string text = fmt::format("{:<18} {:<24} {:>4}  {:>10}\n", "lock", "times as good as native", "runs",
                                 task.metric.is_time() ? "wall time" : "metric");
  for (const std::size_t i : by_merit(t)) {
    const tuning_entry& e = t.entries[i];
    const bool compared = i != 0 && !e.values.empty();
    text += row_of(e.name,
                   compared ? factor_in_words(factor_of(t.race.difference(i, 0)))
                   : i == 0 ? "1"
                            : "-",
                   e.values.size(), median_of(e.values, task), remark_on(t, i));
  }
  if (!t.control.empty())
    text += row_of("native again", factor_in_words(factor_of(t.race.control())), t.control.size(),
                   median_of(t.control, task), "the control: its difference is noise");
  text += "\n" + sentence_of(t) + "\n";
  text += fmt::format(
      "{} in random order (seed {}). All intervals together hold with 95 % confidence, whenever it stops.\n",
      counted(t.race.rounds(), "round"), task.seed);
  const unsigned fewest = fewest_rounds(t.entries.size());
  if (t.race.rounds() < fewest && !t.entries[0].failed)
    text += fmt::format("With so many locks nothing can be resolved in fewer than {} rounds.\n", fewest);
  return text;
}

json json_of(const tuning& t, const tuning_task& task) {
  const factor noise = factor_of(t.race.control());
  json out{{"schema", "synchroscope-tune/1"}, {"command", task.command.words}};
  out["metric"] = json{{"what", task.metric.text()},
                       {"unit", task.metric.is_time() ? json("s") : json(nullptr)},
                       {"better", task.metric.higher_is_better() ? "higher" : "lower"}};
  out["seed"] = task.seed;
  out["rounds"] = t.race.rounds();
  out["complete"] = !t.interrupted;
  out["confidence"] = 0.95;
  out["control"] = json{{"ratio", t.control.empty() ? json(nullptr) : json(noise.value)},
                        {"ci", interval_of_factor(noise)},
                        {"values", t.control}};
  out["verdict"] = word_for_verdict(t);
  const auto w = t.winner();
  out["winner"] = w ? json(t.entries[*w].name) : json(nullptr);
  out["tied"] = w ? json(tied(t, *w)) : json::array();
  out["sentence"] = sentence_of(t);
  out["locks"] = json::array();
  for (std::size_t i = 0; i < t.entries.size(); ++i) out["locks"].push_back(lock_of(t, i));
  return out;
}

}  // namespace synchro::interpose
