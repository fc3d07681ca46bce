// How memcached.set and memcached.get are shown.

#include <fmt/format.h>

#include "experiments/locks/in_program.hpp"
#include "experiments/memcached/memcached.hpp"
#include "views/findings.hpp"

namespace synchro::experiments {

using namespace views;

namespace {

bool is_unsafe(const cell& c) { return name_at(c, "lock") == memcached::no_lock; }

cells usual_of(const cells& all) { return only_precise(where(all, "placement", "compact")); }

/// The other cell against this one: by how much it is more, or that nothing is resolved.
std::string beside_native(const cell& best, const cell& native, std::size_t looked_at) {
  if (!differ(best, native, looked_at)) return "no difference to pthread/mutex is resolved";
  return fmt::format("{} than with pthread/mutex ({})", more_than(*best.value, *native.value), with_interval(native));
}

const cell* with_lock_and_threads(const cells& all, const std::string& lock, std::int64_t threads) {
  return most(where(where(all, "lock", lock), "threads", threads));
}

sentences findings_on(const own_cells& own, const std::string& request) {
  const cells all = usual_of(own.of("throughput"));
  cells real = all;
  std::erase_if(real, [](const cell* c) { return is_unsafe(*c); });
  if (real.empty()) return {};
  const cell& best = *most(real);
  const std::int64_t threads = best.at.number("threads");
  const std::string lock = name_at(best, "lock");
  const std::string also = rivals_on("lock", "threads", best, real);
  std::string text = fmt::format("memcached answers {} requests {}, with {}{} and {} thread{}{}", request,
                                 with_interval(best), lock, also + (also.empty() ? "" : ","), threads,
                                 threads == 1 ? "" : "s", rivals_on("threads", "lock", best, real));
  if (const cell* alone = with_lock_and_threads(real, lock, 1);
      alone != nullptr && threads > 1 && differ(best, *alone, real.size()))
    text += fmt::format(", {:.2f} times as often as with one", *best.value / *alone->value);
  if (const cell* native = with_lock_and_threads(real, in_program::native, threads);
      native != nullptr && native != &best)
    text += ": " + beside_native(best, *native, real.size());
  sentences out{text + "."};
  const cell* none = with_lock_and_threads(all, memcached::no_lock, threads);
  if (none == nullptr) return out;
  out.push_back(differ(*none, best, all.size())
                    ? fmt::format("memcached without its locks, which is unsafe, answers {}.", with_interval(*none))
                    : "memcached without its locks, which is unsafe, shows no difference that is resolved.");
  return out;
}

std::vector<chart> charts_of(const std::string& request) {
  const coordinates pinned{{"placement", "compact"}};
  const std::string lead = fmt::format(
      "A real memcached server with its mutexes replaced, and 500 clients that send {} requests. The line of an ideal "
      "server "
      "rises with its threads; clients and threads share the processors.",
      request);
  return {
      {"threads",
       fmt::format("Memcached, {}", request),
       lead,
       lines("threads", {"lock"},
             {.ideal = true,
              .names = {{in_program::native, "the server as it is"}, {memcached::no_lock, "no locks at all: unsafe"}}}),
       request == "set" ? "Fig. 12" : "6.4, in words",
       {"throughput", "latency"},
       {},
       pinned},
      {"best",
       fmt::format("Memcached, {}: the best lock, and how it scales", request),
       "For each number of threads: with which lock it answered most, and how many times the work of one thread that "
       "is.",
       best_of("lock", {"threads"}, "threads"),
       request == "set" ? "Fig. 12 (the speed-up under each platform's name)" : "",
       {"throughput"},
       {},
       pinned,
       "threads"}};
}

}  // namespace

void present_memcached(experiment& e, const std::string& request) {
  e.view = {{}, [request](const own_cells& own) { return findings_on(own, request); }, {}, charts_of(request)};
  e.view.is_baseline = is_unsafe;
  e.view.about = "memcached";
}

}  // namespace synchro::experiments
