// Models of matrices of times between processors, and what is said of matrices that are not as they should be.

#include "simulator/core_matrix.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "simulator/model.hpp"

namespace synchro::simulator {
namespace {

using rule = std::function<double(unsigned, unsigned)>;

std::string triangle(unsigned n, const rule& ns) {
  std::string csv;
  for (unsigned a = 0; a < n; ++a) {
    for (unsigned b = 0; b < n; ++b) csv += (b == 0 ? "" : ",") + (b < a ? fmt::format("{}", ns(a, b)) : "");
    csv += "\n";
  }
  return csv;
}

model model_of(const std::string& csv, unsigned packages = 1) {
  return model{model_from_matrix(read_core_matrix(csv), {"made", 2.0, packages})};
}

std::string refusal(const std::string& csv, unsigned packages = 1) {
  try {
    (void)model_of(csv, packages);
    return {};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

std::string remark(const std::string& csv) {
  const auto remarks = read_core_matrix(csv).remarks;
  return remarks.empty() ? "" : remarks.front();
}

/// Threads a and a + n/2 share a core, as systems often number them; two packages of four cores.
double two_packages(unsigned a, unsigned b) { return a % 8 == b % 8 ? 8 : a % 8 / 4 == b % 8 / 4 ? 40 : 100; }

TEST(CoreMatrix, BecomesAMachineOfItsLevels) {
  const model m = model_of(triangle(16, two_packages), 2);
  EXPECT_EQ(m.processors(), 16U);
  EXPECT_EQ(m.threads_per_core(), 2U);
  EXPECT_EQ(m.dies(), 2U);
  EXPECT_EQ(m.distances(), (std::vector<std::string>{"same_core", "same_die", "other_package"}));
  EXPECT_EQ(m.distances()[m.between(0, 3)], "same_die");
  EXPECT_EQ(m.distances()[m.between(0, 4)], "other_package");
  const auto cycles = [&](operation o, state s, const char* distance) {
    return double(m.latency(o, s, static_cast<std::uint8_t>(m.distance_number(distance)))) / per_cycle;
  };
  EXPECT_EQ(cycles(operation::cas, state::modified, "same_die"), 80);
  EXPECT_NEAR(cycles(operation::load, state::shared, "same_die"), 80 * 44 / 120., 0.1)
      << "as within a socket of the Xeon";
  EXPECT_NEAR(cycles(operation::load, state::shared, "other_package"), 200 * 223 / 324., 0.1)
      << "as over one hop there";
  EXPECT_EQ(cycles(operation::fai, state::modified, "other_package"), 200);
  EXPECT_EQ(
      cycles(operation::load, state::invalid, "other_package") - cycles(operation::load, state::invalid, "same_die"),
      120)
      << "memory of the other package is farther by as much as a hand-off";
}

TEST(CoreMatrix, MayBeWholeAndSeparatedOtherwise) {
  EXPECT_EQ(model_of("# made\r\n0;40;90;90\r\n40;0;90;90\r\n90;90;0;40\r\n90;90;40;0\r\n").dies(), 2U);
  EXPECT_EQ(model_of("\t\t\n40\t\t\n40\t40\t\n").processors(), 3U);
  EXPECT_EQ(model_of("\n40\n40,40\n").processors(), 3U) << "the first row of a triangle is an empty line";
  EXPECT_EQ(model_of("\n0,40\n40,0\n\n").processors(), 2U);
}

TEST(CoreMatrix, OfOneLevelHasOneDistance) {
  const model m = model_of(triangle(4, [](unsigned, unsigned) { return 40; }));
  EXPECT_EQ(m.distances(), std::vector<std::string>{"same_die"});
  EXPECT_EQ(m.dies(), 1U);
  const model scattered = model_of(",,\n38,,\n40,44,\n");
  EXPECT_EQ(scattered.latency(operation::cas, state::modified, 0), 80 * per_cycle) << "the median";
  EXPECT_EQ(refusal(triangle(4, [](unsigned, unsigned) { return 40; }), 2),
            "it shows one level, so where 2 packages end is not known");
}

TEST(CoreMatrix, OfHardwareThreadsAloneIsOneCore) {
  const model m = model_of(triangle(2, [](unsigned, unsigned) { return 7; }));
  EXPECT_EQ(m.cores(), 1U);
  EXPECT_EQ(m.threads_per_core(), 2U);
}

TEST(CoreMatrix, ClustersNeedNotBeAlike) {
  const model m = model_of(triangle(8, [](unsigned a, unsigned b) { return (a + 1) / 3 == (b + 1) / 3 ? 40 : 145; }));
  EXPECT_EQ(m.cores(), 8U);
  EXPECT_EQ(m.distances()[m.between(0, 1)], "same_die");
  EXPECT_EQ(m.distances()[m.between(1, 2)], "same_package");
  EXPECT_EQ(m.distances()[m.between(2, 4)], "same_die");
  EXPECT_EQ(m.distances()[m.between(4, 5)], "same_package");
  EXPECT_EQ(refusal(triangle(8, [](unsigned a, unsigned b) { return (a + 1) / 3 == (b + 1) / 3 ? 40 : 145; }), 2),
            "a group of 3 cores that are near each other fits none of 2 packages");
  EXPECT_EQ(refusal(triangle(8, [](unsigned a, unsigned b) { return (a + 1) / 3 == (b + 1) / 3 ? 40 : 145; }), 3),
            "8 cores do not make 3 packages alike");
}

TEST(CoreMatrix, WithHolesOrTwoDirectionsIsMendedAndSaysSo) {
  EXPECT_EQ(remark(triangle(4, [](unsigned, unsigned) { return 40; })), "");
  EXPECT_EQ(remark("\n0,50\n30,0\n"), "1 of 1 pairs took a quarter longer one way than the other: the mean is used");
  EXPECT_EQ(read_core_matrix("0,50\n30,0\n").ns.between(0, 1), 40);
  EXPECT_EQ(remark(",,\n40,,\n40,nan,\n"),
            "1 of 3 pairs have no time: each is taken to be as far as the longest step of the best way over other "
            "processors");
  EXPECT_EQ(remark(",,,\n40,,,\n"), "it has 2 rows and 4 columns: only the 2 processors that have a row are used");
}

TEST(CoreMatrix, ThatIsNoneIsRefusedInASentence) {
  EXPECT_EQ(refusal(""), "it has 0 rows of times, and a machine needs two processors");
  EXPECT_EQ(refusal("1,2,3\n"), "it has 1 rows of times, and a machine needs two processors");
  EXPECT_EQ(refusal("cpu0,cpu1\n0,1\n"), "line 1, column 1: 'cpu0' is no time in nanoseconds from 0 to 1000000");
  EXPECT_EQ(refusal(",\n-3,\n"), "line 2, column 1: '-3' is no time in nanoseconds from 0 to 1000000");
  EXPECT_EQ(refusal(",\ninf,\n"), "line 2, column 1: 'inf' is no time in nanoseconds from 0 to 1000000");
  // Triangles without the row or the fields of a processor.
  for (const char* const half : {"30\n32,31\n", "30,31\n32\n", "30,31,33\n32,34\n35\n"})
    EXPECT_NE(refusal(half).find("it is unclear which pair of processors a time belongs to"), std::string::npos)
        << half;
  EXPECT_EQ(refusal(",,\n40,,\n,,\n"), "2 of the 3 pairs of its 3 processors have no time; a model needs half");
  EXPECT_EQ(refusal(",,,\n40,,,\n40,40,,\n,,,\n"),
            "some processors have no time to any of the others, so how far they are is not known");
  std::string many;
  for (int i = 0; i < 4097; ++i) many += "1\n";
  EXPECT_EQ(refusal(many), "it has more than 4096 rows, the most processors of a matrix");
}

/// The most that is taken: threads of a core, cores of a die, dies of a package, two packages. One time is missing.
TEST(CoreMatrix, Of4096ProcessorsBecomesAMachine) {
  constexpr unsigned processors = 4096;
  std::string csv;
  csv.reserve(std::size_t{4} * processors * processors / 2);
  for (unsigned a = 0; a < processors; ++a) {
    for (unsigned b = 0; b < a; ++b) {
      const char* const ns = a / 2 == b / 2 ? "8" : a / 64 == b / 64 ? "40" : a / 2048 == b / 2048 ? "120" : "300";
      csv.append(a == 4000 && b == 17 ? "" : ns).push_back(',');
    }
    csv += a == 0 ? ",\n" : "\n";  // the own field is empty
  }
  const auto read = read_core_matrix(csv);
  ASSERT_EQ(read.remarks.size(), 1U);
  EXPECT_NE(read.remarks.front().find("1 of 8386560 pairs have no time"), std::string::npos) << read.remarks.front();
  const model m{model_from_matrix(read, {"made", 2.0, 2})};
  EXPECT_EQ(m.processors(), processors);
  EXPECT_EQ(m.threads_per_core(), 2U);
  EXPECT_EQ(m.dies(), 64U);
  EXPECT_EQ(m.distances().size(), 4U);
}

TEST(CoreMatrix, GroupsThatLeaveCoresOutAreNamed) {
  auto m = model_from_matrix(read_core_matrix(triangle(8, two_packages)), {"made", 2.0, 1});
  const auto refused = [&](const nlohmann::ordered_json& groups) {
    m["reach"]["groups"] = groups;
    try {
      (void)model{m};
      return std::string{};
    } catch (const std::runtime_error& e) {
      return std::string{e.what()};
    }
  };
  EXPECT_EQ(refused({{{"distance", "same_die"}, {"cores", 4}}}),
            "reach.groups must end with one group of all cores: else some cannot be reached");
  EXPECT_EQ(refused({{{"distance", "same_die"}, {"cores", 3}}}), "reach.groups[0].cores has more than the 8 cores");
  EXPECT_EQ(refused({{{"distance", "same_die"}, {"cores", {4, 3}}}}),
            "reach.groups[0].cores has 7 of 8 cores: some cannot be reached");
}

}  // namespace
}  // namespace synchro::simulator
