#!/usr/bin/env bash
# Real programs with their locks replaced: tests/preload/programs.sh PROGRAM [LOCK...]
#
# PROGRAM is synchroscope; without LOCKs it is all that `with` takes. Each program runs once as it is and once with each lock. For
# each of these: ok, or what differed (the exit status, what was printed; a library that prints differs), or a hang. What is
# not installed is named as not tried. Exit status 1 if anything was not ok. Debian has them all: memcached libmemcached-tools
# default-jre-headless sysbench stress-ng python3 nginx golang rustc rocksdb-tools.
#
#   LIMIT=120       seconds after which a run is called a hang, and ended
#   ONLY=WORD       only programs whose name contains this
#   PROGRAMS=DIR    where those of this folder were built; tests/preload/programs beside PROGRAM unless given
set -uo pipefail

program=$(readlink -f "${1:?usage: programs.sh PROGRAM [LOCK...]}")
shift
locks=("$@")
[ ${#locks[@]} -gt 0 ] ||
  mapfile -t locks < <("$program" list locks --json | awk -F'"' '$2 == "name" {n = $4} $2 == "kind" && $4 == "own" {print n}')
[ ${#locks[@]} -gt 0 ] || { echo "programs.sh: $program lists no locks" >&2; exit 2; }
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
built=$(readlink -f "${PROGRAMS:-$(dirname "$program")/tests/preload/programs}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2 # what breaks may leave files
limit=${LIMIT:-120}
good=0 failures=() not_tried=()

within() { timeout -k 5 "$limit" "$@"; } # status 124 or 137: ended by this

# judge NAME LOCK STATUS: the run in $scratch/out by the control in $scratch/control.
judge() {
  local said=""
  case $3 in
    0) diff -q "$scratch/control" "$scratch/out" >"$scratch/diff" || said="prints something else" ;;
    124 | 137) said="hang: not done after $limit s" ;;
    *) said="exit status $3" ;;
  esac
  if [ -z "$said" ]; then
    echo "ok    $1 with $2"
    good=$((good + 1))
    return
  fi
  echo "FAIL  $1 with $2: $said"
  diff "$scratch/control" "$scratch/out" | head -n 5
  failures+=("$1 with $2")
}

leave_out() {
  echo "not tried: $1: $2"
  not_tried+=("$1")
}

# each NAME FUNCTION: runs FUNCTION without and with each lock. It is given the words that come before a command, and leaves in
# $scratch/out what must be equal.
each() {
  local lock status
  "$2"
  status=$?
  if [ "$status" -ne 0 ]; then
    leave_out "$1" "it fails as it is, with status $status"
    return
  fi
  mv "$scratch/out" "$scratch/control"
  for lock in "${locks[@]}"; do
    "$2" "$program" with "$lock" --
    judge "$1" "$lock" $?
  done
}

# same NAME NEEDS FILTER COMMAND...: FILTER (a sed script) leaves of the output what must be equal; our own name always stays.
same() {
  local name=$1 needs=$2 filter=$3
  shift 3
  [[ "$name" == *"${ONLY:-}"* ]] || return 0
  if ! command -v "$needs" >/dev/null; then
    leave_out "$name" "$needs is not there"
    return
  fi
  local command=("$@")
  once() {
    within "$@" "${command[@]}" >"$scratch/raw" 2>&1
    local status=$?
    sed -nE "/synchro/{p;b}; $filter" "$scratch/raw" >"$scratch/out"
    return $status
  }
  each "$name" once
}

# ask_server PORT: what it has counted of its work.
ask_server() {
  exec 3<>"/dev/tcp/127.0.0.1/$1" || return 1
  printf 'stats\r\nquit\r\n' >&3
  tr -d '\r' <&3 | sed -nE 's/^STAT ((cmd_get|cmd_set|get_hits|get_misses|threads) .*)/\1/p'
  exec 3<&-
}

load() { within memcslap --servers="127.0.0.1:$1" --concurrency=8 --execute-number=100 --test="$2"; }

# await_server PORT PROCESS: until it answers, or is gone.
await_server() {
  until (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; do
    kill -0 "$2" 2>/dev/null || break
    sleep 0.05
  done
}

# end_server PROCESS STATUS: its own status, unless there is one of a client's already.
end_server() {
  kill "$1" 2>/dev/null
  wait "$1"
  local ended=$?
  [ "$2" -eq 0 ] || return "$2"
  return "$ended"
}

# A memcached under load: what it counted, and whether it ends as it is told to.
serve() {
  local port=$((20000 + RANDOM % 12000)) server status
  timeout -k 5 "$limit" "$@" memcached -u nobody -l 127.0.0.1 -p "$port" -t 4 >"$scratch/raw" 2>&1 &
  server=$!
  await_server "$port" "$server"
  { load "$port" set && load "$port" get; } >"$scratch/slap" 2>&1
  status=$?
  sleep 0.2 # what a connection counted is added up when it is closed
  { cat "$scratch/raw"; ask_server "$port"; } >"$scratch/out" 2>&1
  end_server "$server" "$status"
}

# An nginx whose files are read by a pool of threads: what it served, and whether it ends as it is told to.
serve_files() {
  local port=$((20000 + RANDOM % 12000)) server status
  mkdir -p "$scratch/www"
  [ -s "$scratch/www/file" ] || seq 100000 >"$scratch/www/file"
  printf '%s\n' "daemon off; master_process off; pid $scratch/nginx.pid; error_log stderr;" "thread_pool default threads=8;" \
    'events { worker_connections 64; }' \
    "http { access_log off; sendfile off; aio threads; client_body_temp_path $scratch/body; proxy_temp_path $scratch/proxy;" \
    "fastcgi_temp_path $scratch/fastcgi; uwsgi_temp_path $scratch/uwsgi; scgi_temp_path $scratch/scgi;" \
    "server { listen 127.0.0.1:$port; root $scratch/www; } }" >"$scratch/nginx.conf"
  timeout -k 5 "$limit" "$@" "$nginx" -p "$scratch" -c "$scratch/nginx.conf" >"$scratch/raw" 2>&1 &
  server=$!
  await_server "$port" "$server"
  { grep synchro "$scratch/raw"; within python3 "$here/fetch.py" "http://127.0.0.1:$port/file" 200; } >"$scratch/out" 2>&1
  status=$?
  end_server "$server" "$status"
}

# made NAME COMMAND...: what a compiler makes of a source here, beforehand; what cannot be made is not tried.
made() {
  [[ "$1" == *"${ONLY:-}"* ]] || return 1
  local name=$1
  shift
  "$@" >"$scratch/raw" 2>&1 || { leave_out "$name" "$1 is not there, or fails"; return 1; }
}

of_sysbench='s/^ *(total number of events: +[0-9]+)$/\1/p'
of_stress='/fail|error/Ip'
same "C++ standard library" "$built/standard" p "$built/standard"
same "C11 threads" "$built/c11" p "$built/c11"
same "python3, 64 threads" python3 p python3 "$here/many_threads.py"
same "sysbench mutex" sysbench "$of_sysbench" \
  sysbench mutex --threads=4 --mutex-num=16 --mutex-locks=5000 --mutex-loops=100 run
same "sysbench threads" sysbench "$of_sysbench" \
  sysbench threads --threads=4 --thread-locks=4 --thread-yields=10 --events=200 --time=0 run
same "stress-ng mutex" stress-ng "$of_stress" stress-ng --mutex 1 --mutex-procs 2 --mutex-ops 2000
same "stress-ng pthread (mutexes, conditions)" stress-ng "$of_stress" stress-ng --pthread 2 --pthread-max 16 --pthread-ops 500
if stress-ng --stressors 2>/dev/null | grep -qw cond; then
  same "stress-ng cond" stress-ng "$of_stress" stress-ng --cond 1 --cond-ops 2000
fi
# What four threads find of what four have written, with a buffer so small that others flush and compact it meanwhile.
same "RocksDB's db_bench" db_bench 's/^(readrandom|multireadrandom) .*(\([0-9]+ of [0-9]+ found\))$/\1 \2/p' \
  db_bench --benchmarks=fillrandom,readrandom,overwrite,multireadrandom --num=5000 --threads=4 --seed=7 --write_buffer_size=65536 \
  --db="$scratch/rocksdb"
same java java p java -XX:TieredStopAtLevel=1 "$here/Hammer.java"
made "Go with cgo" go build -o "$scratch/cgo" "$here/cgo_threads.go" && same "Go with cgo" "$scratch/cgo" p "$scratch/cgo"
made "Rust, its own locks" rustc -O -o "$scratch/rust" "$here/rust_threads.rs" &&
  same "Rust, its own locks" "$scratch/rust" p "$scratch/rust"
if [[ "nginx with threads" == *"${ONLY:-}"* ]]; then
  if nginx=$(PATH=$PATH:/usr/sbin command -v nginx); then
    each "nginx with threads" serve_files
  else
    leave_out "nginx with threads" "nginx is not there"
  fi
fi
if [[ "memcached under load" == *"${ONLY:-}"* ]]; then
  if command -v memcached >/dev/null && command -v memcslap >/dev/null; then
    each "memcached under load" serve
  else
    leave_out "memcached under load" "memcached or memcslap is not there"
  fi
fi

echo "$good of $((good + ${#failures[@]})) ok, with ${#locks[@]} locks${not_tried[*]:+; not tried: $(IFS=, && echo "${not_tried[*]}")}"
[ ${#failures[@]} -eq 0 ] && [ "$good" -gt 0 ]
