#include "results/document.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <span>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "results/file_parts.hpp"
#include "results/json_fields.hpp"
#include "results/matrix.hpp"
#include "results/text.hpp"

namespace synchro::results {

namespace {

struct section {
  const char* name;
  json document::*content;
};

constexpr std::array<section, 6> sections{{{"tool", &document::tool},
                                           {"invocation", &document::invocation},
                                           {"machine", &document::machine},
                                           {"topology", &document::topology},
                                           {"os", &document::os},
                                           {"clock", &document::clock}}};

json object_or_empty(const json& j, const std::string& place, std::vector<std::string>& not_finite) {
  return j.is_object() ? portable(j, place, not_finite) : json::object();
}

json warning_json(const std::string& id, json evidence, const std::string& advice) {
  json out;
  out["id"] = id;
  out["evidence"] = std::move(evidence);
  out["advice"] = advice;
  return out;
}

}  // namespace

json to_json(const document& d) {
  std::vector<std::string> not_finite;
  json out;
  out["schema"] = schema_name;
  out["complete"] = d.complete;
  out["id"] = d.id;
  out["label"] = d.label ? json(*d.label) : json(nullptr);
  for (const auto& [name, content] : sections) out[name] = object_or_empty(d.*content, name, not_finite);
  json warnings = json::array();
  for (const warning& w : d.warnings) {
    const std::string place = "warnings[" + std::to_string(warnings.size()) + "].evidence";
    warnings.push_back(warning_json(w.id, object_or_empty(w.evidence, place, not_finite), w.advice));
  }
  if (!not_finite.empty())
    warnings.push_back(warning_json("not_finite", {{"fields", not_finite}},
                                    "These facts were not finite numbers and are null: please report this as a bug."));
  out["warnings"] = std::move(warnings);
  out["cells"] = json::array();
  for (const cell& c : d.cells) out["cells"].push_back(to_json(c));
  return out;
}

namespace {

void check_schema(const field& root) {
  const json& object = root.object();
  const auto found = object.find("schema");
  if (found == object.end()) throw std::runtime_error("it has no field \"schema\"");
  const std::string name = root["schema"].text();
  if (is_known_schema(name)) return;
  constexpr std::string_view family = "synchroscope/";
  const bool later = name.starts_with(family) && name > schema_of_matrices &&
                     name.find_first_not_of("0123456789", family.size()) == std::string::npos;
  if (!later) throw std::runtime_error("its schema is \"" + name + "\"");
  throw std::runtime_error("it was written by a newer Synchroscope (schema \"" + name + "\"; this one reads \"" +
                           schema_of_matrices + "\")");
}

warning warning_from(const field& f) { return {f["id"].text(), f["evidence"].object(), f["advice"].text()}; }

/// What cells may take as text, one by one: twice as much as a file.
constexpr std::size_t most_text = 2 * largest_file;

document from_field(const field& root, text_limits left) {
  left.bytes = std::min(left.bytes, most_text);
  check_schema(root);
  document d;
  d.complete = root["complete"].truth();
  d.id = root["id"].text();
  if (!root["label"].null()) d.label = root["label"].text();
  for (const auto& [name, content] : sections) d.*content = root[name].object();
  for (const field& w : root["warnings"].items()) d.warnings.push_back(warning_from(w));
  for (const field& c : root["cells"].items()) {
    try {
      if (is_matrix(c.raw()))
        add_cells_of(c.raw(), left, d.cells);
      else
        d.cells.push_back(cell_from_json(c.raw()));
    } catch (const std::runtime_error& e) {
      throw std::runtime_error(c.place() + ": " + e.what());
    }
  }
  flag_emulated(d);
  return d;
}

}  // namespace

bool is_known_schema(const std::string& name) { return name == schema_name || name == schema_of_matrices; }

document document_from_json(const json& j, text_limits most) { return from_field(field{j, ""}, most); }

document read_document(const std::string& path, text_limits most) {
  const json j = read_json(path, most);
  const std::string name = printable(path, 200);
  try {
    return document_from_json(j, most);
  } catch (const std::runtime_error& e) {
    throw std::runtime_error(name + " is not a results file that can be read here: " + printable(e.what(), 300));
  }
}

namespace {

/// A cell is a line, and so is a matrix of cells; whether there is one.
bool append_cells(std::string& text, std::span<const cell> rest) {
  bool has_matrix = false;
  const char* separator = "\n";
  const auto add_line = [&](const json& j) {
    text.append(separator).append("  ").append(dump(j));
    separator = ",\n";
  };
  while (!rest.empty()) {
    const std::size_t n = std::max<std::size_t>(cells_of_a_matrix(rest), 1);
    const auto matrix = n < fewest_of_matrix ? std::nullopt : matrix_json(rest.first(n));
    if (matrix) add_line(*matrix), has_matrix = true;
    for (std::size_t i = 0; !matrix && i < n; ++i) add_line(to_json(rest[i]));
    rest = rest.subspan(n);
  }
  return has_matrix;
}

/// Readable by eye, by grep and by diff. Cell by cell, so that a large document is never in memory twice.
std::string text_of(const document& d) {
  document about;
  about.complete = d.complete, about.id = d.id, about.label = d.label, about.warnings = d.warnings;
  for (const auto& [name, content] : sections) about.*content = d.*content;
  json head = to_json(about);
  std::string cells;
  if (append_cells(cells, d.cells)) head["schema"] = schema_of_matrices;
  std::string text = "{\n";
  for (const auto& [name, value] : head.items()) {
    if (name != "schema") text += ",\n";
    text.append(" ").append(dump(name)).append(": ");
    if (name != "cells") text += dump(value);
  }
  return text.append("[").append(cells).append("\n ]\n}\n");
}

}  // namespace

std::optional<std::string> write_document(const document& d, const std::string& path) {
  destination file{path};
  return write_document(d, file);
}

std::optional<std::string> write_document(const document& d, destination& file, previous old) {
  return file.write(text_of(d), old);
}

bool is_simulated(const document& d) {
  return d.machine.is_object() && d.machine.contains("kind") && d.machine.at("kind") == "simulated";
}

std::optional<std::string> emulator_of(const document& d) {
  const auto found = d.machine.is_object() ? d.machine.find("emulation") : d.machine.end();
  if (!d.machine.is_object() || found == d.machine.end() || !found->is_string()) return std::nullopt;
  return printable(found->get<std::string>(), 80);
}

std::optional<std::string> why_no_evidence(const document& d) {
  const auto by = emulator_of(d);
  if (!by) return std::nullopt;
  return "was measured under an emulator (" + *by + "), whose figures say nothing about any processor";
}

void flag_emulated(document& d) {
  if (!emulator_of(d)) return;
  for (cell& c : d.cells) c.quality = flag::emulated;
}

namespace {

/// Of a document that holds several machines what it says of one: its own name, model and processors.
document about(const document& d, const std::string& name) {
  document one = d;
  one.cells.clear();
  one.machine["model_name"] = name;
  const auto models = d.machine.find("models");
  if (models == d.machine.end() || !models->is_array()) return one;
  for (const json& model : *models)
    if (model.is_object() && model.value("name", json()) == name) {
      one.machine["models"] = json::array({model});
      if (model.contains("topology")) one.topology = model["topology"];
    }
  return one;
}

}  // namespace

std::vector<std::string> machines_of(const document& d) {
  std::vector<std::string> all;
  for (const cell& c : d.cells)
    if (const coordinate* const machine = c.at.find("machine"))
      if (std::string name = to_string(*machine); std::find(all.begin(), all.end(), name) == all.end())
        all.push_back(std::move(name));
  if (all.empty()) all.emplace_back();
  return all;
}

std::vector<document> runs_of(const document& d) {
  const std::vector<std::string> names = machines_of(d);
  if (names.front().empty()) return {d};
  std::vector<document> all;
  for (const std::string& name : names) all.push_back(about(d, name));
  for (const cell& c : d.cells) {
    const coordinate* const machine = c.at.find("machine");
    if (machine == nullptr) continue;
    cell own = c;
    own.at = {};
    for (const auto& [axis, value] : c.at.entries())
      if (axis != "machine") own.at.set(axis, value);
    const auto place = std::find(names.begin(), names.end(), to_string(*machine)) - names.begin();
    all[static_cast<std::size_t>(place)].cells.push_back(std::move(own));
  }
  return all;
}

std::string new_id() {
  std::random_device device;
  std::uniform_int_distribution<unsigned> nibble{0, 15};
  std::string id = "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx";
  constexpr std::string_view digits = "0123456789abcdef";
  for (char& c : id) {
    if (c == 'x') c = digits[nibble(device)];
    if (c == 'y') c = digits[8 + nibble(device) % 4];
  }
  return id;
}

std::string journal::path_of(const std::string& document_path) { return behind_links(document_path) + ".partial"; }

journal::journal(const std::string& document_path, start how) : path_{path_of(document_path)} {
  if (is_special(document_path)) return;
  check_replaceable(document_path);
  file_ = open_to_append(path_, how == start::onwards);
  if (how == start::onwards) cut_torn_line(file_, path_);
}

journal::~journal() {
  if (file_ < 0) return;
  std::error_code error;
  if (std::filesystem::file_size(named(path_), error) == 0 && !error)
    discard_file(file_, path_);  // not even the first line could be written: there is nothing to resume
  else
    close_file(file_);
}

void journal::append(const json& entry) {
  if (file_ < 0) return;
  results::append(file_, dump(entry) + "\n", path_);
}

void journal::finish() {
  if (file_ < 0) return;
  discard_file(file_, path_);
  file_ = -1;
}

std::vector<json> journal::read(const std::string& document_path) {
  const std::string path = path_of(document_path);
  std::string text = read_file_if_there(path).value_or("");
  std::vector<json> entries;
  std::size_t line = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++line;
    try {
      entries.push_back(parse_json(std::string_view{text}.substr(begin, end - begin)));
    } catch (const std::runtime_error&) {
      throw std::runtime_error(printable(path, 200) + " is damaged: line " + std::to_string(line) + " cannot be read");
    }
  }
  return entries;
}

}  // namespace synchro::results
