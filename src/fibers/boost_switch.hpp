// The switch between a fiber and who resumes it, by Boost.Context: a dozen instructions, no system call.

#ifndef SYNCHRO_FIBERS_BOOST_SWITCH_HPP
#define SYNCHRO_FIBERS_BOOST_SWITCH_HPP

#include <boost/context/detail/fcontext.hpp>

#include "fibers/stack_pool.hpp"

namespace synchro::fibers {

/// On fcontext, the layer below boost::context::fiber: that one unwinds a fiber whose handle goes, which is what a
/// dropped fiber must not do.
class boost_switch {
 public:
  /// Prepares `entry(argument)`, which must not return.
  void start(const stack& on, void (*entry)(void*), void* argument) {
    entry_ = entry;
    argument_ = argument;
    inside_ = boost::context::detail::make_fcontext(on.top(), on.size, first);
  }

  void into() { inside_ = boost::context::detail::jump_fcontext(inside_, this).fctx; }
  void out() { outside_ = boost::context::detail::jump_fcontext(outside_, this).fctx; }

 private:
  static void first(boost::context::detail::transfer_t from) {
    auto& mine = *static_cast<boost_switch*>(from.data);
    mine.outside_ = from.fctx;
    mine.entry_(mine.argument_);
  }

  boost::context::detail::fcontext_t inside_ = nullptr;
  boost::context::detail::fcontext_t outside_ = nullptr;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace synchro::fibers

#endif
