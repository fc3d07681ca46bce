// What the code on the pages takes for granted of the program around it: page_code.py compiles each piece below this.

#include <chrono>
#include <cstdint>
#include <mutex>
#include <synchro/synchro.hpp>
#include <synchro/wakes/stop_token.hpp>

struct session {
  int requests;
};
struct price {};
struct job {};
struct {
  void push(const job&) {}
} inline queue;

inline constexpr std::uint64_t id = 1;
inline constexpr price p{};
inline constexpr int rounds = 1;

inline void load() {}
inline void serve() {}
inline void prepare() {}
inline void do_work() {}
inline void look_at_the_clock() {}
template <class... T>
void use(const T&...) {}
template <class... T>
void print(const T&...) {}
template <class... T>
void work(const T&...) {}
template <class... T>
void run(const T&...) {}
