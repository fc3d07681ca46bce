#include "experiments/memcached/load.hpp"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "experiments/memcached/linux/connection.hpp"
#include "platform/placement.hpp"
#include "statistics/random.hpp"

namespace synchro::experiments::memcached {

namespace {

using ticks = std::chrono::steady_clock;

constexpr unsigned value_bytes = 400;
constexpr auto patience = std::chrono::seconds{20};

std::string name_of(unsigned key) { return fmt::format("key-{:06}", key); }

/// The key's name over and over.
std::string value_of(unsigned key) {
  std::string value;
  while (value.size() < value_bytes) value += name_of(key) + ".";
  value.resize(value_bytes);
  return value;
}

/// All that may be asked and answered, made once.
struct conversation {
  conversation(request what, unsigned keys) {
    for (unsigned key = 0; key < keys; ++key) {
      questions.push_back(text_of_request(what, key));
      answers.push_back(text_of_answer(what, key));
    }
  }
  std::vector<std::string> questions, answers;
};

struct client {
  connection line;
  unsigned key = 0;
  std::string heard = {};
  ticks::time_point asked = {};
};

/// What one thread's clients saw.
struct client_tally {
  std::uint64_t answers = 0, wrong = 0;
  std::optional<std::string> first_wrong;
  results::histogram latency_ns;
};

/// When to begin counting, and when to end.
struct hours {
  ticks::time_point begin, end;
};

/// The clients of one thread.
class player {
 public:
  player(const load_task& task, const conversation& texts, unsigned clients, std::uint64_t seed)
      : texts_{texts}, random_{seed}, epoll_{epoll_create1(EPOLL_CLOEXEC)}, clients_(clients) {
    if (epoll_.get() < 0) throw std::system_error{errno, std::generic_category(), "epoll"};
    for (client& each : clients_) {
      each.line = connection{task.socket};
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.ptr = &each;
      if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, each.line.get(), &event) != 0)
        throw std::system_error{errno, std::generic_category(), "epoll"};
    }
  }

  client_tally play(const hours& when, const std::atomic<bool>& over) {
    for (client& each : clients_) ask(each);
    std::array<epoll_event, 64> events{};
    auto last = ticks::now();
    for (auto now = last; now < when.end && !over.load(std::memory_order_relaxed); now = ticks::now()) {
      const int n = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 100);
      if (n > 0) last = now;
      if (now - last > patience) throw std::runtime_error{"the server does not answer any more"};
      for (int i = 0; i < n; ++i) hear(*static_cast<client*>(events[static_cast<std::size_t>(i)].data.ptr), when);
    }
    return std::move(seen_);
  }

 private:
  void ask(client& c) {
    c.key = static_cast<unsigned>(random_.below(texts_.questions.size()));
    c.heard.clear();
    c.asked = ticks::now();
    c.line.send(texts_.questions[c.key]);
  }

  void hear(client& c, const hours& when) {
    c.line.receive(c.heard);
    const std::string& right = texts_.answers[c.key];
    const bool whole = c.heard.size() >= right.size() || is_a_short_answer(c.heard);
    if (!whole) return;
    if (c.heard != right) {
      ++seen_.wrong;
      if (!seen_.first_wrong) seen_.first_wrong = c.heard.substr(0, 60);
    }
    const auto now = ticks::now();
    if (now >= when.begin && now < when.end) {
      ++seen_.answers;
      const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(now - c.asked).count();
      seen_.latency_ns.record(static_cast<std::uint64_t>(std::max<std::int64_t>(0, took)));
    }
    ask(c);
  }

  /// "END": there is no such key; or an error.
  static bool is_a_short_answer(const std::string& text) {
    return text.ends_with("\r\n") && !text.starts_with("VALUE");
  }

  const conversation& texts_;
  statistics::random_numbers random_;
  connection epoll_;
  std::vector<client> clients_;
  client_tally seen_;
};

/// The first exception of several threads.
class first_failure {
 public:
  void keep(std::exception_ptr thrown) {
    const std::lock_guard hold{mutex_};
    if (!thrown_) thrown_ = std::move(thrown);
    over = true;
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }
  std::atomic<bool> over{false};

 private:
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

hours hours_from_now(const load_task& task) {
  const auto span = [](double s) {
    return std::chrono::duration_cast<ticks::duration>(std::chrono::duration<double>{s});
  };
  const auto begin = ticks::now() + span(task.warm_up_s);
  return {begin, begin + span(task.window_s)};
}

}  // namespace

std::string text_of_request(request what, unsigned key) {
  if (what == request::get) return fmt::format("get {}\r\n", name_of(key));
  return fmt::format("set {} 0 0 {}\r\n{}\r\n", name_of(key), value_bytes, value_of(key));
}

std::string text_of_answer(request what, unsigned key) {
  if (what == request::set) return "STORED\r\n";
  return fmt::format("VALUE {} 0 {}\r\n{}\r\nEND\r\n", name_of(key), value_bytes, value_of(key));
}

void fill(const std::string& socket, unsigned keys) {
  connection line{socket};
  for (unsigned key = 0; key < keys; ++key) {
    std::string heard;
    line.send(text_of_request(request::set, key));
    while (!heard.ends_with("\r\n")) line.receive(heard);
    if (heard != text_of_answer(request::set, key))
      throw std::runtime_error{fmt::format("the server did not store a value: {}", heard.substr(0, 60))};
  }
}

load_outcome put_under_load(const load_task& task) {
  const conversation texts{task.what, task.keys};
  std::vector<std::unique_ptr<player>> players;
  const unsigned threads = std::min(task.threads, task.clients);
  for (unsigned i = 0; i < threads; ++i)
    players.push_back(std::make_unique<player>(
        task, texts, task.clients / threads + (i < task.clients % threads ? 1 : 0), task.seed * 1000 + i));
  const hours when = hours_from_now(task);
  std::vector<client_tally> shares(threads);
  first_failure failed;
  {
    std::vector<std::jthread> running;
    for (unsigned i = 0; i < threads; ++i)
      running.emplace_back([&, i] {
        try {
          if (!task.cpus.empty() && !platform::pin_this_thread(task.cpus[i % task.cpus.size()]))
            throw std::runtime_error{"a client's thread could not be pinned"};
          shares[i] = players[i]->play(when, failed.over);
        } catch (...) {
          failed.keep(std::current_exception());
        }
      });
  }
  failed.rethrow();
  load_outcome all;
  all.seconds = task.window_s;
  for (client_tally& each : shares) {
    all.answers += static_cast<double>(each.answers);
    all.wrong += each.wrong;
    if (!all.first_wrong) all.first_wrong = std::move(each.first_wrong);
    all.latency_ns.merge(each.latency_ns);
  }
  return all;
}

unsigned clients_granted(unsigned asked) {
  constexpr rlim_t others = 100;  // files that are open besides
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return asked;
  if (files.rlim_cur < asked + others && files.rlim_cur < files.rlim_max) {
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, asked + others);
    setrlimit(RLIMIT_NOFILE, &files);
  }
  const rlim_t room = files.rlim_cur > others ? files.rlim_cur - others : 1;
  return static_cast<unsigned>(std::min<rlim_t>(asked, room));
}

}  // namespace synchro::experiments::memcached
