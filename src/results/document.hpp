// A results file: one JSON document, "synchroscope/1", described by docs/results.schema.json.

#ifndef SYNCHRO_RESULTS_DOCUMENT_HPP
#define SYNCHRO_RESULTS_DOCUMENT_HPP

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/cell.hpp"

namespace synchro::results {

inline constexpr const char* schema_name = "synchroscope/1";

/// A warning of the run: id, evidence (numbers), advice (one sentence).
struct warning {
  std::string id;
  nlohmann::ordered_json evidence;
  std::string advice;
};

struct document {
  bool complete = false;
  std::string id;
  std::optional<std::string> label;
  nlohmann::ordered_json tool, invocation, machine, topology, os, clock;
  std::vector<warning> warnings;
  std::vector<cell> cells;
};

[[nodiscard]] nlohmann::ordered_json to_json(const document& d);

/// Reads and checks a file. Throws std::runtime_error with one sentence: not there, not JSON (truncated?), not ours,
/// from a newer schema, a field missing.
[[nodiscard]] document read_document(const std::string& path);

/// Writes through a temporary neighbour and a rename, so the path never holds half a document. Throws
/// std::runtime_error with one sentence (no space, no permission).
void write_document(const document& d, const std::string& path);

/// The journal of a running measurement: FILE.partial, one JSON line per entry, flushed after each, so that nothing
/// measured is lost when the program is killed. Removed by finish() once the document is written.
class journal {
 public:
  /// Opens before anything is measured. Throws std::runtime_error with one sentence if it cannot be written.
  explicit journal(const std::string& document_path);
  ~journal();
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;

  /// Throws std::runtime_error when the disk is full; what was written before stays readable.
  void append(const nlohmann::ordered_json& entry);
  void finish();

  /// Entries of an earlier journal; a torn last line is left out.
  [[nodiscard]] static std::vector<nlohmann::ordered_json> read(const std::string& document_path);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace synchro::results

#endif
