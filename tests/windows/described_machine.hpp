// What GetLogicalProcessorInformationEx and GetSystemCpuSetInformation would say of a machine that is not here, byte for byte.

#ifndef SYNCHRO_TESTS_WINDOWS_DESCRIBED_MACHINE_HPP
#define SYNCHRO_TESTS_WINDOWS_DESCRIBED_MACHINE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace synchro::tests {

class described_machine {
 public:
  struct group_mask {
    std::uint16_t group;
    std::uint64_t mask;
  };
  using masks = std::vector<group_mask>;
  static constexpr std::uint64_t whole = ~std::uint64_t{0};

  /// A core, a package or a die, by the number of its kind.
  described_machine& processors(std::uint32_t kind, const masks& of, std::uint8_t efficiency_class = 0) {
    std::vector<std::byte> body(24);
    put(body, 1, efficiency_class);
    return add(kind, body, 22, of, static_cast<std::uint16_t>(of.size()));
  }
  /// Before Windows 11 the number of groups was 0.
  described_machine& node(std::uint32_t kind, std::uint32_t number, const masks& of, std::uint16_t groups) {
    std::vector<std::byte> body(24);
    put(body, 0, number);
    return add(kind, body, 22, of, groups);
  }
  described_machine& cache(std::uint8_t level, std::uint32_t size, const masks& of, std::uint16_t groups) {
    std::vector<std::byte> body(32);
    put(body, 0, level);
    put(body, 2, std::uint16_t{64});
    put(body, 4, size);
    return add(2, body, 30, of, groups);
  }
  described_machine& cpu_set(std::uint32_t kind, std::uint32_t id, std::uint16_t group, std::uint8_t number,
                             std::uint8_t flags, std::uint32_t size = 32) {
    std::vector<std::byte> record(size);
    put(record, 0, size);
    put(record, 4, kind);
    put(record, 8, id);
    put(record, 12, group);
    put(record, 14, number);
    put(record, 19, flags);
    bytes.insert(bytes.end(), record.begin(), record.end());
    return *this;
  }

  std::vector<std::byte> bytes;

 private:
  template <class T>
  static void put(std::vector<std::byte>& to, std::size_t at, T value) {
    std::memcpy(&to[at], &value, sizeof value);
  }

  described_machine& add(std::uint32_t kind, std::vector<std::byte> body, std::size_t at, const masks& of,
                         std::uint16_t groups) {
    put(body, at, groups);
    std::vector<std::byte> record(8);
    record.insert(record.end(), body.begin(), body.end());
    for (const group_mask& m : of) {
      std::vector<std::byte> one(16);
      put(one, 0, m.mask);
      put(one, 8, m.group);
      record.insert(record.end(), one.begin(), one.end());
    }
    put(record, 0, kind);
    put(record, 4, static_cast<std::uint32_t>(record.size()));
    bytes.insert(bytes.end(), record.begin(), record.end());
    return *this;
  }
};

/// 192 processors in three groups, two a core. The first package has the first two groups, a cache and NUMA node 1; the second
/// has the third group, and node 0. Of a node, the first call tells the primary group only.
inline described_machine of_192_processors() {
  described_machine all;
  const described_machine::masks first{{0, described_machine::whole}, {1, described_machine::whole}};
  const described_machine::masks second{{2, described_machine::whole}};
  for (std::uint16_t group = 0; group != 3; ++group)
    for (unsigned core = 0; core != 32; ++core) {
      const described_machine::masks of{{group, std::uint64_t{3} << 2 * core}};
      all.processors(0, of).cache(1, 49152, of, 1);
    }
  all.processors(3, first).processors(3, second).cache(3, 1U << 28, first, 2).cache(3, 1U << 28, second, 1);
  all.node(1, 1, {first.front()}, 1).node(1, 0, second, 1);
  return all;
}
/// And what the second call tells of the nodes.
inline described_machine nodes_of_192_processors() {
  described_machine nodes;
  nodes.node(1, 1, {{0, described_machine::whole}, {1, described_machine::whole}}, 2);
  nodes.node(6, 0, {{2, described_machine::whole}}, 1);
  return nodes;
}

}  // namespace synchro::tests

#endif
