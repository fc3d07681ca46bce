// The programs that try the node pool: batches that go through the depot while others take them, and threads that end.

#include "model_checker/harnesses/stage.hpp"
#include "model_checker/subject.hpp"
#include "synchro/detail/node_pool.hpp"

namespace synchro::model_checker {

namespace {

struct node {
  explored::plain<node*> pool_next{nullptr};
  explored::plain<node*> pool_batch{nullptr};
  explored::plain<std::uint32_t> owner{0};  // a race on this: two threads have the node at once
};
using pool = node_pool<explored, node>;

/// At the end all nodes that were made are in the pool.
template <class Scene>
program counted(stage<Scene>& s) {
  s.with().counts_nodes = true;
  return s.done();
}

constexpr unsigned full_stash = 64;  // the next node given goes past it, and a batch to the depot

struct nodes {
  std::array<std::array<explored::plain<node*>, full_stash + 1>, 2> held;
};

node* take(unsigned t) {
  node* const n = pool::take();
  n->owner = t;
  return n;
}

void use_and_give(node* n, unsigned t) {
  n->owner = t;
  pool::give(n);
}

/// One thread gives a batch away while another looks for one.
program batches() {
  stage<nodes> s{"batches through the depot", 2};
  s.warms_up([](nodes& it, unsigned t) {
    if (t != 0) return;
    for (auto& each : it.held[0]) each = take(t);
    for (unsigned i = 0; i < full_stash; ++i) use_and_give(it.held[0][i], t);
  });
  s.does([](nodes& it, unsigned t) {
    if (t == 0) {
      use_and_give(it.held[0][full_stash], t);
    } else {
      node* const a = take(t);
      node* const b = take(t);
      use_and_give(a, t);
      use_and_give(b, t);
    }
  });
  return counted(s);
}

/// Both give a batch away at once.
program spills() {
  stage<nodes> s{"two spills at once", 2};
  s.warms_up([](nodes& it, unsigned t) {
    for (auto& each : it.held[t]) each = explored::make<node>();
    for (unsigned i = 0; i < full_stash; ++i) use_and_give(it.held[t][i], t);
  });
  s.does([](nodes& it, unsigned t) {
    use_and_give(it.held[t][full_stash], t);
    use_and_give(take(t), t);
  });
  return counted(s);
}

/// Threads take, give and end; what they leave is taken by those who have not ended.
program ends(unsigned threads) {
  stage<nodes> s{threads == 2 ? "threads end 2x2" : "threads end 3x1", threads};
  s.with().explores_exits = true;
  s.does([threads](nodes&, unsigned t) {
    for (unsigned i = 0; i < (threads == 2 ? 2U : 1U); ++i) {
      node* const n = take(t);
      use_and_give(n, t);
    }
  });
  return counted(s);
}

/// Nodes are given back by another thread than took them.
program hand_on() {
  struct post {
    explored::atomic<node*> sent{nullptr};
  };
  stage<post> s{"given by another", 2};
  s.does([](post& it, unsigned t) {
    if (t == 0) {
      it.sent.store(take(t), memory_order::release);
      use_and_give(take(t), t);
    } else {
      use_and_give(explored::await(it.sent, memory_order::acquire, [](const node* n) { return n != nullptr; }), t);
      use_and_give(take(t), t);
    }
  });
  s.with().explores_exits = true;
  return counted(s);
}

void take_late(void* /*nothing*/) { use_and_give(take(0), 0); }

/// Who takes nodes at the thread's end, after the pool has given away what the thread had: one of a batch of three, and the others
/// are left to others.
program taken_after_the_end() {
  stage<nodes> s{"taken after the end", 2};
  s.with().explores_exits = true;
  s.does([](nodes& it, unsigned t) {
    if (t == 1) return use_and_give(take(t), t);
    explored::at_thread_exit<take_late>(nullptr);
    for (std::size_t i = 0; i != 3; ++i) it.held[0][i] = take(t);
    for (std::size_t i = 0; i != 3; ++i) use_and_give(it.held[0][i], t);
  });
  return counted(s);
}

/// Takes n nodes, gives them back; each has an owner then.
void take_and_give(nodes& it, std::size_t n) {
  for (std::size_t i = 0; i != n; ++i) it.held[0][i] = take(1);
  for (std::size_t i = 0; i != n; ++i) use_and_give(it.held[0][i], 1);
}

/// A node that was made before.
node* take_known() {
  node* const n = pool::take();
  expect(n->owner != 0, "a node is made while the pool has others");
  return n;
}

void take_again(nodes& it, std::size_t n) {
  take_and_give(it, n);
  for (std::size_t i = 0; i != n; ++i) it.held[0][i] = take_known();
  for (std::size_t i = 0; i != n; ++i) use_and_give(it.held[0][i], 1);
}

void take_again_late(void* it) { take_again(*static_cast<nodes*>(it), 3); }

/// No node is made while the pool has one, neither before nor after the thread has left a full stash to others.
program taken_again() {
  stage<nodes> s{"taken again", 1};
  s.with().explores_exits = true;
  s.does([](nodes& it, unsigned) {
    explored::at_thread_exit<take_again_late>(&it);
    take_again(it, full_stash);
  });
  return counted(s);
}

struct post_of_nodes {
  explored::atomic<std::uint32_t> sent{0};
};

void give_late(void* to) {
  use_and_give(take_known(), 1);
  static_cast<post_of_nodes*>(to)->sent.store(1, memory_order::release);
}

/// What is given at the thread's end, after the pool has given away what the thread had, is another's at once.
program given_after_the_end() {
  stage<post_of_nodes> s{"given after the end", 2};
  s.with().explores_exits = true;
  s.does([](post_of_nodes& it, unsigned t) {
    if (t == 0) {
      explored::at_thread_exit<give_late>(&it);
      use_and_give(take(1), 1);
    } else {
      explored::await(it.sent, memory_order::acquire, [](std::uint32_t sent) { return sent != 0; });
      use_and_give(take_known(), 1);
    }
  });
  return counted(s);
}

/// Of those that are one too many for a stash another thread takes half as many as the stash has, and makes the next.
program too_many() {
  stage<nodes> s{"too many for a stash", 2};
  s.warms_up([](nodes& it, unsigned t) {
    if (t != 0) return;
    for (int round = 0; round != 2; ++round) take_and_give(it, full_stash + 1);
  });
  s.does([](nodes& it, unsigned t) {
    if (t == 0) return;
    for (unsigned i = 0; i != full_stash / 2; ++i) it.held[1][i] = take_known();
    node* const next = pool::take();
    expect(next->owner == 0, "more is left to others than half a stash");
    use_and_give(next, 1);
    for (unsigned i = 0; i != full_stash / 2; ++i) use_and_give(it.held[1][i], 1);
  });
  return counted(s);
}

}  // namespace

void add_node_pool(subjects& to);
void add_node_pool(subjects& to) {
  to.push_back({"node_pool",
                "synchro/detail/node_pool.hpp",
                {{batches(), depth::exhausted},
                 {spills(), depth::exhausted},
                 {ends(2), depth::exhausted},
                 {ends(3), depth::exhausted},
                 {hand_on(), depth::exhausted},
                 {taken_after_the_end(), depth::exhausted},
                 {taken_again(), depth::exhausted},
                 {given_after_the_end(), depth::exhausted},
                 {too_many(), depth::exhausted}}});
}

}  // namespace synchro::model_checker
