#!/usr/bin/env bash
# fresh.sh REPOSITORY [bookworm|trixie [COMMAND...]]: makes a minimal Debian in a folder, clones REPOSITORY's HEAD into it,
# runs ./dev COMMAND (words parted by blanks) there for each, cold, and says what happened; without commands the two of the
# README, run and test. Everything they print is in REPOSITORY/build/fresh-NAME.log, and packages that they make in
# REPOSITORY/build/packages-NAME.
#
# fresh.sh REPOSITORY NAME --packages FOLDER: installs the Debian packages in FOLDER there instead, where there is no compiler,
# and tries them (tests/package/installed.sh).
#
# Whatever is mounted is mounted in a namespace of its own, and whatever runs there has process numbers of its own: both
# end with it, in whichever way this script ends, so the folder can be removed without a look at what is mounted there.
#
# FRESH_CACHE=DIR lends that system a folder of ccache. Then it is not cold, which the output says.
set -euo pipefail
export LC_ALL=C # times with a point

fail() {
  printf 'fresh: %s\n' "$*" >&2
  exit 1
}

house=$1
name=${2:-trixie}
commands=("${@:3}")
packages=
[ ${#commands[@]} -gt 0 ] || commands=(run test)
commands=("${commands[@]/#/./dev }")
if [ "${3:-}" = --packages ]; then
  packages=${4:-$house/build/packages}
  commands=(tests/package/installed.sh)
  compgen -G "$packages/*.deb" >/dev/null || fail "there are no packages in $packages: ./dev package --debian makes them"
fi
cache=${FRESH_CACHE:-}

case $name in
  bookworm) system="Debian 12 (bookworm)" ;;
  trixie) system="Debian 13 (trixie)" ;;
  *) fail "there is bookworm and trixie, not '$name'" ;;
esac
[ -z "$cache" ] || [ -d "$cache" ] || fail "FRESH_CACHE: there is no folder $cache"
[ "$(id -u)" -eq 0 ] || fail "making a system in a folder needs root"
command -v debootstrap >/dev/null || fail "debootstrap is not installed (apt-get install debootstrap)"

mkdir -p "$house/build"
log=$house/build/fresh-$name.log
: >"$log"
root=$(mktemp -d "${TMPDIR:-/var/tmp}/synchroscope-fresh-XXXXXX")
chmod 755 "$root" # apt has an account of its own
running=
# A signal ends what runs first: bash would wait for it.
# shellcheck disable=SC2317 # called by the traps
clear_away() {
  trap '' INT TERM HUP
  if [ -n "$running" ]; then
    kill -KILL "$running" 2>/dev/null || true
    wait "$running" 2>/dev/null || true
  fi
  # What was killed may need a moment to end.
  rm -rf --one-file-system "$root" 2>/dev/null || { sleep 3 && rm -rf --one-file-system "$root"; }
}
trap clear_away EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# alone COMMAND...: in namespaces of its own, its output in the log; in the background, so that a signal is heard at once.
alone() {
  unshare --mount --pid --fork --kill-child=KILL "$@" >>"$log" 2>&1 </dev/null &
  running=$!
  local status=0
  wait "$running" || status=$?
  running=
  return "$status"
}

# ---- where the packages come from: as this system has it

# The archive that this system installs Debian's packages from; nothing if it is another system: debootstrap knows one.
archive() {
  # shellcheck disable=SC2016 # apt-get's own variable
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' 'Component: main' 2>/dev/null |
    head -n 1
}

# trusted FILE NAME...: whom this file says to trust is trusted there, too, by the settings of these names; nothing without a file.
trusted() {
  [ -f "$1" ] || return 0
  cp "$1" "$root/etc/ssl/trusted-as-${2,,}.pem"
  printf "%s=/etc/ssl/trusted-as-${2,,}.pem\n" "${@:2}"
}

# What npm is told here, for npm there: where the packages are, by which way, and whom to trust.
npm_settings() {
  local key value
  command -v npm >/dev/null || return 0
  for key in registry proxy https-proxy; do
    value=$(npm config get "$key" 2>/dev/null)
    case $value in '' | null | undefined) ;; *) printf 'npm_config_%s=%s\n' "${key//-/_}" "$value" ;; esac
  done
  value=$(npm config get cafile 2>/dev/null)
  if [ ! -f "$value" ]; then value=${NODE_EXTRA_CA_CERTS:-}; fi
  trusted "$value" npm_config_cafile NODE_EXTRA_CA_CERTS
}

# What pip is told here, for pip there: where the packages are, and whom to trust.
pip_settings() {
  local key value
  command -v pip3 >/dev/null || return 0
  for key in index-url trusted-host proxy; do
    value=$(pip3 config get "global.$key" 2>/dev/null) || continue
    key=${key//-/_}
    printf 'PIP_%s=%s\n' "${key^^}" "$value"
  done
  value=${PIP_CERT:-$(pip3 config get global.cert 2>/dev/null || true)}
  trusted "$value" PIP_CERT
}

make_system() {
  local from
  from=$(archive) || from=
  # The last word is where the archive is; without one debootstrap takes Debian's own.
  alone debootstrap --variant=minbase --include=ca-certificates "$name" "$root" ${from:+"$from"} ||
    fail "debootstrap failed: see $log"
  apt-config dump Acquire >"$root/etc/apt/apt.conf.d/90outside"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  git clone --quiet --no-hardlinks "$house" "$root/root/synchroscope"
  if [ -n "$packages" ]; then mkdir "$root/root/packages" && cp "$packages"/*.deb "$root/root/packages"; fi
}

# ---- the commands

mapfile -t passed_on < <(env | grep -iE '^(https?_proxy|no_proxy|npm_config_[a-z_]+|pip_index_url)=' || true)

# there COMMAND...: in the clone, in the system of the folder.
there() {
  # shellcheck disable=SC2016 # the inner shell's own variables
  alone sh -c '
    root=$1 cache=$2
    shift 2
    mount -t proc proc "$root/proc"
    mount -t sysfs sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs none "$root/dev/shm"
    if [ -n "$cache" ]; then mkdir -p "$root/var/cache/ccache" && mount --bind "$cache" "$root/var/cache/ccache"; fi
    chroot "$root" "$@"
    exit $?' sh "$root" "$cache" \
    /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "${passed_on[@]}" ${cache:+CCACHE_DIR=/var/cache/ccache} bash -c 'cd /root/synchroscope && "$@"' bash "$@"
}

in_minutes() { printf '%d min %02d s' $((${1%.*} / 60)) $((${1%.*} % 60)); }

# tried COMMAND...: runs it there, and says how it ended and after how long.
tried() {
  local word=passed real user kernel cpu
  local TIMEFORMAT='%R %U %S'
  { time there "$@" || word=failed; } 2>"$root/times"
  read -r real user kernel < <(tail -n 1 "$root/times")
  cpu=$((${user%.*} + ${kernel%.*}))
  printf '%s, %s: %s after %s (%s of processor time%s)\n' "$system" "$*" "$word" "$(in_minutes "$real")" \
    "$(in_minutes "$cpu")" "${cache:+; with a cache of compiled files}"
  [ "$word" = passed ] || {
    tail -n 40 "$log" >&2
    return 1
  }
}

make_system
mapfile -t -O "${#passed_on[@]}" passed_on < <(npm_settings && pip_settings)
failed=0
for command in "${commands[@]}"; do
  read -ra words <<<"$command"
  tried "${words[@]}" || failed=1
done
# Packages that were made there are for --packages.
made=$root/root/synchroscope/build/packages
if [ -d "$made" ]; then
  rm -rf "$house/build/packages-$name"
  cp -r "$made" "$house/build/packages-$name"
  printf '%s: the packages are in %s\n' "$system" "$house/build/packages-$name"
fi
[ "$failed" -eq 0 ] || fail "$system: not all is well; everything that was printed is in $log"
