// What a system refuses is told as a reason, and everything else goes on.

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <string>

#include "experiments/wakes/availability.hpp"
#include "experiments/wakes/host_run.hpp"
#include "platform/child_process.hpp"

namespace synchro::tests {

namespace {

using experiments::find_wake;
using platform::child_outcome;
using platform::run_in_child;

/// From now on this process is refused the call: by an error, or by its end.
void refuse(long call, std::uint32_t action) {
  sock_filter program[]{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog all{sizeof program / sizeof *program, program};
  ASSERT_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
  ASSERT_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all), 0);
}

std::string reason_of(const char* primitive) {
  const auto told = experiments::wakes::try_out(find_wake(primitive));
  return told.unavailable.value_or("available");
}

TEST(Refusal, ARefusedCallIsAReasonAndTheOthersGoOn) {
  const child_outcome seen = run_in_child(
      [] {
        refuse(SYS_eventfd2, SECCOMP_RET_ERRNO | EPERM);
        return reason_of("linux/eventfd") + "; " + reason_of("linux/futex");
      },
      60);
  ASSERT_FALSE(seen.failure) << *seen.failure;
  EXPECT_NE(seen.said.find("eventfd"), std::string::npos) << seen.said;
  EXPECT_NE(seen.said.find("not permitted; available"), std::string::npos) << seen.said;
}

TEST(Refusal, ACallThatIsDeadlyIsAReasonToo) {
  const child_outcome seen = run_in_child(
      [] {
        refuse(SYS_pipe2, SECCOMP_RET_KILL_PROCESS);
        return reason_of("linux/futex") + "; " + reason_of("posix/pipe");
      },
      60);
  ASSERT_FALSE(seen.failure && seen.said.empty() && seen.failure->find("signal") == std::string::npos) << *seen.failure;
}

TEST(Refusal, ATriggerThatIsRefusedOnceAllSleepIsTold) {
  const child_outcome seen = run_in_child(
      [] {
        refuse(SYS_semtimedop, SECCOMP_RET_ERRNO | ENOSYS);
        refuse(SYS_semop, SECCOMP_RET_ERRNO | ENOSYS);
        return reason_of("sysv/sem");
      },
      60);
  ASSERT_FALSE(seen.failure) << *seen.failure;
  EXPECT_NE(seen.said.find("semop"), std::string::npos) << seen.said;
}

TEST(Refusal, MoreThreadsThanTheProcessMayHave) {
  const child_outcome seen = run_in_child(
      []() -> std::string {
        if (setuid(65534) != 0) return "skip";  // root has no limit
        const rlimit limit{20, 20};
        setrlimit(RLIMIT_NPROC, &limit);
        experiments::wakes::wake_task task;
        task.sleepers = 200;
        try {
          (void)experiments::wakes::run_on_host(find_wake("linux/futex"), task);
        } catch (const std::exception& e) {
          return e.what();
        }
        return "it had them all";
      },
      60);
  ASSERT_FALSE(seen.failure) << *seen.failure;
  if (seen.said == "skip") GTEST_SKIP() << "only root can become somebody with a limit";
  EXPECT_NE(seen.said.find("threads"), std::string::npos) << seen.said;
}

TEST(Child, WhatEndsItIsTold) {
  EXPECT_EQ(run_in_child([] { return std::string{"hello"}; }, 10).said, "hello");
  EXPECT_EQ(run_in_child([]() -> std::string { throw std::runtime_error{"no"}; }, 10).failure, "no");
  const child_outcome killed = run_in_child(
      []() -> std::string {
        raise(SIGKILL);
        return "";
      },
      10);
  ASSERT_TRUE(killed.failure);
  EXPECT_NE(killed.failure->find("signal 9"), std::string::npos) << *killed.failure;
  const child_outcome slow = run_in_child(
      [] {
        sleep(100);
        return std::string{};
      },
      0.1);
  ASSERT_TRUE(slow.failure);
  EXPECT_NE(slow.failure->find("did not finish"), std::string::npos) << *slow.failure;
}

}  // namespace

}  // namespace synchro::tests
