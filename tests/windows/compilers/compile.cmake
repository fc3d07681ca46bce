# Compiles SOURCE by another compiler for Windows, as far as it is at hand.
#   cmake -DAS=WHAT -DINCLUDE=... -DSOURCE=... -DSCRATCH=... -P compile.cmake
# WHAT is microsoft_64 or microsoft_32: clang as Microsoft's compiler, with the headers of mingw-w64 for want of Microsoft's,
# and no extension of GCC's or Microsoft's own allowed in ours; the object is not linked. Or microsoft_arm: the same as cl for
# ARM64, which must be refused. Or mingw_32: GCC, linked.

set(strict -Wall -Wextra -Wpedantic -Werror)
# What clang warns of in the place of what cl /W4 does (C4100, C4127 to C4702, C4244 to C4389, C4456 to C4459, C4505, C4706, C4996),
# and templates looked at where they are defined, as by /permissive-.
set(as_by_w4 -Wshadow-all -Wconversion -Wshorten-64-to-32 -Wsign-compare -Wunreachable-code-aggressive
             -Wconditional-uninitialized -Wparentheses -Wdeprecated -fno-delayed-template-parsing -foperator-names)
if(AS STREQUAL "mingw_32")
  find_program(COMPILER i686-w64-mingw32-g++-posix)
  # Who calls a function of the system by another convention than its own finds no such name.
  set(command ${strict} -static -Wl,--disable-stdcall-fixup)
else()
  find_program(COMPILER NAMES clang++ clang++-19 clang++-16 clang++-14)
  set(target x86_64-pc-windows-msvc)
  if(AS STREQUAL "microsoft_32")
    set(target i686-pc-windows-msvc -D_X86_)
  endif()
  set(mingw /usr/x86_64-w64-mingw32/include)
  file(GLOB standard /usr/lib/gcc/x86_64-w64-mingw32/*-posix/include/c++)
  if(NOT standard)
    message("skipped: there is no mingw-w64 (Debian: g++-mingw-w64-x86-64-posix)")
    return()
  endif()
  # The processor's part is the one for Microsoft's compiler, which clang would not take by itself.
  set(command --target=${target} -fgnuc-version=12.2 -nostdinc++ -isystem ${standard} -isystem ${standard}/x86_64-w64-mingw32
              -isystem ${mingw} -D__STRICT_ANSI__ ${strict} ${as_by_w4} -Wgnu -Wmicrosoft -Wno-unknown-attributes
              -Wno-bitwise-instead-of-logical -D_CLANG_DISABLE_CRT_DEPRECATION_WARNINGS # <mm3dnow.h> of clang 19
              -include ${CMAKE_CURRENT_LIST_DIR}/mingw_as_microsoft.hpp
              -DSYNCHRO_CPU_X86_HPP -DSYNCHRO_CPU_I386_HPP -include ${INCLUDE}/synchro/cpu/x86_msvc.hpp -c)
endif()
if(NOT COMPILER)
  message("skipped: there is no compiler for it (Debian: clang, g++-mingw-w64-i686-posix)")
  return()
endif()

if(AS STREQUAL "microsoft_arm")
  execute_process(COMMAND ${COMPILER} --target=aarch64-pc-windows-msvc -U__clang__ -U__aarch64__ -std=c++20 -fsyntax-only -x c++
                          -I ${INCLUDE} -include synchro/cpu/generic.hpp /dev/null RESULT_VARIABLE refused ERROR_VARIABLE said)
  if(refused EQUAL 0 OR NOT said MATCHES "error: \"synchro for this processor needs GCC or clang")
    message(FATAL_ERROR "a compiler that takes no assembly is not refused in a sentence:\n${said}")
  endif()
  return()
endif()

file(MAKE_DIRECTORY ${SCRATCH})
set(made ${SCRATCH}/${AS}.out)
file(REMOVE ${made})
execute_process(COMMAND ${COMPILER} -std=c++20 ${command} -I ${INCLUDE} ${SOURCE} -o ${made} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${COMPILER} does not compile the library as ${AS}")
endif()
# The system finds what it calls at a thread's end in a section of its own; in a linked program that is part of a table.
file(STRINGS ${made} section REGEX "[.]CRT[$]XLY")
if(AS MATCHES "microsoft" AND NOT section)
  message(FATAL_ERROR "as ${AS}, nobody is called at a thread's end")
endif()
