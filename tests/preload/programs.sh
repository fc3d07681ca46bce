#!/usr/bin/env bash
# Real programs with their locks replaced, by hand: tests/preload/programs.sh PROGRAM [LOCK...]
#
# PROGRAM is synchroscope. Each program runs once as it is and once with each lock; it must end, with the same exit status, and
# print nothing more than it did. What is not installed is skipped, with the reason. Debian: memcached libmemcached-tools
# default-jre-headless sysbench stress-ng python3. Takes minutes; locks that only spin take the longest.
set -uo pipefail

program=$(readlink -f "${1:?usage: programs.sh PROGRAM [LOCK...]}")
shift
locks=("$@")
[ ${#locks[@]} -gt 0 ] || locks=(mutex ticket/yield mcs/park clh/park hmcs/park)
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
limit=${LIMIT:-120} # seconds for one run
failures=0

# judge NAME LOCK STATUS: by the output of the run in $scratch/out and of the control in $scratch/control.
judge() {
  if [ "$3" -eq 0 ] && diff -q "$scratch/control" "$scratch/out" >"$scratch/diff"; then
    echo "ok    $1 with $2"
  else
    echo "FAIL  $1 with $2: exit status $3"
    diff "$scratch/control" "$scratch/out" | head -n 5
    failures=$((failures + 1))
  fi
}

# same NAME NEEDS FILTER COMMAND...: FILTER (a sed script) leaves of the output what must be equal.
same() {
  local name=$1 needs=$2 filter=$3 lock status
  shift 3
  if ! command -v "$needs" >/dev/null; then
    echo "skip  $name: $needs is not installed"
    return
  fi
  timeout "$limit" "$@" 2>&1 | sed -nE "$filter" >"$scratch/control"
  status=${PIPESTATUS[0]}
  if [ "$status" -ne 0 ]; then
    echo "skip  $name: it fails by itself, with status $status"
    return
  fi
  for lock in "${locks[@]}"; do
    timeout "$limit" "$program" with "$lock" -- "$@" 2>&1 | sed -nE "$filter" >"$scratch/out"
    status=${PIPESTATUS[0]}
    judge "$name" "$lock" "$status"
  done
}

# memcached LOCK: a server with that lock (or none) under load; prints what memcslap checked.
under_load() {
  local start=() port=$((20000 + RANDOM % 20000)) server status
  [ -z "$1" ] || start=("$program" with "$1" --)
  "${start[@]}" memcached -u nobody -l 127.0.0.1 -p "$port" -t 4 &
  server=$!
  for _ in $(seq 100); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
    sleep 0.1
  done
  timeout "$limit" memcslap --servers="127.0.0.1:$port" --concurrency=16 --execute-number=500 --test=set >"$scratch/slap" &&
    timeout "$limit" memcslap --servers="127.0.0.1:$port" --concurrency=16 --execute-number=500 --test=get >>"$scratch/slap"
  status=$?
  kill "$server"
  wait "$server"
  sed -nE 's/.*(Threads connecting to servers [0-9]+).*/\1/p' "$scratch/slap"
  return $status
}

same python3 python3 p python3 "$here/many_threads.py"
same "sysbench mutex" sysbench 's/^ *(total number of events: +[0-9]+)$/\1/p' \
  sysbench mutex --threads=4 --mutex-num=16 --mutex-locks=20000 --mutex-loops=100 run
same "sysbench threads" sysbench 's/^ *(total number of events: +[0-9]+)$/\1/p' \
  sysbench threads --threads=4 --thread-locks=4 --events=2000 --time=0 run
same "stress-ng mutex" stress-ng '/fail|error/Ip' stress-ng --mutex 1 --mutex-procs 2 --mutex-ops 2000
same "stress-ng pthread" stress-ng '/fail|error/Ip' stress-ng --pthread 2 --pthread-ops 2000
same java java p java -XX:TieredStopAtLevel=1 "$here/Hammer.java"
if command -v memcached >/dev/null && command -v memcslap >/dev/null; then
  under_load "" >"$scratch/control"
  for lock in "${locks[@]}"; do
    under_load "$lock" >"$scratch/out" 2>&1
    judge memcached "$lock" $?
  done
else
  echo "skip  memcached: memcached or memcslap is not installed"
fi
[ "$failures" -eq 0 ]
