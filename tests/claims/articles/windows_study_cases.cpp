#include "claims/book.hpp"
#include "claims/cases.hpp"

namespace synchro::tests {

namespace {

/// Wakes as in the article: twelve processors, nobody pinned.
class wakes : public book {
 public:
  wakes() : book{12} {}
  wakes& put(const std::string& primitive, std::int64_t threads, const std::string& metric, double value,
             const std::string& placement = "unpinned", const std::string& priority = "default",
             const std::pair<std::string, std::int64_t>& more = {"", 0}) {
    coordinates at{{"primitive", primitive},
                   {"threads", number(threads)},
                   {"calls", "one"},
                   {"placement", placement},
                   {"priority", priority}};
    if (!more.first.empty()) at.set(more.first, more.second);
    add("wake.broadcast", at, metric, metric == "cpu_share" ? "1" : "ns", value);
    return *this;
  }
  wakes& even(const std::string& primitive, double first, double last) {
    return put(primitive, 11, "wake_first", first).put(primitive, 11, "wake_last", last);
  }
  wakes& of(const std::string& primitive, double one, double many) {
    return put(primitive, 1, "wake_mean", one).put(primitive, 11, "wake_mean", many);
  }
};

results::document spinning(double spin, double burnt) {
  return wakes{}
      .put("spin/pause", 11, "wake_mean", spin)
      .put("event", 11, "wake_mean", 9000)
      .put("spin/pause", 11, "cpu_share", burnt)
      .put("event", 11, "cpu_share", 0.05);
}

results::document held(double mutex) {
  return wakes{}.of("pthread/cond", 8000, 20000).of("event", 8000, 16000).of("pthread/mutex_flag", 8000, mutex);
}

results::document shrinking() {
  return wakes{}.of("pthread/cond", 8000, 4000).of("event", 8000, 16000).of("pthread/mutex_flag", 8000, 80000);
}

results::document alone(double slowest) {
  return wakes{}.put("event", 1, "wake_mean", 8000).put("posix/sem", 1, "wake_mean", slowest);
}

results::document raised(double event) {
  return wakes{}
      .put("event", 11, "wake_mean", 10000)
      .put("event", 11, "wake_mean", event, "unpinned", "raised")
      .put("posix/sem", 11, "wake_mean", 10000)
      .put("posix/sem", 11, "wake_mean", 12000, "unpinned", "raised");
}

results::document pinned(double one, double other) {
  wakes w;
  const std::pair<std::string, double> both[] = {{"event", one}, {"posix/sem", other}};
  for (const auto& [primitive, value] : both)
    w.put(primitive, 11, "wake_mean", 10000).put(primitive, 11, "wake_mean", value, "compact");
  return w;
}

results::document by_thread(double last) {
  return wakes{}
      .put("linux/futex_each", 11, "wake_of_thread", 5000, "unpinned", "default", {"thread", 0})
      .put("linux/futex_each", 11, "wake_of_thread", last, "unpinned", "default", {"thread", 10});
}

results::document evenness(double last) {
  return wakes{}.even("event", 10000, 20000).even("posix/sem", 10000, 25000).even("pthread/cond", 10000, last);
}

results::document condition(double first, double last) { return wakes{}.even("pthread/cond", first, last); }

results::document by_order(double early, double late) {
  wakes w;
  const auto put = [&](const std::string& primitive, std::int64_t order, double value) {
    w.put(primitive, 11, "wake_of_order", value, "unpinned", "default", {"order", order});
  };
  for (const std::int64_t order : {1, 2, 3}) put("event", order, 10000), put("pthread/cond", order, early);
  put("event", 11, 20000), put("pthread/cond", 11, late);
  return w;
}

results::document groups(double one_for_all, double one_for_each) {
  book b{12};
  const std::pair<std::int64_t, double> sizes[] = {{1, one_for_each}, {5, 500}, {11, one_for_all}};
  for (const auto& [group, value] : sizes)
    b.add("wake.groups",
          {{"primitive", "event"}, {"threads", number(11)}, {"placement", "unpinned"}, {"group", number(group)}},
          "wake_mean", "ns", value);
  return b;
}

/// Wake times with a timer of 1 ms; 10 us with the timer as it is.
results::document timed(double event, double semaphore) {
  wakes w;
  const std::pair<std::string, double> both[] = {{"event", event}, {"posix/sem", semaphore}};
  for (const auto& [primitive, finer] : both)
    w.put(primitive, 11, "wake_mean", 10000, "unpinned", "default", {"timer", 0})
        .put(primitive, 11, "wake_mean", finer, "unpinned", "default", {"timer", 1});
  return w;
}

}  // namespace

std::vector<judge_case> windows_study_cases() {
  return {{"W1", spinning(100, 1), {spinning(20000, 1), spinning(100, 0.01)}},
          {"W2", held(80000), {held(9000)}},
          {"W3", held(80000), {held(9000), shrinking()}},
          {"W4", alone(9000), {alone(20000)}},
          {"W5", raised(12000), {raised(8000)}},
          {"W6", pinned(8000, 12000), {pinned(8000, 7000), pinned(15000, 14000)}},
          {"W7", by_thread(30000), {by_thread(2000)}},
          {"W8", evenness(60000), {evenness(12000)}},
          {"W9", condition(6000, 30000), {condition(600, 3000), condition(6000, 90000)}},
          {"W10", by_order(8000, 30000), {by_order(12000, 30000), by_order(8000, 10000)}},
          {"W11", groups(800, 900), {groups(300, 900), groups(800, 300)}},
          {"W15", timed(10000, 12000), {timed(10000, 10100)}}};
}

}  // namespace synchro::tests
