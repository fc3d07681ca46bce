#include "bare.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "../bare_thread.hpp"
#include "synchro/messages/ring.hpp"

namespace {

using bare::now_ns, bare::pin, bare::rest;

constexpr int batches = 21, messages = 500;

struct alignas(64) line {
  std::atomic<unsigned> full{0};
  char text[60] = {};
};

/// Not __builtin_prefetch: without -mprfchw that fetches a copy to read.
void fetch(line& l) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(l));
#else
  __builtin_prefetch(&l, 1);
#endif
}

void wait(line& l, unsigned turn, bool fetching) {
  if (fetching) fetch(l);
  while (l.full.load(std::memory_order_acquire) != turn) {
    rest();
    if (fetching) fetch(l);
  }
}

void send(line& l, char n, bool fetching) {
  wait(l, 0, fetching);
  std::memset(l.text, n, sizeof l.text);
  l.full.store(1, std::memory_order_release);
}

int receive(line& l, bool fetching) {
  wait(l, 1, fetching);
  char copy[60];
  std::memcpy(copy, l.text, sizeof copy);
  l.full.store(0, std::memory_order_release);
  return copy[0] + copy[59];
}

/// What a line carries, whole: it is what arrives at one side that leaves at the other.
struct text {
  char bytes[60];
};

void put(line& l, const text& message, bool fetching) {
  wait(l, 0, fetching);
  std::memcpy(l.text, message.bytes, sizeof l.text);
  l.full.store(1, std::memory_order_release);
}

void get(line& l, text& message, bool fetching) {
  wait(l, 1, fetching);
  std::memcpy(message.bytes, l.text, sizeof l.text);
  l.full.store(0, std::memory_order_release);
}

double middle(std::vector<double>& each) {
  std::nth_element(each.begin(), each.begin() + batches / 2, each.end());
  return each[batches / 2];
}

}  // namespace

double bare::one_way(int from, int to, bool fetching) {
  line* const l = new line;
  std::vector<double> each;
  std::atomic<bool> unpinned{false};
  std::atomic<int> sum{0};
  std::thread sender([&] {
    if (!pin(from)) unpinned = true;
    for (int i = 0; i < (batches + 1) * messages; ++i) send(*l, static_cast<char>(i), fetching);
  });
  std::thread receiver([&] {
    if (!pin(to)) unpinned = true;
    double start = 0;
    int seen = 0;
    for (int batch = 0; batch <= batches; ++batch) {
      for (int i = 0; i < messages; ++i) seen += receive(*l, fetching);
      const double stop = now_ns();
      if (batch > 0) each.push_back((stop - start) / messages);
      start = stop;
    }
    sum = seen;
  });
  sender.join();
  receiver.join();
  delete l;
  return unpinned ? -1 : middle(each);
}

double bare::stream(int from, int to) {
  // On a page of its own, as memory that is measured is.
  struct alignas(4096) page {
    synchro::ring<text> of_texts{64};
  };
  const auto p = std::make_unique<page>();
  std::vector<double> each;
  std::atomic<bool> unpinned{false};
  std::atomic<int> wrong{0};
  std::thread sender([&] {
    if (!pin(from)) unpinned = true;
    for (int i = 0; i < (batches + 1) * messages; ++i) {
      text message;
      std::memset(message.bytes, i & 0x7f, sizeof message.bytes);
      p->of_texts.send(message);
    }
  });
  std::thread receiver([&] {
    if (!pin(to)) unpinned = true;
    double start = 0;
    for (int batch = 0; batch <= batches; ++batch) {
      for (int i = 0; i < messages; ++i) {
        const std::optional<text> got = p->of_texts.receive();
        if (got->bytes[0] != ((batch * messages + i) & 0x7f) || got->bytes[59] != got->bytes[0]) ++wrong;
      }
      const double stop = now_ns();
      if (batch > 0) each.push_back((stop - start) / messages);
      start = stop;
    }
  });
  sender.join();
  receiver.join();
  return unpinned || wrong != 0 ? -1 : middle(each);
}

namespace {

/// The median time of a message over batches on the client's side, which does `one(i, wrong)`; the server does `serve()` for
/// each. Nanoseconds.
template <class One, class Serve>
double with_a_server(int client, int server, One one, Serve serve) {
  std::vector<double> each;
  std::atomic<bool> unpinned{false};
  std::atomic<int> wrong{0};
  std::thread asks([&] {
    if (!pin(client)) unpinned = true;
    for (int batch = 0; batch <= batches; ++batch) {
      const double start = now_ns();
      for (int i = 0; i < messages; ++i) wrong += one(i) ? 0 : 1;
      if (batch > 0) each.push_back((now_ns() - start) / messages);
    }
  });
  std::thread serves([&] {
    if (!pin(server)) unpinned = true;
    for (int i = 0; i < (batches + 1) * messages; ++i) wrong += serve(i) ? 0 : 1;
  });
  asks.join();
  serves.join();
  return unpinned || wrong != 0 ? -1 : middle(each);
}

text numbered(int i) {
  text message;
  std::memset(message.bytes, i & 0x7f, sizeof message.bytes);
  return message;
}
bool same(const text& a, const text& b) { return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0; }

}  // namespace

double bare::answered(int client, int server, bool fetching) {
  std::vector<line> lines(2);
  line &request = lines[0], &answer = lines[1];
  const auto ask = [&](int i) {
    text got;
    put(request, numbered(i), fetching);
    get(answer, got, fetching);
    return same(got, numbered(i));
  };
  const auto serve = [&](int) {
    text message;
    get(request, message, fetching);
    put(answer, message, fetching);
    return true;
  };
  return with_a_server(client, server, ask, serve);
}

double bare::taken(int client, int server) {
  std::vector<line> lines(1);
  const auto send = [&](int i) {
    put(lines[0], numbered(i), false);
    return true;
  };
  const auto take = [&](int i) {
    text message;
    get(lines[0], message, false);
    return same(message, numbered(i % messages));
  };
  return with_a_server(client, server, send, take);
}
