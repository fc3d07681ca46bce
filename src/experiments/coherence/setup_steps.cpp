#include "experiments/coherence/setup_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace synchro::experiments::coherence {

namespace {

/// The holder is to own what another shares.
std::vector<step> steps_of_owned(actor holder, actor other, dirty_read how) {
  if (how == dirty_read::copies) return {{holder, deed::write}, {other, deed::read}};
  return {{other, deed::write}, {holder, deed::read}, {other, deed::read}};
}

}  // namespace

std::vector<step> setup_steps(const event& e, dirty_read how) {
  const actor holder = e.mine ? actor::requester : actor::holder;
  const step writes{holder, deed::write};
  const step flushes{holder, deed::flush};
  const step reads{holder, deed::read};
  switch (e.on) {
    case state::modified:
      return {writes};
    case state::turns:
      return {{holder, deed::put_back}};
    case state::contended:
      return {writes, {holder, deed::compete}};
    case state::exclusive:
      return {writes, flushes, reads};
    case state::shared:
      return {writes, flushes, reads, {actor::sharer, deed::read}};
    case state::shared_all:
      return {writes, flushes, reads, {actor::sharer, deed::read}, {actor::others, deed::read}};
    case state::shared_upgrade:
      return {writes, flushes, reads, {actor::requester, deed::read}};
    case state::owned:
      return steps_of_owned(holder, e.mine || e.what == operation::load ? actor::sharer : actor::requester, how);
    case state::invalid:
      return {writes, flushes};
    case state::working_set:
    case state::none:
      break;
  }
  return {};
}

namespace {

bool calls_for(const std::vector<step>& steps, actor who) {
  return std::any_of(steps.begin(), steps.end(), [&](const step& s) { return s.who == who; });
}

}  // namespace

std::optional<roles> roles_of(const platform::topology& machine, const event& e, platform::distance far) {
  roles c{};
  if (e.mine || far == platform::distance::same_cpu) {
    if (machine.processors.empty()) return std::nullopt;
    c.requester = c.holder = machine.processors.front().cpu;
  } else {
    const auto pair = machine.pair_at(far);
    if (!pair) return std::nullopt;
    std::tie(c.requester, c.holder) = *pair;
  }
  for (const platform::processor& p : machine.processors) {
    if (p.cpu == c.requester || p.cpu == c.holder) continue;
    if (!c.sharer || machine.between(p.cpu, c.holder) < machine.between(*c.sharer, c.holder)) c.sharer = p.cpu;
  }
  for (const platform::processor& p : machine.processors)
    if (p.cpu != c.requester && p.cpu != c.holder && p.cpu != c.sharer) c.others.push_back(p.cpu);
  return c;
}

roles only_needed(roles c, const event& e) {
  const std::vector<step> steps = setup_steps(e);
  if (!calls_for(steps, actor::sharer)) c.sharer.reset();
  if (!calls_for(steps, actor::others)) c.others.clear();
  return c;
}

std::optional<std::string> too_few(const event& e, std::size_t processors) {
  const std::vector<step> steps = setup_steps(e);
  std::size_t needed = 1;
  for (const actor who : {actor::holder, actor::sharer, actor::others}) needed += calls_for(steps, who) ? 1U : 0U;
  if (processors >= needed) return std::nullopt;
  if (processors == 1) return "one processor: there is no other to hold the line";
  if (processors == 2) return "two processors: there is no third one to share the line";
  return fmt::format("{} processors: all that can share the line are the two of state shared", processors);
}

dirty_sharing dirty_sharing_of(const std::string& vendor) {
  if (vendor == "AuthenticAMD" || vendor == "HygonGenuine") return dirty_sharing::owned;
  if (vendor == "GenuineIntel") return dirty_sharing::written_back;
  return dirty_sharing::unknown;
}

}  // namespace synchro::experiments::coherence
