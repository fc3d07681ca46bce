// Experiments on machine models: the same bodies, names and axes as on this machine, run on the simulator.

#ifndef SYNCHRO_SIMULATIONS_SIMULATIONS_HPP
#define SYNCHRO_SIMULATIONS_SIMULATIONS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/runner.hpp"
#include "results/cell.hpp"
#include "simulator/model.hpp"

namespace synchro::simulations {

using model_ptr = std::shared_ptr<const simulator::model>;

/// A model changed in something, say in its constants.
using change = std::function<nlohmann::ordered_json(const nlohmann::ordered_json& model)>;
/// A model of the program, changed if there is a change.
[[nodiscard]] model_ptr built_in(const std::string& name, const change& changed);

// One for each experiment that can be simulated; what differs from the original is told in docs/simulation.md.
[[nodiscard]] experiments::experiment coherence_local(const model_ptr& m);
[[nodiscard]] experiments::experiment coherence_states(const model_ptr& m);
[[nodiscard]] experiments::experiment coherence_pairs(const model_ptr& m);
[[nodiscard]] experiments::experiment atomics_throughput(const model_ptr& m);
[[nodiscard]] experiments::experiment locks_ticket(const model_ptr& m);
[[nodiscard]] experiments::experiment locks_uncontested(const model_ptr& m);
[[nodiscard]] experiments::experiment locks_throughput(const model_ptr& m);
[[nodiscard]] experiments::experiment delegation_throughput(const model_ptr& m);
[[nodiscard]] experiments::experiment messages_pair(const model_ptr& m);
[[nodiscard]] experiments::experiment messages_server(const model_ptr& m);
[[nodiscard]] experiments::experiment stm_bank(const model_ptr& m);
[[nodiscard]] experiments::experiment stm_list(const model_ptr& m);
[[nodiscard]] experiments::experiment stm_hashtable(const model_ptr& m);
[[nodiscard]] experiments::experiment hashtable_throughput(const model_ptr& m);
[[nodiscard]] experiments::experiment wake_broadcast(const model_ptr& m);
[[nodiscard]] experiments::experiment wake_groups(const model_ptr& m);

/// All of them, in the order of the originals.
[[nodiscard]] std::vector<experiments::experiment> experiments_on(const model_ptr& m);

/// The setting of a model: its processors, all of them.
[[nodiscard]] experiments::setting setting_of(const simulator::model& m, experiments::level thoroughness,
                                              std::uint64_t seed);

/// The processors of a model, as in a document.
[[nodiscard]] nlohmann::ordered_json topology_facts(const simulator::model& m);

/// The processor of each thread of a cell; more threads than processors begin from the first one again.
[[nodiscard]] std::vector<unsigned> team_of(const simulator::model& m, const experiments::setting& s,
                                            const experiments::coordinates& at);

/// These processors, or all of the model if there are none.
[[nodiscard]] std::vector<unsigned> or_all_of(const simulator::model& m, std::vector<unsigned> processors);

/// So many cycles; with more threads than processors not less than some turns of each thread.
[[nodiscard]] double or_some_slices(const simulator::model& m, unsigned threads, double cycles);

/// Cycles that the protocol `paused` pauses for after each operation. As on hardware, and in the paper (5.4, note 8): half as much
/// again as the longest transfer in the team, of one thread as of two neighbours.
[[nodiscard]] std::uint64_t pause_of(const simulator::model& m, std::vector<unsigned> team);

/// The axis `threads`: the model's own numbers if it has some.
[[nodiscard]] experiments::axis threads_axis(const model_ptr& m);

/// How a cell is simulated, once.
using measured_on_model = std::function<experiments::repetition(
    const simulator::model& m, const experiments::setting& s, const experiments::coordinates& at, std::uint64_t seed)>;

/// The experiment as it is on a model: with the model's axes `threads` and `placement` where it has such, cells that are
/// simulated so and take so many seconds, and a repetition for each seed.
[[nodiscard]] experiments::experiment on_model(experiments::experiment original, const model_ptr& m, double seconds,
                                               measured_on_model how);

/// Of a repetition from 0 on.
[[nodiscard]] std::uint64_t seed_of(const experiments::setting& s, unsigned repetition);

/// Of a model that has a network for messages: that means of messages.*, and the table that is served by it.
inline constexpr const char* by_network = "network";
inline constexpr const char* network_served_table = "messages/network";

/// Means of messages.* besides: as the paper's libssmp sends and serves (paper_messages.hpp), and without its fetching. And the
/// table that is served so.
inline constexpr const char* paper_channel_name = "channel_paper";
inline constexpr const char* paper_channel_plain_name = "channel_paper_plain";
inline constexpr const char* paper_mailbox_name = "mailbox_paper";
inline constexpr const char* paper_served_table = "messages/paper";

/// A means of stm.* besides: the paper's transactional memory (paper_transactions.hpp).
inline constexpr const char* paper_served_transactions = "messages/paper";

/// How many seeds: 6 (the fewest that have an interval), 7 and 11.
[[nodiscard]] unsigned seeds_at(experiments::level l);

/// Simulates the cells of a plan, each as often as it says, with seeds that follow from the setting's. The cells depend
/// on nothing else. `before_each` is called before each cell.
[[nodiscard]] std::vector<results::cell> simulate(
    const experiments::plan& p, const experiments::setting& s,
    const std::function<void(const experiments::planned_cell&)>& before_each);

/// Cycles as a number of them, without what the way through nanoseconds adds in the last digits.
[[nodiscard]] double in_cycles(const simulator::model& m, double ns);

}  // namespace synchro::simulations

#endif
