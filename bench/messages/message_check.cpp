// Do messages.pair and messages.server agree with programs that share no code with them, and does a message one way cost as
// few transfers of a line as it should?
//
// The paper has two transfers for a message (SSYNC, 6.2); 2.2 of what coherence.states measures are allowed to a channel
// whose ends fetch the line for writing. One whose ends look by plain loads may need more: it calls for a line twice. The
// transfer is a load of a line that the other has modified.
//
// A stream through the ring depends on which end is the quicker, and so on all that is done with a message: 20 to 40 ns were
// seen in programs that did a little more or less than the experiment. That line is not judged.
//
// Then the contests: a stream through the ring, in words and in lines, against each queue of another library that was there
// when this was built. The ring is to be at least as fast.
//
// Usage: message_check [PAIRS [NAME]]. Exit 0 if nothing is resolved to disagree, 1 if something is, 3 with one processor.

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "../duel.hpp"
#include "bare.hpp"
#include "experiments/coherence/coherence.hpp"
#include "experiments/messages/messages.hpp"
#include "experiments/messages/peer_pairs.hpp"
#include "platform/clock.hpp"

namespace {

using namespace synchro;
using bench::add, bench::defending;
using experiments::coordinates;

class message_duels {
 public:
  message_duels() {
    setting_.machine = platform::read_topology();
    setting_.thoroughness = experiments::level::quick;
    if (setting_.machine.processors.size() < 2) return;
    const platform::distance far = setting_.machine.distances().front();
    far_ = platform::to_string(far);
    pair_ = setting_.machine.pair_at(far);
    platform::tick_clock::calibrate({pair_->first, pair_->second});
  }

  [[nodiscard]] bool has_two() const { return pair_.has_value(); }

  [[nodiscard]] std::vector<bench::duel> all() const {
    const int a = static_cast<int>(pair_->first), b = static_cast<int>(pair_->second);
    const auto plain = one_way("channel", "line"), fetching = one_way("channel/fetch", "line");
    std::vector<bench::duel> list = defending(
        {"(not in the tour) a message from one thread to another", "`messages.pair`, `one_way`",
         "two bare threads and a line"},
        {{"channel, one way / bare", plain, [a, b] { return bare::one_way(a, b, false); }, 0.8, 1.25},
         {"channel/fetch, one way / bare", fetching, [a, b] { return bare::one_way(a, b, true); }, 0.8, 1.25}});
    add(list, defending({"(not in the tour) a message and its answer", "`messages.pair`, `round_trip`",
                         "two bare threads and a line each way"},
                        {{"channel, there and back / bare", there_and_back("channel"),
                          [a, b] { return bare::answered(a, b, false); }, 0.8, 1.25},
                         {"channel/fetch, there and back / bare", there_and_back("channel/fetch"),
                          [a, b] { return bare::answered(a, b, true); }, 0.8, 1.25}}));
    add(list, defending({"(not in the tour) a stream through our ring", "`messages.pair`, `one_way`",
                         "a bare loop over our ring"},
                        {{"ring, one way / bare", one_way("ring", "line"), [a, b] { return bare::stream(a, b); }, 0,
                          bench::unbounded}}));
    add(list,
        defending({"(not in the tour) a server's client, with its answer, and one way", "`messages.server`, `messages`",
                   "two bare threads that carry a line there and back, and there"},
                  {{"a server's client and its answer / bare", served("round_trip"),
                    [a, b] { return bare::answered(b, a, false); }, 0.8, 1.25},
                   {"a server's client, one way / bare", served("one_way"), [a, b] { return bare::taken(b, a); }, 0.8,
                    1.25}}));
    add(list, defending({"(not in the tour) a message in transfers of a line", "`messages.pair`, `one_way`",
                         "a load of a line that the other has modified, `coherence.states`"},
                        {{"channel, one way / a transfer", plain, [this] { return transfer(); }, 0, bench::unbounded},
                         {"channel/fetch, one way / a transfer", fetching, [this] { return transfer(); }, 0, 2.2}}));
    add(list, contests());
    for (bench::duel& d : list) d.processors = pair_;
    return list;
  }

 private:
  [[nodiscard]] std::vector<bench::duel> contests() const {
    std::vector<bench::duel> list;
    for (const char* size : {"word", "line"})
      for (const experiments::messages::peer_pair& p : experiments::messages::peer_pairs())
        list.push_back({fmt::format("ring, one way, {} / {}", size, p.name), one_way("ring", size),
                        [other = one_way(p.name, size)] { return other(1); }, 0, 1});
    return defending(
        {"(not in the tour) a stream through our ring is ahead of others' queues", "`messages.pair`, `one_way`",
         "Boost's spsc_queue, Concurrency Kit's ring, oneTBB's concurrent_queue"},
        std::move(list));
  }

  static double value_of(const experiments::repetition& r, const std::string& metric) {
    for (const experiments::observation& o : r.observations)
      if (o.metric == metric && !r.broken) return o.value;
    return -1;
  }

  using measured = std::function<double(std::uint64_t)>;
  [[nodiscard]] measured one_way(const std::string& means, const std::string& size) const {
    return by_pair(means, size, "one_way");
  }
  [[nodiscard]] measured there_and_back(const std::string& means) const { return by_pair(means, "line", "round_trip"); }

  [[nodiscard]] measured by_pair(const std::string& means, const std::string& size, const std::string& metric) const {
    return [this, means, size, metric, e = experiments::messages_pair()](std::uint64_t seed) {
      try {
        return value_of(e.measure(setting_, {{"means", means}, {"size", size}, {"distance", far_}}, seed), metric);
      } catch (const std::runtime_error&) {
        return -1.0;  // the two threads did not run side by side
      }
    };
  }
  /// One client's message. The server stands on the first processor of its team.
  [[nodiscard]] measured served(const std::string& protocol) const {
    return [this, e = experiments::messages_server(),
            at = coordinates{{"means", "mailbox"},
                             {"protocol", protocol},
                             {"size", "line"},
                             {"threads", std::int64_t{1}},
                             {"work", std::int64_t{0}},
                             {"placement", "compact"}}](std::uint64_t seed) {
      try {
        const double rate = value_of(e.measure(setting_, at, seed), "messages");
        return rate > 0 ? 1e9 / rate : -1;
      } catch (const std::runtime_error&) {
        return -1.0;  // the two threads did not run side by side
      }
    };
  }
  [[nodiscard]] double transfer() const {
    static const experiments::experiment e = experiments::coherence_states();
    const coordinates at{{"operation", "load"},
                         {"state", "modified"},
                         {"distance", far_},
                         {"home", "requester"},
                         {"event", "load_from_modified"}};
    return value_of(e.measure(setting_, at, 1), "latency");
  }

  experiments::setting setting_;
  std::string far_;
  std::optional<std::pair<unsigned, unsigned>> pair_;
};

}  // namespace

int main(int argc, char** argv) try {
  const message_duels duels;
  if (!duels.has_two()) {
    fmt::print(stderr, "message_check: one processor has nobody to send to\n");
    return 3;
  }
  return bench::answer("message_check", duels.all(), argc, argv) ? 0 : 1;
} catch (const std::exception& e) {
  fmt::print(stderr, "message_check: {}\n", e.what());
  return 2;
}
