#include "profile/groups.hpp"

#include <algorithm>
#include <map>

#include "results/text.hpp"

namespace synchro::profile {

void group::add(const stored_lock& l) {
  addresses.insert(l.address);
  acquisitions += l.acquisitions, samples += l.samples, contended += l.contended;
  threads = std::max(threads, l.threads);
  const bool reading = l.side == "reading";
  if (reading) reads += l.samples;
  holds += l.holds, hold_ns += l.hold_ns, wait_ns += l.wait_ns, long_ns += l.long_ns;
  if (!reading) alone_ns += l.hold_ns;
  waits.insert(waits.end(), l.waits.begin(), l.waits.end());
  longs.insert(longs.end(), l.longs.begin(), l.longs.end());
}

std::vector<group> groups_of(const stored& s) {
  std::vector<group> all;
  for (const stored_process& p : s.processes) {
    std::map<std::string, group> named;
    for (const stored_lock& l : p.locks) {
      if (l.samples == 0 && l.long_ns == 0) continue;
      group& g = named[l.name];
      g.process = &p, g.name = l.name;
      g.add(l);
    }
    for (auto& [name, g] : named) all.push_back(std::move(g));
  }
  std::stable_sort(all.begin(), all.end(), [](const group& a, const group& b) {
    return std::pair{a.waited(), a.acquisitions} > std::pair{b.waited(), b.acquisitions};
  });
  return all;
}

std::string shown_name(const std::string& name) { return results::printable(name, 100); }

}  // namespace synchro::profile
