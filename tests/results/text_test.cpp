#include "results/text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "results/interval.hpp"
#include "results/units.hpp"

namespace synchro::results {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable("mcs/park 3.5 \u00b5s \u4e16\u754c"), "mcs/park 3.5 \u00b5s \u4e16\u754c");
}

TEST(Printable, DisarmsWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1b[2J\x1b]0;title\x07"), "?[2J?]0;title?");
  EXPECT_EQ(printable("a\nb\rc\td\x7f"), "a?b?c?d?");
  EXPECT_EQ(printable("\u009b31m"), "?31m") << "the one-byte control sequence introducer";
  EXPECT_EQ(printable("a\u202eb\u200bc\u2066d\ufeff"), "a?b?c?d?") << "text that reorders or hides text";
}

TEST(Printable, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(printable("a\xff\xfe"), "a??");
  EXPECT_EQ(printable("\xc0\xaf"), "??") << "an overlong form";
  EXPECT_EQ(printable("\xed\xa0\x80"), "???") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????") << "beyond Unicode";
  EXPECT_EQ(printable("x\xe2\x82"), "x??") << "cut off";
}

TEST(Printable, CutsWhatIsTooLong) {
  EXPECT_EQ(printable("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(printable("abcdefghi", 8), "abcde...");
  EXPECT_EQ(printable("\u00e9\u00e9\u00e9\u00e9\u00e9", 4), "\u00e9...");
  EXPECT_EQ(printable("abc", 2), "..");
  EXPECT_EQ(printable(std::string(1'000'000, 'x'), 10).size(), 10U);
}

TEST(Printable, AsciiIsAscii) { EXPECT_EQ(printable_ascii("caf\u00e9 \u00b1"), "caf? ?"); }

TEST(Wrapped, BreaksAtSpaces) {
  EXPECT_EQ(wrapped("one two three four", 9), "one two\nthree\nfour\n");
  EXPECT_EQ(wrapped("(a) one two", 8, 4), "(a) one\n    two\n");
  EXPECT_EQ(wrapped("one two", 0), "one two\n");
  EXPECT_EQ(wrapped("unbreakable", 4), "unbreakable\n");
  EXPECT_EQ(wrapped("", 10), "\n");
}

TEST(Quantity, HasThreeDigitsAndAPrefix) {
  EXPECT_EQ(quantity(26.12, "ns", false), "26.1 ns");
  EXPECT_EQ(quantity(0.3124, "ns", false), "0.312 ns");
  EXPECT_EQ(quantity(1234, "ns", false), "1.23 us");
  EXPECT_EQ(quantity(1234, "ns", true), "1.23 \u00b5s");
  EXPECT_EQ(quantity(999.7, "ns", false), "1.00 us");
  EXPECT_EQ(quantity(3.2e9, "ns", false), "3.20 s");
  EXPECT_EQ(quantity(1.9e7, "op/s", false), "19.0 Mop/s");
  EXPECT_EQ(quantity(950, "op/s", false), "950 op/s");
  EXPECT_EQ(quantity(98.4, "cycle", false), "98.4 cycles");
  EXPECT_EQ(quantity(0.5, "1", false), "0.500");
  EXPECT_EQ(quantity(0, "ns", false), "0 ns");
  EXPECT_EQ(quantity(-26, "ns", false), "-26.0 ns");
  EXPECT_EQ(quantity(4.2e-8, "J", false), "42.0 nJ");
  EXPECT_EQ(quantity(0, "J", false), "0 J");
  EXPECT_EQ(quantity(7, "widgets", false), "7.00 widgets");
  EXPECT_EQ(interval(25.81, 26.93, "ns", false), "25.8 to 26.9 ns");
}

TEST(Interval, IsLeftOutWhereItsEndsArePrintedAlike) {
  EXPECT_EQ(interval(26.11, 26.12, "ns", false), "");
  EXPECT_EQ(with_interval("26.1 ns", from_to("25.8", "26.9")), "26.1 ns (25.8 to 26.9)");
  EXPECT_EQ(with_interval("26.1 ns", from_to("26.1", "26.1")), "26.1 ns");
}

TEST(Significant, IsWholeFromItsDigitsOnWithoutAnExponent) {
  EXPECT_EQ(significant(123'456, 4), "123,456");
  EXPECT_EQ(significant(1234.5, 4), "1234");
  EXPECT_EQ(significant(99.96, 3), "100");
  EXPECT_EQ(significant(999.7, 3), "1,000");
  EXPECT_EQ(significant(-20'000, 3), "-20,000");
  EXPECT_EQ(significant(20, 3), "20");
}

TEST(TwoDigits, AreWholeFromTenOnWithoutAnExponent) {
  EXPECT_EQ(two_digits(0.354), "0.35");
  EXPECT_EQ(two_digits(9.94), "9.9");
  EXPECT_EQ(two_digits(9.96), "10");
  EXPECT_EQ(two_digits(38.4), "38");
  EXPECT_EQ(two_digits(99.57), "100");
  EXPECT_EQ(two_digits(1284), "1,284");
}

TEST(Digits, AreThreeAndThousandsStandApart) {
  EXPECT_EQ(digits(12345), "12,345");
  EXPECT_EQ(digits(-1234567), "-1,234,567");
  EXPECT_EQ(digits(99.96), "100");
  EXPECT_EQ(digits(9.996), "10.0");
  EXPECT_EQ(digits(0.0123), "0.012");
}

TEST(Scale, SuitsTheMiddleOfTheValues) {
  EXPECT_EQ(scale_for("op/s", {2e7, 3e5, 5e6}, false).unit, "Mop/s");
  EXPECT_EQ(scale_for("ns", {26, 300, 5000}, false).unit, "ns");
  EXPECT_EQ(scale_for("ns", {}, false).unit, "ns");
}

TEST(Escaped, IsTheSameTextToEveryReaderOfJson) {
  const std::string hostile = "\"a\x7F \xC2\x9B \xE2\x80\xAE \xF3\xA0\x81\x81 \xC3\xBC\"";
  EXPECT_EQ(escaped(hostile), "\"a\\u007f \\u009b \\u202e \\udb40\\udc41 \xC3\xBC\"");
  EXPECT_EQ(nlohmann::json::parse(escaped(hostile)), nlohmann::json::parse(hostile));
  EXPECT_EQ(escaped("{\n \"plain\": 1\n}\n"), "{\n \"plain\": 1\n}\n");
}

}  // namespace
}  // namespace synchro::results
