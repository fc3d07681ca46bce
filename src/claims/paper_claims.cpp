// The sentences of the paper (David, Guerraoui, Trigonakis, SOSP 2013).

#include "claims/catalog.hpp"
#include "claims/judges.hpp"

namespace synchro::claims {

namespace {

constexpr const char* states = "synchroscope run coherence.states";
constexpr const char* contended = "synchroscope run atomics.throughput --protocol paused";
constexpr const char* throughput = "synchroscope run locks.throughput --protocol saturated,paused";
constexpr const char* free_locks = "synchroscope run locks.uncontested coherence.states";
constexpr const char* ticket = "synchroscope run locks.ticket";
constexpr const char* proof = "synchroscope simulate --validate";
constexpr const char* opteron = "On the model of the Opteron.";
constexpr const char* xeon = "On the model of the Xeon.";
constexpr const char* niagara = "On the model of the Niagara.";
constexpr const char* tilera = "On the model of the Tilera.";
constexpr const char* models = "On the models of the paper's machines.";
constexpr const char* program = "It is of a whole program on one of the paper's machines, which no model has.";
constexpr const char* network = "The Tilera's network for messages is not modelled.";

claim judged(const char* id, const char* section, const char* says, const char* figure, const char* rule,
             const char* command, judge j) {
  return {id, section, says, figure, rule, command, kind::judged, j};
}
claim other(kind what, const char* id, const char* section, const char* says, const char* figure, const char* rule) {
  return {id, section, says, figure, rule, what == kind::proved ? proof : "", what, nullptr};
}

std::vector<claim> coherence() {
  using namespace judges;
  const auto proved = [](auto... parts) { return other(kind::proved, parts...); };
  return {
      judged("S1", "1, 5.2", "An access that crosses sockets costs 2 to 7.5 times as much as one inside.",
             "2 to 7.5 times",
             "Loads of a modified and of a shared line, every distance across sockets against the nearest core: from 2 "
             "to 7.5 times, give or take the 3 % of the paper's tables.",
             states, s1),
      judged("S2", "1, 5.2, 5.3",
             "A store to a line that others of the same socket share costs three times as much as one to a line with a "
             "single holder (seen on the Opteron only).",
             "3 times", "Store on shared against store on modified at the nearest core: what rounds to 3 times.",
             states, s2),
      proved("S3", "1, 6.1.3", "The Niagara scales up to 1.7 times better than the Tilera.", "1.7 times", models),
      judged("S4", "1", "On a line held elsewhere, compare-and-swap costs 1.15 to 1.35 times as much as a load.",
             "1.35 (Opteron), 1.15 (Xeon)",
             "Compare-and-swap against load, the mean over modified and exclusive lines at all distances: from 1.15 to "
             "1.35 times, give or take 3 %.",
             states, s4),
      judged("S5", "1, 6.1.2, 8", "No lock is the best everywhere on a machine.", "",
             "At each place measured by the paper's protocol (paused with one lock, saturated with several), the locks "
             "that none is resolved to beat by 3 %: it holds if no "
             "lock is among them everywhere.",
             throughput, s5),
      proved("S5b", "1, 8", "Each of nine locks is the best somewhere.", "nine locks", models),
      proved("S6", "5.1", "44 cycles of the Xeon's last level are the fastest way between cores.", "44 cycles", xeon),
      proved("S7", "5.2", "The dies of a module are 12 cycles nearer than linked ones on the Opteron.", "12 cycles",
             opteron),
      proved("S8", "5.2", "One more hop costs 80 cycles on the Opteron.", "80 cycles", opteron),
      proved("S9", "5.2", "Two hops cost about 3 times as much as within a die on the Opteron.", "3 times", opteron),
      proved("S10", "5.2",
             "312 cycles when both are two hops from the directory of the Opteron (the model is fitted on it).",
             "312 cycles", opteron),
      proved("S11", "5.2", "Cores of one node of the Opteron lose their locality to a remote directory.", "", opteron),
      proved("S12", "5.2", "A load of a shared line costs 7.5 times as much over two hops on the Xeon.", "7.5 times",
             xeon),
      proved("S13", "5.2", "A load costs an L1 or an L2 access on the Niagara.", "3 or 24 cycles", niagara),
      proved("S14", "5.2", "45 cycles to a neighbour on the Tilera, 20 more to the farthest.", "45, 65 cycles", tilera),
      proved("S15", "5.2",
             "A store to a line that other cores of the die share goes from 83 to 244 cycles on the Opteron.",
             "83, 244 cycles", opteron),
      proved("S16", "5.2", "A store to a line shared by all costs 296 cycles on the Opteron.", "296 cycles", opteron),
      proved("S17", "5.2", "A store to a line shared by all 80 costs 445 cycles on the Xeon (the model holds it).",
             "445 cycles", xeon),
      proved("S18", "5.2", "A store costs an L2 access whatever the state on the Niagara.", "24 cycles", niagara),
      proved("S19", "5.2",
             "A store to a line shared by all 36 costs up to 200 cycles on the Tilera (the model holds it).",
             "200 cycles", tilera),
      judged(
          "S20", "5.2",
          "All atomic operations cost the same on machines with several sockets; on those with one some are cheaper.",
          "",
          "The most expensive against the cheapest of CAS, FAI, TAS and SWAP on a modified line at each distance: "
          "within 3 % "
          "with several sockets, beyond with one.",
          states, s20),
      proved("S21", "5.2", "On lines that all share, atomic operations follow the store.", "", models),
      proved("S22", "5.3", "Prefetching for writing avoids the expensive store on the Opteron.", "", opteron),
  };
}

std::vector<claim> contention() {
  using namespace judges;
  const auto proved = [](auto... parts) { return other(kind::proved, parts...); };
  return {
      proved("S23", "5.3", "A plain ticket lock takes 720K cycles with 48 cores of the Opteron.", "720K cycles",
             opteron),
      judged(
          "S24", "5.3",
          "Under contention, back-off in proportion to the place in the queue makes the ticket lock scale far better.",
          "",
          "ticket_plain against the ticket lock with the paper's back-off (simulated machines) or the library's own, "
          "with the most threads that fit: beyond 1.67 times, which is no longer alike.",
          ticket, s24),
      judged("S25", "5.3",
             "Fetching the line for writing in advance speeds the ticket lock with back-off up, to twice the speed on "
             "the Opteron.",
             "up to 2 times",
             "The ticket lock with back-off without and with prefetching, the paper's on simulated machines: more than "
             "once, and no more than what rounds to 2 times.",
             ticket, s25),
      proved("S26", "5.3", "Messages are up to 2.5 times as fast with prefetching for writing on the Opteron.",
             "2.5 times", opteron),
      judged("S27", "5.4",
             "As soon as two cores share a line, an atomic operation on it goes from about 20 to about 120 cycles.",
             "6 times",
             "Fetch-and-add on a modified line, from the nearest other core against the own one, with several sockets: "
             "4.6 to 8.3 times, as far as 20 and 120 may be rounded.",
             states, s27),
      proved("S27b", "5.4", "The same in throughput: from 20 to 120 cycles on Opteron and Xeon.", "20, 120 cycles",
             models),
      proved("S28", "5.4", "Throughput rises over the first cores of Niagara and Tilera, and is flat beyond six.", "",
             models),
      judged("S29", "5.4",
             "Atomic operations a second fall steeply when a second thread joins, stay level inside a socket, and fall "
             "again with a second socket.",
             "",
             "FAI and SWAP by the paper's protocol: two threads against one (below 0.6 times), every larger team "
             "inside the first socket against two (within 0.6 to 1.67 times, for both round to 20 million), and the "
             "first beyond against the last inside (below once).",
             contended, s29),
      proved("S29b", "5.4",
             "20 million a second in a socket of Opteron and Xeon, less beyond, and more so on the Xeon.", "20 Mop/s",
             models),
      proved("S30", "5.4", "No later decrease on Niagara and Tilera.", "", models),
      proved("S31", "5.4", "Niagara: FAI as its CAS loop, TAS the best; Tilera: FAI the best.", "", models),
      judged("S32", "6.1.1",
             "Taking a free lock that was last held on another socket costs up to 12.5 (Opteron) and 11 (Xeon) times "
             "what it costs if one held it oneself.",
             "12.5, 11 times",
             "Ticket lock, the farthest distance across sockets against the same processor: from 11 to 12.5 times, "
             "give or take 3 %.",
             free_locks, s32),
      proved("S33", "6.1.1", "No (Niagara) or slight (Tilera) dependence of a free lock on the place.", "", models),
      judged("S34", "6.1.1",
             "Taking a free lock held far away costs 350 to 450 cycles with several sockets, roughly 200 with one.",
             "350 to 450, 200 cycles",
             "Ticket lock at the farthest distance: 350 to 450 cycles with several sockets, else what rounds to 200.",
             free_locks, s34),
      proved("S35", "6.1.1", "A free lock costs up to an order of magnitude more between sockets.", "10 times", models),
      judged("S36", "6.1.1",
             "A free spin lock follows the cost of the line's transfer over distance, and queue locks cost more.", "",
             "MCS and CLH against ticket at every distance: more than once; and ticket at each distance against the "
             "own processor, over the same ratio of fetch-and-add: within 0.6 to 1.67.",
             free_locks, s36),
      judged("S37", "6.1.2",
             "With one lock and several sockets, two threads get an order of magnitude less done than one; inside the "
             "socket it stays level, and with a second one it falls again.",
             "an order of magnitude",
             "The best lock by the paper's protocol: two threads against one (3.2 to 32 times less, which rounds to "
             "10), every larger team inside the first socket against two (0.6 to 1.67 times), the first beyond against "
             "the last inside (below once).",
             throughput, s37),
      proved("S38", "6.1.2",
             "One lock: an order of magnitude below one core on Opteron and Xeon; comparable on Niagara and Tilera.",
             "10 times", models),
      judged("S39", "6.1.2",
             "Under contention on one lock, queue locks (MCS, CLH) hold out better than simple ones, and the ticket "
             "lock is the best of these.",
             "",
             "By the paper's protocol with the most threads that fit: the better of MCS and CLH against TAS, TTAS and "
             "ticket; ticket against TAS and TTAS.",
             throughput, s39),
      proved("S39b", "6.1.2", "One lock: hierarchical locks are the best on the Xeon, queue locks elsewhere.", "",
             models),
      judged("S40", "6.1.2", "With 512 locks, simple locks match or beat complex ones.", "",
             "By the paper's protocol with the most threads that fit: the best of TAS, TTAS and ticket against MCS, "
             "CLH, array and hierarchical locks: at least as good, give or take 3 %.",
             "synchroscope run locks.throughput --protocol saturated --locks 512", s40),
      proved("S40b", "6.1.2", "512 locks: ticket is the best but on the Xeon, where all become alike.", "", models),
      proved("S41", "6.1.2", "The Xeon is best with all threads on one socket, whatever the contention.", "", xeon),
      judged("S42", "6.1.2",
             "With a processor for every thread the Pthread mutex is never the best; it is better than spinning where "
             "threads share processors.",
             "",
             "By the paper's protocol: the best other lock against pthread/mutex wherever the threads fit, and "
             "pthread/mutex against TAS, TTAS and ticket with the most threads beyond (on simulated machines the "
             "library's mutex).",
             throughput, s42),
      proved("S43", "6.1.3", "Niagara and Tilera: no collapse with 4 locks, good scaling with 128.", "", models),
      judged("S44", "6.1.3",
             "With 4 locks, machines with several sockets do significantly less with many threads than with one.", "",
             "By the paper's protocol, the best lock of the most threads that fit against the best of one: below 0.6 "
             "times, which is no longer alike.",
             "synchroscope run locks.throughput --protocol saturated --locks 4", s44),
      proved("S44b", "6.1.3", "Opteron and Xeon scale little with 128 locks, and the Xeon loses by one remote thread.",
             "", models),
  };
}

std::vector<claim> applications() {
  using namespace judges;
  const auto proved = [](auto... parts) { return other(kind::proved, parts...); };
  const auto beyond = [](auto... parts) { return other(kind::beyond, parts...); };
  return {
      judged("S45", "6.2", "A message costs two transfers of a line one way.", "2 transfers",
             "One way against a load of a modified line at the same distance, in lines, by the better of channel and "
             "channel/fetch: what rounds to 2.",
             "synchroscope run messages.pair coherence.states", s45),
      judged(
          "S46", "6.2", "There and back costs four transfers.", "4 transfers",
          "Round trip against a load of a modified line at the same distance, in lines, by the better of channel and "
          "channel/fetch: what rounds to 4.",
          "synchroscope run messages.pair coherence.states", s46),
      beyond("S47", "6.2", "The Tilera's hardware messages: 16 million a second with 35 clients.", "16 M/s", network),
      beyond("S48", "6.2", "Messages of one word on the Tilera: 27 and 100 million a second.", "27, 100 M/s", network),
      proved("S49", "6.2", "Client and server on the Xeon: from 25 to 8 million a second by one remote client.",
             "25, 8 M/s", xeon),
      judged(
          "S50", "6.2", "With many clients, round trips overtake one-way messages.", "",
          "Round trips against one-way messages of a line, a server that does no work: more with the most clients that "
          "have a processor each (4 at least), and less with the fewest.",
          "synchroscope run messages.server --means mailbox", s50),
      other(kind::background, "S51", "6.3", "The hash table's set-up.", "", "It describes a workload."),
      judged(
          "S52", "6.3", "10 times with 36 threads on 12 buckets of the Niagara.", "10 times",
          "With one socket: 12 buckets of 12 elements, the best lock with 36 threads against the best with one: what "
          "rounds to 10 times.",
          "synchroscope run hashtable.throughput --placement compact --threads 1,36", s52),
      judged(
          "S53", "6.3",
          "Under high contention message passing beats locks on a hash table; under low contention it is slower.", "",
          "With the most threads that have a processor each (4 at least): 12 buckets, messages against each lock; 512 "
          "buckets, the best lock against messages; of 12 and of 48 elements.",
          "synchroscope run hashtable.throughput --placement compact", s53),
      judged("S54", "6.3", "Threads that are not pinned reach 4 to 6 times less on a contended hash table.",
             "4 to 6 times",
             "With several sockets and the most threads that have a processor each (4 at least): 12 buckets of each "
             "size, the best lock pinned against the best not pinned: from 4 to 6 times.",
             "synchroscope run hashtable.throughput --placement compact,unpinned", s54),
      judged("S55", "6.3", "Longer critical sections of a hash table scale better, but on the Tilera.", "",
             "The best lock with the most threads that have a processor each (4 at least) over the best with one: more "
             "with 48 elements in a bucket than with 12, with 12 and with 512 buckets.",
             "synchroscope run hashtable.throughput --placement compact", s55),
      judged(
          "S56", "6.3", "The hash table scales slightly beyond 10 cores of the Xeon.", "",
          "With several sockets, 512 buckets of each size: the best lock with the most threads that have a processor "
          "each against the best inside a socket: more than once, and at most 1.67 times, which is still alike.",
          "synchroscope run hashtable.throughput --placement compact", s56),
      judged(
          "S57", "6.4", "With ticket, MCS or TAS locks memcached sets 29 to 50 % more values than with mutexes.",
          "29 to 50 %",
          "The best of these locks, however it waits, against pthread/mutex, each at its best number of threads from 3 "
          "up to the processors: from 1.29 to 1.5 times.",
          "synchroscope run memcached.set", s57),
      beyond("S58", "6.4", "Memcached: at most 3.9 times on the Opteron.", "3.9 times", program),
      judged("S59", "6.4", "Memcached whose threads are not placed well loses 20 % on machines with several sockets.",
             "20 %",
             "The worst other placement against compact, with the lock and the threads that are best there: what "
             "rounds to "
             "20 % less.",
             "synchroscope run memcached.set --full", s59),
      judged(
          "S60", "6.4", "Memcached does not scale beyond 18 cores.", "18 cores",
          "The most answers with more than 18 threads that have a processor each against the most with 3 to 18: up to "
          "the 3 % of the paper's tables more.",
          "synchroscope run memcached.set --threads 10,18,24,36", s60),
      other(kind::proved, "S61", "8", "Across against within sockets of smaller machines (the models are made of it).",
            "1.6 (Opteron 2384), 2.7 (Xeon X5660)", models),
      other(kind::background, "S62", "Table 2", "10000 repetitions, below 3 % deviation.", "3 %",
            "It says how the tables were measured."),
  };
}

}  // namespace

std::vector<claim> claims_of_the_paper() {
  std::vector<claim> all;
  for (const auto& part : {coherence(), contention(), applications()}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace synchro::claims
