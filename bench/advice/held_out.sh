#!/bin/sh
# held_out.sh SYNCHROSCOPE JUDGE: measures locks at a few places, then at others (other sections, gaps and numbers of locks,
# more threads than processors among both), and holds the advice for these against what was measured. About two minutes.
# Sections and gaps are short: where gaps are long all locks are alike, and nothing can be judged.
# Exit status 1: in fewer than nine cases of ten the advised lock was within 10 % of the best. 2: nothing was judged.
set -eu
synchroscope=$1
judge=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cpus=$(nproc)

measure() {
  file=$1
  shift
  "$synchroscope" run locks.throughput --quick --no-progress --lock tas,ttas,ticket,mcs,clh,mutex,mcs/park \
    --protocol saturated --readers 0 -o "$file" "$@" >"$here/said" 2>&1 || {
    cat "$here/said" >&2
    exit 2
  }
}

measure "$here/known.json" --threads "2,$((2 * cpus)),$((4 * cpus))" --locks 1,16 --hold 0,1000 --gap 100,1000
measure "$here/fresh.json" --threads "2,$((3 * cpus))" --locks 1,4 --hold 100,300 --gap 200,400
"$judge" "$here/known.json" "$here/fresh.json"
