#include "experiments/database/monetdb.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace synchro::experiments::database {

namespace {

struct options {
  int memory_limit = 0, query_timeout = 0, session_timeout = 0, threads = 0;
  void* remote = nullptr;
  void* server = nullptr;
  const char* trace_file = nullptr;
};
struct result {
  std::size_t rows, columns;
  char* name;
  std::int64_t last_id;
};
enum class type : int { boolean, int8, int16, int32, int64, int128, size, float32, float64, text, blob, date };

/// What every column begins with. A null and the scale of a decimal follow, the former as large as a value.
struct column {
  type kind;
  void* data;
  std::size_t count;
  char* name;
};
template <class T>
struct column_of : column {
  T null;
  double scale;
};
struct date {
  unsigned char day, month;
  short year;
};

__extension__ using int128 = __int128;

/// The decimal number n / scale.
std::string decimal_text(int128 n, double scale) {
  if (scale <= 1) return fmt::format("{}", n);
  const auto parts = static_cast<int128>(scale);
  const auto places = fmt::format("{:.0f}", scale).size() - 1;
  const int128 size = n < 0 ? -n : n;
  return fmt::format("{}{}.{:0{}}", n < 0 ? "-" : "", size / parts, size % parts, places);
}

template <class T>
std::string whole_text(const column& c, std::size_t row) {
  const auto& its = static_cast<const column_of<T>&>(c);
  const T value = static_cast<const T*>(c.data)[row];
  return value == its.null ? "" : decimal_text(value, its.scale);
}

std::string field_text(const column& c, std::size_t row) {
  switch (c.kind) {
    case type::boolean:
    case type::int8:
      return whole_text<std::int8_t>(c, row);
    case type::int16:
      return whole_text<std::int16_t>(c, row);
    case type::int32:
      return whole_text<std::int32_t>(c, row);
    case type::int64:
      return whole_text<std::int64_t>(c, row);
    case type::int128:
      return whole_text<int128>(c, row);
    case type::float32:
      return fmt::format("{:.6g}", static_cast<const float*>(c.data)[row]);
    case type::float64:
      return fmt::format("{:.6g}", static_cast<const double*>(c.data)[row]);
    case type::text: {
      const char* const text = static_cast<char* const*>(c.data)[row];
      return text == nullptr ? "" : text;
    }
    case type::date: {
      const date d = static_cast<const date*>(c.data)[row];
      return fmt::format("{:04}-{:02}-{:02}", d.year, d.month, d.day);
    }
    default:
      throw std::runtime_error{fmt::format("MonetDB's type {} is not known here", static_cast<int>(c.kind))};
  }
}

/// In this order each finds in memory what it needs of the others.
constexpr std::array libraries_in_order{"libpcre-",     "libstream-",     "libbat-",     "libmapi-",
                                        "libmonetdb5-", "libmonetdbsql-", "libmonetdbe-"};

void* load_all(const std::string& folder) {
  void* last = nullptr;
  for (const std::string name : libraries_in_order) {
    last = nullptr;
    for (const auto& file : std::filesystem::directory_iterator{folder})
      if (file.path().filename().string().starts_with(name)) last = dlopen(file.path().c_str(), RTLD_NOW | RTLD_GLOBAL);
    const char* const why = last == nullptr ? dlerror() : nullptr;
    if (last == nullptr)
      throw std::runtime_error{fmt::format("{}*.so of {} cannot be loaded: {}", name, folder, why ? why : "not there")};
  }
  return last;
}

}  // namespace

struct monetdb::state {
  void* library;
  void* database = nullptr;
  int (*open)(void** database, char* folder, options* how) = find<decltype(open)>("monetdbe_open");
  int (*close)(void* database) = find<decltype(close)>("monetdbe_close");
  char* (*error)(void* database) = find<decltype(error)>("monetdbe_error");
  char* (*query)(void* database, char* text, result** answer,
                 std::int64_t* rows) = find<decltype(query)>("monetdbe_query");
  char* (*fetch)(result* answer, column** to, std::size_t at) = find<decltype(fetch)>("monetdbe_result_fetch");
  char* (*cleanup)(void* database, result* answer) = find<decltype(cleanup)>("monetdbe_cleanup_result");

  explicit state(const std::string& folder) : library{load_all(folder)} {}

  template <class Function>
  Function find(const char* name) const {
    void* const found = dlsym(library, name);
    if (found == nullptr) throw std::runtime_error{fmt::format("MonetDB's library has no {}", name)};
    return reinterpret_cast<Function>(found);
  }

  static void demand_none(const char* refusal) {
    if (refusal != nullptr) throw std::runtime_error{fmt::format("MonetDB: {}", refusal)};
  }

  [[nodiscard]] result* ask(std::string statement) const {
    result* answer = nullptr;
    std::int64_t changed = 0;
    demand_none(query(database, statement.data(), &answer, &changed));
    return answer;
  }
};

monetdb::monetdb(const std::string& libraries, const std::string& folder, unsigned threads)
    : state_{std::make_unique<state>(libraries)} {
  options how;
  how.threads = static_cast<int>(threads);
  std::string path = folder;
  if (state_->open(&state_->database, path.data(), &how) != 0) {
    const char* const why = state_->database != nullptr ? state_->error(state_->database) : nullptr;
    throw std::runtime_error{fmt::format("MonetDB cannot open {}: {}", folder, why ? why : "it does not say why")};
  }
}

monetdb::~monetdb() { state_->close(state_->database); }

std::vector<std::string> monetdb::rows(const std::string& statement) {
  result* const answer = state_->ask(statement);
  std::vector<std::string> all;
  if (answer == nullptr) return all;
  all.resize(answer->rows);
  for (std::size_t i = 0; i < answer->columns; ++i) {
    column* c = nullptr;
    state::demand_none(state_->fetch(answer, &c, i));
    for (std::size_t row = 0; row < answer->rows; ++row) {
      if (i != 0) all[row] += '\t';
      all[row] += field_text(*c, row);
    }
  }
  state_->cleanup(state_->database, answer);
  return all;
}

void monetdb::run(const std::string& statement) {
  if (result* const answer = state_->ask(statement); answer != nullptr) state_->cleanup(state_->database, answer);
}

}  // namespace synchro::experiments::database
