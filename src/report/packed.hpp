// Many numbers as a short text: the fields of a map.

#ifndef SYNCHRO_REPORT_PACKED_HPP
#define SYNCHRO_REPORT_PACKED_HPP

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/cell.hpp"

namespace synchro::report {

/// Bits in letters that stand in JSON and in a script as they are: 13 bits are two letters. The lowest bit comes first.
class bit_text {
 public:
  void put(std::uint64_t value, unsigned bits);
  /// Of any size, the less the shorter (exponential Golomb code): so many zeros as value + 2^order has bits beyond order + 1,
  /// a one, and the sum without its highest bit.
  void put_growing(std::uint64_t value, unsigned order);
  /// With zeros up to whole letters. Nothing may be put afterwards.
  [[nodiscard]] std::string text() &&;

 private:
  std::string text_;
  std::uint64_t held_ = 0;
  unsigned count_ = 0;
};

/// What a map's numbers may take as text: with the page around it, one of 1,024 processors stays below 10 MB.
inline constexpr std::size_t usual_room = 8'900'000;

/// The fields of a square map, row by row; null: no such cell. Cells have a value, between the ends of their interval if they have
/// one. In this order, `data` has
///
/// * which cells there are: runs of fields of one kind, each its kind (0: no cell, else its place in `kinds`, from 1 on; as
///   many bits as the last one has) and its length less 1 (growing, order 0), until all fields are told. A kind is [flag, n, whether there
///   is an interval]. If `symmetric`, only columns from the row's own on are told; a field before them is as its mirror;
/// * without `digits`: all numbers that occur, from the least on: of each the higher 32 bits (as the growing difference to those
///   before, order `table_order`), and the lower; of numbers below zero all bits are inverted, of others the first. `numbers` is how many. A
///   number's code is its place there;
/// * of each cell the code of its value, less `first`, in `bits` bits, and if it has an interval how far below and above it the
///   ends' codes are (growing, of orders `below` and `above`).
///
/// With `digits`, numbers are rounded to so many. The code of m * 10^(e - digits + 1) is (e + 400) * 9 * 10^(digits - 1) + m -
/// 10^(digits - 1), where m has all the digits; minus that below zero, and 0 of zero. Ends are counted in steps of `step` codes, rounded
/// outward. Numbers are rounded if they take more than `room` otherwise, and no more than needed; at last to 7 digits, ends to 5.
[[nodiscard]] nlohmann::ordered_json packed(std::span<const results::cell* const> fields, std::size_t side,
                                            std::size_t room = usual_room);

}  // namespace synchro::report

#endif
