// Whole numbers of few bits as a text: what columns of a matrix are written as.

#ifndef SYNCHRO_RESULTS_BIT_COLUMNS_HPP
#define SYNCHRO_RESULTS_BIT_COLUMNS_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace synchro::results {

/// Base64 (RFC 4648, with padding).
[[nodiscard]] std::string to_base64(std::string_view bytes);
/// Nothing if the text is none.
[[nodiscard]] std::optional<std::string> from_base64(std::string_view text);

/// So many bits have the numbers that a reader takes: of the largest exact integers the span.
inline constexpr unsigned most_bits = 55;

/// How many bytes so many numbers take.
[[nodiscard]] std::size_t bytes_of(std::size_t numbers, unsigned bits);
/// Numbers below 2^bits behind each other, the lowest bit first, in whole bytes.
[[nodiscard]] std::string bytes_of_numbers(const std::vector<std::uint64_t>& numbers, unsigned bits);

/// Reads them one by one.
class bit_reader {
 public:
  bit_reader() = default;
  /// Bytes of which there are as many as bytes_of() says.
  bit_reader(std::string bytes, unsigned bits);
  /// No more often than there are numbers.
  [[nodiscard]] std::uint64_t next();

 private:
  std::string bytes_;
  unsigned bits_ = 0;
  std::size_t at_ = 0;  // in bits
};

}  // namespace synchro::results

#endif
