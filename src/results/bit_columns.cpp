#include "results/bit_columns.hpp"

#include <array>
#include <utility>

namespace synchro::results {

namespace {

constexpr std::string_view base64_letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Of each letter the place, of others -1.
constexpr std::array<int, 256> base64_places = [] {
  std::array<int, 256> places{};
  places.fill(-1);
  for (std::size_t i = 0; i < base64_letters.size(); ++i)
    places[static_cast<unsigned char>(base64_letters[i])] = static_cast<int>(i);
  return places;
}();

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = byte_at(bytes, i) << 16U | byte_at(bytes, i + 1) << 8U | byte_at(bytes, i + 2);
    for (const unsigned shift : {18U, 12U, 6U, 0U}) text += base64_letters[three >> shift & 63U];
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  return text.replace(text.size() - padding, padding, padding, '=');
}

std::optional<std::string> from_base64(std::string_view text) {
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t three = 0;
    for (std::size_t k = i; k < i + 4; ++k) {
      const int place = k + padding >= text.size() ? 0 : base64_places[static_cast<unsigned char>(text[k])];
      if (place < 0) return std::nullopt;
      three = three << 6U | static_cast<std::uint32_t>(place);
    }
    for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>(three >> shift & 255U);
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

std::size_t bytes_of(std::size_t numbers, unsigned bits) { return (numbers * bits + 7) / 8; }

std::string bytes_of_numbers(const std::vector<std::uint64_t>& numbers, unsigned bits) {
  std::string bytes;
  bytes.reserve(bytes_of(numbers.size(), bits));
  std::uint64_t held = 0;
  unsigned count = 0;
  for (const std::uint64_t n : numbers) {
    held |= n << count;
    count += bits;
    for (; count >= 8; count -= 8, held >>= 8U) bytes += static_cast<char>(held & 255U);
  }
  if (count > 0) bytes += static_cast<char>(held & 255U);
  return bytes;
}

bit_reader::bit_reader(std::string bytes, unsigned bits) : bytes_{std::move(bytes)}, bits_{bits} {
  bytes_.append(8, '\0');
}

std::uint64_t bit_reader::next() {
  if (bits_ == 0) return 0;
  std::uint64_t window = 0;
  for (std::size_t i = 0; i < 8; ++i) window |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ / 8 + i])} << 8 * i;
  const std::uint64_t n = window >> at_ % 8 & ((std::uint64_t{1} << bits_) - 1);
  at_ += bits_;
  return n;
}

}  // namespace synchro::results
