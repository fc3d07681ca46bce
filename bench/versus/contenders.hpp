// The contenders: our locks and their peers under one interface, each in its cheapest form.
//
// A queue lock is entered in the form with the caller's own node, ours as well as theirs; the plain form of ours, with
// nodes from the pool, stands beside it in a row of its own. Each pair meets twice: inlined as far as the compiler does
// so, and both called, as a program does that has its locks behind a function.

#ifndef SYNCHRO_BENCH_CONTENDERS_HPP
#define SYNCHRO_BENCH_CONTENDERS_HPP

#include <string>
#include <vector>

#include "contest.hpp"

namespace synchro::bench {

/// A lock whose lock() and unlock() take nothing.
template <class Lock>
struct plain_form {
  struct context {
    explicit context(plain_form&) {}
  };
  void lock(context&) { inner.lock(); }
  void unlock(context&) { inner.unlock(); }
  Lock inner;
};

/// A queue lock of ours with the caller's own node.
template <class Lock>
struct node_form {
  struct context {
    explicit context(node_form&) {}
    typename Lock::node node;
  };
  void lock(context& c) { inner.lock(c.node); }
  void unlock(context& c) { inner.unlock(c.node); }
  Lock inner;
};

/// The shared side of a reader-writer lock.
template <class Lock>
struct shared_form {
  struct context {
    explicit context(shared_form&) {}
  };
  void lock(context&) { inner.lock_shared(); }
  void unlock(context&) { inner.unlock_shared(); }
  Lock inner;
};

/// Another form, behind two functions of which the compiler knows nothing where it calls them.
template <class Form>
struct called {
  struct context : Form::context {
    explicit context(called& c) : Form::context{c.form} {}
  };
  [[gnu::noipa]] void lock(context& c) { form.lock(c); }
  [[gnu::noipa]] void unlock(context& c) { form.unlock(c); }
  Form form;
};

/// Both contests of a pair: inlined and called.
template <class Ours, class Theirs>
void meet(std::vector<contest>& all, const std::string& ours, const std::string& theirs, const situation& where) {
  situation inlined = where, behind_calls = where;
  inlined.name += ", inlined";
  behind_calls.name += ", called";
  all.push_back(make_contest<Ours, Theirs>(ours, theirs, inlined));
  all.push_back(make_contest<called<Ours>, called<Theirs>>(ours, theirs, behind_calls));
}

}  // namespace synchro::bench

#endif
