#!/usr/bin/env bash
# Builds programs that people use with the library's locks in place of their own, and runs their own tests.
#   adopt.sh HOUSE [--broken] [leveldb] [spdlog] [sqlite]      all three by default
#
# The sources are Debian's, of the release that runs here, fetched by apt-get with a configuration of its own below
# HOUSE/build/adopt; nothing outside of that folder is written but a folder for the tests' files in /dev/shm, where there is
# one (their speed is otherwise that of the disk's fsync), and that is removed. Each program says how many names were
# replaced; that none is left is checked, and that the locks were used shows in the symbols of what was built, or sqlite
# says it.
#
# A test that fails is run again beside the same program with its own locks, by turns and equally often. It is not counted
# if its own locks show every kind of failure that ours show and ours do not fail more often than chance explains; then it is
# printed as such. Any other failure is ours.
#
# --broken builds them with a mutex that lets everybody in, which has to be found out: then all must fail.
set -euo pipefail

house=$(cd "$1" && pwd)
shift
here=$house/tests/adopt
place=$house/build/adopt
jobs=$(nproc)
flags="-include $here/adopted.hpp -I$house/include"
ours=ours
if [ "${1:-}" = --broken ]; then
  shift
  ours=broken
  flags="$flags -DSYNCHRO_ADOPT_BROKEN"
fi
patience=$([ "$ours" = ours ] && echo 900 || echo 60) # seconds for a test

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

# copy PACKAGE FOLDERS...: a copy of the source with our locks in these folders.
copy() {
  local package=$1
  shift
  [ ! -f "$place/$package-$ours/.replaced" ] || return 0
  rm -rf "${place:?}/$package-$ours"
  cp -r "$place/$package" "$place/$package-$ours"
  (cd "$place/$package-$ours" && rm -rf build && replace "$@" && touch .replaced)
}

# uses_ours PROGRAM: fails if none of our locks is in it.
uses_ours() {
  [ "$ours" = ours ] || return 0
  nm -C "$1" | grep -c 'synchro::.*basic_mutex_lock' >/dev/null || fail "$1 has no lock of ours in it"
}

# ---- running and judging

# kind_of STATUS FILE: one word or two on how a run failed, the same for the same failure.
kind_of() {
  grep -m1 -oE 'Deadlock in thread|SQL error \([0-9,]+\)|^\[  FAILED  \] [A-Za-z_.]+|^[a-z_0-9]+\.cpp:[0-9]+: FAILED' "$2" ||
    echo "exit status $1"
}

# one_run COMMAND...: runs it in an empty folder, and prints the kind of its failure, or nothing.
one_run() {
  local status=0
  rm -rf "$scratch/run" && mkdir -p "$scratch/run"
  (cd "$scratch/run" && timeout "$patience" "$@") >"$scratch/told" 2>&1 || status=$?
  [ "$status" -eq 0 ] || kind_of "$status" "$scratch/told"
}

# own_shows KIND RUNS: whether its own locks fail so; what is rare is looked for in five times as many further runs.
own_shows() {
  local i
  grep -qxF "$1" "$scratch/own" && return 0
  for ((i = 1; i <= 5 * $2; ++i)); do
    with_own >"$scratch/further"
    if grep -qxF "$1" "$scratch/further"; then
      echo "   with its own: $1, in the ${i}th of further runs"
      return 0
    fi
  done
  return 1
}

# by_turns RUNS: calls with_ours and with_own so often each, and judges; its last line is the verdict. One run that passes
# needs no other beside it.
by_turns() {
  local runs=$1 i kind
  [ "$ours" = ours ] || runs=2
  : >"$scratch/ours"
  : >"$scratch/own"
  for ((i = 0; i < runs; ++i)); do
    with_ours >>"$scratch/ours"
    if [ "$runs" -gt 1 ] || [ -s "$scratch/ours" ]; then with_own >>"$scratch/own"; fi
  done
  local n own_n
  n=$(wc -l <"$scratch/ours")
  own_n=$(wc -l <"$scratch/own")
  sort "$scratch/ours" | uniq -c | sed 's/^ */   with ours: /'
  sort "$scratch/own" | uniq -c | sed 's/^ */   with its own: /'
  while read -r kind; do
    own_shows "$kind" "$runs" || {
      echo "FAILED: '$kind' in $(grep -cxF "$kind" "$scratch/ours") of $runs runs with our locks, and never with its own"
      return 1
    }
  done < <(sort -u "$scratch/ours")
  # The difference of two counts: three times its deviation.
  if [ "$n" -gt "$own_n" ] && [ $(((n - own_n) * (n - own_n))) -gt $((9 * (n + own_n))) ]; then
    echo "FAILED: $n of $runs runs fail with our locks, $own_n with its own"
    return 1
  fi
  if [ "$n" -eq 0 ]; then
    echo "passes, in $runs of $runs runs"
  else
    echo "not counted: fails in $n of $runs runs with our locks and in $own_n with its own, in the same ways"
  fi
}

# configure_and_build FOLDER FLAGS OPTIONS...
configure_and_build() {
  local folder=$1 more=$2
  shift 2
  cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_STANDARD=20 \
    -DCMAKE_CXX_FLAGS="$more" "$@" >&2
  cmake --build "$folder/build" -j "$jobs" >&2
}

# by_ctest PACKAGE OPTIONS...: builds it with our locks and runs its tests; with its own, if some of them fail.
by_ctest() {
  local package=$1 test bad=0 failing
  shift
  (cd "$place/$package-$ours/build" && TEST_TMPDIR=$scratch ctest --timeout "$patience" --no-tests=error) |
    tee "$scratch/ctest" || true
  tail -20 "$scratch/ctest" | grep -E 'tests passed' >"$place/summary-$package" || fail "its tests did not run"
  mapfile -t failing < <(sed -nE 's/^\t *[0-9]+ - ([A-Za-z0-9_-]+) \(.*/\1/p' "$scratch/ctest")
  if [ ${#failing[@]} -eq 0 ]; then
    grep -q '^100% tests passed' "$scratch/ctest" || fail "its tests failed, and do not say which"
    return 0
  fi
  configure_and_build "$place/$package" "" "$@"
  for test in "${failing[@]}"; do
    say "$test, by turns"
    with_ours() { TEST_TMPDIR=$scratch one_run ctest --test-dir "$place/$package-$ours/build" -R "^$test\$" --output-on-failure; }
    with_own() { TEST_TMPDIR=$scratch one_run ctest --test-dir "$place/$package/build" -R "^$test\$" --output-on-failure; }
    by_turns 5 >"$scratch/verdict" || bad=1
    cat "$scratch/verdict"
    echo "   $test: $(tail -1 "$scratch/verdict")" >>"$place/summary-$package"
  done
  return "$bad"
}

# ---- the programs

leveldb() {
  need libgmock-dev libgtest-dev libbenchmark-dev cmake
  fetch leveldb
  copy leveldb port db util helpers table
  configure_and_build "$place/leveldb-$ours" "$flags" -DLEVELDB_BUILD_BENCHMARKS=OFF
  uses_ours "$place/leveldb-$ours/build/db_test"
  by_ctest leveldb -DLEVELDB_BUILD_BENCHMARKS=OFF
}

spdlog() {
  need libfmt-dev catch2 cmake pkg-config
  fetch spdlog
  copy spdlog include src tests
  local options=(-DSPDLOG_FMT_EXTERNAL=ON -DSPDLOG_BUILD_TESTS=ON -DSPDLOG_BUILD_TESTS_HO=ON
    -DSPDLOG_BUILD_EXAMPLE=OFF)
  configure_and_build "$place/spdlog-$ours" "$flags" "${options[@]}"
  uses_ours "$place/spdlog-$ours/build/tests/spdlog-utests"
  uses_ours "$place/spdlog-$ours/build/tests/spdlog-utests-ho" # the same tests, of the headers alone
  by_ctest spdlog "${options[@]}"
}

# Its complete tests take hours; these are the programs that use it from several threads. (threadtest1 and 2 are for
# versions long gone.)
build_sqlite() {
  need tcl
  fetch sqlite3
  mkdir -p "$place/sqlite3/build"
  cd "$place/sqlite3/build"
  [ -f sqlite3.c ] || { ../configure >/dev/null 2>&1 && make sqlite3.c >/dev/null 2>&1; } || fail "sqlite3.c cannot be made"
  local options=(-O2 -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_UNLOCK_NOTIFY -I. -I../src) program
  [ -f sqlite3.o ] || cc "${options[@]}" -c sqlite3.c
  # shellcheck disable=SC2086 # several words
  c++ -std=c++20 -O2 $flags -I. -c "$here/sqlite_mutexes.cpp" -o "$ours.o"
  for program in threadtest3 threadtest4 threadtest5; do
    local objects=("$program.o")
    cc "${options[@]}" -w -c "../test/$program.c"
    if [ "$program" = threadtest3 ]; then
      cc "${options[@]}" -w -c ../src/test_multiplex.c
      objects+=(test_multiplex.o)
    fi
    c++ -o "$program-own" "${objects[@]}" sqlite3.o -pthread -ldl -lm
    c++ -o "$program-$ours" "${objects[@]}" "$ours.o" sqlite3.o -pthread -ldl -lm
  done
  uses_ours "threadtest3-$ours"
}

# threadtest4 gives up when a statement has been refused ten times in a row, with nothing but sched_yield between, which it
# calls a deadlock, and at once when another connection has locked the schema (SQLITE_LOCKED_SHAREDCACHE, 6 and 262) while it
# prepares a statement. Both depend on who runs when, with its own locks as with ours: a fifth of the runs on a busy machine.
sqlite() {
  build_sqlite
  local at=$PWD bad=0 test what
  : >"$place/summary-sqlite"
  # Those of threadtest3 that it does not run in shared-cache mode only; each runs for a time of its own choice.
  for what in "20 threadtest4 4" "20 threadtest4 --wal 4" "1 threadtest5" \
    "1 threadtest3 walthread1 walthread2 walthread3 walthread4 walthread5 stress1 stress2 dynamic_triggers"; do
    local words
    read -ra words <<<"$what"
    say "${words[*]:1}"
    with_ours() {
      one_run "$at/${words[1]}-$ours" "${words[@]:2}"
      grep -h '^adopted: ' "$scratch/told" >"$scratch/adopted" || true
    }
    with_own() { one_run "$at/${words[1]}-own" "${words[@]:2}"; }
    by_turns "${words[0]}" >"$scratch/verdict" || bad=1
    cat "$scratch/verdict"
    echo "   ${words[*]:1}: $(tail -1 "$scratch/verdict")" >>"$place/summary-sqlite"
    [ -s "$scratch/adopted" ] || [ "$bad" -ne 0 ] || fail "$what did not use our mutexes"
  done
  return "$bad"
}

# ----

[ $# -gt 0 ] || set -- spdlog leveldb sqlite
failed="" passed=""
for program in "$@"; do
  case $program in
    leveldb | spdlog | sqlite) ;;
    *) fail "there is no program '$program'; there are leveldb, spdlog, sqlite" ;;
  esac
done
mkdir -p "$place"
scratch=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "$place")" adopt.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
for program in "$@"; do
  say "$program"
  rm -f "$place/summary-$program"
  set +e # in a condition it would not end the subshell at its first failure
  (
    set -e
    "$program"
  )
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then passed="$passed $program"; else failed="$failed $program"; fi
done
say "summary"
for program in "$@"; do
  case " $failed " in *" $program "*) say "$program: FAILED" ;; *) say "$program: its tests pass with our locks, but for what is not counted" ;; esac
  cat "$place/summary-$program" 2>/dev/null || true
done
if [ "$ours" = broken ]; then
  [ -z "$passed" ] || fail "the mutex that lets everybody in was not found out by:$passed"
  say "all have found it out"
else
  [ -z "$failed" ] || fail "failed:$failed"
fi
