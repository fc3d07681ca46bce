// The sentences of four articles: on fork and join, on waking under Windows, on throttling, on the price of calls.

#include "claims/catalog.hpp"
#include "claims/judges.hpp"

namespace synchro::claims {

namespace {

constexpr const char* starting = "synchroscope run forkjoin.timeline --threads 4";
constexpr const char* waking = "synchroscope run wake.broadcast --placement unpinned";
constexpr const char* eleven = "synchroscope run wake.broadcast --placement unpinned --threads 11";
constexpr const char* throttle = "synchroscope run throttle.sum";
constexpr const char* calls = "synchroscope run overhead.calls";

claim judged(const char* id, const char* says, const char* figure, const char* rule, const char* command, judge j) {
  return {id, "", says, figure, rule, command, kind::judged, j};
}
claim of_both(const char* id, const char* says, const char* rule, const char* command, judge_of_two j) {
  return {id, "", says, "", rule, command, kind::judged, nullptr, true, j};
}
claim other(kind what, const char* id, const char* says, const char* rule, const char* command) {
  return {id, "", says, "", rule, command, what, nullptr};
}

std::vector<claim> of_starting() {
  using namespace judges;
  return {
      judged("E1", "Starting three workers by asynchronous procedure calls takes 47 us.", "47 us",
             "signal/handler, this system's counterpart (on Windows win32/apc), until the last of three workers runs, "
             "each on a processor of its own: 40 to 54 us, which is nearer to 47 than to the 33 us of events.",
             starting, e1),
      judged("E2", "Starting three workers by events takes 33 us.", "33 us",
             "event (win32/event), until the last of three workers runs, each on a processor of its own: 26 to 40 us, "
             "which is nearer to 33 than to the 47 us of procedure calls.",
             starting, e2),
      judged("E3", "Events and semaphores start workers alike; procedure calls are slower than both.", "",
             "signal/handler against linux/futex and posix/sem (on Windows win32/apc against win32/event and "
             "win32/semaphore), until the last of three workers runs: slower than both; these two within 1.21 times, "
             "which "
             "is half-way between the article's 33 and 47 us.",
             starting, e3),
      judged("E4", "A semaphore released for several waiters wakes them one after another, not together.", "",
             "The smallest gap between two starts after one release, with a processor for each sleeper, against that "
             "of rendezvous, whose sleepers start together: twice or more.",
             "synchroscope run wake.broadcast --calls one", e4),
      judged("E5", "Splitting work pays only if its sequential time per processor is longer than the invocation delay.",
             "50 us",
             "Break-even time for each thread against the invocation delay, for every way of starting, with a "
             "processor for each thread: more than once.",
             "synchroscope run forkjoin.breakeven", e5),
      judged("E6", "One call that releases all is better than a call for each.", "",
             "Wake time of the last sleeper, calls=each against calls=one, for every primitive that has both, with a "
             "processor for each sleeper: more than once.",
             "synchroscope run wake.broadcast --calls one,each", e6),
      judged("E7", "No system offers a start of all threads at the same moment.", "",
             "rendezvous, which starts on a clock deadline, with a processor for each sleeper: it does not hold if all "
             "start within 1 us, the unit of the article's figures.",
             "synchroscope run wake.broadcast --primitive rendezvous", e7),
      judged("E8", "Giving late starters less work makes up for their delay, most of all where the work is short.", "",
             "Time with equal shares over time with shares cut to the lag: more than once with the shortest work, and "
             "more than with the longest.",
             "synchroscope run forkjoin.balance", e8),
  };
}

std::vector<claim> of_waking() {
  using namespace judges;
  std::vector<claim> all{
      judged("W1", "Spinning wakes fastest, and burns processor time.", "",
             "The fastest primitive that spins against all that sleep, with the most sleepers that have a processor "
             "each: sooner, and a larger share of the wait on the processor.",
             waking, w1),
      judged(
          "W2", "Mutex and critical section without a condition variable wake slowest.", "",
          "The faster of pthread/mutex_flag and std/mutex_flag (on Windows of all flags behind a lock) against every "
          "other primitive that sleeps, with the most sleepers that have a processor each.",
          waking, w2),
      judged("W3",
             "For every primitive the mean wake time grows with the number of threads, and fastest for those that wake "
             "slowest.",
             "",
             "The most sleepers against one, for every primitive that sleeps: more than once; and for "
             "pthread/mutex_flag (win32/mutex_flag) by more than for each other.",
             waking, w3),
      judged("W4", "Waking a single thread costs about the same with every primitive.", "",
             "The slowest against the fastest primitive that sleeps: up to 1.5 times (the article gives no figure).",
             "synchroscope run wake.broadcast --placement unpinned --threads 1", w4),
      judged("W5", "The highest priority makes every primitive slower.", "",
             "Raised priority against the default, for every primitive: more than once.",
             "synchroscope run wake.broadcast --full --placement unpinned", w5),
      judged("W6", "Pinning each thread has mixed results, and often none.", "",
             "compact against unpinned, for every primitive: it holds if some are resolved to gain and some to lose, "
             "or half are resolved to be within a tenth; it does not if all gain or all lose.",
             "synchroscope run wake.broadcast --placement compact,unpinned", w6),
      judged("W7", "With an object for each thread, the thread triggered first wakes before the one triggered last.",
             "",
             "Wake time of the last thread against the first, for every primitive of the system with an object for "
             "each: more than once.",
             waking, w7),
      judged("W8", "A single event or semaphore is the most even from the first to the last woken.", "",
             "Last woken over first woken with the most sleepers that have a processor each: every other primitive "
             "that sleeps against the most even of events and semaphores.",
             waking, w8),
      judged("W9", "A condition variable wakes the first of 11 threads after 6 us and the last after 30 us.",
             "6 to 30 us",
             "pthread/cond (win32/condition_cs) with 11 sleepers: the first after 5.5 to 6.5 us, the last after 25 to "
             "35 us, as the figures "
             "may be rounded.",
             eleven, w9),
      judged("W10", "All but event and semaphore wake the first three threads sooner and the rest later.", "",
             "Against event (win32/event), with 11 sleepers, for every other primitive that sleeps: the first three "
             "sooner and the "
             "last later.",
             eleven, w10),
      judged("W11", "An event for every five of eleven threads beats one event for all and one for each.",
             "5 threads an event",
             "Mean wake time of 11 sleepers with groups of five, against one event for all and one for each: less than "
             "both.",
             "synchroscope run wake.groups --placement unpinned --threads 11", w11),
      other(kind::question, "W12", "Open question: can other primitives be split as well?",
            "wake.groups tries all that can.", "synchroscope run wake.groups"),
      other(kind::question, "W13", "Open question: how is it with 192 logical processors?",
            "wake.groups on such a machine or a model of it.",
            "synchroscope simulate wake.groups --machine MODEL --threads 191"),
      other(kind::question, "W14", "Open question: what happens underneath?",
            "wake.broadcast counts the system calls of each primitive.", "synchroscope run wake.broadcast"),
      judged("W15", "Open question: does a finer system timer (timeBeginPeriod) change anything?", "",
             "A timer of 1 ms against the timer as it is, for every primitive: it does if one is resolved to differ by "
             "more than a tenth; it does not if all are resolved to be within a tenth.",
             "synchroscope run wake.broadcast --placement unpinned", w15),
      other(kind::question, "W16", "Open question: how is it on Linux, with its own primitives?",
            "wake.broadcast measures them.", "synchroscope run wake.broadcast"),
      other(kind::background, "W17", "The set-up: 11 workers and a trigger, 32 000 runs of each primitive.",
            "wake.broadcast --full has as many.", "synchroscope run wake.broadcast --full --threads 11"),
  };
  for (claim& c : all) c.of_windows = true;
  return all;
}

std::vector<claim> of_throttling() {
  using namespace judges;
  return {
      judged("T1", "64 threads are fastest when as many run at a time as there are cores.", "",
             "Every other number of permits, and no limit, against as many as cores: slower. Fewer, more and no limit "
             "must have been measured.",
             throttle, t1),
      judged("T2", "From cores to twice the cores it gets slower, and no slower beyond.", "",
             "Twice the cores against the cores: slower; every larger number and no limit against twice the cores: no "
             "more than 1 % slower, by which the article's times vary.",
             throttle, t2),
      judged("T3", "The best number of permits gains 15 to 20 % over no limit.", "15 to 20 %",
             "The time with the best number of permits against that without a limit: 0.80 to 0.85 times.", throttle,
             t3),
      judged("T4", "A comment: the loss comes from the caches rather than from switching.", "",
             "What no limit costs against as many permits as cores: a loss with terms in memory, and a larger one than "
             "with terms in registers.",
             "synchroscope run throttle.sum --variant integer,memory", t4),
      judged("T5", "A comment: a pool of n threads does as well as 64 threads with n permits.", "",
             "A pool of as many threads as cores against 64 threads with as many permits: no more than 1 % slower.",
             "synchroscope run throttle.sum --variant integer,pool", t5),
      judged("T6", "A comment: on another machine there is no gain at all.", "",
             "The best number of permits against no limit: no more than 1 % faster.", throttle, t6),
  };
}

std::vector<claim> of_calls() {
  using namespace judges;
  return {
      judged("B1",
             "Critical section, spin lock and interlocked operations cost 1 us or less, far less than all that enter "
             "the system.",
             "1 us",
             "The most expensive of those rows: up to 1 us; the cheapest of the other rows costs 11 times as much or "
             "more, "
             "the least that the table has between them.",
             calls, b1),
      judged("B2", "Waiting for one object and for several costs the same.", "",
             "WaitForMultipleObjects against WaitForSingleObject: within 1.27 times, as the table's own rows differ.",
             calls, b2),
      judged("B3", "Waiting for a semaphore is the most expensive row on every system.", "",
             "Waiting for Semaphore against every other row: more than once.", calls, b3),
      judged("B4", "An event made from mutex and condition variable costs more than twice a native one.", "2 times",
             "SetEvent by pthread/cond_event against the library's event (else linux/eventfd): more than twice.", calls,
             b4),
      of_both("B5", "Linux costs less than Windows in most rows, but not for events.",
              "Each row of the table by each system's own call: Linux less in more than half of those that are "
              "resolved to differ, and SetEvent, from mutex and condition variable there, more.",
              calls, b5),
  };
}

}  // namespace

std::vector<claim> claims_of_the_articles() {
  std::vector<claim> all;
  for (const auto& part : {of_starting(), of_waking(), of_throttling(), of_calls()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace synchro::claims
