// The kernel's events, made here by the layouts that Microsoft documents: what is read of them, and which calls are counted where.

#include "platform/windows/kernel_events.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "platform/call_trace.hpp"
#include "platform/child_process.hpp"

namespace synchro::platform::windows {
namespace {

using kind = kernel_event::kind;
using calls = std::map<std::uint64_t, std::uint64_t>;

constexpr GUID threads{0x3d6fa8d1, 0xfe05, 0x11d0, {0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c}};
constexpr GUID performance{0xce1dbfb4, 0x137e, 0x4da6, {0x87, 0xb0, 0x3f, 0x59, 0xaa, 0x10, 0x2c, 0xbc}};

/// An event as ProcessTrace hands it over.
struct made_event {
  made_event(const GUID& whose, UCHAR opcode, std::vector<unsigned char> data) : bytes{std::move(data)} {
    record.EventHeader.ProviderId = whose;
    record.EventHeader.EventDescriptor.Opcode = opcode;
    record.EventHeader.TimeStamp.QuadPart = 77;
    record.BufferContext.ProcessorNumber = 3;
    record.UserData = bytes.data();
    record.UserDataLength = static_cast<USHORT>(bytes.size());
  }
  std::vector<unsigned char> bytes;
  EVENT_RECORD record{};
};

TEST(KernelEvents, ASwitchTellsTheThreadThatRunsFromThenOn) {
  const made_event e{threads, 36, {0x10, 0x20, 0, 0, 0xff, 0xff, 0xff, 0xff, 8, 8, 0, 0}};
  const auto read = kernel_event_of(e.record);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->what, kind::switched);
  EXPECT_EQ(read->argument, 0x2010U);
  EXPECT_EQ(read->at, 77U);
  EXPECT_EQ(read->processor, 3U);
}

TEST(KernelEvents, ACallTellsItsAddressAsWideAsThePointersAre) {
  made_event e{performance, 51, {1, 2, 3, 4, 5, 6, 7, 8}};
  EXPECT_EQ(kernel_event_of(e.record)->argument, 0x0807060504030201U);
  e.record.EventHeader.Flags = EVENT_HEADER_FLAG_32_BIT_HEADER;
  EXPECT_EQ(kernel_event_of(e.record)->argument, 0x04030201U);
}

TEST(KernelEvents, AnIndexOfAProcessorMayBeMoreThanAByte) {
  made_event e{performance, 51, {0, 0, 0, 0, 0, 0, 0, 0}};
  const USHORT index = 300;
  std::memcpy(&e.record.BufferContext, &index, sizeof index);
  e.record.EventHeader.Flags = 0x0200;
  EXPECT_EQ(kernel_event_of(e.record)->processor, 300U);
}

TEST(KernelEvents, OthersAndShortOnesAreNone) {
  EXPECT_FALSE(kernel_event_of(made_event(performance, 52, {0, 0, 0, 0, 0, 0, 0, 0}).record)) << "the end of a call";
  EXPECT_FALSE(kernel_event_of(made_event(threads, 51, {0, 0, 0, 0, 0, 0, 0, 0}).record)) << "another class's 51";
  EXPECT_FALSE(kernel_event_of(made_event(performance, 51, {0, 0, 0, 0}).record)) << "half a pointer";
  EXPECT_FALSE(kernel_event_of(made_event(threads, 36, {}).record));
}

TEST(KernelEvents, ACallCountsForTheThreadOnItsProcessorAndTheSectionThatThisIsIn) {
  const std::vector<section_mark> marks{{10, 100, 0, 1}, {10, 200, 1, 2}, {50, 100, 0, 0}, {60, 100, 0, 1}};
  const auto sections = counted_by_section(
      {
          {kind::called, 5, 0, 0xa},     // nobody is known there
          {kind::called, 20, 0, 0xa},    // thread 100 in 1
          {kind::called, 21, 1, 0xb},    // thread 200 in 2
          {kind::switched, 30, 0, 300},  // a thread that is in no section
          {kind::called, 31, 0, 0xa},    //
          {kind::switched, 40, 0, 200},  //
          {kind::called, 41, 0, 0xb},    // thread 200, elsewhere, in 2
          {kind::switched, 45, 0, 100},  //
          {kind::called, 55, 0, 0xa},    // thread 100 is in 0
          {kind::called, 65, 0, 0xc},    // and in 1 again
      },
      marks);
  ASSERT_EQ(sections.size(), 2U);
  EXPECT_EQ(sections.at(1).entered, 2U);
  EXPECT_EQ(sections.at(1).calls, (calls{{0xa, 1}, {0xc, 1}}));
  EXPECT_EQ(sections.at(2).entered, 1U);
  EXPECT_EQ(sections.at(2).calls, (calls{{0xb, 2}}));
}

TEST(KernelEvents, OrderIsByTimeHoweverTheBuffersCame) {
  const std::vector<section_mark> marks{{30, 100, 0, 0}, {10, 100, 0, 1}};
  const auto sections = counted_by_section({{kind::called, 40, 0, 0xa}, {kind::called, 20, 0, 0xa}}, marks);
  EXPECT_EQ(sections.at(1).calls, (calls{{0xa, 1}}));
}

/// Two groups of 36: in the events the first processor of the second is 36, and 64 is no number of any.
TEST(KernelEvents, AMarkHasTheProcessorAsTheEventsNumberIt) {
  const auto marks = numbered_as_events({{10, 100, 35, 1}, {10, 200, 64, 1}}, {36, 36});
  EXPECT_EQ(marks[0].processor, 35U);
  EXPECT_EQ(marks[1].processor, 36U);
  EXPECT_EQ(counted_by_section({{kind::called, 20, 36, 0xa}}, marks).at(1).calls, (calls{{0xa, 1}}));
}

TEST(KernelNames, KnownCallsComeBackAtOnce) {
  for (const char* const call : known_calls()) {
    const auto end = run_in_child([&] { return std::string{make_in_vain(call) ? "made" : "not there"}; }, 60);
    EXPECT_EQ(end.failure, std::nullopt) << call;
    EXPECT_EQ(end.said, "made") << call;
  }
  EXPECT_FALSE(make_in_vain("NtNoSuchCall"));
}

TEST(KernelNames, AreLearntFromASectionWithOneCall) {
  ASSERT_EQ(known_calls()[1], std::string{"NtDelayExecution"});
  const auto learnt = learnt_from({{1, {4, {{0xa, 4}}}},  // somebody's wait
                                   {first_known_section, {1, {{0xb, 1}, {0xc, 1}}}},
                                   {first_known_section + 1, {1, {{0xa, 1}}}}});
  EXPECT_EQ(learnt, (std::map<std::uint64_t, std::string>{{0xa, "NtDelayExecution"}}));
}

TEST(KernelNames, OfALibraryAreWhereItsFunctionsAre) {
  const auto names = exports_of(L"ntdll.dll");
  HMODULE const loaded = GetModuleHandleW(L"ntdll.dll");
  for (const char* const call : {"NtSetEvent", "NtReleaseSemaphore", "RtlGetVersion"}) {
    const auto at =
        reinterpret_cast<std::uintptr_t>(GetProcAddress(loaded, call)) - reinterpret_cast<std::uintptr_t>(loaded);
    ASSERT_TRUE(names.contains(at)) << call;
    EXPECT_EQ(names.at(at), call);
  }
  EXPECT_TRUE(exports_of(L"no_such_library.dll").empty());
}

TEST(KernelNames, AreThoseThatWereLearntFirst) {
  const kernel_names names{{{0xffff'f800'0000'1000U, "NtWaitForAlertByThreadId"}}};
  EXPECT_EQ(names.of(0xffff'f800'0000'1000U), "NtWaitForAlertByThreadId");
  EXPECT_TRUE(names.of(0x10).starts_with("call at 0x10"));
}

TEST(KernelEvents, WhereTheKernelIsNotTracedTheReasonIsSaid) {
  const auto seen = trace_calls([] {}, 60);
  if (!seen.failure) GTEST_SKIP() << "this is an administrator of Windows";
  EXPECT_FALSE(seen.failure->empty());
  EXPECT_TRUE(seen.sections.empty());
}

}  // namespace
}  // namespace synchro::platform::windows
