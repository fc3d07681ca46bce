#!/usr/bin/env bash
# What the Debian packages in /root/packages are to somebody who installs them, in a new system without a compiler, as root:
# ./dev fresh NAME --packages FOLDER. Run in a clone, of which the library's sources and an example of a lock are taken.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

clone=$PWD
packages=/root/packages
mkdir /root/place
cd /root/place

step() { printf '== %s\n' "$*" >&2; }
fail() {
  printf 'installed: %s\n' "$*" >&2
  exit 1
}
# says WORDS COMMAND...: the command is well and prints these words.
says() {
  local words=$1 said
  shift
  step "$*"
  said=$("$@" 2>&1) || fail "$* ends with $?: $said"
  [[ $said == *"$words"* ]] || fail "$* does not say '$words': $said"
}
install() { apt-get install -y --no-install-recommends "$@"; }
# Whatever bears the project's name here, but for the pages of the manual that man keeps when it has shown them.
of_ours() {
  find / -xdev '(' -path /root -o -path /proc -o -path /var/log -o -path /var/cache/man ')' -prune \
    -o '(' -name synchro -o -name 'synchro[.-]*' -o -name 'libsynchro*' -o -name '*synchroscope*' ')' -print | sort
}

apt-get update
install man-db zsh fish bash-completion python3-minimal
if command -v cc c++ >/dev/null; then fail "there is a compiler here"; fi
of_ours >before

step "synchroscope alone"
install "$packages"/synchroscope_*.deb
says "synchroscope " synchroscope --version
says ticket synchroscope verify ticket
says opteron synchroscope simulate locks.throughput --machine opteron --lock ticket --threads 2 --quick --no-progress -o s.json
says ran synchroscope with ticket -- python3 -c 'print("ran")'
says "report.html" synchroscope tour --no-progress
says SYNOPSIS man synchroscope
mapfile -t commands < <(synchroscope --help | sed -n '/^Subcommands:/,/^Examples:/s/^  \([a-z]*\) .*/\1/p' | grep -vx help)
[[ ${#commands[@]} -gt 15 && " ${commands[*]} " == *" run "* ]] || fail "the help lists other commands: ${commands[*]}"
for command in "${commands[@]}"; do
  says "synchroscope $command" man "synchroscope-$command"
done
# shellcheck disable=SC2016 # the inner shells' own variables
says --quick bash -c 'source /usr/share/bash-completion/bash_completion; _completion_loader synchroscope || true
  COMP_WORDS=(synchroscope run --qui) COMP_CWORD=2; _synchroscope; echo "${COMPREPLY[@]}"'
# shellcheck disable=SC2016
says _synchroscope zsh -f -c 'autoload -Uz compinit; compinit -u; print ${_comps[synchroscope]}'
says --quick zsh -f -c 'autoload -Uz compinit; compinit -u; autoload +X _synchroscope; functions _synchroscope'
says --quick fish -c 'complete -C "synchroscope run --qui"'
cp "$clone/tests/catalog/toy/include/synchro/locks/toy.hpp" .
step "a lock of one's own, without a compiler"
if refused=$(synchroscope verify toy.hpp 2>&1); then fail "a header was compiled without a compiler"; fi
[[ $refused == *synchroscope-dev* && $refused != *$'\n'* ]] || fail "refused in other words: $refused"

step "all packages, and a compiler"
install "$packages"/*synchro*-dev_*.deb cmake make pkg-config
examples=/usr/share/doc/libsynchro-dev/examples
flags=$(pkg-config --cflags --libs synchro)
# shellcheck disable=SC2086 # words
says "" c++ -std=c++20 "$examples/counter.cpp" $flags -o counter
says "" ./counter
says "" cmake -S "$examples" -B by_cmake
says "" cmake --build by_cmake --target example_waking
says "" by_cmake/example_waking
python3 -B "$clone/cmake/single_header.py" "$clone" >synchro.hpp
sed 's|#include <synchro/.*>|#include "synchro.hpp"|' "$examples/counter.cpp" >alone.cpp
says "" c++ -std=c++20 alone.cpp -pthread -o alone
says "" ./alone
says "" synchroscope build toy.hpp
says toy synchroscope verify toy.hpp

step "the library from source, beside the packages"
says "" cmake -S "$clone" -B beside -DCMAKE_INSTALL_PREFIX=/usr -DSYNCHRO_INSTRUMENT=OFF -DSYNCHRO_TESTS=OFF -DSYNCHRO_BENCH=OFF
if refused=$(cmake --install beside 2>&1); then fail "it was installed over a package"; fi
[[ $refused == *"the package "*synchro*" is installed in /usr"* ]] || fail "refused in other words: $refused"
says "" cmake --install beside --prefix /root/place/own
changed=$(dpkg --verify synchroscope libsynchro-dev synchroscope-dev 2>&1) || fail "dpkg --verify ends with $?: $changed"
[ -z "$changed" ] || fail "files of the packages are changed: $changed"
says "" cmake -S "$examples" -B by_own -DCMAKE_PREFIX_PATH=/root/place/own
grep -q '^synchro_DIR:PATH=/root/place/own/' by_own/CMakeCache.txt || fail "another library than the one asked for was found"

step "removed"
apt-get purge -y 'synchroscope*' 'libsynchro*'
of_ours >after
left=$(comm -13 before after)
[ -z "$left" ] || fail "this is left: $left"
step "all is well"
