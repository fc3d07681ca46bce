// Who asks the C library itself for a function that is replaced is led here, too.
//
// Problem. What stands in front of the C library is found by who asks all objects by turns. Two ways lead past it: a library
// that is loaded with RTLD_DEEPBIND asks itself and what it needs first, and the C library is among that; and a program can
// ask the C library alone (dlsym with its handle), or what stands behind the caller (RTLD_NEXT). Whoever comes that way gets
// functions that know nothing of the locks in the program's objects: glibc's lock finds a mark (object.hpp), takes it for a
// thread's that holds the mutex, and waits for ever.
//
// To replace dlopen and dlsym as well would not help. They go by who calls them (whose folders are searched, what stands
// behind), a library's constructors run before its dlopen returns, and dlsym itself can be got past us.
//
// So the C library's table of symbols, as it is in this process, gets our addresses. It holds distances from where the
// library was loaded, modulo the size of the address space, so they may lead anywhere. The loader reads it whenever it
// binds a reference or answers dlsym, whatever was asked in which way, and for every version of a symbol. What the C library
// calls in itself does not go by it.
//
// Not redirected: what was bound or asked for before the start; pthread_create and thrd_create, which are only counted and
// which other libraries, too, pass on to what they find behind them; and nothing at all if such a library replaces a lock's
// function between us and the C library: it is to find the C library behind it, not us again.

#ifndef SYNCHRO_PRELOAD_REDIRECTION_HPP
#define SYNCHRO_PRELOAD_REDIRECTION_HPP

namespace synchro::preload {

/// After natives.hpp was filled. False if the table cannot be found or written.
[[nodiscard]] bool redirect_c_library() noexcept;

}  // namespace synchro::preload

#endif
