#include "model_checker/mutation.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <string_view>

namespace synchro::model_checker {

std::string short_path(const char* file) {
  const std::string_view path{file};
  for (const std::string_view root : {"/include/synchro/", "/src/", "/tests/"}) {
    const auto at = path.rfind(root);
    if (at != std::string_view::npos) return std::string{path.substr(at + root.size())};
  }
  return std::string{path};
}

bool mutation::hits(const place& p, std::uint32_t operand, action what) const {
  return p.line == at.line && p.column == at.column && operand == at.operand &&
         (how == change::weaken || what == at.what) && std::string_view{p.file}.ends_with(at.file);
}

namespace {

std::string_view name_of(change how, value_kind kind) {
  const bool counts = kind == value_kind::integer;
  const std::string_view other = kind == value_kind::pointer ? "null" : "the opposite";
  switch (how) {
    case change::more:
      return counts ? "one more" : other;
    case change::less:
      return "one less";
    case change::sees_more:
      return counts ? "returns one more" : kind == value_kind::pointer ? "returns null" : "returns the opposite";
    case change::sees_less:
      return "returns one less";
    case change::expects_more:
      return "expects another";
    case change::fail:
      return "fails";
    case change::done:
      return "does not wait";
    default:
      return "left out";
  }
}

}  // namespace

std::string mutation::what_is_done() const {
  if (how == change::weaken) return fmt::format("{} -> {}", to_string(at.written), to_string(weaker));
  return std::string{name_of(how, at.kind)};
}

std::string mutation::describe() const {
  return fmt::format("{}:{}:{} {}{} {}", at.file, at.line, at.column, to_string(at.what),
                     at.operand == 1 ? " (failure)" : "", what_is_done());
}

std::string mutation::key() const {
  std::string what = how == change::weaken ? to_string(weaker) : to_string(at.what) + "-" + what_is_done();
  for (char& c : what)
    if (c == ' ') c = '-';
  return fmt::format("{}:{}:{}:{}:{}", at.file, at.line, at.column, at.operand, what);
}

namespace {

/// In which ways a statement can be altered by one step.
std::vector<change> changes_of(const site& s) {
  using enum change;
  switch (s.what) {
    case action::store:
    case action::write:
    case action::exchange:
      return {leave_out, more, less};
    case action::add:
    case action::subtract:
      return {leave_out, more, sees_more};
    case action::bit_or:
    case action::bit_and:
      return {leave_out, more};
    case action::compare_exchange:
      return {leave_out, more, expects_more, fail};
    case action::update:
      return {leave_out, more, fail};
    case action::exchange_until:
      return {leave_out, more, done};
    case action::await:
      return {done};
    case action::load:
      return {sees_more, sees_less};
    case action::fence:
    case action::unpark:
    case action::abort:
      return {leave_out};
    default:
      return {};
  }
}

/// Whether a value of this kind can be altered so: there is no number less than a flag.
bool fits(change how, value_kind kind) {
  switch (how) {
    case change::less:
    case change::sees_less:
      return kind == value_kind::integer;
    case change::more:
    case change::sees_more:
    case change::expects_more:
      return kind != value_kind::other;
    default:
      return true;
  }
}

}  // namespace

std::vector<mutation> mutants_of(const site& s) {
  using std::memory_order;
  std::vector<mutation> all;
  if (s.written == memory_order::acq_rel) {
    all.push_back({s, change::weaken, memory_order::acquire});
    all.push_back({s, change::weaken, memory_order::release});
  } else if (s.written == memory_order::acquire || s.written == memory_order::release) {
    all.push_back({s, change::weaken, memory_order::relaxed});
  }
  if (s.operand != 0) return all;  // the statement is altered once
  for (const change how : changes_of(s))
    if (fits(how, s.kind)) all.push_back({s, how});
  return all;
}

}  // namespace synchro::model_checker
