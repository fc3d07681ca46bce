// Section 5.4: how many atomic operations threads get done on one line.

#include "claims/paper/paper.hpp"
#include "results/experiment_names.hpp"

namespace synchro::claims {

namespace {

using results::experiment_names::atomics_throughput;

/// One operation of the paper's protocol, by threads.
finding falls_and_stays(const evidence& e, const std::string& operation) {
  const cells all = e.find(atomics_throughput, "successes",
                           {is("operation", operation), is("protocol", "paused"), is("placement", "compact")});
  const auto at = [&](std::int64_t n) {
    const cells found = those(all, {is("threads", n)});
    return found.empty() ? nullptr : found.front();
  };
  const naming names{"operation", "threads"};
  const std::string nothing = "not measured with one, two and more threads inside a socket, and beyond";
  std::vector<finding> parts{compared_below_ceiling(e, at(2), at(1), up_to(stable.least), names, nothing)};
  const auto counts = numbers_of(all, "threads");
  std::int64_t inside = 0, beyond = 0;
  for (const std::int64_t n : counts) {
    if (n > 2 && n <= e.socket())
      parts.push_back(compared_below_ceiling(e, at(inside = n), at(2), stable, names, nothing));
    if (n > e.socket() && n <= e.processors() && beyond == 0) beyond = n;
  }
  if (inside == 0) parts.push_back(missing(nothing));
  parts.push_back(compared_below_ceiling(e, at(beyond), at(inside), up_to(1), names, nothing));
  return all_of(parts, nothing);
}

constexpr claim of_atomics[] = {
    proved("S27b", "5.4", "The same in throughput: from 20 to 120 cycles on Opteron and Xeon.", "20, 120 cycles",
           models),
    proved("S28", "5.4", "Throughput rises over the first cores of Niagara and Tilera, and is flat beyond six.", "",
           models),
    {.id = "S29",
     .section = "5.4",
     .says = "Atomic operations a second fall steeply when a second thread joins, stay level inside a socket, and fall "
             "again with a second socket.",
     .rule = "FAI and SWAP by the paper's protocol: two threads against one (below 0.6 times), every larger team "
             "inside the first socket against two (within 0.6 to 1.67 times, for both round to 20 million), and the "
             "first beyond against the last inside (below once).",
     .command = "synchroscope run atomics.throughput --protocol paused",
     .judge =
         [](const evidence& e) {
           if (e.sockets() == 1) return of_other_machines(not_several_sockets);
           const cells all = e.find(atomics_throughput, "successes", {is("protocol", "paused")});
           std::vector<finding> each;
           for (const std::string& operation : words_of(all, "operation"))
             if (operation == "fai" || operation == "swap") each.push_back(falls_and_stays(e, operation));
           return all_of(each, "atomic operations were not measured by the paper's protocol");
         }},
    proved("S29b", "5.4", "20 million a second in a socket of Opteron and Xeon, less beyond, and more so on the Xeon.",
           "20 Mop/s", models),
    proved("S30", "5.4", "No later decrease on Niagara and Tilera.", "", models),
    proved("S31", "5.4", "Niagara: FAI as its CAS loop, TAS the best; Tilera: FAI the best.", "", models),
};

}  // namespace

std::span<const claim> on_atomics() { return of_atomics; }

}  // namespace synchro::claims
