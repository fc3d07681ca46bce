#!/usr/bin/env bash
# Builds programs that people use with the library's locks in place of their own, and runs their own tests.
#   adopt.sh HOUSE [leveldb] [spdlog] [sqlite]      all three by default
#
# The sources are Debian's, of the release that runs here, fetched by apt-get with a configuration of its own below
# HOUSE/build/adopt; nothing outside of that folder is written. Each program says how many names were replaced; that none is
# left is checked, and that the locks were used shows in the symbols of what was built, or sqlite says it.
set -euo pipefail

house=$1
shift
here=$house/tests/adopt
place=$house/build/adopt
jobs=$(nproc)

say() { printf '== %s\n' "$*"; }
fail() {
  printf 'adopt: %s\n' "$*" >&2
  exit 1
}

# ---- sources

# fetch PACKAGE: its source in $place/PACKAGE, as Debian patched it.
fetch() {
  local package=$1 apt=$place/apt
  [ ! -f "$place/$package/.fetched" ] || return 0
  command -v dpkg-source >/dev/null || fail "dpkg-source is needed: install dpkg-dev"
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$place/fetched"
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk '$1 == "Debian" && $2 == "main" {
      print "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] " $3 " " $4 " main" }' |
    sort -u >"$apt/sources.list"
  [ -s "$apt/sources.list" ] || fail "apt names no archive of Debian here"
  local options=(-q -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root)
  [ -f "$apt/updated" ] || { apt-get "${options[@]}" update >&2 && touch "$apt/updated"; }
  (cd "$place/fetched" && apt-get "${options[@]}" source --download-only "$package" >&2)
  rm -rf "${place:?}/$package"
  dpkg-source --no-check -x "$(ls "$place/fetched/${package}"_*.dsc)" "$place/$package" >&2
  touch "$place/$package/.fetched"
}

# need PACKAGE...: what the program's tests are built with.
need() {
  local package absent=""
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || absent="$absent $package"
  done
  [ -z "$absent" ] || fail "these packages are needed:$absent"
}

# ---- other locks

names='(recursive_timed_mutex|recursive_mutex|timed_mutex|shared_timed_mutex|shared_mutex|mutex|condition_variable_any|condition_variable)'

# replace FOLDERS...: the standard's locks by ours.
replace() {
  local files count
  mapfile -t files < <(grep -rlE --include='*.h' --include='*.hpp' --include='*.cc' --include='*.cpp' "std::$names\b" "$@")
  [ ${#files[@]} -gt 0 ] || fail "there is nothing to replace in $*"
  count=$(grep -ohE "std::$names\b" "${files[@]}" | wc -l)
  sed -i -E "s/std::$names\b/adopted::\1/g" "${files[@]}"
  ! grep -nE "std::$names\b" "${files[@]}" || fail "some names are left"
  say "$count names of locks replaced in ${#files[@]} files"
}

flags="-include $here/adopted.hpp -I$house/include"

# uses_ours PROGRAM: fails if none of our locks is in it.
uses_ours() {
  nm -C "$1" | grep -c 'synchro::.*basic_mutex_lock' >/dev/null || fail "$1 has no lock of ours in it"
}

# ---- the programs

leveldb() {
  need libgmock-dev libgtest-dev libbenchmark-dev cmake
  fetch leveldb
  cd "$place/leveldb"
  if [ ! -f .adopted ]; then
    replace port db util helpers && touch .adopted
  fi
  cmake -S . -B adopted -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS="$flags" \
    -DLEVELDB_BUILD_BENCHMARKS=OFF >&2
  cmake --build adopted -j "$jobs" >&2
  uses_ours adopted/db_test
  (cd adopted && ctest --output-on-failure --no-tests=error)
}

spdlog() {
  need libfmt-dev catch2 cmake pkg-config
  fetch spdlog
  cd "$place/spdlog"
  if [ ! -f .adopted ]; then
    replace include src tests && touch .adopted
  fi
  cmake -S . -B adopted -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_STANDARD=20 -DCMAKE_CXX_FLAGS="$flags" \
    -DSPDLOG_FMT_EXTERNAL=ON -DSPDLOG_BUILD_TESTS=ON -DSPDLOG_BUILD_TESTS_HO=ON -DSPDLOG_BUILD_EXAMPLE=OFF >&2
  cmake --build adopted -j "$jobs" >&2
  uses_ours adopted/tests/spdlog-utests
  (cd adopted && ctest --output-on-failure --no-tests=error)
}

# Its complete tests take hours; these are the programs that use it from several threads. (threadtest1 and 2 are for
# versions long gone.)
sqlite() {
  need tcl
  fetch sqlite3
  mkdir -p "$place/sqlite3/adopted"
  cd "$place/sqlite3/adopted"
  [ -f sqlite3.c ] || { ../configure >/dev/null 2>&1 && make sqlite3.c >/dev/null 2>&1; } || fail "sqlite3.c cannot be made"
  local options=(-O2 -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_UNLOCK_NOTIFY -I. -I../src)
  [ -f sqlite3.o ] || cc "${options[@]}" -c sqlite3.c
  c++ -std=c++20 -O2 "-I$house/include" -I. -c "$here/sqlite_mutexes.cpp"
  local program test
  for program in threadtest3 threadtest4 threadtest5; do
    local more=()
    [ "$program" != threadtest3 ] || more=(../src/test_multiplex.c)
    for test in ../test/$program.c "${more[@]}"; do cc "${options[@]}" -w -c "$test"; done
    c++ -o "$program" "$program.o" ${more[0]:+test_multiplex.o} sqlite_mutexes.o sqlite3.o -pthread -ldl -lm
  done
  uses_ours threadtest3
  rm -rf run && mkdir run && cd run
  # Those of threadtest3 that it does not run in shared-cache mode only; each runs for a time of its own choice.
  ../threadtest3 walthread1 walthread2 walthread3 walthread4 walthread5 stress1 stress2 dynamic_triggers | tee threadtest3.txt
  grep -q '^adopted: ' threadtest3.txt || fail "threadtest3 did not use our mutexes"
  try_again_for "Deadlock in thread" ../threadtest4 4
  try_again_for "Deadlock in thread" ../threadtest4 --wal 4
  try_again_for "" ../threadtest5
}

# try_again_for TEXT PROGRAM...: up to five times, if it fails and says so. threadtest4 gives up when a statement has been
# refused ten times in a row, and calls it a deadlock; with sqlite's own mutexes it does so once in about ten runs, too.
try_again_for() {
  local excuse=$1 attempt
  shift
  say "$*"
  for attempt in 1 2 3 4 5; do
    if "$@" >told.txt 2>&1; then
      tail -2 told.txt
      return 0
    fi
    if [ -z "$excuse" ] || ! grep -q "$excuse" told.txt; then break; fi
    say "attempt $attempt gave up: $(grep "$excuse" told.txt | head -1)"
  done
  tail -20 told.txt
  fail "$* failed"
}

# ----

[ $# -gt 0 ] || set -- spdlog leveldb sqlite
failed=""
for program in "$@"; do
  case $program in
    leveldb | spdlog | sqlite) ;;
    *) fail "there is no program '$program'; there are leveldb, spdlog, sqlite" ;;
  esac
done
mkdir -p "$place"
for program in "$@"; do
  say "$program"
  set +e # in a condition it would not end the subshell at its first failure
  (
    set -e
    "$program"
  )
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then
    say "$program: its tests pass with our locks"
  else
    say "$program: FAILED"
    failed="$failed $program"
  fi
done
[ -z "$failed" ] || fail "failed:$failed"
