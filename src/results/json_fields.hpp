// Reading JSON with errors that a person understands: each names the place and what stands there.

#ifndef SYNCHRO_RESULTS_JSON_FIELDS_HPP
#define SYNCHRO_RESULTS_JSON_FIELDS_HPP

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::results {

using json = nlohmann::ordered_json;

/// Whole numbers up to this size survive every JSON reader; those beyond are written as decimal text.
inline constexpr std::int64_t largest_exact_integer = std::int64_t{1} << 53;

/// "a number", "text", "nothing (null)", ...
[[nodiscard]] std::string kind_of(const json& j);

/// A value and where it stands, for messages: cells[3].at. Every reader throws std::runtime_error with one sentence.
class field {
 public:
  field(const json& value, std::string place) : value_{&value}, place_{std::move(place)} {}

  /// The member, which must be there.
  [[nodiscard]] field operator[](const std::string& name) const;
  [[nodiscard]] const json& object() const;
  [[nodiscard]] std::vector<field> items() const;
  [[nodiscard]] bool null() const { return value_->is_null(); }
  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] bool truth() const;
  [[nodiscard]] const json& raw() const { return *value_; }
  [[nodiscard]] const std::string& place() const { return place_; }

  [[noreturn]] void must_be(const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  const json* value_;
  std::string place_;
};

/// The value as any JSON reader can take it: numbers that are not finite become null, whole numbers beyond 2^53 decimal
/// text. The places of the former are appended to `not_finite`.
[[nodiscard]] json portable(const json& j, const std::string& place, std::vector<std::string>& not_finite);

/// How much a text may hold. A field is looked for among all of its object, so the sum over all objects of half the square of
/// their fields may be fifty times `values`.
struct text_limits {
  std::size_t bytes = std::numeric_limits<std::size_t>::max();
  std::size_t values = std::numeric_limits<std::size_t>::max();
};

/// What every text and file of ours is read by. Throws std::runtime_error that says what the text does ("is empty", "is
/// not JSON ...", "is nested too deeply", "is larger than ...", "has too many values", "has an object of too many fields",
/// "has too many objects of many fields"); nothing has been made of the text then.
[[nodiscard]] json parse_json(std::string_view text, text_limits most = {});
/// The same of a file; the sentence begins with its name.
[[nodiscard]] json read_json(const std::string& path, text_limits most = {});

/// Compact, or indented; bytes that are not UTF-8 are replaced, and what could harm a terminal is escaped.
[[nodiscard]] std::string dump(const json& j, int indent = -1);

}  // namespace synchro::results

#endif
