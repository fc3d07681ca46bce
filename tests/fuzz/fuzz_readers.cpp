// All that reads files of others, fed with damaged ones.
//
//   fuzz_readers [--rounds N | --seconds S] [--seed N] [--only ROUND] [--found FOLDER] FILES...
//
// The same seed and files give the same rounds. A fault ends the program with the number of its round; --only repeats it. What
// lies in the folder is read as it is, after the rounds.

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/mutation.hpp"
#include "fuzz/readers.hpp"
#include "results/file.hpp"

namespace synchro::fuzz {
namespace {

unsigned long long round_now = 0;

void tell_round(int number) {
  char line[80];
  const int n = std::snprintf(line, sizeof line, "fuzz_readers: signal %d in round %llu\n", number, round_now);
  if (n > 0) std::fwrite(line, 1, static_cast<std::size_t>(n), stderr);
  std::signal(number, SIG_DFL);
  std::raise(number);
}

struct options {
  unsigned long long rounds = 2000, seed = 1, only = ~0ULL;
  double seconds = 0;                     ///< 0: the rounds decide.
  std::vector<std::string> seeds, found;  ///< Contents of files.
};

options read_options(int argc, char** argv) {
  options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : "0"; };
    if (word == "--rounds")
      o.rounds = std::strtoull(value(), nullptr, 10);
    else if (word == "--seconds")
      o.seconds = std::strtod(value(), nullptr);
    else if (word == "--seed")
      o.seed = std::strtoull(value(), nullptr, 10);
    else if (word == "--only")
      o.only = std::strtoull(value(), nullptr, 10);
    else if (word == "--found")
      for (const auto& file : std::filesystem::directory_iterator{value()})
        o.found.push_back(results::read_file(file.path()));
    else
      o.seeds.push_back(results::read_file(word));
  }
  return o;
}

bool goes_on(const options& o, std::chrono::steady_clock::time_point begin) {
  if (o.seconds <= 0) return round_now < o.rounds;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < o.seconds;
}

void one_round(const options& o) {
  const std::string text = mutator{o.seed * 1'000'000'007 + round_now}.next(o.seeds);
  if (round_now == o.only) std::fwrite(text.data(), 1, text.size(), stdout);
  read_as_all(text);
  if (round_now % 50 == 0) write_as_others_do(text);
}

int run(const options& o) {
  const auto begin = std::chrono::steady_clock::now();
  tally read;
  try {
    check_judges();
    check_seeds(o.seeds);
    if (o.only != ~0ULL) {
      round_now = o.only;
      one_round(o);
      return 0;
    }
    for (; goes_on(o, begin); ++round_now) one_round(o);
    read = taken();
    for (const std::string& text : o.found) read_as_all(text), write_as_others_do(text);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fuzz_readers: round %llu of seed %llu: %s\n", round_now, o.seed, e.what());
    return 1;
  }
  std::printf(
      "%llu damaged files: %llu read as documents, %llu as models, %llu of them of matrices, %llu as profiles, %llu "
      "lines as entries of a "
      "journal; the rest refused with a sentence; %zu that were found before\n",
      round_now, read.documents, read.models, read.matrices, read.profiles, read.entries, o.found.size());
  const auto enough = [](unsigned long long n) { return n > round_now / 100; };
  const bool both_ways = enough(read.documents) && enough(read.models) && enough(read.matrices) &&
                         enough(read.profiles) && enough(read.entries);
  if (!both_ways) std::fprintf(stderr, "fuzz_readers: too little was read: the damage is too great to find anything\n");
  return both_ways ? 0 : 1;
}

}  // namespace
}  // namespace synchro::fuzz

int main(int argc, char** argv) {
  for (const int number : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(number, synchro::fuzz::tell_round);
  try {
    return synchro::fuzz::run(synchro::fuzz::read_options(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fuzz_readers: %s\n", e.what());
    return 2;
  }
}
