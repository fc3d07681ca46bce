// What threads do to a table of any type.

#include "hash_table/churn.hpp"

#include <numeric>
#include <random>
#include <unordered_map>

namespace synchro::tests {

unsigned churn_own_keys(any_table& table, std::uint32_t thread, unsigned threads, unsigned rounds, std::uint32_t keys) {
  std::mt19937 random{thread};
  std::unordered_map<std::uint32_t, triple> model;
  unsigned wrong = 0;
  for (unsigned i = 0; i < rounds; ++i) {
    const std::uint32_t key = static_cast<std::uint32_t>(random() % keys) * threads + thread;
    const triple value = triple::of(static_cast<std::uint32_t>(random()));
    switch (random() % 4) {
      case 0:
        wrong += table.insert(key, value) != model.emplace(key, value).second;
        break;
      case 1:
        wrong += table.insert_or_assign(key, value) != model.insert_or_assign(key, value).second;
        break;
      case 2:
        wrong += table.erase(key) != (model.erase(key) == 1);
        break;
      default: {
        const std::optional<triple> found = table.find(key);
        const auto it = model.find(key);
        wrong += found.has_value() != (it != model.end()) || (found && *found != it->second);
        const std::optional<triple> other = table.find(static_cast<std::uint32_t>(random() % (keys * threads)));
        wrong += other && !other->is_whole();
      }
    }
  }
  for (const auto& [key, value] : model) wrong += table.find(key) != std::optional{value};
  return wrong;
}

unsigned churn(any_table& table, unsigned threads, unsigned rounds, std::uint32_t keys) {
  std::vector<unsigned> wrong(threads);
  in_threads(threads, [&](unsigned t) { wrong[t] = churn_own_keys(table, t, threads, rounds, keys); });
  struct seen {
    std::uint32_t keys;
    std::size_t met = 0;
    unsigned wrong = 0;
  };
  seen all{.keys = threads * keys};
  table.for_each(
      [](void* at, std::uint32_t key, const triple& value) {
        seen& so_far = *static_cast<seen*>(at);
        ++so_far.met;
        so_far.wrong += key >= so_far.keys || !value.is_whole();
      },
      &all);
  return std::accumulate(wrong.begin(), wrong.end(), all.wrong) + (all.met != table.size());
}

}  // namespace synchro::tests
