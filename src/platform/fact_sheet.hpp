// A JSON object of facts, in which every unknown one is null and says why.

#ifndef SYNCHRO_PLATFORM_FACT_SHEET_HPP
#define SYNCHRO_PLATFORM_FACT_SHEET_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace synchro::platform {

class fact_sheet {
 public:
  void put(const std::string& fact, nlohmann::ordered_json value) { facts_[fact] = std::move(value); }

  void missing(const std::string& fact, const std::string& reason) {
    facts_[fact] = nullptr;
    explain(fact, reason);
  }

  /// The value, or null and the reason.
  template <class T>
  void put(const std::string& fact, const std::optional<T>& value, const std::string& reason) {
    if (value)
      put(fact, nlohmann::ordered_json(*value));
    else
      missing(fact, reason);
  }

  /// For a fact that is null deeper inside.
  void explain(const std::string& fact, const std::string& reason) {
    unavailable_.push_back({{"fact", fact}, {"reason", reason}});
  }

  [[nodiscard]] nlohmann::ordered_json done() && {
    facts_["unavailable"] = std::move(unavailable_);
    return std::move(facts_);
  }

 private:
  nlohmann::ordered_json facts_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json unavailable_ = nlohmann::ordered_json::array();
};

}  // namespace synchro::platform

#endif
