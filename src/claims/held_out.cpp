#include "claims/held_out.hpp"

#include <array>

#include "statistics/random.hpp"

namespace synchro::claims {

namespace {

constexpr std::array<std::string_view, 11> tables{"mctop: latencies of the Opteron 6172",
                                                  "mctop: memory of the Opteron 6172",
                                                  "mctop: latencies of the Xeon E7-8867L",
                                                  "mctop: memory of the Xeon E7-8867L",
                                                  "mctop: latencies of the UltraSPARC T2",
                                                  pairs_table,
                                                  server_table,
                                                  lock_curves,
                                                  server_of_xeon,
                                                  pairs_of_tilera,
                                                  hash_tables};

/// FNV-1a: the same number for a name wherever it is computed.
std::uint64_t number_of(std::string_view name) {
  std::uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01b3;
  return hash;
}

}  // namespace

std::span<const std::string_view> drawn_tables() { return tables; }

bool may_set_constants(std::string_view claim_or_table) {
  if (claim_or_table == lock_curves) return false;
  return statistics::random_numbers{seed_of_the_draw ^ number_of(claim_or_table)}.below(2) == 0;
}

bool has_shaped_a_model(std::string_view claim_or_table) {
  return claim_or_table == "S25" || claim_or_table == "S35"  // asked what the paper's programs do around a lock
         || claim_or_table == "S26"  // revealed that libssmp's copies to its callers' memory took no time
         || claim_or_table == "S28"  // revealed that a write at home held its line all the way there and back
         || claim_or_table == "S41"  // revealed that transfers of different lines shared nothing
         || claim_or_table == "S47" || claim_or_table == "S48"  // revealed that a library's calls took no time
         || claim_or_table == "S52"                             // revealed a fault in the model of cores
         || claim_or_table == pairs_table                       // as S26, whose text names its figures
         || claim_or_table == server_table;                     // revealed that a server's misses did not overlap
}

}  // namespace synchro::claims
