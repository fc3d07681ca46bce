// Tests whose number is known when the program runs.

#ifndef SYNCHRO_TESTS_LOCKS_SUITE_HPP
#define SYNCHRO_TESTS_LOCKS_SUITE_HPP

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

namespace synchro::tests {

class listed_test : public testing::Test {
 public:
  explicit listed_test(std::function<void()> body) : body_{std::move(body)} {}
  void TestBody() override { body_(); }

 private:
  std::function<void()> body_;
};

class suite {
 public:
  explicit suite(std::string name) : name_{std::move(name)} {}

  void add(const char* test, std::function<void()> body) const {
    testing::RegisterTest(name_.c_str(), test, nullptr, nullptr, __FILE__, __LINE__,
                          [body = std::move(body)]() -> listed_test* { return new listed_test(body); });
  }

 private:
  std::string name_;
};

}  // namespace synchro::tests

#endif
