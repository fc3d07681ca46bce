#include "interpose/profile_view.hpp"

#include <algorithm>

#include "profile/verdict.hpp"
#include "results/text.hpp"
#include "terminal/parse_values.hpp"

namespace synchro::interpose {

namespace {

bool anything_taken(const profile::stored& s) {
  return std::any_of(s.processes.begin(), s.processes.end(), [](const profile::stored_process& p) {
    return std::any_of(p.locks.begin(), p.locks.end(),
                       [](const profile::stored_lock& l) { return l.samples != 0 || l.long_ns != 0; });
  });
}

bool reads_the_profile(const profile::remedy& r) {
  return std::find(r.words.begin(), r.words.end(), "--profile") != r.words.end();
}

}  // namespace

std::string verdict_text(const profile::stored& s, const std::optional<std::string>& file, const views::style& style) {
  if (!anything_taken(s)) return "";
  const profile::verdict v = profile::verdict_on(s, file.value_or("locks.json"));
  std::string text = results::wrapped(v.finding + " " + v.advice, style.width);
  for (const std::string& doubt : v.doubts) text += results::wrapped("Not sure: " + doubt, style.width);
  for (const profile::remedy& r : v.remedies) {
    if (!file && reads_the_profile(r)) continue;
    text += results::wrapped("This " + r.purpose + ":", style.width) + "  " + terminal::as_typed(r.words) + "\n";
  }
  return text;
}

}  // namespace synchro::interpose
