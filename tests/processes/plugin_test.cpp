// A host that loads a plugin, has threads use the library in it, and unloads it before they end.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "processes/armed.hpp"

namespace synchro::tests {

namespace {
bool fork_noted = false;
}
void note_fork() { fork_noted = true; }
os::fork_hook<note_fork> host_s_hook;

namespace {

class plugin : public testing::TestWithParam<const char*> {
 protected:
  static std::string path() { return std::string{SYNCHRO_TESTS_PLUGINS "/plugin_"} + GetParam() + ".so"; }

  /// Loads, uses and unloads it; the thread that used it ends afterwards.
  static void load_use_and_unload() {
    void* const handle = dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    auto* const use = reinterpret_cast<unsigned (*)()>(dlsym(handle, "use"));
    ASSERT_NE(use, nullptr);
    std::atomic<bool> used{false};
    std::atomic<bool> unloaded{false};
    std::thread user{[&] {
      EXPECT_GT(use(), 0U);
      used = true;
      used.notify_one();
      unloaded.wait(false);
    }};
    used.wait(false);
    EXPECT_EQ(dlclose(handle), 0);
    unloaded = true;
    unloaded.notify_one();
    user.join();
  }

  static std::size_t mappings_of_it() {
    std::ifstream maps{"/proc/self/maps"};
    std::size_t count = 0;
    for (std::string line; std::getline(maps, line);)
      if (line.find(path()) != std::string::npos) ++count;
    return count;
  }
};

TEST_P(plugin, threads_end_after_it_was_unloaded) {
  for (int i = 0; i != 3; ++i) load_use_and_unload();
}

TEST_P(plugin, nothing_grows_however_often_it_is_loaded) {
  for (int i = 0; i != 20; ++i) load_use_and_unload();
  const std::size_t mappings = mappings_of_it();
  const std::size_t bytes = mallinfo2().uordblks;
  constexpr std::size_t times = 1000;
  for (std::size_t i = 0; i != times; ++i) load_use_and_unload();
  EXPECT_EQ(mappings_of_it(), mappings);
  EXPECT_LT(mallinfo2().uordblks, bytes + times) << "less than a byte each";
  pthread_key_t key{};
  ASSERT_EQ(pthread_key_create(&key, nullptr), 0) << "the keys are used up";
  EXPECT_LT(key, 20U);
  pthread_key_delete(key);
}

TEST(a_hook, that_an_unloaded_plugin_armed_is_still_called) {
  void* const handle = dlopen(SYNCHRO_TESTS_PLUGINS "/plugin_armer.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto* const use = reinterpret_cast<unsigned (*)()>(dlsym(handle, "use"));
  ASSERT_NE(use, nullptr);
  EXPECT_EQ(use(), 1U);
  EXPECT_EQ(dlclose(handle), 0);
  const pid_t child = fork();
  if (child == 0) _exit(fork_noted ? 0 : 1);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << "the system forgot the call with the plugin";
}

INSTANTIATE_TEST_SUITE_P(each, plugin, testing::Values("pool", "slot", "domain", "ending"),
                         [](const auto& one) { return std::string{one.param}; });

}  // namespace
}  // namespace synchro::tests
