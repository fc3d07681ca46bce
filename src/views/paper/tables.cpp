#include "views/paper/tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace synchro::views::paper {

namespace {

using row = std::vector<std::string>;

row split(const std::string& line, char by = ',') {
  row fields;
  std::istringstream in{line};
  for (std::string item; std::getline(in, item, by);) fields.push_back(item);
  return fields;
}

/// The rows of a CSV, headings first, without the lines that name its source.
std::vector<row> rows_of(const char* csv) {
  std::vector<row> rows;
  std::istringstream in{csv};
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line.front() != '#') rows.push_back(split(line));
  return rows;
}

/// The field of a table whose first column names the row and whose headings name the column.
std::string look_up(const std::vector<row>& rows, const std::string& name, std::string column) {
  const auto lower = [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); };
  row headings = rows.front();
  for (std::string& heading : headings) std::transform(heading.begin(), heading.end(), heading.begin(), lower);
  const auto at = static_cast<std::size_t>(std::find(headings.begin(), headings.end(), column) - headings.begin());
  for (const row& r : rows)
    if (r.front() == name && at < r.size()) return r[at];
  return "";
}

const std::vector<row>& remote() {
  static const std::vector<row> rows = rows_of(table2);
  return rows;
}

std::optional<double> find_remote(const std::string& operation, const std::string& state, const place& where) {
  const row wanted = {operation, state, where.platform, where.distance};
  for (const row& r : remote())
    if (r.size() == 5 && std::equal(wanted.begin(), wanted.end(), r.begin())) return std::stod(r[4]);
  return std::nullopt;
}

}  // namespace

const std::vector<std::string>& platforms() {
  static const std::vector<std::string> all = {"opteron", "xeon", "niagara", "tilera"};
  return all;
}

std::string title(const std::string& platform) {
  std::string name = platform;
  if (!name.empty()) name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

const std::vector<place>& places() {
  static const std::vector<place> all = [] {
    std::vector<place> found;
    for (const row& r : remote()) {
      const auto same = [&](const place& p) { return p.platform == r[2] && p.distance == r[3]; };
      const bool heading = r[4] == "cycles";
      if (!heading && std::none_of(found.begin(), found.end(), same)) found.push_back({r[2], r[3]});
    }
    return found;
  }();
  return all;
}

const std::vector<core_levels>& core_to_core() {
  static const auto all = [] {
    std::vector<core_levels> found;
    const std::vector<row> rows = rows_of(core_to_core_csv);
    for (auto r = rows.begin() + 1; r != rows.end(); ++r) {
      if (found.empty() || found.back().machine != r->at(0)) found.push_back({r->at(0), std::stoul(r->at(1)), {}});
      found.back().medians.push_back(std::stod(r->at(4)));
    }
    return found;
  }();
  return all;
}

std::optional<double> remote_cycles(const std::string& operation, const std::string& state, const place& where) {
  if (const auto cycles = find_remote(operation, state, where)) return cycles;
  const bool atomic = operation != "load" && operation != "store";
  return atomic ? find_remote("atomic", state, where) : std::nullopt;
}

std::optional<double> local_cycles(const std::string& level, const std::string& platform) {
  static const std::vector<row> rows = rows_of(table3);
  const std::string text = look_up(rows, level, platform);
  return text.empty() ? std::nullopt : std::optional{std::stod(text)};
}

namespace {

/// Letters and digits only, in lower case.
std::string bare(const std::string& name) {
  std::string out;
  for (const char c : name)
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
    else if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace

const std::vector<std::string>& calls() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found;
    for (const row& r : rows_of(table4))
      if (r.front() != "call") found.push_back(r.front());
    return found;
  }();
  return all;
}

const std::vector<std::string>& systems() {
  static const std::vector<std::string> all = {"win7", "winxp", "ubuntu1004"};
  return all;
}

std::string system_title(const std::string& system) {
  return system == "win7" ? "Windows 7" : system == "winxp" ? "Windows XP" : "Ubuntu 10.04";
}

std::size_t call_rank(const std::string& call) {
  const auto same = [name = bare(call)](const std::string& known) { return bare(known) == name; };
  return static_cast<std::size_t>(std::find_if(calls().begin(), calls().end(), same) - calls().begin());
}

std::optional<double> call_microseconds(const std::string& call, const std::string& system) {
  static const std::vector<row> rows = rows_of(table4);
  const std::size_t rank = call_rank(call);
  if (rank == calls().size()) return std::nullopt;
  const std::string text = look_up(rows, calls()[rank], system);
  return text.empty() ? std::nullopt : std::optional{std::stod(text)};
}

const char* calls_source() {
  return "The paper's columns: Bogner, Schuetz, Wiesinger, Retrieving the Performance Overhead of Synchronization "
         "Mechanisms of Various Popular Operating Systems, Table 1, in microseconds; its 1 is near or below what the "
         "paper's method resolves.";
}

const std::vector<throttle_log>& throttle_logs() {
  static const std::vector<throttle_log> all = [] {
    std::vector<throttle_log> found;
    for (const row& r : rows_of(throttle_logs_csv)) {
      if (r.size() != 3 || r[0] == "machine") continue;
      if (found.empty() || found.back().machine != r[0]) found.push_back({r[0], {}});
      found.back().seconds[std::stoll(r[1])] = std::stod(r[2]);
    }
    return found;
  }();
  return all;
}

std::string platform_fact(const std::string& platform, const std::string& property) {
  static const std::vector<row> rows = rows_of(table1);
  return look_up(rows, property, platform);
}

namespace {

/// "350..450", "<16000000", ">100000000", "200".
void set_value(figure_point::place& p, const std::string& text) {
  const std::string bounds = "<>";
  const bool bounded = bounds.find(text.front()) != std::string::npos;
  if (bounded) p.bound = text.front() == '<' ? "up to" : "more than";
  const auto dots = text.find("..");
  p.value = std::stod(text.substr(bounded ? 1 : 0));
  p.to = dots == std::string::npos ? p.value : std::stod(text.substr(dots + 2));
}

figure_point point_of(const row& r) {
  enum column : std::uint8_t { figure, platforms, metric, unit, at, x, value, section, words };
  figure_point p{std::stoi(r[figure]), split(r[platforms], '+'), r[section], r.size() > words ? r[words] : "", {}};
  if (r[value].empty()) return p;
  p.drawn = {r[metric], r[unit], {}, {}, 0, 0, ""};
  if (!r[x].empty()) p.drawn->x = std::stoll(r[x]);
  set_value(*p.drawn, r[value]);
  for (const std::string& pair : split(r[at], '+')) {
    const row both = split(pair, '=');
    p.drawn->at[both.at(0)] = split(both.at(1), '|');
  }
  return p;
}

const std::vector<figure_point>& all_figure_points() {
  static const std::vector<figure_point> all = [] {
    const auto rows = rows_of(figure_points_csv);
    std::vector<figure_point> points;
    for (std::size_t i = 1; i < rows.size(); ++i) points.push_back(point_of(rows[i]));
    return points;
  }();
  return all;
}

}  // namespace

std::vector<figure_point> figure_points(const std::string& figures) {
  const std::string begin = "Fig. ";
  std::vector<figure_point> found;
  for (auto at = figures.find(begin); at != std::string::npos; at = figures.find(begin, at + 1)) {
    const int number = std::atoi(figures.c_str() + at + begin.size());
    for (const figure_point& p : all_figure_points())
      if (p.figure == number) found.push_back(p);
  }
  return found;
}

}  // namespace synchro::views::paper
