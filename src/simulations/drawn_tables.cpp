#include "simulations/drawn_tables.hpp"

#include <fmt/format.h>

#include <iterator>

#include "claims/held_out.hpp"
#include "claims/verdict.hpp"
#include "results/experiment_names.hpp"
#include "results/units.hpp"
#include "simulations/simulations.hpp"
#include "statistics/statistics.hpp"

namespace synchro::simulations {

namespace {

using enum table_figure;

constexpr const char* opteron_memory = "mctop: memory of the Opteron 6172";
constexpr const char* xeon_memory = "mctop: memory of the Xeon E7-8867L";
constexpr const char* niagara_lines = "mctop: latencies of the UltraSPARC T2";
constexpr const char* pairs = claims::pairs_table.data();
constexpr const char* server = claims::server_table.data();
constexpr const char* of_xeon = claims::server_of_xeon.data();
constexpr const char* of_tilera = claims::pairs_of_tilera.data();

// mctop: github.com/LPD-EPFL/mctop at a8f88ca, desc, MIT licence, Copyright (c) 2016 Distributed Programming Lab, EPFL;
// means over the nodes so far apart. ssmp-threads: github.com/LPD-EPFL/ssmp-threads, scripts, medians of the raw results; those of the
// Xeon and the Tilera are one file each (client_server.xeon.throughput.dat at 399285d, one2one.tilera.dat at a13f65d).
constexpr table_point points_of_tables[] = {
    {opteron_memory, "opteron", memory, "same_die", 0, 141},   {opteron_memory, "opteron", memory, "same_mcm", 0, 247},
    {opteron_memory, "opteron", memory, "one_hop", 0, 261},    {opteron_memory, "opteron", memory, "two_hops", 0, 342},
    {xeon_memory, "xeon", memory, "same_die", 0, 367},         {xeon_memory, "xeon", memory, "one_hop", 0, 494},
    {xeon_memory, "xeon", memory, "two_hops", 0, 603},         {niagara_lines, "niagara", transfer, "same_core", 0, 67},
    {niagara_lines, "niagara", transfer, "other_core", 0, 67}, {pairs, "opteron", one_way, "same_die", 2, 260},
    {pairs, "opteron", one_way, "same_mcm", 2, 463},           {pairs, "opteron", one_way, "one_hop", 2, 503},
    {pairs, "opteron", one_way, "two_hops", 2, 510},           {pairs, "opteron", there_and_back, "same_die", 2, 500},
    {pairs, "opteron", there_and_back, "same_mcm", 2, 910},    {pairs, "opteron", there_and_back, "one_hop", 2, 940},
    {pairs, "opteron", there_and_back, "two_hops", 2, 970},    {server, "opteron", served_one_way, "", 6, 6.0},
    {server, "opteron", served_one_way, "", 12, 6.5},          {server, "opteron", served_one_way, "", 18, 6.0},
    {server, "opteron", served_one_way, "", 24, 5.3},          {server, "opteron", served_one_way, "", 36, 4.9},
    {server, "opteron", served_one_way, "", 48, 4.9},          {server, "opteron", served_there_and_back, "", 6, 10.1},
    {server, "opteron", served_there_and_back, "", 12, 8.7},   {server, "opteron", served_there_and_back, "", 18, 7.9},
    {server, "opteron", served_there_and_back, "", 24, 7.1},   {server, "opteron", served_there_and_back, "", 36, 6.7},
    {server, "opteron", served_there_and_back, "", 48, 6.5},   {of_xeon, "xeon", served_one_way, "", 6, 16.1},
    {of_xeon, "xeon", served_one_way, "", 10, 24.3},           {of_xeon, "xeon", served_one_way, "", 11, 4.63},
    {of_xeon, "xeon", served_one_way, "", 18, 4.65},           {of_xeon, "xeon", served_one_way, "", 36, 4.45},
    {of_xeon, "xeon", served_there_and_back, "", 6, 8.95},     {of_xeon, "xeon", served_there_and_back, "", 10, 9.20},
    {of_xeon, "xeon", served_there_and_back, "", 11, 7.03},    {of_xeon, "xeon", served_there_and_back, "", 18, 6.49},
    {of_xeon, "xeon", served_there_and_back, "", 36, 5.23},    {of_tilera, "tilera", one_way, "one_hop", 2, 61},
    {of_tilera, "tilera", one_way, "max_hops", 2, 64},         {of_tilera, "tilera", there_and_back, "one_hop", 2, 120},
    {of_tilera, "tilera", there_and_back, "max_hops", 2, 138},
};

/// By libssmp's way, which is what was measured; on the Tilera that is its network.
double message_cycles(prover& p, const table_point& t, const char* metric) {
  const char* const means = p.machine(t.machine).network() ? by_network : paper_channel_name;
  return p.machine(t.machine).ghz() * p.value(t.machine, results::experiment_names::messages_pair,
                                              {{"means", means}, {"size", "line"}, {"distance", t.distance}}, metric);
}

double served_millions(prover& p, const table_point& t, const char* protocol) {
  return 1e-6 * p.value(t.machine, results::experiment_names::messages_server,
                        {{"means", paper_mailbox_name},
                         {"protocol", protocol},
                         {"size", "line"},
                         {"threads", t.processes - 1},
                         {"work", std::int64_t{0}}},
                        "messages");
}

double figure_of_table(prover& p, const table_point& t) {
  switch (t.what) {
    case memory:
      return p.cycles(t.machine, "load", "invalid", t.distance);
    case transfer:
      return p.cycles(t.machine, "cas", "modified", t.distance);
    case one_way:
      return message_cycles(p, t, "one_way");
    case there_and_back:
      return message_cycles(p, t, "round_trip");
    case served_one_way:
      return served_millions(p, t, "one_way");
    case served_there_and_back:
      break;
  }
  return served_millions(p, t, "round_trip");
}

std::string words_of_table(const table_point& t) {
  switch (t.what) {
    case memory:
      return fmt::format("{}, load, cycles", t.distance);
    case transfer:
      return fmt::format("{}, compare-and-swap, cycles", t.distance);
    case one_way:
      return fmt::format("{}, one way, cycles", t.distance);
    case there_and_back:
      return fmt::format("{}, there and back, cycles", t.distance);
    case served_one_way:
      return fmt::format("{} processes, one way, millions a second", t.processes);
    case served_there_and_back:
      break;
  }
  return fmt::format("{} processes, there and back, millions a second", t.processes);
}

}  // namespace

std::span<const table_point> published_tables() { return points_of_tables; }

std::vector<table_point> predicted_tables(prover& p) {
  std::vector<table_point> all{std::begin(points_of_tables), std::end(points_of_tables)};
  for (table_point& t : all) {
    static_cast<void>(p.only_read_prices());
    t.predicted = figure_of_table(p, t);
    t.given = p.only_read_prices();
  }
  return all;
}

std::string tables_in_words(const std::vector<table_point>& all) {
  std::string text = "| table that only scores | figure | measured | model |\n|---|---|--:|--:|\n";
  std::vector<double> given, shaped, predicted;
  for (const table_point& t : all) {
    text += fmt::format("| {} | {} | {} | {} |\n", t.table, words_of_table(t), results::significant(t.measured, 3),
                        results::significant(t.predicted, 3));
    (t.given                               ? given
     : claims::has_shaped_a_model(t.table) ? shaped
                                           : predicted)
        .push_back(claims::deviation{t.predicted / t.measured, false}.factor());
  }
  const auto sum = [](const char* what, const std::vector<double>& factors) {
    if (factors.empty()) return std::string{};
    return fmt::format("\n{}: {} times to either side in the median of {}\n", what,
                       results::significant(results::median(factors), 3), factors.size());
  };
  return text + sum("prices of the models, beside others' measurements of the same machines", given) +
         sum("not predicted, for the table has shaped a model", shaped) +
         sum("predicted, in tables that only score", predicted);
}

}  // namespace synchro::simulations
