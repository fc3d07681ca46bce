#include "experiments/memcached/load.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "experiments/framework/experiment.hpp"
#include "experiments/framework/runner.hpp"
#include "experiments/locks/in_program.hpp"
#include "experiments/memcached/memcached.hpp"
#include "platform/scheduling.hpp"
#include "platform/topology.hpp"

namespace synchro::experiments::memcached {
namespace {

/// What a server says to a request; empty: it closes the connection.
using saying = std::function<std::string(const std::string&)>;

/// A server that speaks the protocol, a thread for each connection.
class speaker {
 public:
  explicit speaker(saying says) : says_{std::move(says)} {
    std::string name = (std::filesystem::temp_directory_path() / "synchroscope-test-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    file_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    if (bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || listen(file_, 64) != 0)
      throw std::runtime_error{"no socket"};
    accepting_ = std::thread{[this] { accept_all(); }};
  }
  ~speaker() {
    shutdown(file_, SHUT_RDWR);
    accepting_.join();
    for (std::thread& each : serving_) each.join();
    close(file_);
    std::filesystem::remove_all(folder_);
  }
  speaker(const speaker&) = delete;
  speaker& operator=(const speaker&) = delete;
  [[nodiscard]] std::string path() const { return folder_ + "/socket"; }
  std::atomic<int> connections{0};

 private:
  void accept_all() {
    for (int client = 0; (client = accept(file_, nullptr, nullptr)) >= 0;) {
      ++connections;
      serving_.emplace_back([this, client] { serve(client); });
    }
  }
  void serve(int client) {
    std::string heard;
    char part[4096];
    for (ssize_t n = 0; (n = recv(client, part, sizeof part, 0)) > 0;) {
      heard.append(part, static_cast<std::size_t>(n));
      const bool whole = heard.ends_with("\r\n") && (heard[0] == 'g' || heard.find("\r\n") + 2 < heard.size());
      if (!whole) continue;
      const std::string answer = says_(heard);
      if (answer.empty()) break;
      // In two parts, for a client must not take the first for all.
      if (send(client, answer.data(), answer.size() / 2, MSG_NOSIGNAL) < 0) break;
      if (send(client, answer.data() + answer.size() / 2, answer.size() - answer.size() / 2, MSG_NOSIGNAL) < 0) break;
      heard.clear();
    }
    close(client);
  }

  saying says_;
  std::string folder_;
  int file_ = -1;
  std::thread accepting_;
  std::vector<std::thread> serving_;
};

unsigned key_in(const std::string& question) {
  return static_cast<unsigned>(std::stoul(question.substr(question.find("key-") + 4, 6)));
}

std::string right(const std::string& question) {
  return text_of_answer(question.starts_with("get") ? request::get : request::set, key_in(question));
}

load_task task_for(const speaker& server, request what) {
  load_task task;
  task.socket = server.path();
  task.what = what;
  task.clients = 5;
  task.threads = 2;
  task.keys = 100;
  task.warm_up_s = 0;
  task.window_s = 1;
  return task;
}

TEST(Texts, AreThoseOfTheProtocol) {
  EXPECT_EQ(text_of_request(request::get, 17), "get key-000017\r\n");
  const std::string set = text_of_request(request::set, 17);
  EXPECT_TRUE(set.starts_with("set key-000017 0 0 400\r\nkey-000017.key-000017."));
  EXPECT_EQ(set.size(), std::string{"set key-000017 0 0 400\r\n"}.size() + 400 + 2);
  EXPECT_EQ(text_of_answer(request::set, 17), "STORED\r\n");
  const std::string got = text_of_answer(request::get, 17);
  EXPECT_TRUE(got.starts_with("VALUE key-000017 0 400\r\n"));
  EXPECT_TRUE(got.ends_with("\r\nEND\r\n"));
  EXPECT_NE(got, text_of_answer(request::get, 18));
}

TEST(Load, RightAnswersAreCountedAndNoneIsWrong) {
  speaker server{right};
  for (const request what : {request::get, request::set}) {
    const load_outcome seen = put_under_load(task_for(server, what));
    EXPECT_GT(seen.answers, 0);
    EXPECT_EQ(seen.seconds, 1);
    EXPECT_EQ(static_cast<double>(seen.latency_ns.count()), seen.answers);
    EXPECT_EQ(seen.wrong, 0U) << *seen.first_wrong;
  }
  EXPECT_EQ(server.connections, 10);
}

TEST(Load, AskedAreSeveralKeys) {
  std::map<unsigned, std::atomic<int>> asked;
  for (unsigned key = 0; key < 100; ++key) asked[key] = 0;
  speaker server{[&](const std::string& question) {
    ++asked.at(key_in(question));
    return right(question);
  }};
  (void)put_under_load(task_for(server, request::get));
  std::size_t some = 0;
  for (const auto& [key, times] : asked) some += times > 0 ? 1U : 0U;
  EXPECT_GT(some, 1U);
}

TEST(Load, WrongAnswersAreFound) {
  for (const char* wrong : {"END\r\n", "ERROR\r\n", "SERVER_ERROR out of memory\r\n"}) {
    speaker server{[&](const std::string&) { return wrong; }};
    const load_outcome seen = put_under_load(task_for(server, request::get));
    EXPECT_GT(seen.wrong, 0U);
    EXPECT_EQ(seen.first_wrong, wrong);
  }
  // Another key's value, of the right length.
  speaker server{
      [](const std::string& question) { return text_of_answer(request::get, (key_in(question) + 1) % 100); }};
  EXPECT_GT(put_under_load(task_for(server, request::get)).wrong, 0U);
}

TEST(Load, AServerThatGoesAwayIsAnError) {
  speaker server{[](const std::string&) { return ""; }};
  EXPECT_THROW((void)put_under_load(task_for(server, request::get)), std::runtime_error);
  load_task nobody = task_for(server, request::get);
  nobody.socket += ".not";
  EXPECT_THROW((void)put_under_load(nobody), std::runtime_error);
}

TEST(Fill, StoresEachKeyOnce) {
  std::map<unsigned, int> stored;
  {
    speaker server{[&](const std::string& question) {
      ++stored[key_in(question)];
      return right(question);
    }};
    fill(server.path(), 20);
  }
  EXPECT_EQ(stored.size(), 20U);
  for (const auto& [key, times] : stored) EXPECT_EQ(times, 1);
}

TEST(Fill, ARefusalIsAnError) {
  speaker server{[](const std::string&) { return "SERVER_ERROR out of memory storing object\r\n"; }};
  EXPECT_THROW(fill(server.path(), 3), std::runtime_error);
}

TEST(Clients, AreNoMoreThanAskedFor) {
  EXPECT_EQ(clients_granted(1), 1U);
  EXPECT_LE(clients_granted(100'000'000), 100'000'000U);
}

// ---- the server itself

#define NEEDS_MEMCACHED() \
  if (const auto why = server_unavailable()) GTEST_SKIP() << *why

TEST(Server, ServesAndEndsWithItsObject) {
  NEEDS_MEMCACHED();
  std::string socket;
  {
    server one{2, 20, {}, {}};
    socket = one.socket();
    one.pin_workers({platform::running_on()});
    EXPECT_EQ(one.ended(), std::nullopt);
    fill(socket, 100);
    load_task task;
    task.socket = socket;
    task.clients = 20;
    task.keys = 100;
    task.window_s = 1;
    const load_outcome seen = put_under_load(task);
    EXPECT_GT(seen.answers, 0);
    EXPECT_EQ(seen.wrong, 0U) << *seen.first_wrong;
    task.what = request::set;
    EXPECT_EQ(put_under_load(task).wrong, 0U);
  }
  EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST(Server, OneThatCannotStartSaysWhy) {
  NEEDS_MEMCACHED();
  try {
    server one{0, 20, {}, {}};  // no threads
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string{e.what()}.find("memcached ended at its start"), std::string::npos) << e.what();
  }
}

// ---- the experiments

setting machine_of(unsigned processors, level thoroughness) {
  setting s;
  s.machine = platform::topology_from_synthetic("package:1 l3:1 core:" + std::to_string(processors) + " pu:1");
  s.thoroughness = thoroughness;
  return s;
}

std::vector<std::string> values_of(const experiment& e, const std::string& name, const setting& s) {
  std::vector<std::string> all;
  for (const axis& a : e.axes)
    if (a.name == name)
      for (const coordinate& value : a.values(s)) all.push_back(results::to_string(value));
  return all;
}

TEST(Experiments, HaveThePapersThreadsAndClients) {
  const experiment e = memcached_set();
  EXPECT_EQ(values_of(e, "threads", machine_of(48, level::quick)), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(values_of(e, "threads", machine_of(48, level::full)),
            (std::vector<std::string>{"1", "2", "4", "6", "8", "10", "12", "14", "16", "18"}));
  EXPECT_EQ(values_of(e, "threads", machine_of(6, level::standard)), (std::vector<std::string>{"1", "2", "4", "6"}));
  EXPECT_EQ(values_of(e, "clients", machine_of(6, level::standard)), std::vector<std::string>{"500"});
}

TEST(Experiments, OnlyReadingIsMeasuredWithoutLocks) {
  for (const level l : {level::quick, level::standard, level::full}) {
    const auto set = values_of(memcached_set(), "lock", machine_of(4, l));
    const auto get = values_of(memcached_get(), "lock", machine_of(4, l));
    EXPECT_EQ(std::count(set.begin(), set.end(), no_lock), 0);
    EXPECT_EQ(std::count(get.begin(), get.end(), no_lock), 1);
    EXPECT_EQ(set.front(), in_program::native);
  }
}

TEST(Experiments, ThreadsThatOnlySpinAreNotMeasuredWhereTheyLackProcessors) {
  const setting s = machine_of(4, level::standard);  // of which two are the clients'
  const experiment e = memcached_set();
  const auto at = [](const char* lock, std::int64_t threads) {
    return coordinates{{"lock", lock}, {"threads", threads}, {"placement", "compact"}, {"clients", std::int64_t{500}}};
  };
  EXPECT_FALSE(e.skip(s, at("mcs", 2)));
  EXPECT_TRUE(e.skip(s, at("mcs", 3)));
  EXPECT_FALSE(e.skip(s, at("mcs/park", 3)));
  setting chosen = s;
  chosen.chosen["lock"] = {coordinate{"mcs"}};
  EXPECT_FALSE(e.skip(chosen, at("mcs", 3)));
}

}  // namespace
}  // namespace synchro::experiments::memcached
