#include "advice/held_out.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/experiment_names.hpp"

namespace synchro::advice {

namespace {

constexpr double differs = 1.10;

workload workload_at(const place& p) {
  return {.threads = std::llround(p.threads),
          .critical_ns = p.critical_ns,
          .gap_ns = p.gap_ns,
          .locks = std::llround(p.locks),
          .readers = std::llround(p.readers)};
}

/// All places of a document, whatever their regime.
std::vector<comparison> all_comparisons(const known& k) {
  std::set<std::pair<bool, std::int64_t>> regimes;
  for (const results::cell* c : k.cells().find(results::experiment_names::locks_throughput, "throughput"))
    regimes.insert({claims::number_at(*c, "readers") > 0, claims::number_at(*c, "threads", 1)});
  std::vector<comparison> all;
  for (const auto& [readers, threads] : regimes) {
    // Without a gap it is the rate that is compared, and that is what fresh cells are judged by.
    const workload w{.threads = threads, .gap_ns = 0, .readers = readers ? 50 : 0};
    for (comparison& c : comparisons_for(w, k))
      if (std::llround(c.where.threads) == threads) all.push_back(std::move(c));
  }
  return all;
}

/// A mean of logarithms bears no zero: what was not measured counts as a hundredth.
double size_of(double share) { return std::max(share, 0.01); }

}  // namespace

fare fare_of(const std::vector<held_out_case>& all, double held_out_case::*share) {
  fare f;
  for (const held_out_case& c : all) {
    f.right += c.*share >= as_good ? 1 : 0;
    f.mean += std::log(size_of(c.*share)) / static_cast<double>(all.size());
  }
  f.mean = std::exp(f.mean);
  return f;
}

std::vector<held_out_case> held_out(const results::document& fresh, const adviser& advise) {
  const known k{fresh};
  std::vector<held_out_case> all;
  for (const comparison& c : all_comparisons(k)) {
    const auto slower = [](const auto& a, const auto& b) { return *a.second->value < *b.second->value; };
    const auto [worst, best] = std::minmax_element(c.locks.begin(), c.locks.end(), slower);
    if (best == worst || !is_ahead(lead_of(*best->second, *worst->second, c.locks.size()), differs)) continue;
    const auto share = [&, top = *best->second->value](const std::string& lock) {
      const auto found = c.locks.find(lock);
      return found == c.locks.end() ? 0 : *found->second->value / top;
    };
    const std::string advised = advise(workload_at(c.where));
    all.push_back({c.where, advised, best->first, share(advised), share("mutex"), share("ticket")});
  }
  return all;
}

std::string in_words(const std::vector<held_out_case>& all) {
  std::string text;
  for (const held_out_case& c : all)
    text += fmt::format("{}: advised {}, {:.0f} % of {}; mutex {:.0f} %, ticket {:.0f} %\n", in_words(c.where),
                        c.advised, 100 * c.share, c.best, 100 * c.mutex, 100 * c.ticket);
  const auto sum = [&](const char* who, double held_out_case::*share) {
    const fare f = fare_of(all, share);
    return fmt::format("{} within 10 % of the best in {} of {} cases, {:.0f} % of it in the mean", who, f.right,
                       all.size(), 100 * f.mean);
  };
  return text + sum("the advised lock", &held_out_case::share) + "; " + sum("always mutex", &held_out_case::mutex) +
         "; " + sum("always ticket", &held_out_case::ticket) + "\n";
}

}  // namespace synchro::advice
