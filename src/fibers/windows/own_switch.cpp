#include "fibers/windows/own_switch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

// In the thread's block: gs:0 its list of handlers, gs:8 the end of its stack, gs:16 the beginning, gs:0x1478 the memory that
// it was taken from. Windows finds 64-bit handlers without the list; Wine asks it, too.
asm(R"(
.text
.globl synchro_switch_stacks
synchro_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %rsi
  pushq %rdi
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  pushq %gs:0x0
  pushq %gs:0x8
  pushq %gs:0x10
  pushq %gs:0x1478
  subq $168, %rsp
  movups %xmm6, (%rsp)
  movups %xmm7, 16(%rsp)
  movups %xmm8, 32(%rsp)
  movups %xmm9, 48(%rsp)
  movups %xmm10, 64(%rsp)
  movups %xmm11, 80(%rsp)
  movups %xmm12, 96(%rsp)
  movups %xmm13, 112(%rsp)
  movups %xmm14, 128(%rsp)
  movups %xmm15, 144(%rsp)
  stmxcsr 160(%rsp)
  fnstcw 164(%rsp)
  movq %rsp, (%rcx)
  movq %rdx, %rsp
  movups (%rsp), %xmm6
  movups 16(%rsp), %xmm7
  movups 32(%rsp), %xmm8
  movups 48(%rsp), %xmm9
  movups 64(%rsp), %xmm10
  movups 80(%rsp), %xmm11
  movups 96(%rsp), %xmm12
  movups 112(%rsp), %xmm13
  movups 128(%rsp), %xmm14
  movups 144(%rsp), %xmm15
  ldmxcsr 160(%rsp)
  fldcw 164(%rsp)
  addq $168, %rsp
  popq %gs:0x1478
  popq %gs:0x10
  popq %gs:0x8
  popq %gs:0x0
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rdi
  popq %rsi
  popq %rbx
  popq %rbp
  ret
.globl synchro_begin_fiber
synchro_begin_fiber:
  movq %r12, %rcx
  jmp *%r13
)");

namespace synchro::fibers {

namespace {

/// What synchro_switch_stacks() takes from a stack, from its top.
struct frame {
  unsigned char vectors[160] = {};
  std::uint32_t vector_control = 0x1f80;  // as the system starts a thread
  std::uint32_t float_control = 0x037f;
  const void* taken_from;
  const void* begins;
  const void* ends;
  std::uint64_t handlers = ~std::uint64_t{0};  // the end of the list
  std::uint64_t r15 = 0, r14 = 0;
  void (*function)(void*);
  void* argument;
  std::uint64_t rdi = 0, rsi = 0, rbx = 0, rbp = 0;
  void (*goes_on_at)() = synchro_begin_fiber;
  std::uint64_t returns_to = 0;  // nowhere
  std::uint64_t for_callee[4] = {};
};
static_assert(sizeof(frame) == 168 + 13 * 8 + 5 * 8);

}  // namespace

void own_switch::start(const stack& on, void (*entry)(void*), void* argument) {
  frame first{.taken_from = on.bottom, .begins = on.bottom, .ends = on.top(), .function = entry, .argument = argument};
  // Where a function begins, the return address has just been pushed on an aligned stack.
  const auto aligned = reinterpret_cast<std::uintptr_t>(on.top()) & ~std::uintptr_t{15};
  std::byte* const top = on.top() - (reinterpret_cast<std::uintptr_t>(on.top()) - aligned) - 64;
  std::byte* const at = top - 8 - offsetof(frame, returns_to);
  std::memcpy(at, &first, sizeof first);
  inside_ = at;
}

}  // namespace synchro::fibers
