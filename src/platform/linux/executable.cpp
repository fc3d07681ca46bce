#include "platform/executable.hpp"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace synchro::platform {

namespace {

bool is_program(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && access(path.c_str(), X_OK) == 0;
}

/// An ELF file as far as it is well-formed: what lies outside of it is not there.
class elf_file {
 public:
  explicit elf_file(std::string bytes) : bytes_{std::move(bytes)} {}

  [[nodiscard]] bool is_elf() const { return bytes_.compare(0, SELFMAG, ELFMAG) == 0; }

  [[nodiscard]] bool is_for_this_processor() const {
    const elf_file own{read("/proc/self/exe", sizeof(ElfW(Ehdr)))};
    ElfW(Ehdr) mine{}, other{};
    return own.get(0, mine) && get(0, other) && mine.e_ident[EI_CLASS] == other.e_ident[EI_CLASS] &&
           mine.e_machine == other.e_machine;
  }

  /// Whether a loader starts it, which is what loads libraries.
  [[nodiscard]] bool has_loader() const {
    ElfW(Ehdr) header{};
    if (!get(0, header)) return false;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      ElfW(Phdr) part{};
      if (get(header.e_phoff + i * sizeof part, part) && part.p_type == PT_INTERP) return true;
    }
    return false;
  }

  /// Whether one of its symbol tables says that it contains this function.
  [[nodiscard]] bool defines(const std::string& function) const {
    ElfW(Ehdr) header{};
    if (!get(0, header)) return false;
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      ElfW(Shdr) table{}, names{};
      const bool symbols = section(header, i, table) && (table.sh_type == SHT_SYMTAB || table.sh_type == SHT_DYNSYM);
      if (symbols && section(header, table.sh_link, names) && has_definition(table, names, function)) return true;
    }
    return false;
  }

  static std::string read(const std::string& path, std::size_t most) {
    std::ifstream file{path, std::ios::binary};
    std::string bytes;
    std::vector<char> block(std::size_t{1} << 16);
    while (bytes.size() < most &&
           (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0))
      bytes.append(block.data(), static_cast<std::size_t>(file.gcount()));
    return bytes;
  }

 private:
  template <class T>
  bool get(std::size_t at, T& value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return true;
  }

  bool section(const ElfW(Ehdr) & header, std::size_t i, ElfW(Shdr) & found) const {
    return i < header.e_shnum && get(header.e_shoff + i * sizeof found, found);
  }

  bool has_definition(const ElfW(Shdr) & table, const ElfW(Shdr) & names, const std::string& function) const {
    for (std::size_t at = 0; at + sizeof(ElfW(Sym)) <= table.sh_size; at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol{};
      if (!get(table.sh_offset + at, symbol)) return false;
      const std::size_t name = names.sh_offset + symbol.st_name;
      if (symbol.st_shndx != SHN_UNDEF && name < bytes_.size() &&
          bytes_.compare(name, function.size() + 1, function.c_str(), function.size() + 1) == 0)
        return true;
    }
    return false;
  }

  std::string bytes_;
};

/// Whether the system starts it with other rights than ours, and then without what we ask of the loader.
bool changes_rights(const std::string& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return false;
  const bool other_user = (facts.st_mode & S_ISUID) != 0 && facts.st_uid != getuid();
  const bool other_group = (facts.st_mode & S_ISGID) != 0 && facts.st_gid != getgid();
  const bool more = getuid() != 0 && getxattr(path.c_str(), "security.capability", nullptr, 0) > 0;
  return other_user || other_group || more;
}

/// What a script's first line names: "#!/usr/bin/env python3" and "#!/usr/bin/python3" both name a python3.
std::optional<std::string> interpreter_of(const std::string& bytes) {
  if (bytes.compare(0, 2, "#!") != 0) return std::nullopt;
  std::istringstream line{bytes.substr(2, bytes.find('\n') - 2)};
  std::string program, word;
  line >> program >> word;
  const bool looks_up = program.size() >= 4 && program.compare(program.size() - 4, 4, "/env") == 0;
  return find_executable(looks_up && !word.empty() && word[0] != '-' ? word : program);
}

}  // namespace

std::optional<std::string> find_executable(const std::string& word) {
  if (word.find('/') != std::string::npos) return is_program(word) ? std::optional{word} : std::nullopt;
  const char* const variable = std::getenv("PATH");
  std::istringstream folders{variable != nullptr ? variable : "/usr/local/bin:/usr/bin:/bin"};
  for (std::string folder; !word.empty() && std::getline(folders, folder, ':');) {
    const std::string path = (folder.empty() ? "." : folder) + "/" + word;
    if (is_program(path)) return path;
  }
  return std::nullopt;
}

std::optional<std::string> preload_obstacle(const std::string& path, const std::string& function) {
  std::string at = path;
  for (int depth = 0; depth < 4; ++depth) {
    const std::string bytes = elf_file::read(at, std::size_t{1} << 30);
    if (const auto interpreter = interpreter_of(bytes)) {
      at = *interpreter;
      continue;
    }
    const elf_file program{bytes};
    if (!program.is_elf()) return std::nullopt;
    if (!program.is_for_this_processor()) return "is for another kind of processor";
    if (!program.has_loader()) return "is static: no loader starts it";
    if (changes_rights(at))
      return "is started with another user's or group's rights, for which no library is preloaded";
    if (program.defines(function)) return "contains a " + function + " of its own, which its calls reach first";
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> beside_this_program(const std::string& file, const std::vector<std::string>& folders) {
  char own[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", own, sizeof own);
  if (length <= 0) return std::nullopt;
  const std::string program(own, static_cast<std::size_t>(length));
  const std::string home = program.substr(0, program.rfind('/') + 1);
  for (const std::string& folder : folders) {
    const std::string path = home + folder + "/" + file;
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return std::nullopt;
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>{value} : std::nullopt;
}

std::string become(const std::string& path, const std::vector<std::string>& words,
                   const std::vector<std::pair<std::string, std::string>>& variables) {
  for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  signal(SIGXFSZ, SIG_DFL);  // that it is ignored would be inherited
  execv(path.c_str(), arguments.data());
  const int error = errno;
  signal(SIGXFSZ, SIG_IGN);
  return std::strerror(error);
}

}  // namespace synchro::platform
