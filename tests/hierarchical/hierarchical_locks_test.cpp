// Locks by cache domain, on machines whose domains are made up: most machines that run these tests have one.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "hierarchical/staged_machine.hpp"
#include "synchro/locks/hierarchical/hclh.hpp"
#include "synchro/locks/hierarchical/hmcs.hpp"
#include "synchro/locks/hierarchical/hticket.hpp"
#include "synchro/locks/mcs.hpp"
#include "synchro/locks/ticket.hpp"

namespace synchro::tests {
namespace {

using namespace std::chrono_literals;

template <template <class, class> class Lock, class Waiting>
struct kind {
  template <class Machine>
  using on = Lock<Machine, Waiting>;
};
using kinds = testing::Types<kind<basic_hclh_lock, spin_yield>, kind<basic_hclh_lock, spin_park>,
                             kind<basic_hticket_lock, spin_yield>, kind<basic_hmcs_lock, spin_yield>,
                             kind<basic_hmcs_lock, spin_park>>;

void join(std::vector<std::thread>& threads) {
  for (std::thread& t : threads) t.join();
  threads.clear();
}

/// Threads of these roles take the lock in all ways and count; the count is plain.
template <class Lock>
void count_together(Lock& lock, const std::vector<role>& roles, int rounds) {
  int count = 0;
  std::vector<std::thread> threads;
  for (const role& part : roles) {
    threads.push_back(actor(part, [&lock, &count, rounds] {
      for (int done = 0; done < rounds;) {
        bool held = true;
        if (done % 3 == 0)
          held = lock.try_lock();
        else if (done % 3 == 1)
          held = lock.try_lock_for(std::chrono::microseconds{done % 50});
        else
          lock.lock();
        if (!held) {
          std::this_thread::yield();
          continue;
        }
        ++count;
        ++done;
        lock.unlock();
      }
    }));
  }
  join(threads);
  EXPECT_EQ(count, static_cast<int>(roles.size()) * rounds);
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

std::vector<role> standing_in(unsigned domains, unsigned threads) {
  std::vector<role> roles(threads);
  for (unsigned i = 0; i < threads; ++i) roles[i].domain = i % domains;
  return roles;
}

template <class Kind>
class HierarchicalLock : public testing::Test {
 protected:
  void SetUp() override { my_role() = {}; }
};
TYPED_TEST_SUITE(HierarchicalLock, kinds);

TYPED_TEST(HierarchicalLock, ExcludesInOneDomain) {
  typename TypeParam::template on<staged_machine<1>> lock;
  count_together(lock, standing_in(1, 4), 300);
}

TYPED_TEST(HierarchicalLock, ExcludesAcrossTwoDomains) {
  typename TypeParam::template on<staged_machine<2>> lock;
  count_together(lock, standing_in(2, 6), 300);
}

TYPED_TEST(HierarchicalLock, ExcludesAcrossFiveDomains) {
  typename TypeParam::template on<staged_machine<5>> lock;
  count_together(lock, standing_in(5, 10), 150);
}

TYPED_TEST(HierarchicalLock, ExcludesThreadsThatMigrateAllTheTime) {
  typename TypeParam::template on<staged_machine<3>> lock;
  std::vector<role> roles(6);
  for (std::uint32_t i = 0; i < roles.size(); ++i) roles[i].wandering = 77 + i;
  count_together(lock, roles, 300);
}

TYPED_TEST(HierarchicalLock, ServesMoreThreadsAndDomainsThanTheShapeHas) {
  typename TypeParam::template on<staged_machine<5>> lock{shape{{0, 1}}};
  count_together(lock, standing_in(5, 12), 100);
}

TYPED_TEST(HierarchicalLock, IsMadeFromAShapeWithoutThreads) {
  typename TypeParam::template on<staged_machine<2>> lock{shape{}};
  count_together(lock, standing_in(2, 2), 100);
}

TYPED_TEST(HierarchicalLock, WorksOnTheHardwareAsItIs) {
  typename TypeParam::template on<hardware> lock;
  count_together(lock, standing_in(1, 4), 200);
}

TYPED_TEST(HierarchicalLock, MayBeReleasedAfterMigration) {
  typename TypeParam::template on<staged_machine<3>> lock;
  for (const unsigned from : {0U, 1U, 2U, 3U}) {
    for (const unsigned to : {0U, 1U, 2U, 3U}) {
      my_role().domain = from;
      lock.lock();
      my_role().domain = to;
      EXPECT_FALSE(lock.try_lock());
      lock.unlock();
      EXPECT_TRUE(lock.try_lock());
      lock.unlock();
    }
  }
}

TYPED_TEST(HierarchicalLock, MayBeReleasedByAThreadOfAnotherDomainToWaitersOfBoth) {
  typename TypeParam::template on<staged_machine<2>> lock;
  int count = 0;
  lock.lock();
  std::vector<std::thread> threads;
  for (const unsigned domain : {0U, 1U, 0U, 1U}) {
    const int before = seen().waits + seen().limited_waits;  // the latter before sleeping
    threads.push_back(actor({domain}, [&] {
      lock.lock();
      ++count;
      lock.unlock();
    }));
    eventually([before] { return seen().waits + seen().limited_waits > before; });
  }
  actor({1}, [&] { lock.unlock(); }).join();
  join(threads);
  EXPECT_EQ(count, 4);
}

TYPED_TEST(HierarchicalLock, ManyAreHeldAtOnceAndReleasedOutOfOrder) {
  using lock_type = typename TypeParam::template on<staged_machine<3>>;
  std::vector<std::unique_ptr<lock_type>> locks;
  for (int i = 0; i < 50; ++i) locks.push_back(std::make_unique<lock_type>());
  const auto hold_all = [&locks](std::size_t stride) {
    for (const auto& lock : locks) lock->lock();
    for (std::size_t i = 0; i < locks.size(); ++i) locks[i * stride % locks.size()]->unlock();
  };
  my_role().wandering = 5;
  hold_all(7);
  actor({0, 9}, [&] { hold_all(13); }).join();
  for (const auto& lock : locks) {
    EXPECT_TRUE(lock->try_lock());
    EXPECT_FALSE(lock->try_lock());
    lock->unlock();
  }
}

TYPED_TEST(HierarchicalLock, TryingFailsFromEveryDomainWhileHeld) {
  typename TypeParam::template on<staged_machine<3>> lock;
  my_role().domain = 1;
  lock.lock();
  for (const unsigned domain : {0U, 1U, 2U, 3U}) {
    actor({domain}, [&lock] {
      EXPECT_FALSE(lock.try_lock());
      EXPECT_FALSE(lock.try_lock_for(1ms));
      EXPECT_FALSE(lock.try_lock_until(std::chrono::system_clock::now() - 1h));
    }).join();
  }
  lock.unlock();
  for (const unsigned domain : {0U, 1U, 2U, 3U}) {
    actor({domain}, [&lock] {
      ASSERT_TRUE(lock.try_lock());
      lock.unlock();
      ASSERT_TRUE(lock.try_lock_for(1ms));
      lock.unlock();
      ASSERT_TRUE(lock.try_lock_for(-1ms));  // free at the last look, which comes after the clock's
      lock.unlock();
    }).join();
  }
}

TYPED_TEST(HierarchicalLock, TryingHoldsWhoeverComesInBetween) {
  for (const unsigned domain : {0U, 1U}) {
    for (int change = 0; change < 4; ++change) {
      for (int times = 1; times <= 3; ++times) {  // more than once, a queue node comes round
        typename TypeParam::template on<staged_machine<2>> lock;
        bool other_holds = false;
        my_role().changes_before_interlude = change;
        my_role().interlude = [&] {
          my_role().domain = domain;
          for (int i = 0; i < times; ++i) {
            if (other_holds) lock.unlock();
            other_holds = lock.try_lock();
          }
        };
        const bool holds = lock.try_lock();
        my_role() = {};
        EXPECT_FALSE(holds && other_holds);
        if (holds || other_holds) lock.unlock();
        for (const unsigned later : {0U, 1U}) {
          my_role().domain = later;
          ASSERT_TRUE(lock.try_lock());
          lock.unlock();
          lock.lock();
          lock.unlock();
        }
        my_role() = {};
      }
    }
  }
}

TYPED_TEST(HierarchicalLock, ThoseBehindWaitersWhoGaveUpAreServed) {
  for (const unsigned leaver : {0U, 1U}) {
    for (const unsigned behind : {0U, 1U, 2U}) {
      typename TypeParam::template on<staged_machine<3>> lock;
      lock.lock();  // in domain 0
      const int before = seen().limited_waits;
      std::vector<std::thread> leavers;
      for (int i = 0; i < 3; ++i)
        leavers.push_back(actor({leaver}, [&lock] { EXPECT_FALSE(lock.try_lock_for(30ms)); }));
      eventually([before] { return seen().limited_waits > before; });
      int served = 0;
      std::vector<std::thread> threads;
      for (int i = 0; i < 2; ++i) {
        threads.push_back(actor({behind}, [&] {
          lock.lock();
          ++served;
          lock.unlock();
        }));
      }
      join(leavers);
      lock.unlock();
      join(threads);
      EXPECT_EQ(served, 2);
      EXPECT_TRUE(lock.try_lock());
      lock.unlock();
    }
  }
}

TYPED_TEST(HierarchicalLock, IsFreeAfterAllWaitersGaveUp) {
  typename TypeParam::template on<staged_machine<2>> lock;
  for (int round = 0; round < 3; ++round) {
    lock.lock();
    std::vector<std::thread> leavers;
    for (const unsigned domain : {0U, 0U, 1U, 1U})
      leavers.push_back(actor({domain}, [&lock] { EXPECT_FALSE(lock.try_lock_for(5ms)); }));
    join(leavers);
    lock.unlock();
    EXPECT_TRUE(lock.try_lock());
    lock.unlock();
  }
}

TYPED_TEST(HierarchicalLock, MayBeDestroyedAfterWaitersGaveUp) {
  for (int round = 0; round < 3; ++round) {
    typename TypeParam::template on<staged_machine<2>> lock;
    lock.lock();
    EXPECT_FALSE(lock.try_lock_for(1ms));
    actor({1}, [&lock] { EXPECT_FALSE(lock.try_lock_for(1ms)); }).join();
    lock.unlock();
  }
}

/// Threads that queue up at a lock one after another, and when they have it stay until the test lets them go.
template <class Lock>
class queue_of_actors {
 public:
  explicit queue_of_actors(Lock& lock) : lock_{lock} {}
  ~queue_of_actors() {
    may_leave_ = 1 << 20;
    join(threads_);
  }
  queue_of_actors(const queue_of_actors&) = delete;
  queue_of_actors& operator=(const queue_of_actors&) = delete;

  /// Queues one up behind the holder; returns when it waits.
  void queue(unsigned domain, std::latch* curtain = nullptr) {
    role part{domain};
    part.curtain = curtain;
    threads_.push_back(waiting_actor(part, [this, domain] {
      lock_.lock();
      order_.push_back(domain);
      const int me = entered_.fetch_add(1);
      eventually([this, me] { return may_leave_ > me; });
      lock_.unlock();
      left_.fetch_add(1);
    }));
  }

  /// Lets them go one by one, the first being in already, and expects that they are of these domains. When a domain
  /// gives way although some of its threads wait, it gets the time to queue up again.
  void expect(const std::vector<unsigned>& domains) {
    for (std::size_t i = 0;; ++i) {
      eventually([this] { return entered_ > served_; });
      ASSERT_EQ(order_.back(), domains[i]) << "in place " << served_;
      if (i != 0 && domains[i] != domains[i - 1] && std::count(&domains[i], &domains.back() + 1, domains[i - 1]) != 0)
        eventually([this] { return seen().waits > waits_; });
      ++served_;
      if (i + 1 == domains.size()) return;
      let_one_go();
    }
  }
  void let_one_go() {
    waits_ = seen().waits;
    may_leave_ = served_;
  }
  void await_leaving() {
    eventually([this] { return left_ == served_; });
  }

 private:
  Lock& lock_;
  std::vector<unsigned> order_;  // under the lock
  std::atomic<int> entered_{0};
  std::atomic<int> may_leave_{0};
  std::atomic<int> left_{0};
  int served_ = 0;
  int waits_ = 0;  // seen before the last one was let go
  std::vector<std::thread> threads_;
};

template <class Lock>
std::unique_ptr<Lock> with_pass_limit(std::uint32_t limit) {
  if constexpr (std::is_constructible_v<Lock, const shape&, first_ticket, std::uint32_t>)
    return std::make_unique<Lock>(staged_machine<2>::here(), first_ticket{}, limit);
  else
    return std::make_unique<Lock>(staged_machine<2>::here(), limit);
}

template <class Lock>
class CohortLock : public HierarchicalLock<Lock> {};
using cohort_locks =
    testing::Types<basic_hticket_lock<staged_machine<2>, spin_yield>, basic_hmcs_lock<staged_machine<2>, spin_yield>>;
TYPED_TEST_SUITE(CohortLock, cohort_locks);

TYPED_TEST(CohortLock, PassesWithinTheDomainAsOftenAsTheLimitSaysWhileAnotherWaits) {
  const auto lock = with_pass_limit<TypeParam>(2);
  lock->lock();  // in domain 0
  queue_of_actors<TypeParam> actors{*lock};
  for (const unsigned domain : {0U, 0U, 0U, 1U, 0U, 0U, 1U, 1U, 1U}) actors.queue(domain);
  lock->unlock();
  actors.expect({0, 0, 1, 1, 1, 0, 0, 0, 1});
}

TYPED_TEST(CohortLock, WithoutPassesTheDomainsTakeTurns) {
  const auto lock = with_pass_limit<TypeParam>(0);
  lock->lock();
  queue_of_actors<TypeParam> actors{*lock};
  for (const unsigned domain : {0U, 1U, 1U, 0U}) actors.queue(domain);
  const int before = seen().waits;
  lock->unlock();
  eventually([before] { return seen().waits > before; });
  actors.expect({1, 0, 1, 0});
}

TYPED_TEST(CohortLock, PassesOnBeyondTheLimitWhileNoOtherDomainWaitsAndThenStopsAtOnce) {
  const auto lock = with_pass_limit<TypeParam>(1);
  lock->lock();
  queue_of_actors<TypeParam> actors{*lock};
  for (int i = 0; i < 5; ++i) actors.queue(0);
  lock->unlock();
  actors.expect({0, 0, 0});
  actors.queue(1);
  actors.let_one_go();
  actors.expect({1, 0, 0});
}

TYPED_TEST(CohortLock, KeepsTheBypassBoundItStates) {
  TypeParam lock;
  std::atomic<bool> served{false};
  int sections[2] = {0, 0};  // of the others since the waiter arrived; under the lock
  my_role().domain = 1;
  lock.lock();
  std::vector<std::thread> threads;
  for (int& mine : sections) {
    threads.push_back(waiting_actor({1}, [&] {
      while (!served) {
        lock.lock();
        if (!served) ++mine;
        lock.unlock();
      }
    }));
  }
  std::thread waiter = waiting_actor({0}, [&] {
    lock.lock();
    served = true;
    lock.unlock();
  });
  lock.unlock();
  waiter.join();
  join(threads);
  EXPECT_GE(sections[0], 1);  // was passed the lock by this thread
  EXPECT_LE(std::max(sections[0], sections[1]), static_cast<int>(*TypeParam::traits.bypass));
  EXPECT_LE(sections[0] + sections[1], static_cast<int>(TypeParam::default_pass_limit));
}

TEST(HclhLock, ServesThoseTogetherWhoJoinedABatch) {
  using machine = staged_machine<2>;
  using lock_type = basic_hclh_lock<machine, spin_yield>;
  my_role() = {};
  lock_type lock{machine::here(), looks{1'000'000'000}};  // leaders gather until the lock is free
  lock.lock();
  std::vector<unsigned> order;
  const auto enter = [&](unsigned domain) {
    return [&lock, &order, domain] {
      lock.lock();
      order.push_back(domain);
      lock.unlock();
    };
  };
  const int before = seen().limited_waits;
  std::vector<std::thread> threads;
  threads.push_back(actor({1}, enter(1)));
  threads.push_back(actor({0}, enter(0)));
  eventually([before] { return seen().limited_waits >= before + 2; });  // both lead
  for (const unsigned domain : {1U, 0U, 1U, 0U}) threads.push_back(waiting_actor({domain}, enter(domain)));
  lock.unlock();
  join(threads);
  EXPECT_TRUE((order == std::vector<unsigned>{0, 0, 0, 1, 1, 1}) || (order == std::vector<unsigned>{1, 1, 1, 0, 0, 0}));
}

TEST(HclhLock, ServesByArrivalAcrossDomainsOnceBatchesAreSpliced) {
  using lock_type = basic_hclh_lock<staged_machine<2>, spin_yield>;
  my_role() = {};
  lock_type lock;
  lock.lock();
  queue_of_actors<lock_type> actors{lock};
  const std::vector<unsigned> arrivals{1, 0, 0, 1, 0, 1, 1};
  for (const unsigned domain : arrivals) actors.queue(domain);
  lock.unlock();
  for (const unsigned domain : arrivals) {
    actors.expect({domain});
    actors.let_one_go();
  }
}

template <class Lock>
class CountsWhoGivesUp : public testing::Test {};
using counts_who_gives_up = testing::Types<basic_mcs_lock<staged_machine<2>>, basic_hmcs_lock<staged_machine<2>>>;
TYPED_TEST_SUITE(CountsWhoGivesUp, counts_who_gives_up, );

/// Each time the lock is given between the deadline and the word that says so: who takes it all the same is not one who gave up. So a
/// lock that is free is taken without a wait.
TYPED_TEST(CountsWhoGivesUp, AndNotWhoWasGivenItAtTheLastMoment) {
  my_role() = {};
  TypeParam lock;
  for (int i = 0; i != 40; ++i) {  // more than may give up before others wait outside
    lock.lock();
    my_role().interlude = [&lock] { lock.unlock(); };
    my_role().changes_before_interlude = 2;  // it joins the queue, and counts itself
    ASSERT_TRUE(lock.try_lock_for(0s));
    ASSERT_FALSE(my_role().interlude) << "it was taken without the last moment";
    lock.unlock();
  }
  const int waits = seen().limited_waits;
  EXPECT_TRUE(lock.try_lock_for(0s));
  EXPECT_EQ(seen().limited_waits, waits);
  lock.unlock();
}

TEST(HticketLock, ADomainWithWaitersKeepsItsPlaceEvenIfTheyAreSlow) {
  using lock_type = basic_hticket_lock<staged_machine<2>, spin_yield>;
  my_role() = {};
  lock_type lock{staged_machine<2>::here(), {}, 0};
  std::latch curtain{1};
  lock.lock();
  queue_of_actors<lock_type> actors{lock};
  actors.queue(0, &curtain);
  actors.queue(1);
  actors.queue(1);
  lock.unlock();  // to domain 1; the one in domain 0 does not know yet that it comes next
  actors.expect({1});
  actors.let_one_go();
  actors.await_leaving();
  curtain.count_down();
  actors.expect({0, 1});
}

/// Other acquisitions come between the looks at one word and the next.
struct late_looks : staged_machine<2> {
  template <class Step, class Limit, class... T>
  static std::optional<std::tuple<T...>> await_any_until(order o, Step step, Limit, const std::atomic<T>&... words) {
    const std::tuple<T...> seen{(between()(), words.load(o))...};
    EXPECT_LT(std::apply([&](T... v) -> look { return step(v..., 0U); }, seen).pauses(), 100U);
    return std::nullopt;
  }
  static std::function<void()>& between() {
    static std::function<void()> play;
    return play;
  }
};

template <class Lock>
void rests_by_the_true_distance() {
  my_role() = {};
  Lock lock;
  lock.lock();
  late_looks::between() = [&] {
    for (int i = 0; i < 2; ++i) lock.unlock(), lock.lock();
  };
  EXPECT_FALSE(lock.try_lock_for(std::chrono::seconds{1}));
}

TEST(HticketLock, AWaiterThatLooksLateRestsNoLonger) { rests_by_the_true_distance<basic_hticket_lock<late_looks>>(); }
TEST(TicketLock, AWaiterThatLooksLateRestsNoLonger) { rests_by_the_true_distance<basic_ticket_lock<late_looks>>(); }

/// The domain's next ticket is called before the next place: after that, the lock may be another's to destroy.
TEST(HticketLock, UnlockLetsSomebodyInByItsLastAccess) {
  using lock_type = basic_hticket_lock<staged_machine<2>>;
  for (int i = 0; i < 1000; ++i) {
    auto* const lock = new lock_type{staged_machine<2>::here()};
    int users = 2;
    const auto use = [&] {
      lock->lock();
      const bool last = --users == 0;
      lock->unlock();
      if (last) delete lock;
    };
    std::thread one = actor({0}, use);
    std::thread two = actor({1}, use);
    one.join();
    two.join();
  }
  SUCCEED() << "AddressSanitizer sees who looks at it after it has gone";
}

TEST(HticketLock, TicketsMayWrap) {
  using machine = staged_machine<2>;
  for (const std::uint32_t first : {0xffff'ffffU, 0xffff'fff0U}) {
    basic_hticket_lock<machine, spin_yield> lock{machine::here(), first_ticket{first}};
    for (const unsigned domain : {0U, 1U, 0U, 1U}) {
      my_role() = {domain};
      lock.lock();
      EXPECT_FALSE(lock.try_lock());
      lock.unlock();
      EXPECT_TRUE(lock.try_lock());
      lock.unlock();
    }
    count_together(lock, standing_in(2, 4), 50);
  }
}

TEST(HticketLock, TicketsWrapWhileThreadsWait) {
  using machine = staged_machine<2>;
  using lock_type = basic_hticket_lock<machine, spin_yield>;
  my_role() = {};
  lock_type lock{machine::here(), first_ticket{0xffff'fffe}, 1};
  lock.lock();
  queue_of_actors<lock_type> actors{lock};
  for (const unsigned domain : {0U, 1U, 0U, 1U, 0U, 1U}) actors.queue(domain);
  lock.unlock();
  actors.expect({0, 1, 1, 0, 0, 1});
}

TEST(HierarchicalTraits, NameTheirRights) {
  EXPECT_NE(hclh_lock::traits.rights.find("7,945,912"), std::string_view::npos);
  EXPECT_NE(hticket_lock::traits.rights.find("8,694,706"), std::string_view::npos);
  EXPECT_NE(hmcs_lock::traits.rights.find("8,694,706"), std::string_view::npos);
  for (const lock_traits& t : {hclh_lock::traits, hticket_lock::traits, hmcs_lock::traits}) EXPECT_TRUE(t.domain_aware);
}

/// A machine whose memory ends after so many objects.
struct scarce_machine : staged_machine<1> {
  static inline int left = 0;
  template <class T, class... Args>
  static T* make(Args&&... args) {
    if (left == 0) throw std::bad_alloc{};
    --left;
    return hardware::make<T>(std::forward<Args>(args)...);
  }
};

TEST(Hmcs, ANodeIsNotLostWhenThereIsNoOther) {
  scarce_machine::left = 10;
  basic_hmcs_lock<scarce_machine, spin_yield> lock{shape{{0}}};
  scarce_machine::left = 1;
  EXPECT_THROW(static_cast<void>(lock.try_lock_for(1s)), std::bad_alloc);
  scarce_machine::left = 1;
  EXPECT_TRUE(lock.try_lock_for(1s));
  lock.unlock();
}

}  // namespace
}  // namespace synchro::tests
