// A tiny builder of documents for judges: a topology and cells.

#ifndef SYNCHRO_TESTS_CLAIMS_BOOK_HPP
#define SYNCHRO_TESTS_CLAIMS_BOOK_HPP

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "results/samples.hpp"

namespace synchro::tests {

using results::coordinates;

inline results::coordinate number(std::int64_t v) { return v; }

class book {
 public:
  explicit book(unsigned processors, unsigned sockets = 1) : document_{results::samples::complete_document({})} {
    auto cpus = nlohmann::ordered_json::array();
    for (unsigned p = 0; p < processors; ++p)
      cpus.push_back({{"cpu", p}, {"core", p}, {"package", p / (processors / sockets)}, {"node", 0}});
    document_.topology["cpus"] = cpus;
  }

  /// Eleven repetitions within a hundredth, in an order of their own.
  book& add(const std::string& experiment, const coordinates& at, const std::string& metric, const std::string& unit,
            double value) {
    std::vector<double> samples = results::samples::around(value, 0.004);
    std::rotate(samples.begin(), samples.begin() + std::ssize(document_.cells) * 3 % std::ssize(samples),
                samples.end());
    document_.cells.push_back(results::samples::made(
        experiment, at, metric, unit, samples, unit == "op/s" ? results::better::higher : results::better::lower));
    return *this;
  }

  operator results::document() const { return document_; }  // NOLINT: that is what it is

 private:
  results::document document_;
};

/// The same on a machine of which each two processors share a core.
inline results::document with_two_threads_a_core(results::document d) {
  for (auto& cpu : d.topology["cpus"]) cpu["core"] = cpu.at("cpu").get<unsigned>() / 2;
  return d;
}

/// The same, simulated on the model of this name.
inline results::document on_the_model(const char* name, results::document d) {
  d.machine["kind"] = "simulated", d.machine["model_name"] = name;
  return d;
}

/// The same measurements with three repetitions each.
inline results::document with_few_repetitions(results::document d) {
  for (results::cell& c : d.cells) c.samples.resize(3), results::summarize(c);
  return d;
}

/// The same with repetitions so far apart that nothing can be said.
inline results::document scattered(results::document d) {
  std::mt19937_64 dice{1};
  for (results::cell& c : d.cells) {
    const double value = *c.value;
    for (double& sample : c.samples) sample = value * std::pow(10, static_cast<double>(dice() % 1000) / 125 - 4);
    results::summarize(c);
    c.value = value;  // who is the best stays as it was
    c.quality = results::flag::noisy;
  }
  return d;
}

/// The same with repetitions that scatter by chance alone, by half and double.
inline results::document by_chance(results::document d) {
  std::mt19937_64 dice{1};
  for (results::cell& c : d.cells) {
    const double value = *c.value;
    for (double& sample : c.samples) sample = value * std::exp2(static_cast<double>(dice() % 1000) / 500 - 1);
    results::summarize(c);
    c.quality = results::flag::ok;
  }
  return d;
}

/// The same, flagged as unreliable.
inline results::document flagged(results::document d) {
  for (results::cell& c : d.cells) c.quality = results::flag::unreliable;
  return d;
}

}  // namespace synchro::tests

#endif
