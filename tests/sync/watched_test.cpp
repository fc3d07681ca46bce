// What the observer of a lock is told, and when.

#include "synchro/watched.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace synchro {
namespace {

/// What the lock does and its observer is told, in the order in which it happens.
std::vector<std::string> seen;
bool succeeds = true;

void note(const char* what, way how) {
  static constexpr const char* waits[] = {"", " limited", " none"};
  seen.push_back(std::string{what} + (how.shared ? " shared" : "") + waits[static_cast<unsigned>(how.wait)] +
                 (how.node != nullptr ? " node" : ""));
}

struct recorder {
  void asks(way how) noexcept { note("asks", how); }
  void got(way how, bool taken) noexcept { note(taken ? "got" : "failed", how); }
  void gives(way how) noexcept { note("gives", how); }
  void gave(way how) noexcept { note("gave", how); }
};

/// A lock with all that one may offer, which has a word for what it is asked.
struct everything {
  struct node {};
  static void did(const char* what) { seen.emplace_back(what); }
  static bool tried(const char* what) { return did(what), succeeds; }

  void lock() { did("lock"); }
  bool try_lock() { return tried("try_lock"); }
  bool try_lock_for(auto) { return tried("try_lock_for"); }
  bool try_lock_until(auto) { return tried("try_lock_until"); }
  void unlock() noexcept { did("unlock"); }
  void lock(node&) noexcept { did("lock node"); }
  bool try_lock(node&) noexcept { return tried("try_lock node"); }
  void unlock(node&) noexcept { did("unlock node"); }
  void lock_shared() noexcept { did("lock_shared"); }
  bool try_lock_shared() noexcept { return tried("try_lock_shared"); }
  bool try_lock_shared_for(auto) { return tried("try_lock_shared_for"); }
  bool try_lock_shared_until(auto) { return tried("try_lock_shared_until"); }
  void unlock_shared() noexcept { did("unlock_shared"); }
  void lock_upgrade() noexcept { did("lock_upgrade"); }
  bool try_lock_upgrade() noexcept { return tried("try_lock_upgrade"); }
  bool try_lock_upgrade_for(auto) { return tried("try_lock_upgrade_for"); }
  bool try_lock_upgrade_until(auto) { return tried("try_lock_upgrade_until"); }
  void unlock_upgrade() noexcept { did("unlock_upgrade"); }
  void unlock_upgrade_and_lock() noexcept { did("unlock_upgrade_and_lock"); }
  bool try_unlock_upgrade_and_lock() noexcept { return tried("try_unlock_upgrade_and_lock"); }
  bool try_unlock_upgrade_and_lock_for(auto) { return tried("try_unlock_upgrade_and_lock_for"); }
  bool try_unlock_upgrade_and_lock_until(auto) { return tried("try_unlock_upgrade_and_lock_until"); }
  bool try_unlock_shared_and_lock() noexcept { return tried("try_unlock_shared_and_lock"); }
  void unlock_and_lock_shared() noexcept { did("unlock_and_lock_shared"); }
  void unlock_and_lock_upgrade() noexcept { did("unlock_and_lock_upgrade"); }
};

using lock = watched<everything, recorder>;
using words = std::vector<std::string>;

template <class Call>
words after(bool success, Call call) {
  seen.clear();
  succeeds = success;
  lock one;
  everything::node mine;
  call(one, mine);
  return seen;
}

/// `how`: as note() writes it.
template <class Call>
void takes(const std::string& name, const std::string& how, Call call) {
  EXPECT_EQ(after(true, call), (words{"asks" + how, name, "got" + how}));
  if (!name.starts_with("try")) return;
  EXPECT_EQ(after(false, call), (words{"asks" + how, name, "failed" + how}));
}
template <class Call>
void gives(const std::string& name, const std::string& how, Call call) {
  EXPECT_EQ(after(true, call), (words{"gives" + how, name, "gave" + how}));
}
template <class Call>
void changes(const std::string& name, const std::string& from, const std::string& to, Call call) {
  const auto with = [&](const std::string& now) {
    return words{"gives" + from, "gave" + from, name, "asks" + now + " none", "got" + now + " none"};
  };
  EXPECT_EQ(after(true, call), with(to));
  if (!name.starts_with("try")) return;
  EXPECT_EQ(after(false, call), with(from));
}

TEST(watched, tells_who_takes_and_gives) {
  takes("lock", "", [](auto& one, auto& /*mine*/) { one.lock(); });
  takes("try_lock", " none", [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock()); });
  takes("try_lock_for", " limited", [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_for(1)); });
  takes("try_lock_until", " limited", [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_until(1)); });
  takes("lock node", " node", [](auto& one, auto& mine) { one.lock(mine); });
  takes("try_lock node", " none node", [](auto& one, auto& mine) { static_cast<void>(one.try_lock(mine)); });
  gives("unlock", "", [](auto& one, auto& /*mine*/) { one.unlock(); });
  gives("unlock node", " node", [](auto& one, auto& mine) { one.unlock(mine); });
}

TEST(watched, tells_who_takes_and_gives_shared) {
  takes("lock_shared", " shared", [](auto& one, auto& /*mine*/) { one.lock_shared(); });
  takes("try_lock_shared", " shared none", [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_shared()); });
  takes("try_lock_shared_for", " shared limited",
        [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_shared_for(1)); });
  takes("try_lock_shared_until", " shared limited",
        [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_shared_until(1)); });
  gives("unlock_shared", " shared", [](auto& one, auto& /*mine*/) { one.unlock_shared(); });
}

TEST(watched, tells_who_takes_and_gives_what_may_go_up) {
  takes("lock_upgrade", " shared", [](auto& one, auto& /*mine*/) { one.lock_upgrade(); });
  takes("try_lock_upgrade", " shared none",
        [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_upgrade()); });
  takes("try_lock_upgrade_for", " shared limited",
        [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_upgrade_for(1)); });
  takes("try_lock_upgrade_until", " shared limited",
        [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_lock_upgrade_until(1)); });
  gives("unlock_upgrade", " shared", [](auto& one, auto& /*mine*/) { one.unlock_upgrade(); });
}

TEST(watched, tells_who_changes_one_for_the_other) {
  changes("unlock_upgrade_and_lock", " shared", "", [](auto& one, auto& /*mine*/) { one.unlock_upgrade_and_lock(); });
  changes("try_unlock_upgrade_and_lock", " shared", "",
          [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_unlock_upgrade_and_lock()); });
  changes("try_unlock_upgrade_and_lock_for", " shared", "",
          [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_unlock_upgrade_and_lock_for(1)); });
  changes("try_unlock_upgrade_and_lock_until", " shared", "",
          [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_unlock_upgrade_and_lock_until(1)); });
  changes("try_unlock_shared_and_lock", " shared", "",
          [](auto& one, auto& /*mine*/) { static_cast<void>(one.try_unlock_shared_and_lock()); });
  changes("unlock_and_lock_shared", "", " shared", [](auto& one, auto& /*mine*/) { one.unlock_and_lock_shared(); });
  changes("unlock_and_lock_upgrade", "", " shared", [](auto& one, auto& /*mine*/) { one.unlock_and_lock_upgrade(); });
}

struct refusing : everything {
  [[noreturn]] void lock() { throw 1; }
};

TEST(watched, tells_that_nothing_was_taken_by_who_threw) {
  watched<refusing, recorder> one;
  seen.clear();
  EXPECT_THROW(one.lock(), int);
  EXPECT_EQ(seen, (words{"asks", "failed"}));
}

}  // namespace
}  // namespace synchro
