// What the explored machine lets happen is what the axioms allow: neither more nor less.

#include "model_checker/litmus.hpp"

#include <gtest/gtest.h>

#include <random>

namespace synchro::tests {
namespace {

using std::memory_order;

instruction R(unsigned l, memory_order o = memory_order::relaxed) { return {instruction::load, l, 0, o}; }
instruction W(unsigned l, std::uint32_t v, memory_order o = memory_order::relaxed) {
  return {instruction::store, l, v, o};
}
instruction A(unsigned l, std::uint32_t v, memory_order o = memory_order::relaxed) {
  return {instruction::add, l, v, o};
}
instruction F() { return {instruction::fence}; }
constexpr auto acq = memory_order::acquire;
constexpr auto rel = memory_order::release;
constexpr unsigned x = 0, y = 1, z = 2;

/// The classic ones, with how many results they have.
struct known {
  litmus test;
  std::size_t results;
};

std::vector<known> classics() {
  return {
      {{"SB", {{W(x, 1), R(y)}, {W(y, 1), R(x)}}}, 4},
      {{"SB+rel+acq", {{W(x, 1, rel), R(y, acq)}, {W(y, 1, rel), R(x, acq)}}}, 4},
      {{"SB+fences", {{W(x, 1), F(), R(y)}, {W(y, 1), F(), R(x)}}}, 3},
      {{"SB+one fence", {{W(x, 1), F(), R(y)}, {W(y, 1), R(x)}}}, 4},
      {{"MP", {{W(x, 1), W(y, 1)}, {R(y), R(x)}}}, 4},
      {{"MP+rel+acq", {{W(x, 1), W(y, 1, rel)}, {R(y, acq), R(x)}}}, 3},
      {{"MP+fences", {{W(x, 1), F(), W(y, 1)}, {R(y), F(), R(x)}}}, 3},
      {{"MP+rel+fence", {{W(x, 1), W(y, 1, rel)}, {R(y), F(), R(x)}}}, 3},
      {{"LB", {{R(x), W(y, 1)}, {R(y), W(x, 1)}}}, 3},
      {{"2+2W", {{W(x, 1), W(y, 2)}, {W(y, 1), W(x, 2)}}}, 4},
      {{"2+2W+fences", {{W(x, 1), F(), W(y, 2)}, {W(y, 1), F(), W(x, 2)}}}, 3},
      {{"IRIW+acq", {{W(x, 1, rel)}, {W(y, 1, rel)}, {R(x, acq), R(y, acq)}, {R(y, acq), R(x, acq)}}}, 16},
      {{"IRIW+fences", {{W(x, 1)}, {W(y, 1)}, {R(x), F(), R(y)}, {R(y), F(), R(x)}}}, 15},
      {{"CoRR", {{W(x, 1)}, {W(x, 2)}, {R(x), R(x)}}, 1}, 0},
      {{"CoRR2", {{W(x, 1)}, {W(x, 2)}, {R(x), R(x)}, {R(x), R(x)}}, 1}, 0},
      {{"CoWR", {{W(x, 1), R(x)}, {W(x, 2)}}, 1}, 0},
      {{"release sequence", {{W(x, 1), W(y, 1, rel)}, {A(y, 1)}, {R(y, acq), R(x)}}}, 0},
      {{"no release sequence by a store", {{W(x, 1), W(y, 1, rel), W(y, 2)}, {R(y, acq), R(x)}}}, 0},
      {{"WRC", {{W(x, 1)}, {R(x, acq), W(y, 1, rel)}, {R(y, acq), R(x)}}}, 0},
      {{"WRC+rel", {{W(x, 1, rel)}, {R(x, acq), W(y, 1, rel)}, {R(y, acq), R(x)}}}, 0},
      {{"ISA2", {{W(x, 1), W(y, 1, rel)}, {R(y, acq), W(z, 1, rel)}, {R(z, acq), R(x)}}, 3}, 0},
      {{"R+fences", {{W(x, 1), F(), W(y, 1)}, {W(y, 2), F(), R(x)}}}, 0},
      {{"S", {{W(x, 2), W(y, 1, rel)}, {R(y, acq), W(x, 1)}}}, 0},
      {{"two additions", {{A(x, 1)}, {A(x, 1)}, {R(x)}}, 1}, 0},
      {{"addition between stores", {{W(x, 5), W(x, 7)}, {A(x, 1)}, {R(x), R(x)}}, 1}, 0},
      {{"RWC+fences", {{W(x, 1)}, {R(x), F(), R(y)}, {W(y, 1), F(), R(x)}}}, 0},
  };
}

TEST(Litmus, ClassicsHaveTheResultsThatTheAxiomsAllow) {
  for (const known& k : classics()) {
    const results found = explored_results(k.test);
    EXPECT_EQ(print(found), print(allowed_results(k.test, model::declared))) << k.test.name;
    if (k.results != 0) {
      EXPECT_EQ(found.size(), k.results) << k.test.name;
    }
  }
}

TEST(Litmus, ClassicsAreTheSameInRC11) {
  for (const known& k : classics())
    EXPECT_EQ(print(allowed_results(k.test, model::declared)), print(allowed_results(k.test, model::rc11)))
        << k.test.name;
}

/// A chain of relaxed accesses leads from one fence to another that has to come before it. RC11 does not mind.
TEST(Litmus, WhereTheDeclaredModelIsStrongerThanRC11) {
  const litmus test{
      "fences against relaxed reads-from", {{W(z, 1), F(), W(x, 1)}, {R(x), W(y, 1)}, {R(y), F(), R(z)}}, 3};
  const results declared = allowed_results(test, model::declared);
  const results rc11 = allowed_results(test, model::rc11);
  const result weak{1, 1, 0, 1, 1, 1};
  EXPECT_EQ(rc11.count(weak), 1U);
  EXPECT_EQ(declared.count(weak), 0U);
  EXPECT_EQ(print(explored_results(test)), print(declared));
}

class random_programs {
 public:
  explicit random_programs(unsigned seed) : random_{seed} {}

  litmus next() {
    litmus test{"random", {}, 2};
    const unsigned threads = 2 + below(2);
    for (unsigned t = 0; t < threads; ++t) {
      test.threads.emplace_back();
      const unsigned length = threads == 2 ? 2 + below(2) : 1 + below(2);
      for (unsigned i = 0; i < length; ++i) test.threads.back().push_back(any());
    }
    return test;
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  instruction any() {
    const unsigned l = below(2);
    const std::uint32_t v = 1 + below(2);
    switch (below(8)) {
      case 0:
      case 1:
        return R(l);
      case 2:
        return R(l, acq);
      case 3:
        return W(l, v);
      case 4:
        return W(l, v, rel);
      case 5:
        return A(l, v, std::array{memory_order::relaxed, acq, rel, memory_order::acq_rel}[below(4)]);
      case 6:
        return F();
      default:
        return W(l, v);
    }
  }

  std::mt19937 random_;
};

std::string code_of(const litmus& test) {
  std::string text;
  for (const auto& thread : test.threads) {
    for (const instruction& i : thread)
      text += std::string{"RWAF"[i.what]} + "xyz"[i.location] + std::to_string(i.value) + "." +
              model_checker::to_string(i.order) + " ";
    text += "| ";
  }
  return text;
}

TEST(Litmus, RandomProgramsHaveTheResultsThatTheAxiomsAllow) {
  random_programs some{1};
  for (int i = 0; i < 400; ++i) {
    const litmus test = some.next();
    EXPECT_EQ(print(explored_results(test)), print(allowed_results(test, model::declared))) << code_of(test);
  }
}

TEST(Litmus, WhatTheSearchLeavesOutMakesNoDifference) {
  random_programs some{2};
  for (int i = 0; i < 100; ++i) {
    const litmus test = some.next();
    model_checker::search_options plain, cached, sleeping;
    plain.caching = plain.sleep_sets = false;
    cached.sleep_sets = false;
    sleeping.caching = false;
    const std::string all = print(explored_results(test, plain));
    EXPECT_EQ(print(explored_results(test, cached)), all) << code_of(test);
    EXPECT_EQ(print(explored_results(test, sleeping)), all) << code_of(test);
    EXPECT_EQ(print(explored_results(test)), all) << code_of(test);
  }
}

}  // namespace
}  // namespace synchro::tests
