#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include "platform/system_facts.hpp"

namespace synchro::platform {

std::optional<std::string> fingerprint_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::vector<char> block(std::size_t{1} << 20);
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a
  bool any = false;
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0) {
    any = true;
    for (std::streamsize i = 0; i < file.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(i)])) * 0x100'0000'01b3;
  }
  return any ? std::optional{fmt::format("{:016x}", hash)} : std::nullopt;
}

}  // namespace synchro::platform
