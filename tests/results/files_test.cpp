#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "results/document.hpp"
#include "results/samples.hpp"
#include "results/temporary.hpp"

namespace synchro::results {
namespace {

namespace fs = std::filesystem;
using samples::complaint;
using samples::folder;
using samples::in_child;

document small() {
  return samples::complete_document({samples::made("a.b", {{"lock", "mcs"}}, "m", "ns", samples::around(10))});
}

std::string write_to(const std::string& path) {
  return complaint([&] { write_document(small(), path); });
}

TEST(WriteDocument, ReplacesWhatWasThereAndLeavesNothingElse) {
  const folder tmp;
  samples::put(tmp.file("r.json"), "old");
  EXPECT_EQ(write_to(tmp.file("r.json")), "");
  EXPECT_EQ(read_document(tmp.file("r.json")).cells.size(), 1U);
  EXPECT_EQ(tmp.entries(), 1U);
}

std::string name_of_kept(const std::optional<std::string>& kept) {
  return kept ? fs::path{*kept}.filename().string() : "";
}

TEST(WriteDocument, KeepsMeasurementsUnderTheNextFreeName) {
  const folder tmp;
  EXPECT_EQ(name_of_kept(write_document(small(), tmp.file("r.json"))), "");
  const std::string first = samples::content_of(tmp.file("r.json"));
  EXPECT_EQ(name_of_kept(write_document(samples::complete_document({}), tmp.file("r.json"))), "r.json.1");
  const std::string second = samples::content_of(tmp.file("r.json"));
  samples::put(tmp.file("r.json.2"), "somebody's");
  EXPECT_EQ(name_of_kept(replace_file(tmp.file("r.json"), "new")), "r.json.3");
  EXPECT_EQ(name_of_kept(replace_file(tmp.file("r.json"), "newer")), "") << "no measurements";
  EXPECT_EQ(samples::content_of(tmp.file("r.json.1")), first);
  EXPECT_EQ(samples::content_of(tmp.file("r.json.2")), "somebody's");
  EXPECT_EQ(samples::content_of(tmp.file("r.json.3")), second);
  EXPECT_EQ(samples::content_of(tmp.file("r.json")), "newer");
  EXPECT_EQ(tmp.entries(), 4U);
}

TEST(WriteDocument, KnowsMeasurementsInAnyLayout) {
  const folder tmp;
  const std::string path = tmp.file("r.json");
  int kept = 0;
  for (const char* old : {"{\"a\": 1, \"schema\" : \"synchroscope/1\"}", " \n{\"schema\":\"synchroscope/9\", cut",
                          "{\"head\":{}}\n{\"experiment\":"}) {
    samples::put(path, old);
    const auto name = replace_file(path, "new");
    ASSERT_EQ(name_of_kept(name), "r.json." + std::to_string(++kept)) << old;
    EXPECT_EQ(samples::content_of(*name), old);
  }
  for (const char* old : {"", "<html>{\"schema\": \"synchroscope/1\"}", "{\"schema\": \"synchroscope-model/1\"}"}) {
    samples::put(path, old);
    EXPECT_EQ(replace_file(path, "new"), std::nullopt) << old;
  }
  samples::put(path, "anything");
  EXPECT_NE(replace_file(path, "new", previous::kept), std::nullopt);
  write_document(small(), path);
  EXPECT_EQ(replace_file(path, "new", previous::replaced), std::nullopt);
}

TEST(WriteDocument, KeepsBehindALinkWhatIsBehindIt) {
  const folder tmp;
  fs::create_directory(tmp.path() / "store");
  write_document(small(), tmp.file("store/real.json"));
  fs::create_symlink("store/real.json", tmp.path() / "r.json");
  EXPECT_EQ(name_of_kept(write_document(small(), tmp.file("r.json"))), "real.json.1");
  EXPECT_TRUE(fs::exists(tmp.file("store/real.json.1")));
  EXPECT_TRUE(fs::is_symlink(tmp.path() / "r.json"));
}

TEST(WriteDocument, AFullDiskLeavesMeasurementsUnderTheirOwnName) {
  const folder tmp;
  const std::string path = tmp.file("r.json");
  write_document(small(), path);
  const std::string before = samples::content_of(path);
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit tiny{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &tiny);
    return write_to(path).empty() ? 1 : 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(samples::content_of(path), before);
  EXPECT_EQ(tmp.entries(), 1U);
}

TEST(WriteDocument, KeepsTheRightsOfTheFileItReplaces) {
  const folder tmp;
  samples::put(tmp.file("r.json"), "old");
  ::chmod(tmp.file("r.json").c_str(), 0640);
  EXPECT_EQ(write_to(tmp.file("r.json")), "");
  struct stat about {};
  ASSERT_EQ(::stat(tmp.file("r.json").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640U);
}

TEST(WriteDocument, WritesBehindASymbolicLink) {
  const folder tmp;
  fs::create_directory(tmp.path() / "store");
  fs::create_symlink("store/real.json", tmp.path() / "r.json");
  EXPECT_EQ(write_to(tmp.file("r.json")), "");
  EXPECT_TRUE(fs::is_symlink(tmp.path() / "r.json"));
  EXPECT_EQ(read_document(tmp.file("store/real.json")).cells.size(), 1U);
}

TEST(ReadFile, TakesNothingThatTheKernelMakes) {
  const folder tmp;
  fs::create_symlink("/proc/version", tmp.path() / "r.json");  // as /proc/kmsg, which has no end
  EXPECT_EQ(complaint([&] { static_cast<void>(read_file(tmp.file("r.json"))); }),
            tmp.file("r.json") + " is not a file but made by the kernel while it is read");
}

TEST(WriteDocument, SaysWhyItCannot) {
  const folder tmp;
  EXPECT_EQ(write_to("/dev/full"), "/dev/full cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full")) << "a device is not replaced by a file";
  EXPECT_EQ(write_to(tmp.path().string()), tmp.path().string() + " cannot be written: it is a directory");
  EXPECT_EQ(write_to(tmp.file("none/r.json")),
            tmp.file("none/r.json") + " cannot be written: there is no folder " + tmp.file("none"));
  EXPECT_EQ(write_to(""), "the name of the file to write is empty");
  EXPECT_EQ(tmp.entries(), 0U);
}

TEST(WriteDocument, AFullDiskLeavesTheOldFileAndNoHalfOne) {
  const folder tmp;
  const std::string path = tmp.file("r.json");
  samples::put(path, "old");
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit tiny{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &tiny);
    return write_to(path) == path + " cannot be written: File too large" ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(samples::content_of(path), "old");
  EXPECT_EQ(tmp.entries(), 1U);
}

TEST(WriteDocument, NoPermissionIsOneSentence) {
  const folder tmp;
  fs::permissions(tmp.path(), fs::perms::all);
  fs::create_directory(tmp.path() / "locked");
  samples::put(tmp.file("locked/old.json"), "old");
  fs::permissions(tmp.path() / "locked",
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const int status = in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 2;  // The administrator may do everything.
    const bool fresh =
        write_to(tmp.file("locked/r.json")) == tmp.file("locked/r.json") + " cannot be written: Permission denied";
    const bool old =
        write_to(tmp.file("locked/old.json")) == tmp.file("locked/old.json") + " cannot be written: Permission denied";
    return fresh && old ? 0 : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(samples::content_of(tmp.file("locked/old.json")), "old");
  fs::permissions(tmp.path() / "locked", fs::perms::all);
}

TEST(WriteDocument, APipeIsWrittenDirectly) {
  const folder tmp;
  const std::string pipe = tmp.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(write_to(pipe), "");
  char first = 0;
  EXPECT_EQ(::read(reader, &first, 1), 1);
  EXPECT_EQ(first, '{');
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

}  // namespace
}  // namespace synchro::results
