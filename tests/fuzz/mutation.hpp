// Deterministic damage to texts and JSON: the same seed gives the same damage.

#ifndef SYNCHRO_TESTS_FUZZ_MUTATION_HPP
#define SYNCHRO_TESTS_FUZZ_MUTATION_HPP

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace synchro::fuzz {

using json = nlohmann::ordered_json;

class mutator {
 public:
  explicit mutator(std::uint64_t seed) : random_{seed} {}

  /// A few changes to one of the seeds: to its bytes, to its values, or both.
  std::string next(const std::vector<std::string>& seeds) {
    std::string text = seeds[below(seeds.size())];
    const std::size_t kind = below(4);
    if (kind > 0) change_values(text);
    if (kind < 2)
      for (std::size_t n = 1 + below(4); n > 0; --n) change_bytes(text, seeds);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }

  void change_bytes(std::string& text, const std::vector<std::string>& seeds) {
    if (text.empty()) return;
    const std::size_t at = below(text.size()), length = std::min<std::size_t>(1 + below(40), text.size() - at);
    switch (below(7)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(below(text.size()), length));
        break;
      case 3:
        text.resize(at);
        break;
      case 4:
        text.insert(at, below(8) == 0 ? std::string(below(300), '[') : std::string(1, "[]{}\",:\\-e9"[below(11)]));
        break;
      case 5: {
        const std::string& other = seeds[below(seeds.size())];
        text = text.substr(0, at) + other.substr(below(other.size() + 1));
        break;
      }
      default:
        text.replace(at, length,
                     std::array{"1e999", "-1", "null", "\"\"", "9223372036854775808", "\xC2\x9B"}[below(6)]);
    }
  }

  /// In a text of one value, or in one line of many.
  void change_values(std::string& text) {
    json j = json::parse(text, nullptr, false);
    if (!j.is_discarded()) {
      change(j);
      text = j.dump(-1, ' ', false, json::error_handler_t::replace);
      return;
    }
    const std::size_t begin = text.find('\n', below(text.size() + 1));
    if (begin == std::string::npos) return;
    const std::size_t end = text.find('\n', begin + 1);
    j = json::parse(text.substr(begin + 1, end - begin - 1), nullptr, false);
    if (end == std::string::npos || j.is_discarded()) return;
    change(j);
    text.replace(begin + 1, end - begin - 1, j.dump(-1, ' ', false, json::error_handler_t::replace));
  }

  void change(json& whole) {
    for (std::size_t n = 1 + below(3); n > 0; --n) {
      json* at = &whole;  // down a random way
      while (at->is_structured() && !at->empty() && below(6) > 0)
        at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(below(at->size())));
      change_one(*at);
    }
  }

  void change_one(json& j) {
    if (j.is_object() && !j.empty() && below(2) == 0) {
      const auto member = std::next(j.begin(), static_cast<std::ptrdiff_t>(below(j.size())));
      const std::string name = member.key();
      const json value = member.value();
      if (below(2) == 0) j.erase(name);
      if (below(2) == 0) j[name + (below(2) == 0 ? "\xE2\x80\xAE" : "x")] = value;
    } else if (j.is_array() && !j.empty() && below(2) == 0) {
      const std::size_t at = below(j.size());
      if (below(2) == 0)
        j.erase(at);
      else
        j.insert(j.begin(), j[at]);
    } else {
      j = some_value();
    }
  }

  json some_value() {
    const std::array<json, 22> values{nullptr,
                                      true,
                                      0,
                                      -1,
                                      1,
                                      2,
                                      7,
                                      255,
                                      65536,
                                      1e308,
                                      -1e308,
                                      1e-308,
                                      0.5,
                                      4294967296,
                                      9007199254740993,
                                      std::uint64_t{18446744073709551615U},
                                      "",
                                      "\xC2\x9B\x7F\x1B[31m",
                                      std::string(300, 'x'),
                                      json::array(),
                                      json::object(),
                                      json::array({json::array({1}), "a"})};
    return values[below(values.size())];
  }

  std::mt19937_64 random_;
};

}  // namespace synchro::fuzz

#endif
