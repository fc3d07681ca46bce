#include "results/json_fields.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "results/file.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

constexpr unsigned deepest_nesting = 64;

/// Without the name of the file, which comes before it.
struct unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A field is looked for among all of its object, so that of very many the time grows with the square of their number.
constexpr std::size_t most_fields = 1000;
constexpr std::size_t comparisons_of_a_value = 50;

/// What would take the stack, the time or the memory of whoever makes a value of the text, or walks it, is looked for in the text.
class outline {
 public:
  explicit outline(std::size_t most_values) : most_values_{most_values} {}

  /// What the text does that is too much, or nothing.
  const char* excess_in(std::string_view text) {
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (quoted && c == '\\')
        ++i;
      else if (c == '"')
        quoted = !quoted;
      else if (!quoted)
        if (const char* const why = excess_at(c)) return why;
    }
    return nullptr;
  }

 private:
  const char* excess_at(char c) {
    const bool opens = c == '[' || c == '{';
    if (opens && depth_ == deepest_nesting) return "is nested too deeply";
    if (opens) fields_[++depth_] = 0, objects_[depth_] = c == '{';
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (c == ',' && objects_[depth_]) {
      if (++fields_[depth_] == most_fields) return "has an object of too many fields";
      comparisons_ += fields_[depth_];
      if (comparisons_ / comparisons_of_a_value > most_values_) return "has too many objects of many fields";
    }
    if ((opens || c == ',') && ++values_ > most_values_) return "has too many values";
    return nullptr;
  }

  std::size_t most_values_;
  std::size_t values_ = 0;
  unsigned depth_ = 0;
  std::size_t comparisons_ = 0;                            // of names of fields, until all are in their objects
  std::array<std::size_t, deepest_nesting + 1> fields_{};  // at each depth, of what was opened last, but one
  std::array<bool, deepest_nesting + 1> objects_{};
};

}  // namespace

json parse_json(std::string_view text, text_limits most) {
  if (text.size() > most.bytes) throw unreadable("is larger than " + std::to_string(most.bytes >> 20) + " MiB");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw unreadable("is empty");
  if (const char* const why = outline{most.values}.excess_in(text)) throw unreadable(why);
  try {
    return json::parse(text);
  } catch (const json::parse_error& e) {
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size())), '\n') + 1;
    if (e.byte > text.size()) throw unreadable("ends in the middle of the JSON: it was cut off");
    throw unreadable("is not JSON: it cannot be read on from line " + std::to_string(line) + ", byte " +
                     std::to_string(e.byte));
  } catch (const json::exception&) {
    throw unreadable("contains a number that is too large");
  }
}

json read_json(const std::string& path, text_limits most) {
  try {
    return parse_json(read_file(path, content::text), most);
  } catch (const unreadable& e) {
    throw std::runtime_error(printable(path, 200) + " " + e.what());
  }
}

std::string kind_of(const json& j) {
  switch (j.type()) {
    case json::value_t::null:
      return "null";
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "an array";
    case json::value_t::string:
      return "text";
    case json::value_t::boolean:
      return "true or false";
    default:
      return "a number";
  }
}

void field::fail(const std::string& what) const {
  throw std::runtime_error(place_.empty() ? what : place_ + " " + what);
}

void field::must_be(const std::string& what) const {
  const bool number = value_->is_number();
  fail("must be " + what + ", not " + (number ? printable(dump(*value_), 30) : kind_of(*value_)));
}

field field::operator[](const std::string& name) const {
  const json& o = object();
  const auto found = o.find(name);
  if (found == o.end())
    throw std::runtime_error("the field \"" + name + "\" is missing" + (place_.empty() ? "" : " in " + place_));
  return {*found, place_.empty() ? name : place_ + "." + name};
}

const json& field::object() const {
  if (!value_->is_object()) must_be("an object");
  return *value_;
}

std::vector<field> field::items() const {
  if (!value_->is_array()) must_be("an array");
  std::vector<field> all;
  all.reserve(value_->size());
  for (const json& item : *value_) all.emplace_back(item, place_ + "[" + std::to_string(all.size()) + "]");
  return all;
}

std::string field::text() const {
  if (!value_->is_string()) must_be("text");
  return value_->get<std::string>();
}

double field::number() const {
  if (!value_->is_number()) must_be("a number");
  return value_->get<double>();
}

std::int64_t field::integer() const {
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  if (value_->is_number_unsigned()) {
    if (value_->get<std::uint64_t>() > static_cast<std::uint64_t>(largest)) must_be("a whole number of 63 bits");
    return value_->get<std::int64_t>();
  }
  if (value_->is_number_integer()) return value_->get<std::int64_t>();
  if (!value_->is_number_float()) must_be("a whole number");
  const double v = value_->get<double>();  // 4.0 is a whole number, too.
  if (v != std::trunc(v) || std::abs(v) > static_cast<double>(largest_exact_integer)) must_be("a whole number");
  return static_cast<std::int64_t>(v);
}

std::uint64_t field::count() const {
  const std::int64_t v = integer();
  if (v < 0) must_be("a count");
  return static_cast<std::uint64_t>(v);
}

bool field::truth() const {
  if (!value_->is_boolean()) must_be("true or false");
  return value_->get<bool>();
}

json portable(const json& j, const std::string& place, std::vector<std::string>& not_finite) {
  if (j.is_object()) {
    json out = json::object();
    for (const auto& [name, value] : j.items()) out[name] = portable(value, place + "." + name, not_finite);
    return out;
  }
  if (j.is_array()) {
    json out = json::array();
    for (const json& value : j)
      out.push_back(portable(value, place + "[" + std::to_string(out.size()) + "]", not_finite));
    return out;
  }
  if (j.is_number_float() && !std::isfinite(j.get<double>())) {
    not_finite.push_back(place);
    return nullptr;
  }
  if (j.is_number_unsigned()) {
    const auto v = j.get<std::uint64_t>();
    return v > static_cast<std::uint64_t>(largest_exact_integer) ? json(std::to_string(v)) : j;
  }
  if (j.is_number_integer()) {
    const auto v = j.get<std::int64_t>();
    return v < -largest_exact_integer || v > largest_exact_integer ? json(std::to_string(v)) : j;
  }
  if (j.is_discarded() || j.is_binary()) return nullptr;
  return j;
}

std::string dump(const json& j, int indent) {
  return escaped(j.dump(indent, ' ', false, json::error_handler_t::replace));
}

}  // namespace synchro::results
