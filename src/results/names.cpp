#include "results/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "results/of_others.hpp"

namespace synchro::results {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Edits (insert, delete, replace, swap of neighbours) from a to b.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string enumerate(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names, std::size_t most) {
  constexpr std::size_t longest = 200;  // Nothing is near to a longer one, and finding that out would take long.
  const std::string typed = lower(word.substr(0, longest));
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& name : names) {
    const std::string known = lower(name);
    const bool contains = typed.size() >= 2 && known.find(typed) != std::string::npos;
    ranked.emplace_back(contains ? 0 : edits(typed, known), name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> found;
  for (const auto& [edit_count, name] : ranked)
    if (found.size() < most) found.push_back(name);
  return found;
}

std::string no_such(const std::string& kind, const std::string& word, const std::vector<std::string>& names) {
  const auto near = nearest(word, names);
  if (near.empty()) return fmt::format("there is no {} '{}'", kind, word);
  return fmt::format("there is no {} '{}'; the nearest {} {}", kind, word, near.size() == 1 ? "name is" : "names are",
                     enumerate(near));
}

std::string no_such_of_ours(const std::string& kind, const std::string& word, const std::vector<std::string>& names) {
  if (is_of_others(word)) return fmt::format("'{}' is not ours: only run measures primitives of others", word);
  return no_such(kind, word, names);
}

}  // namespace synchro::results
