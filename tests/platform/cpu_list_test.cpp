// How a list of processors is written, and what is said of a wrong one.

#include <gtest/gtest.h>

#include <stdexcept>

#include "platform/machines.hpp"
#include "platform/topology.hpp"

namespace synchro::platform {
namespace {

using cpus = std::vector<unsigned>;

std::string complaint(const std::string& text, const topology& t) {
  try {
    static_cast<void>(parse_cpus(text, t));
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(CpuList, NumbersAndRanges) {
  const topology t = machines::hybrid();
  EXPECT_EQ(parse_cpus("3", t), (cpus{3}));
  EXPECT_EQ(parse_cpus("8,0-3", t), (cpus{0, 1, 2, 3, 8})) << "in topology order";
  EXPECT_EQ(parse_cpus(" 0 , 2-2 ,0", t), (cpus{0, 2}));
}

TEST(CpuList, LeavingOut) {
  const topology t = machines::hybrid();
  EXPECT_EQ(parse_cpus("0-3,!2", t), (cpus{0, 1, 3}));
  EXPECT_EQ(parse_cpus("!2,0-3", t), (cpus{0, 1, 3})) << "wherever it stands";
  EXPECT_EQ(parse_cpus("!4-15,!0", t), (cpus{1, 2, 3})) << "alone: all but";
}

TEST(CpuList, Groups) {
  const topology t = machines::hybrid();
  EXPECT_EQ(parse_cpus("class:efficiency", t), (cpus{8, 9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(parse_cpus("!class:efficiency,!0-3", t), (cpus{4, 5, 6, 7}));
  EXPECT_EQ(parse_cpus("smt:first,class:performance", t), (cpus{0, 2, 4, 6}));
  EXPECT_EQ(parse_cpus("class:performance,!smt:first", t), (cpus{1, 3, 5, 7}));
  EXPECT_EQ(parse_cpus("smt:first,1,3", t), (cpus{1, 3})) << "one of each core among those chosen";

  const topology ring = machines::from_file("ring_of_four.xml");
  EXPECT_EQ(parse_cpus("package:1,node:3", ring), (cpus{2, 3, 6, 7}));
  EXPECT_EQ(parse_cpus("smt:first", machines::two_sockets_smt()), (cpus{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(CpuList, BeyondTheMachine) {
  const topology two = topology_from_synthetic("package:1 core:2 pu:1");
  EXPECT_EQ(complaint("7", two), "processor 7 is not one that this process may use: there are 0-1");
  EXPECT_EQ(complaint("0-3", two), "processor 2 (of \"0-3\") is not one that this process may use: there are 0-1");
  EXPECT_EQ(complaint("!5", two), "processor 5 is not one that this process may use: there are 0-1");
  EXPECT_EQ(complaint("0-4000000000", two),
            "processor 2 (of \"0-4000000000\") is not one that this process may use: there are 0-1");
  EXPECT_NE(complaint("99999999999999999999", two), "");
  EXPECT_NE(complaint("0-99999999999999999999", two), "");
  EXPECT_EQ(complaint("1", machines::one_cpu()), "processor 1 is not one that this process may use: there is 0");
  const topology holes = machines::two_sockets_smt().restricted_to({0, 2, 3, 9});
  EXPECT_EQ(complaint("0-3", holes),
            "processor 1 (of \"0-3\") is not one that this process may use: there are 0,2-3,9");
}

TEST(CpuList, Garbage) {
  const topology t = machines::hybrid();
  for (const char* text : {"x", "1.5", "-1", "1-", "0--3", "+1", "0x1", "1 2", "cpu0", "all", "1;2", "\xff"})
    EXPECT_NE(complaint(text, t).find("is not a processor: write a number, a range"), std::string::npos) << text;
  EXPECT_NE(complaint("", t).find("the list of processors is empty"), std::string::npos);
  EXPECT_NE(complaint("  ", t).find("the list of processors is empty"), std::string::npos);
  for (const char* text : {"1,,2", ",", "1,", "!", "1,! "})
    EXPECT_NE(complaint(text, t).find("an item of the list of processors is empty"), std::string::npos) << text;
  EXPECT_EQ(complaint("3-1", t), "the range \"3-1\" runs backwards: write 1-3");
  EXPECT_EQ(complaint("0,!0", t), "\"0,!0\" leaves no processor of 0-15");
}

TEST(CpuList, GroupsThatAreNotThere) {
  const topology t = machines::hybrid();
  EXPECT_EQ(complaint("class:fast", t),
            "there is no core class \"fast\" here: there is class:efficiency, class:performance");
  EXPECT_EQ(complaint("class:", machines::one_cpu()),
            "\"class:\" selects nothing: all cores of this machine are alike");
  EXPECT_EQ(complaint("package:4", machines::from_file("ring_of_four.xml")),
            "there is no \"package:4\" with processors that this process may use: there is package:0, package:1, "
            "package:2, package:3");
  EXPECT_NE(complaint("node:x", t).find("there is node:0"), std::string::npos);
  EXPECT_NE(complaint("nod:0", t).find("node:N"), std::string::npos);
}

}  // namespace
}  // namespace synchro::platform
