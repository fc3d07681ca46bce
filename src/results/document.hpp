// A results file: one JSON document, "synchroscope/1" or "synchroscope/2", described by docs/results.schema.json.

#ifndef SYNCHRO_RESULTS_DOCUMENT_HPP
#define SYNCHRO_RESULTS_DOCUMENT_HPP

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "results/cell.hpp"
#include "results/file.hpp"
#include "results/json_fields.hpp"

namespace synchro::results {

inline constexpr const char* schema_name = "synchroscope/1";
/// Of files with a matrix of cells.
inline constexpr const char* schema_of_matrices = "synchroscope/2";
[[nodiscard]] bool is_known_schema(const std::string& name);

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

/// What no JSON can hold (NaN, infinity) becomes null, and a warning "not_finite" names the places. Cell by cell.
[[nodiscard]] nlohmann::ordered_json to_json(const document& d);
/// Throws std::runtime_error with one sentence that names the field.
[[nodiscard]] document document_from_json(const nlohmann::ordered_json& j, text_limits most = {});

[[nodiscard]] bool is_simulated(const document& d);

/// What ran the program in a processor's place (machine.emulation), in words; nothing if no emulator was seen.
[[nodiscard]] std::optional<std::string> emulator_of(const document& d);
/// Why nothing may be concluded from it, after its name: "was measured under an emulator (qemu-aarch64 on x86_64), whose figures
/// say nothing of any processor".
[[nodiscard]] std::optional<std::string> why_no_evidence(const document& d);
/// If it was, its cells bear the flag, as those of every document that is read.
void flag_emulated(document& d);

/// A simulated document may hold several machines, told apart by the coordinate `machine`: one document for each, without
/// that coordinate. Any other is one run.
[[nodiscard]] std::vector<document> runs_of(const document& d);
/// The name of the machine of each of them; one that is blank where the document does not hold several.
[[nodiscard]] std::vector<std::string> machines_of(const document& d);

/// A fresh identity for a document: a random UUID.
[[nodiscard]] std::string new_id();

/// Reads and checks a file. Throws std::runtime_error with one sentence: not there, not JSON (truncated?), not ours,
/// from a newer schema, a field missing, more in it than that.
[[nodiscard]] document read_document(const std::string& path, text_limits most = {});

/// Many cells of one metric as a matrix. Writes through a temporary neighbour and a rename, so the path never holds half a document. Throws
/// std::runtime_error with one sentence (no space, no permission); then the path holds what it held before. A path that
/// is not a regular file (/dev/stdout, a pipe) is written directly. Measurements that the path held are kept beside it;
/// their name, if there were any.
std::optional<std::string> write_document(const document& d, const std::string& path);
std::optional<std::string> write_document(const document& d, destination& file,
                                          previous old = previous::kept_if_measured);

/// The journal of a running measurement: FILE.partial, one JSON line per entry, flushed after each, so that nothing
/// measured is lost when the program is killed. Removed by finish() once the document is written. Beside a path that is
/// not a regular file (/dev/stdout) there is no journal, and nothing is kept.
class journal {
 public:
  /// Anew, an earlier journal is set aside as FILE.partial.1, .2, ...; onwards, it is kept without its torn last line
  /// and appended to.
  enum class start : std::uint8_t { anew, onwards };

  /// Opens before anything is measured. Throws std::runtime_error with one sentence if it or, later, the document
  /// cannot be written, or another measurement is writing it.
  explicit journal(const std::string& document_path, start how = start::anew);
  ~journal();
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;

  /// Throws std::runtime_error when the disk is full; what was written before stays readable.
  void append(const nlohmann::ordered_json& entry);
  void finish();

  /// Its name: that of the document's file, behind links, and ".partial".
  [[nodiscard]] static std::string path_of(const std::string& document_path);

  /// Entries of an earlier journal, none if there is no file; a torn last line is left out. Throws std::runtime_error
  /// if it cannot be read, or another line of it.
  [[nodiscard]] static std::vector<nlohmann::ordered_json> read(const std::string& document_path);

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace synchro::results

#endif
