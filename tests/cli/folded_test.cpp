#include "terminal/folded.hpp"

#include <gtest/gtest.h>

namespace synchro::terminal {
namespace {

TEST(Folded, WhatFitsStaysAsItIs) {
  EXPECT_EQ(folded("one\n  two  three\n", 40), "one\n  two  three\n");
  EXPECT_EQ(folded(std::string(100, 'x') + " y", 0), std::string(100, 'x') + " y");
}

TEST(Folded, ALineIsCutBetweenWords) {
  EXPECT_EQ(folded("the quick brown fox jumps over the lazy dog again.\nand rests\n", 40),
            "the quick brown fox jumps over the lazy\ndog again.\nand rests\n");
}

TEST(Folded, ProseThatGoesOnInTheNextLineLeavesNoShortLine) {
  const std::string prose = "the quick brown fox jumps over the lazy dog,\nthen rests. It\nis done.\n\nagain\n";
  EXPECT_EQ(folded(prose, 40), "the quick brown fox jumps over the lazy\ndog, then rests. It is done.\n\nagain\n");
  EXPECT_EQ(folded(prose, 80), prose);
  EXPECT_EQ(folded("a sentence that is longer than forty columns\n  an item\n", 40),
            "a sentence that is longer than forty\ncolumns\n  an item\n");
  EXPECT_EQ(folded("a sentence that is longer than forty columns\nrow  of a table\n", 40),
            "a sentence that is longer than forty\ncolumns\nrow  of a table\n");
}

TEST(Folded, WhatContinuesALineStandsUnderItsLastColumn) {
  EXPECT_EQ(folded("  --name TEXT   a name that is as long as a name can be", 40),
            "  --name TEXT   a name that is as long\n                as a name can be");
}

TEST(Folded, AColumnThatLeavesNoRoomIsNotKept) {
  EXPECT_EQ(folded("  --a-rather-long-option NAME   words that follow it", 40),
            "  --a-rather-long-option NAME  words\n      that follow it");
  EXPECT_EQ(folded("  --quick                         words that follow it", 40), "  --quick  words that follow it");
}

TEST(Folded, ACommandIsContinuedAsAShellTakesIt) {
  EXPECT_EQ(folded("  synchroscope run locks.throughput --threads 1,2,4 --quick", 40),
            "  synchroscope run locks.throughput \\\n      --threads 1,2,4 --quick");
  EXPECT_EQ(folded("  synchroscope list      what can be measured here", 40),
            "  synchroscope list      what can be\n      measured here");
}

TEST(Folded, ALongWordStandsAsFarInAsItCan) {
  const std::string word = "'" + std::string(34, 'x') + "'";
  EXPECT_EQ(folded("  synchroscope report r.json --figure " + word + " -o locks.svg", 40),
            "  synchroscope report r.json --figure \\\n  " + word + " \\\n      -o locks.svg");
}

TEST(Folded, ALineWithALabelBeginsAnew) {
  EXPECT_EQ(folded("  a sentence that is longer than forty columns\n  axes: threads\n", 40),
            "  a sentence that is longer than forty\n  columns\n  axes: threads\n");
}

TEST(Folded, ColoursTakeNoColumnsAndALongWordStandsAlone) {
  const std::string painted = "\033[1mtwenty characters ok\033[0m twenty characters ok";
  EXPECT_EQ(folded(painted, 41), painted);
  EXPECT_EQ(folded("see " + std::string(50, 'x') + " there", 40), "see\n" + std::string(50, 'x') + "\nthere");
}

}  // namespace
}  // namespace synchro::terminal
